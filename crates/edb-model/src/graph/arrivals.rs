//! Graphs that grow while they run: a minibatch of their vertices, in the order in which they arrive.
//!
//! In a [`Minibatch`], the vertices of a graph are consecutive. While graphs grow they cannot be: new vertices
//! come after all vertices that have run. A vertex still has the number in its graph that it will have in the
//! minibatch that is made at the end, so its draws and all results are the same as there.

use std::ops::Range;

use edb_ir::FunctionId;

use super::building::of_graphs;
use super::error::{GraphError, MinibatchError};
use super::flat::{FlatBatch, place_for};
use super::lineage::{Extent, next_id};
use super::minibatch::Minibatch;
use super::paths::Paths;
use super::validate::check_vertex;
use super::{ABSENT, Graph, InputCell};
use crate::model::{BoundModel, Model};
use edb_kernels::element::Element;
use edb_kernels::vouch::Vouch;

const OTHER_MODEL: &str = "these are graphs of another model";

/// Graphs that grow, and their vertices in the order in which they arrive.
#[derive(Debug)]
pub struct Arrivals<T> {
    /// A unique id, since places in the minibatch have a meaning only together with it.
    id: u64,
    graphs: Vec<Graph<T>>,
    /// All vertices that have arrived. Its `graph_offsets` are not used.
    pub(super) batch: Minibatch<T>,
    /// For each graph, the places of its entries.
    places: Vec<GrowingPlaces>,
    /// How far the vertices of functions with several sections have gone on.
    pub(crate) paths: Paths,
}

/// What a round needs of [`Arrivals`].
#[derive(Debug)]
pub struct InRound<'a, T> {
    /// The id of the graphs that grow.
    pub id: u64,
    /// The graphs, to which vertices can be added.
    pub graphs: &'a mut [Graph<T>],
    /// For each graph, the places of its entries.
    pub places: &'a [GrowingPlaces],
    /// All vertices that have come.
    pub batch: &'a FlatBatch,
    /// The sections that vertices have run.
    pub paths: &'a Paths,
}

/// Where the entries of a graph lie in the lists of the minibatch.
#[derive(Debug, Default)]
pub struct GrowingPlaces {
    /// The place of each of its vertices.
    vertices: Vec<u32>,
    data: Stretches,
    indices: Stretches,
}

/// Where the entries of a list lie, if the list was appended to another one piece by piece.
#[derive(Debug, Default)]
struct Stretches {
    /// For each piece, the number of its first entry in the list, and where this entry lies in the other list.
    pieces: Vec<(u32, u32)>,
    /// The number of entries of all pieces.
    length: u32,
}

impl<T> Arrivals<T> {
    /// The graphs that grow.
    #[inline]
    pub fn graphs(&self) -> &[Graph<T>] {
        &self.graphs
    }

    /// The graphs, to keep.
    pub fn into_graphs(self) -> Vec<Graph<T>> {
        self.graphs
    }

    /// Borrows what a round needs: the graphs, to add to them, and the places of their entries.
    pub fn in_round(&mut self) -> InRound<'_, T> {
        let Self { id, graphs, places, batch, paths } = self;
        InRound { id: *id, graphs, places, batch: &batch.lists, paths }
    }

    /// The unique id of these graphs that grow.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// All vertices that have come.
    #[inline]
    pub fn batch(&self) -> &FlatBatch {
        &self.batch.lists
    }

    /// The same, with the numbers of their input.
    #[inline]
    pub fn minibatch(&self) -> &Minibatch<T> {
        &self.batch
    }
}

impl GrowingPlaces {
    /// The places of the graph's vertices in the minibatch.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }
}

impl Stretches {
    /// Appends to `to` the entries that the list has got since the last call.
    fn append<V: Copy>(
        &mut self,
        list: &[V],
        to: &mut Vec<V>,
        what: &'static str,
    ) -> Result<(), MinibatchError> {
        let more = &list[self.length as usize..];
        if !more.is_empty() {
            let place = place_for(to.len(), more.len(), what)?;
            self.push(place, more.len() as u32);
            to.extend_from_slice(more);
        }
        Ok(())
    }

    /// Records that the next `entries` entries lie from `to` on.
    fn push(&mut self, to: u32, entries: u32) {
        if entries > 0 {
            self.pieces.push((self.length, to));
            self.length += entries;
        }
    }

    /// Where an entry lies. Entries that are added together are in one piece.
    fn place(&self, entry: u32) -> u32 {
        let behind = self.pieces.partition_point(|(first, _)| *first <= entry);
        let (first, to) = behind.checked_sub(1).map_or((0, 0), |piece| self.pieces[piece]);
        to + (entry - first)
    }
}

impl<T: Element> Arrivals<T> {
    /// Begins with the graphs as they are before anything has run. Takes them out of `graphs`, unless something
    /// is wrong with one.
    ///
    /// # Errors
    /// As `Blueprint::minibatch`.
    ///
    /// # Vouch
    /// Vertices are added to graphs that are [handed out](Self::in_round) only by methods of `Graph`, and the
    /// added vertices are then [taken](Self::take) or [taken back](Self::refuse). Sections run in an order in
    /// which functions name them, and are [resolved](Self::resolve) when they have run.
    /// [`settled`](Self::settled) gets only the minibatch of these graphs.
    pub fn new(
        model: &Model<T>,
        graphs: &mut Vec<Graph<T>>,
        _: Vouch,
    ) -> Result<Self, MinibatchError> {
        let mut batch = of_graphs(model.bound(), &graphs.iter().collect::<Vec<_>>())?;
        let lists = &mut batch.lists;
        let mut graphs = std::mem::take(graphs);
        let mut places = Vec::with_capacity(graphs.len());
        for (graph, first) in graphs.iter_mut().zip(&lists.graph_offsets) {
            // Draws depend on the sample id, so it must not change while the graph grows.
            graph.sample = Some(graph.sample_id());
            places.push(GrowingPlaces {
                vertices: (*first..first + graph.len() as u32).collect(),
                ..GrowingPlaces::default()
            });
        }
        lists.number_all();
        let mut indices = 0;
        for ((graph, places), first) in graphs.iter().zip(&mut places).zip(&lists.data_offsets) {
            places.data.push(*first, graph.data.len() as u32);
            places.indices.push(indices, graph.indices.len() as u32);
            indices += graph.indices.len() as u32;
        }
        let mut arrivals = Self { id: next_id(), graphs, batch, places, paths: Paths::default() };
        if model.bound().has_sections() {
            arrivals.begin_paths(model.bound());
        }
        Ok(arrivals)
    }

    /// Begins with the vertices of a minibatch. Only the sections with which they go on are added to them.
    ///
    /// # Vouch
    /// As [`new`](Self::new).
    pub fn of_minibatch(model: &BoundModel, batch: &Minibatch<T>, _: Vouch) -> Self {
        assert_eq!(batch.lists.model, model.id, "{OTHER_MODEL}");
        let mut batch = batch.clone();
        batch.lists.number_all();
        let (graphs, places) = (Vec::new(), Vec::new());
        let mut arrivals = Self { id: next_id(), graphs, batch, places, paths: Paths::default() };
        arrivals.begin_paths(model);
        arrivals
    }

    /// Panics if the graphs are of another model than this one, since they have only been checked for their own
    /// model.
    pub(super) fn check_model(&self, model: &BoundModel) {
        assert_eq!(self.batch.lists.model, model.id, "{OTHER_MODEL}");
    }

    /// How many vertices of a graph have arrived.
    pub fn known(&self, graph: usize) -> usize {
        self.places[graph].vertices.len()
    }

    /// Takes the vertices that a graph has got since the last call, and returns their places. If something is
    /// wrong with one of them, none is taken.
    pub fn take(
        &mut self,
        model: &BoundModel,
        number: usize,
    ) -> Result<Range<u32>, MinibatchError> {
        self.check_model(model);
        let Self { graphs, batch: Minibatch { lists: batch, data }, places, .. } = self;
        let (graph, places) = (&graphs[number], &mut places[number]);
        let wrong = |error| MinibatchError::Graph { graph: number, error };
        let before = places.vertices.len();
        check(model, graph, before).map_err(wrong)?;
        let last = before.checked_sub(1).map(|last| graph.entries[last]);
        let (mut child, mut input) = last.map_or((0, 0), |last| (last.children, last.inputs));
        let first = batch.functions.len() as u32;
        for (len, more, what) in [
            (batch.functions.len(), graph.len() - before, "vertices"),
            (batch.children.len(), graph.children.len() - child as usize, "edges"),
            (batch.inputs.len(), graph.inputs.len() - input as usize, "inputs"),
        ] {
            place_for(len, more, what)?;
        }
        places.data.append(&graph.data, data, "numbers of input")?;
        places.indices.append(&graph.indices, &mut batch.indices, "indices of bags")?;
        // One vertex after the other, since most often there is only one.
        for (vertex, entry) in graph.entries.iter().enumerate().skip(before) {
            places.vertices.push(batch.functions.len() as u32);
            batch.graphs.push(number as u32);
            batch.numbers.push(vertex as u32);
            let cells = &graph.inputs[input as usize..entry.inputs as usize];
            batch.functions.push(model.variant(entry.function, cells));
            for &child in &graph.children[child as usize..entry.children as usize] {
                batch.children.push(match child {
                    ABSENT => ABSENT,
                    child => places.vertices[child as usize],
                });
            }
            for cell in cells {
                batch.inputs.push(match *cell {
                    InputCell::Index(index) => InputCell::Index(index),
                    InputCell::Indices { start, length } => {
                        InputCell::Indices { start: places.indices.place(start), length }
                    }
                    InputCell::Data { start, length } => {
                        InputCell::Data { start: places.data.place(start), length }
                    }
                    InputCell::Pushed { vertex, field } => {
                        batch.levels.feeds = true;
                        InputCell::Pushed { vertex: places.vertices[vertex as usize], field }
                    }
                });
            }
            (child, input) = (entry.children, entry.inputs);
            batch.child_offsets.push(batch.children.len() as u32);
            batch.input_offsets.push(batch.inputs.len() as u32);
        }
        let end = batch.functions.len() as u32;
        if !batch.owners.is_empty() {
            self.begin_paths(model);
        }
        Ok(first..end)
    }

    /// The minibatch of the graphs as they are now, and the place of each vertex in it. `whole` is the
    /// minibatch of the graphs without sections, if it is known.
    pub fn settled(
        &self,
        model: &BoundModel,
        whole: Option<&Minibatch<T>>,
    ) -> Result<(Minibatch<T>, Vec<u32>), MinibatchError> {
        self.check_model(model);
        if let Some(whole) = whole {
            return Ok(self.with_sections(whole));
        }
        let whole = Minibatch::of_checked(model, &self.graphs, self.batch.lists.levels.feeds)?;
        if !self.batch.lists.owners.is_empty() {
            return Ok(self.with_sections(&whole));
        }
        let came = &self.batch.lists;
        let first = |vertex: u32| whole.lists.graph_offsets[came.graphs[vertex as usize] as usize];
        let all = 0..came.functions.len() as u32;
        let places = all.map(|vertex| first(vertex) + came.number(vertex)).collect();
        Ok((whole, places))
    }

    /// Takes back what a graph has got since vertices were last taken from it.
    pub fn refuse(&mut self, number: usize) {
        let (graph, places) = (&mut self.graphs[number], &self.places[number]);
        graph.take_back(Extent {
            vertices: places.vertices.len() as u32,
            data: places.data.length,
            indices: places.indices.length,
        });
    }

    /// Takes back what all graphs have got since vertices were last taken from them.
    pub fn refuse_all(&mut self) {
        for number in 0..self.graphs.len() {
            let graph = &self.graphs[number];
            if graph.len() > self.known(number) || graph.problem.is_some() {
                self.refuse(number);
            }
        }
    }

    /// The function of a vertex of the minibatch.
    pub fn function(&self, vertex: u32) -> FunctionId {
        self.batch.lists.functions[vertex as usize]
    }
}

/// Checks the vertices of a graph from vertex `from` on.
fn check<T: Element>(model: &BoundModel, graph: &Graph<T>, from: usize) -> Result<(), GraphError> {
    if let Some(problem) = &graph.problem {
        return Err(problem.clone());
    }
    for vertex in from..graph.len() {
        let (children, inputs) = (graph.children(vertex), graph.inputs(vertex));
        let (mut functions, mut is_right) = (0, true);
        for &child in children {
            is_right &= (child as usize) < vertex;
            let of = graph.entries.get(child as usize).map_or(0, |entry| entry.function.0);
            functions |= 1_u64.wrapping_shl(of.into());
        }
        let rule = &model.rules[graph.entries[vertex].function];
        is_right &= rule.allows_count(children.len())
            & rule.allows_children(functions)
            & rule.allows_indices(inputs);
        if !is_right {
            check_vertex(model, graph, vertex).map_err(|p| GraphError::new(vertex, p))?;
        }
    }
    Ok(())
}
