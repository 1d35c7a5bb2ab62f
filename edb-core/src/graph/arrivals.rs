//! Graphs that grow while they run: a minibatch of their vertices in the order in which they come.
//!
//! In a [`Minibatch`] the vertices of a graph follow one another. While graphs grow they cannot:
//! what a graph adds comes behind all that has run. A vertex's number in its graph is what it would
//! be anyway, so that draws, and all results, are those of the minibatch that is made at the end.

use std::iter::Zip;
use std::ops::Range;
use std::slice::{Iter, IterMut};

use edb_ir::FunctionId;

use super::lineage::Extent;
use super::minibatch::place_for;
use super::validate::check_vertex;
use super::{ABSENT, Graph, GraphError, InputCell, Minibatch, MinibatchError};
use crate::element::Element;
use crate::model::{BoundModel, Model};

/// Graphs that grow, and their vertices as they come.
#[derive(Debug)]
pub(crate) struct Arrivals<T> {
    pub(crate) graphs: Vec<Graph<T>>,
    /// All vertices that have come. Its offsets of graphs say nothing.
    pub(crate) batch: Minibatch<T>,
    places: Vec<GrowingPlaces>,
}

/// Where a graph's entries lie among those of the minibatch.
#[derive(Debug, Default)]
pub(crate) struct GrowingPlaces {
    /// The place of each of its vertices.
    vertices: Vec<u32>,
    data: Stretches,
    indices: Stretches,
}

/// Where the entries of a list lie that was appended piece by piece.
#[derive(Debug, Default)]
struct Stretches {
    /// The first entry of each piece, in the list and where it was appended to.
    pieces: Vec<(u32, u32)>,
    /// The entries of all pieces.
    length: u32,
}

/// Graphs that grow, each with the places of its entries.
pub(crate) type EachGraph<'a, T> = Zip<IterMut<'a, Graph<T>>, Iter<'a, GrowingPlaces>>;

impl GrowingPlaces {
    /// The places of the graph's vertices in the minibatch.
    pub(crate) fn vertices(&self) -> &[u32] {
        &self.vertices
    }
}

impl Stretches {
    /// Appends what the list has got since. Returns it.
    fn append<'a, V>(&mut self, list: &'a [V], to: u32) -> &'a [V] {
        let more = &list[self.length as usize..];
        if !more.is_empty() {
            self.pieces.push((self.length, to));
            self.length = list.len() as u32;
        }
        more
    }

    /// Where an entry lies. Entries that are added together are in one piece.
    fn place(&self, entry: u32) -> u32 {
        let behind = self.pieces.partition_point(|(first, _)| *first <= entry);
        let (first, to) = behind.checked_sub(1).map_or((0, 0), |piece| self.pieces[piece]);
        to + (entry - first)
    }
}

impl<T: Element> Arrivals<T> {
    /// Graphs as they are before anything has run, and all of their vertices.
    pub(crate) fn new(model: &Model<T>, mut graphs: Vec<Graph<T>>) -> Result<Self, MinibatchError> {
        let mut batch = model.minibatch(&graphs)?;
        let mut places = Vec::with_capacity(graphs.len());
        for (graph, first) in graphs.iter_mut().zip(&batch.graph_offsets) {
            // What draws depend on must not change as the graph grows.
            graph.sample = Some(graph.sample_id());
            places.push(GrowingPlaces {
                vertices: (*first..first + graph.len() as u32).collect(),
                ..GrowingPlaces::default()
            });
        }
        batch.numbers = (0..batch.functions.len() as u32).map(|v| batch.number(v)).collect();
        let mut indices = 0;
        for ((graph, places), first) in graphs.iter().zip(&mut places).zip(&batch.data_offsets) {
            places.data.append(&graph.data, *first);
            places.indices.append(&graph.indices, indices);
            indices += graph.indices.len() as u32;
        }
        Ok(Self { graphs, batch, places })
    }

    /// How many vertices of a graph have come.
    pub(crate) fn known(&self, graph: usize) -> usize {
        self.places[graph].vertices.len()
    }

    /// All graphs, each with the places of its entries; and the minibatch.
    pub(crate) fn each(&mut self) -> (EachGraph<'_, T>, &Minibatch<T>) {
        (self.graphs.iter_mut().zip(&self.places), &self.batch)
    }

    /// Takes what a graph has got since, and returns the places of its new vertices. If something
    /// is wrong with one of them, nothing is taken.
    pub(crate) fn take(
        &mut self,
        model: &BoundModel,
        number: usize,
    ) -> Result<Range<u32>, MinibatchError> {
        let Self { graphs, batch, places } = self;
        let (graph, places) = (&graphs[number], &mut places[number]);
        let wrong = |error| MinibatchError::Graph { graph: number, error };
        let before = places.vertices.len();
        check(model, graph, before).map_err(wrong)?;
        let new = before..graph.len();
        let ends = |entry: fn(&super::Entry) -> u32| {
            let end =
                |vertices: usize| vertices.checked_sub(1).map_or(0, |v| entry(&graph.entries[v]));
            end(new.start) as usize..end(new.end) as usize
        };
        let (children, inputs) = (ends(|entry| entry.children), ends(|entry| entry.inputs));
        let first = place_for(batch.functions.len(), new.len(), "vertices")?;
        let child = place_for(batch.children.len(), children.len(), "edges")?;
        let input = place_for(batch.inputs.len(), inputs.len(), "inputs")?;
        let data = graph.data.len() - places.data.length as usize;
        let data = place_for(batch.data.len(), data, "numbers of input")?;
        let indices = graph.indices.len() - places.indices.length as usize;
        let indices = place_for(batch.indices.len(), indices, "indices of bags")?;

        let last = first + new.len() as u32;
        places.vertices.extend(first..last);
        batch.graphs.extend(std::iter::repeat_n(number as u32, new.len()));
        batch.numbers.extend(new.start as u32..new.end as u32);
        let entries = &graph.entries[new];
        batch.functions.extend(entries.iter().map(|entry| entry.function));
        let offset = |end: u32, of: &Range<usize>, to: u32| end - of.start as u32 + to;
        batch.child_offsets.extend(entries.iter().map(|e| offset(e.children, &children, child)));
        batch.input_offsets.extend(entries.iter().map(|e| offset(e.inputs, &inputs, input)));
        batch.children.extend(graph.children[children].iter().map(|child| match *child {
            ABSENT => ABSENT,
            child => places.vertices[child as usize],
        }));
        batch.data.extend_from_slice(places.data.append(&graph.data, data));
        batch.indices.extend_from_slice(places.indices.append(&graph.indices, indices));
        batch.inputs.extend(graph.inputs[inputs].iter().map(|cell| match *cell {
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
        }));
        Ok(first..last)
    }

    /// Removes what a graph has got since it was taken from the last time.
    pub(crate) fn refuse(&mut self, number: usize) {
        let (graph, places) = (&mut self.graphs[number], &self.places[number]);
        graph.truncate(Extent {
            vertices: places.vertices.len() as u32,
            data: places.data.length,
            indices: places.indices.length,
        });
        graph.problem = None;
    }

    /// The function of a vertex of the minibatch.
    pub(crate) fn function(&self, vertex: u32) -> FunctionId {
        self.batch.functions[vertex as usize]
    }
}

/// Checks the vertices of a graph from one on.
fn check<T: Element>(model: &BoundModel, graph: &Graph<T>, from: usize) -> Result<(), GraphError> {
    if let Some(problem) = &graph.problem {
        return Err(problem.clone());
    }
    for vertex in from..graph.len() {
        let function = graph.entries[vertex].function;
        let (children, inputs) = (graph.children(vertex), graph.inputs(vertex));
        let earlier = children.iter().all(|child| (*child as usize) < vertex);
        let is_right = earlier && {
            let bit =
                |child: &u32| 1_u64.wrapping_shl(graph.entries[*child as usize].function.0.into());
            let rule = &model.rules[function];
            rule.allows_count(children.len())
                && rule.allows_children(children.iter().map(bit).fold(0, |mask, bit| mask | bit))
                && rule.allows_indices(inputs)
        };
        if !is_right {
            check_vertex(model, graph, vertex).map_err(|p| GraphError::new(vertex, p))?;
        }
    }
    Ok(())
}
