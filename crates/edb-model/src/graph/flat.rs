//! Minibatches as lists: many graphs, validated once and laid end to end.

use std::collections::HashMap;

use edb_ir::{FunctionId, Sites};

use super::error::{GraphError, MinibatchError};
use super::levels::Levels;
use super::validate::check_acyclic;
use super::{ABSENT, Graph, InputCell, VertexEntry};
use crate::model::BoundModel;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_kernels::random::VertexKey;
use edb_kernels::trace::TARGET;
use edb_kernels::vouch::Vouch;
use edb_schedule::Schedule;
use edb_vertex::tensor::{Handle, Tensor};

/// The lists of a [`Minibatch`](super::Minibatch): what the engine reads. Others can neither make nor change them, so
/// that they stay valid. `edb` does not re-export this type.
#[derive(Clone, Debug)]
pub struct FlatBatch<T = f32> {
    pub(crate) model: u64,
    /// Where the vertices of each graph begin, and the end.
    pub(crate) graph_offsets: Vec<u32>,
    /// The id of each graph that draws depend on; empty if the model draws nothing.
    pub(crate) samples: Vec<u64>,
    /// The graph of each vertex.
    pub(crate) graphs: Vec<u32>,
    /// The number of each vertex in its graph, where the vertices of a graph do not follow one
    /// another, since graphs [grow](super::Arrivals); empty where they do.
    pub(super) numbers: Vec<u32>,
    /// For each vertex the one that a [section](super::sections) belongs to, and the section with
    /// which that ends; empty where no vertex has run sections.
    pub(super) owners: Vec<u32>,
    pub(super) ends: Vec<u32>,
    /// For each vertex how often it has drawn and decided in the sections before; empty where no
    /// section behind another one does.
    pub(super) sites: Vec<Sites>,
    /// The function of each vertex.
    pub(crate) functions: Vec<FunctionId>,
    pub(crate) child_offsets: Vec<u32>,
    pub(crate) children: Vec<u32>,
    pub(crate) input_offsets: Vec<u32>,
    pub(crate) inputs: Vec<InputCell>,
    pub(crate) data: Vec<T>,
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
    /// Whether it is known to be one of this minibatch's vertices.
    pub(super) is_vouched_for: bool,
}

/// The vertices of a graph of a minibatch that another graph had when it was cloned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inherited {
    /// The clone, by its place in the minibatch.
    pub(super) clone: u32,
    /// The other graph, by its id.
    pub(super) graph: u64,
    /// How many vertices these are, from the first one on.
    pub(super) vertices: u32,
    /// How many numbers of input the other graph had then.
    pub(super) data: u32,
}

impl<T: Element> FlatBatch<T> {
    /// Where the vertices of each graph begin, in the order of graphs, and behind them where the last one ends.
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

    /// Has it run by this schedule, such as one that was read from a file, which is checked whenever it runs:
    /// a run fails unless each vertex is in one batch, after the vertices that it reads.
    pub fn set_schedule(&mut self, schedule: Schedule) {
        self.schedule = Some(OwnSchedule { schedule, is_vouched_for: false });
    }

    /// The id of the model that it is of.
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

    /// Where the input fields of each vertex begin, and the end; and the fields.
    #[inline]
    pub fn all_inputs(&self) -> (&[u32], &[InputCell]) {
        (&self.input_offsets, &self.inputs)
    }

    /// The numbers of all tensors that are pulled.
    #[inline]
    pub fn data(&self) -> &[T] {
        &self.data
    }

    /// The level of each vertex.
    #[inline]
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// Has it run by a schedule that is known to be one of its vertices, so that it need not be checked.
    ///
    /// # Vouch
    /// The schedule has each vertex once, behind what it depends on and in no batch with it.
    pub fn set_known_schedule(&mut self, schedule: Schedule, _: Vouch) {
        self.schedule = Some(OwnSchedule { schedule, is_vouched_for: true });
    }

    /// Whether its schedule is [known](Self::set_known_schedule) to be one of its vertices.
    pub fn is_vouched_for(&self) -> bool {
        self.schedule.as_ref().is_some_and(|own| own.is_vouched_for)
    }
}

compiled_here! {
    /// A minibatch of graphs, which are checked.
    pub(super) fn of_graphs(model: &BoundModel, graphs: &[&Graph<T>]) -> Result<FlatBatch<T>, MinibatchError> {
        let mut batch = FlatBatch::empty(model);
        let count = graphs.len();
        let _span = tracing::debug_span!(target: TARGET, "minibatch", graphs = count).entered();
        batch.reserve(graphs.iter().copied());
        batch.levels = Levels::new(model.functions.len(), batch.functions.capacity());
        let draws = model.draws();
        for (number, graph) in graphs.iter().enumerate() {
            let only_indices = batch.check(model, graph, number)?;
            batch.append(graph, draws, only_indices)?;
        }
        if batch.ids.is_empty() {
            return Err(MinibatchError::NoGraphs);
        }
        Ok(batch)
    }
}

impl<T: Element> FlatBatch<T> {
    /// A minibatch of graphs that have been checked, whose levels are not known: it needs a schedule.
    pub(super) fn of_checked(
        model: &BoundModel,
        graphs: &[Graph<T>],
        feeds: bool,
    ) -> Result<Self, MinibatchError> {
        let mut batch = Self::empty(model);
        batch.reserve(graphs.iter());
        batch.levels = Levels::unknown(feeds);
        let draws = model.draws();
        for graph in graphs {
            batch.append_functions(model, graph);
            batch.append(graph, draws, false)?;
        }
        Ok(batch)
    }

    fn empty(model: &BoundModel) -> Self {
        Self {
            model: model.id,
            graph_offsets: vec![0],
            samples: Vec::new(),
            graphs: Vec::new(),
            numbers: Vec::new(),
            owners: Vec::new(),
            ends: Vec::new(),
            sites: Vec::new(),
            functions: Vec::new(),
            child_offsets: vec![0],
            children: Vec::new(),
            input_offsets: vec![0],
            inputs: Vec::new(),
            data: Vec::new(),
            data_offsets: vec![0],
            indices: Vec::new(),
            levels: Levels::default(),
            ids: Vec::new(),
            inherited: Vec::new(),
            schedule: None,
        }
    }

    /// Reserves memory for these graphs, so that nothing is reallocated while they are appended.
    fn reserve<'g>(&mut self, graphs: impl ExactSizeIterator<Item = &'g Graph<T>> + Clone) {
        // A minibatch that is too large is refused when graphs are appended.
        let sum = |size: fn(&Graph<T>) -> usize| {
            let sum: usize = graphs.clone().map(size).sum();
            if sum < ABSENT as usize { sum } else { 0 }
        };
        let vertices = sum(Graph::len);
        self.graph_offsets.reserve(graphs.len());
        self.ids.reserve(graphs.len());
        self.data_offsets.reserve(graphs.len());
        self.graphs.reserve(vertices);
        self.functions.reserve(vertices);
        self.child_offsets.reserve(vertices);
        self.input_offsets.reserve(vertices);
        self.children.reserve(sum(|graph| graph.children.len()));
        self.inputs.reserve(sum(|graph| graph.inputs.len()));
        self.data.reserve(sum(|graph| graph.data.len()));
        self.indices.reserve(sum(|graph| graph.indices.len()));
    }

    /// Checks everything that can be wrong with a graph, and finds the levels of its vertices.
    /// Returns whether every field of its input is one index.
    fn check(
        &mut self,
        model: &BoundModel,
        graph: &Graph<T>,
        number: usize,
    ) -> Result<bool, MinibatchError> {
        if graph.model != model.id {
            return Err(MinibatchError::ForeignGraph { graph: number });
        }
        if graph.is_empty() {
            return Err(MinibatchError::EmptyGraph { graph: number });
        }
        let wrong = |error: GraphError| MinibatchError::Graph { graph: number, error };
        if let Some(problem) = &graph.problem {
            return Err(wrong(problem.clone()));
        }
        let first = self.functions.len();
        self.append_functions(model, graph);
        let functions = &self.functions[first..];
        let found = self.levels.extend(model, graph, functions).map_err(wrong)?;
        // Vertices that only depend on earlier ones have no cycle.
        if !found.ascending {
            check_acyclic(graph).map_err(wrong)?;
        }
        Ok(found.only_indices)
    }

    /// Appends the functions of a graph's vertices, each the variant that its input says.
    fn append_functions(&mut self, model: &BoundModel, graph: &Graph<T>) {
        if !model.has_variants {
            self.functions.extend(graph.entries.iter().map(|entry| entry.function));
            return;
        }
        let variant = |(vertex, entry): (usize, &VertexEntry)| {
            model.variant(entry.function, graph.inputs(vertex))
        };
        self.functions.extend(graph.entries.iter().enumerate().map(variant));
    }

    /// Appends a graph whose functions have been appended, with the id that draws depend on if the model `draws`; `only_indices` says
    /// that every field of its input is one index.
    fn append(
        &mut self,
        graph: &Graph<T>,
        draws: bool,
        only_indices: bool,
    ) -> Result<(), MinibatchError> {
        if draws {
            self.samples.push(graph.sample_id());
        }
        let first = place_for(self.graphs.len(), graph.len(), "vertices")?;
        let children = place_for(self.children.len(), graph.children.len(), "edges")?;
        let inputs = place_for(self.inputs.len(), graph.inputs.len(), "inputs")?;
        let data = place_for(self.data.len(), graph.data.len(), "numbers of input")?;
        let indices = place_for(self.indices.len(), graph.indices.len(), "indices of bags")?;
        let number = self.ids.len() as u32;
        self.graphs.extend(std::iter::repeat_n(number, graph.len()));
        let moved = |child: &u32| if *child == ABSENT { ABSENT } else { child + first };
        self.child_offsets.extend(graph.entries.iter().map(|entry| entry.children + children));
        self.children.extend(graph.children.iter().map(moved));
        self.input_offsets.extend(graph.entries.iter().map(|entry| entry.inputs + inputs));
        self.graph_offsets.push(self.functions.len() as u32);
        self.ids.push(graph.lineage.id());
        self.inherited.extend(graph.lineage.ancestors().iter().map(|ancestor| Inherited {
            clone: number,
            graph: ancestor.graph,
            vertices: ancestor.shared.vertices,
            data: ancestor.shared.data,
        }));
        if only_indices {
            self.data_offsets.push(self.data.len() as u32);
            self.inputs.extend_from_slice(&graph.inputs);
            return Ok(());
        }
        self.inputs.extend(graph.inputs.iter().map(|cell| match *cell {
            InputCell::Index(index) => InputCell::Index(index),
            InputCell::Indices { start, length } => {
                InputCell::Indices { start: start + indices, length }
            }
            InputCell::Data { start, length } => InputCell::Data { start: start + data, length },
            InputCell::Pushed { vertex, field } => {
                InputCell::Pushed { vertex: vertex + first, field }
            }
        }));
        self.data.extend_from_slice(&graph.data);
        self.data_offsets.push(self.data.len() as u32);
        self.indices.extend_from_slice(&graph.indices);
        Ok(())
    }

    /// The number of graphs.
    pub fn graph_count(&self) -> usize {
        self.ids.len()
    }

    /// The number of vertices, over all graphs.
    pub fn vertex_count(&self) -> usize {
        self.functions.len()
    }

    /// Whether the vertices of a graph follow one another: not where graphs have grown.
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

    /// The place of a vertex's graph, and its number there; of a section the number of its vertex.
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
        // The sections that vertices have run have no numbers.
        (self.owner(vertex) == vertex).then_some(vertex)
    }

    /// The place of a vertex, given by the id of the graph that made its handle and its number
    /// there: in the first graph with this id, as a graph may be in a minibatch several times, or
    /// else in the first clone that has the vertex.
    pub fn find(&self, graph: u64, number: usize) -> Option<u32> {
        let place = self.ids.iter().position(|id| *id == graph).or_else(|| {
            let has = |of: &&Inherited| of.graph == graph && number < of.vertices as usize;
            self.inherited.iter().find(has).map(|of| of.clone as usize)
        })?;
        self.vertex(place, number)
    }

    /// The same in the graph at one place, which may be a clone of that which made the handle.
    pub fn find_within(&self, place: usize, graph: u64, number: usize) -> Option<u32> {
        let of_clone = |of: &&Inherited| of.clone as usize == place && of.graph == graph;
        let has = |of: &Inherited| number < of.vertices as usize;
        let is_of =
            *self.ids.get(place)? == graph || self.inherited.iter().find(of_clone).is_some_and(has);
        is_of.then(|| self.vertex(place, number)).flatten()
    }

    /// What each graph is, as [`inside::identities`](super::inside::identities) says, with its place.
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

    /// The vertices of a graph, without the sections that they went on with.
    pub fn vertices_of(&self, graph: usize) -> impl Iterator<Item = u32> + '_ {
        let of = self.graph_offsets.get(graph..graph + 2).map_or(0..0, |of| of[0]..of[1]);
        of.filter(|vertex| self.owner(*vertex) == *vertex)
    }

    /// Finds many vertices, as [`find`](Self::find) does one, looking at each graph once.
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

    /// Replaces the numbers of a tensor that [`Graph::tensor`] made, for every vertex that pulls
    /// it: the next run reads the new ones. So one minibatch serves inputs that change while the
    /// graphs do not (lengths of branches, observations of each day), without repeating its checks
    /// and its search for a schedule.
    ///
    /// If the graph is in the minibatch several times, the first one is changed; if it is not, the
    /// first of its clones that has the tensor. The graph itself does not change, nor do the draws
    /// of dropout.
    ///
    /// # Errors
    /// When the tensor is not of this minibatch or has another length, or a number is NaN or
    /// infinite; nothing has changed then.
    pub fn set_tensor(&mut self, tensor: Tensor, values: &[T]) -> Result<(), MinibatchError> {
        let Handle::Data { graph, start, length } = tensor.0 else {
            return Err(MinibatchError::ForeignTensor);
        };
        let end = u64::from(start) + u64::from(length);
        let place = self.ids.iter().position(|id| *id == graph).or_else(|| {
            let has = |of: &&Inherited| of.graph == graph && end <= u64::from(of.data);
            self.inherited.iter().find(has).map(|of| of.clone as usize)
        });
        let place = place.ok_or(MinibatchError::ForeignTensor)?;
        // Tensors that were added to the graph later are not in the minibatch.
        let first = self.data_offsets[place];
        if end > u64::from(self.data_offsets[place + 1] - first) {
            return Err(MinibatchError::ForeignTensor);
        }
        if values.len() != length as usize {
            let (expected, found) = (length as usize, values.len());
            return Err(MinibatchError::TensorLength { expected, found });
        }
        if let Some(element) = values.iter().position(|value| !value.is_finite()) {
            let value = values[element].as_f64();
            return Err(MinibatchError::NotFinite { element, value });
        }
        let first = first as usize + start as usize;
        self.data[first..first + values.len()].copy_from_slice(values);
        Ok(())
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

/// Where `more` entries of a minibatch begin behind those that there are.
pub(super) fn place_for(
    len: usize,
    more: usize,
    what: &'static str,
) -> Result<u32, MinibatchError> {
    let end = len.checked_add(more).and_then(|end| u32::try_from(end).ok());
    // The greatest number stands for an absent child.
    end.filter(|end| *end != ABSENT).map(|_| len as u32).ok_or(MinibatchError::TooLarge { what })
}
