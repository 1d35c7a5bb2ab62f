//! The fewest batches of a small graph, or the cheapest, by trying everything.

use std::collections::BTreeMap;

use crate::TypeGraph;

/// Searches all runs of a graph of at most 32 vertices.
pub(super) struct Exhaustive<'g> {
    graph: &'g TypeGraph,
    /// By type, what a batch costs.
    prices: Vec<usize>,
    /// By the set of vertices that have run, the least that the batches cost that remain.
    known: BTreeMap<u32, usize>,
}

impl<'g> Exhaustive<'g> {
    pub(super) fn new(graph: &'g TypeGraph) -> Self {
        Self::priced(graph, vec![1; usize::from(graph.type_count())])
    }

    /// The same where a batch of each type costs so much.
    pub(super) fn priced(graph: &'g TypeGraph, prices: Vec<usize>) -> Self {
        Self { graph, prices, known: BTreeMap::new() }
    }

    /// The fewest batches that run what has not run.
    pub(super) fn optimum(&mut self, done: &[bool]) -> usize {
        self.search(Self::set(done))
    }

    /// The same after a batch of all ready vertices of a type.
    pub(super) fn optimum_after(&mut self, done: &[bool], vertex_type: u16) -> usize {
        let done = Self::set(done);
        self.search(done | self.ready(done, vertex_type))
    }

    fn set(done: &[bool]) -> u32 {
        done.iter().rev().fold(0, |set, &done| set << 1 | u32::from(done))
    }

    fn ready(&self, done: u32, vertex_type: u16) -> u32 {
        let ran = |vertex: u32| done >> vertex & 1 == 1;
        (0..self.graph.len() as u32)
            .filter(|&vertex| !ran(vertex) && self.graph.vertex_type(vertex) == vertex_type)
            .filter(|&vertex| self.graph.children(vertex).iter().all(|&child| ran(child)))
            .fold(0, |set, vertex| set | 1 << vertex)
    }

    fn search(&mut self, done: u32) -> usize {
        if done.count_ones() as usize == self.graph.len() {
            return 0;
        }
        if let Some(&known) = self.known.get(&done) {
            return known;
        }
        let mut best = usize::MAX;
        for vertex_type in 0..self.graph.type_count() {
            let batch = self.ready(done, vertex_type);
            if batch != 0 {
                best = best.min(self.prices[usize::from(vertex_type)] + self.search(done | batch));
            }
        }
        self.known.insert(done, best);
        best
    }
}
