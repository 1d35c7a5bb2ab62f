//! The lists of a minibatch: everything that graphs consist of but their numbers.

use std::collections::HashMap;
use std::ops::Range;

use edb_ir::{FunctionId, Sites};

use super::error::MinibatchError;
use super::levels::Levels;
use super::{ABSENT, InputCell};
use edb_kernels::random::VertexKey;
use edb_schedule::Schedule;
use edb_vertex::tensor::{Handle, Tensor};

/// The lists of a [`Minibatch`](super::Minibatch): everything but the numbers of its tensors. So code that only
/// reads lists is compiled once for all types of numbers. Only this crate makes and changes the lists, so they stay
/// valid. `edb` does not re-export this type.
#[derive(Clone, Debug)]
pub struct FlatBatch {
    pub(crate) model: u64,
    /// Where the vertices of each graph begin, and the end.
    pub(crate) graph_offsets: Vec<u32>,
    /// The sample id of each graph, on which draws depend; empty if the model draws nothing.
    pub(crate) samples: Vec<u64>,
    /// The graph of each vertex.
    pub(crate) graphs: Vec<u32>,
    /// The number of each vertex in its graph, if the vertices of a graph are not consecutive because graphs
    /// [grow](super::Arrivals). Otherwise empty.
    pub(super) numbers: Vec<u32>,
    /// For each vertex, the vertex to which it belongs as a [section](super::sections); below, the section with
    /// which that vertex ends. Empty if no vertex has run sections.
    pub(super) owners: Vec<u32>,
    pub(super) ends: Vec<u32>,
    /// For each vertex, how often it has drawn and decided in earlier sections; empty if only first sections
    /// draw or decide.
    pub(super) sites: Vec<Sites>,
    /// The function of each vertex.
    pub(crate) functions: Vec<FunctionId>,
    pub(crate) child_offsets: Vec<u32>,
    pub(crate) children: Vec<u32>,
    pub(crate) input_offsets: Vec<u32>,
    pub(crate) inputs: Vec<InputCell>,
    /// Where the data of each graph begins, and the end.
    pub(super) data_offsets: Vec<u32>,
    /// The indices of all bags.
    pub(crate) indices: Vec<u32>,
    /// The level of each vertex.
    pub(crate) levels: Levels,
    /// The ids of the graphs, for handles.
    pub(super) ids: Vec<u64>,
    /// For graphs that are clones, the handles of other graphs that are also valid for their
    /// vertices.
    pub(super) inherited: Vec<Inherited>,
    /// The schedule that it runs by, if one was searched for.
    pub(super) schedule: Option<OwnSchedule>,
}

/// A schedule that a minibatch runs by.
#[derive(Clone, Debug)]
pub(super) struct OwnSchedule {
    pub(super) schedule: Schedule,
    /// Whether it is known to be a valid schedule of this minibatch's vertices.
    pub(super) is_vouched_for: bool,
}

/// The vertices that a graph of a minibatch has in common with a graph from which it was cloned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inherited {
    /// The clone, by its place in the minibatch.
    pub(super) clone: u32,
    /// The other graph, by its id.
    pub(super) graph: u64,
    /// How many vertices they have in common, from the first one on.
    pub(super) vertices: u32,
    /// How many numbers of input the other graph had then.
    pub(super) data: u32,
}

impl FlatBatch {
    /// Where the vertices of each graph begin, in the order of the graphs, and at the end where the last graph
    /// ends.
    #[inline]
    pub fn graph_offsets(&self) -> &[u32] {
        &self.graph_offsets
    }

    /// The graph of each vertex, by its place in the minibatch.
    #[inline]
    pub fn graphs(&self) -> &[u32] {
        &self.graphs
    }

    /// The schedule that it runs by, if one was searched for.
    #[inline]
    pub fn schedule(&self) -> Option<&Schedule> {
        self.schedule.as_ref().map(|own| &own.schedule)
    }

    /// The id of the model of the minibatch.
    #[inline]
    pub fn model_id(&self) -> u64 {
        self.model
    }

    /// The function of each vertex.
    #[inline]
    pub fn functions(&self) -> &[FunctionId] {
        &self.functions
    }

    /// Where the children of each vertex begin, and the end.
    #[inline]
    pub fn child_offsets(&self) -> &[u32] {
        &self.child_offsets
    }

    /// The children of all vertices.
    #[inline]
    pub fn all_children(&self) -> &[u32] {
        &self.children
    }

    /// Where the input fields of each vertex begin, and the end; and the fields of all vertices.
    #[inline]
    pub fn all_inputs(&self) -> (&[u32], &[InputCell]) {
        (&self.input_offsets, &self.inputs)
    }

    /// The level of each vertex.
    #[inline]
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// Whether its schedule is [known](super::inside::set_known_schedule) to be valid.
    pub fn is_vouched_for(&self) -> bool {
        self.schedule.as_ref().is_some_and(|own| own.is_vouched_for)
    }

    /// Gives each vertex its number in its graph, since the vertices of a graph will not follow one another.
    pub(super) fn number_all(&mut self) {
        self.numbers = (0..self.functions.len() as u32).map(|vertex| self.number(vertex)).collect();
    }

    /// The number of graphs.
    pub fn graph_count(&self) -> usize {
        self.ids.len()
    }

    /// The number of vertices, over all graphs.
    pub fn vertex_count(&self) -> usize {
        self.functions.len()
    }

    /// Whether the vertices of each graph are consecutive. They are not if graphs have grown.
    pub fn has_whole_graphs(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The number of a vertex in its graph.
    pub fn number(&self, vertex: u32) -> u32 {
        match self.numbers.get(vertex as usize) {
            Some(number) => *number,
            None => vertex - self.graph_offsets[self.graphs[vertex as usize] as usize],
        }
    }

    /// The place of a vertex's graph, and the vertex's number there. For a section, it is the number of the
    /// vertex to which it belongs.
    pub fn graph_and_number(&self, vertex: u32) -> (u32, u32) {
        (self.graphs[vertex as usize], self.number(vertex))
    }

    /// The random key of a vertex in a step; `function` is the key of its function.
    pub fn vertex_key(&self, function: u64, vertex: u32, (seed, step): (u64, u64)) -> VertexKey {
        let graph = self.graphs[vertex as usize] as usize;
        let sample = self.samples.get(graph).copied().unwrap_or(0);
        let key = VertexKey::new(seed, step, sample, function, self.number(vertex));
        key.after(self.sites(vertex))
    }

    /// The place of a vertex, given by its graph's place in the minibatch and its number there.
    pub fn vertex(&self, graph: usize, number: usize) -> Option<u32> {
        let [start, end] = [*self.graph_offsets.get(graph)?, *self.graph_offsets.get(graph + 1)?];
        let vertex = (number < (end - start) as usize).then(|| start + number as u32)?;
        // Sections have no numbers of their own.
        (self.owner(vertex) == vertex).then_some(vertex)
    }

    /// The place of a vertex, given by the id of the graph that made its handle and its number
    /// there. A graph may be in a minibatch several times: then this is the vertex of the first one. If the
    /// graph is not there, it is the vertex of the first clone that has it.
    pub fn find(&self, graph: u64, number: usize) -> Option<u32> {
        let place = self.ids.iter().position(|id| *id == graph).or_else(|| {
            let has = |of: &&Inherited| of.graph == graph && number < of.vertices as usize;
            self.inherited.iter().find(has).map(|of| of.clone as usize)
        })?;
        self.vertex(place, number)
    }

    /// The place of a vertex in the graph at this place of the minibatch; the graph may be a clone of the graph
    /// that made the handle.
    pub fn find_within(&self, place: usize, graph: u64, number: usize) -> Option<u32> {
        let of_clone = |of: &&Inherited| of.clone as usize == place && of.graph == graph;
        let has = |of: &Inherited| number < of.vertices as usize;
        let is_of =
            *self.ids.get(place)? == graph || self.inherited.iter().find(of_clone).is_some_and(has);
        is_of.then(|| self.vertex(place, number)).flatten()
    }

    /// The ids under which each graph is known, as in [`inside::identities`](super::inside::identities), with
    /// the place of the graph.
    pub fn identities(&self) -> impl Iterator<Item = (usize, (u64, usize))> {
        let vertices = |place: usize| {
            let ends = self.graph_offsets.get(place..place + 2);
            ends.map_or(0, |ends| (ends[1] - ends[0]) as usize)
        };
        let own = self.ids.iter().enumerate().map(|(place, id)| (place, *id));
        let same =
            self.inherited.iter().map(|of| (of.clone as usize, of.graph, of.vertices as usize));
        let same = same.filter(move |(place, _, shared)| *shared == vertices(*place));
        own.chain(same.map(|(place, graph, _)| (place, graph)))
            .map(move |(place, id)| (place, (id, vertices(place))))
    }

    /// The vertices of a graph, without the sections with which they went on.
    pub fn vertices_of(&self, graph: usize) -> impl Iterator<Item = u32> + '_ {
        let of = self.graph_offsets.get(graph..graph + 2).map_or(0..0, |of| of[0]..of[1]);
        of.filter(|vertex| self.owner(*vertex) == *vertex)
    }

    /// Like [`find`](Self::find), for many vertices at once: it looks at each graph only once.
    pub fn find_all(
        &self,
        vertices: impl Iterator<Item = (u64, usize)>,
    ) -> impl Iterator<Item = Option<u32>> {
        let mut places = HashMap::with_capacity(self.ids.len());
        for (place, id) in self.ids.iter().enumerate() {
            places.entry(*id).or_insert(place);
        }
        vertices.map(move |(graph, number)| match places.get(&graph) {
            Some(place) => self.vertex(*place, number),
            None => self.find(graph, number),
        })
    }

    /// Where the numbers of a tensor are among those that all graphs have put in, if it is of one of these graphs.
    pub(super) fn place_of_tensor(&self, tensor: Tensor) -> Option<Range<usize>> {
        let Handle::Data { graph, start, length } = tensor.0 else { return None };
        let end = u64::from(start) + u64::from(length);
        let place = self.ids.iter().position(|id| *id == graph).or_else(|| {
            let has = |of: &&Inherited| of.graph == graph && end <= u64::from(of.data);
            self.inherited.iter().find(has).map(|of| of.clone as usize)
        })?;
        // Tensors that were added to the graph later are not in the minibatch.
        let first = self.data_offsets[place];
        let is_here = end <= u64::from(self.data_offsets[place + 1] - first);
        is_here.then(|| (first + start) as usize..(first + start + length) as usize)
    }

    /// The indices of a field that is an index or a bag of them.
    pub fn indices<'a>(&'a self, cell: &'a InputCell) -> &'a [u32] {
        match cell {
            InputCell::Index(index) => std::slice::from_ref(index),
            InputCell::Indices { start, length } => {
                &self.indices[*start as usize..(*start + *length) as usize]
            }
            InputCell::Data { .. } | InputCell::Pushed { .. } => {
                unreachable!("the minibatch was checked: the field holds indices")
            }
        }
    }

    /// The children of a vertex, by their numbers in the minibatch, in the order in which the vertex reads them.
    ///
    /// # Panics
    /// When there is no such vertex.
    pub fn children(&self, vertex: u32) -> &[u32] {
        let first = vertex as usize;
        let [start, end] = [self.child_offsets[first], self.child_offsets[first + 1]];
        &self.children[start as usize..end as usize]
    }

    /// The vertices that a vertex depends on: its children that are not absent, and vertices that
    /// feed it.
    pub fn dependencies(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let children = self.children(vertex).iter().copied().filter(|child| *child != ABSENT);
        let inputs = if self.levels.feeds { self.inputs(vertex) } else { &[] };
        children.chain(inputs.iter().filter_map(|cell| match cell {
            InputCell::Pushed { vertex, .. } => Some(*vertex),
            _ => None,
        }))
    }

    /// The input fields of a vertex.
    pub fn inputs(&self, vertex: u32) -> &[InputCell] {
        let first = vertex as usize;
        let [start, end] = [self.input_offsets[first], self.input_offsets[first + 1]];
        &self.inputs[start as usize..end as usize]
    }
}

/// Where `more` new entries of a list of a minibatch begin: after the `len` entries that exist.
pub(super) fn place_for(
    len: usize,
    more: usize,
    what: &'static str,
) -> Result<u32, MinibatchError> {
    let end = len.checked_add(more).and_then(|end| u32::try_from(end).ok());
    // The greatest number stands for an absent child.
    end.filter(|end| *end != ABSENT).map(|_| len as u32).ok_or(MinibatchError::TooLarge { what })
}
