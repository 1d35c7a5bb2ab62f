//! What a [`Machine`](crate::Machine) sees of each type, and the heuristic of each type's progress: four measures, kept
//! in constant time a vertex.

use std::rc::Rc;

use super::frontier::Frontier;
use crate::graph::{Heights, TypeGraph, total_heights};
use crate::schedule::Schedule;

/// How many measures there are.
pub(crate) const MEASURES: usize = 4;

/// One measure of a type with ready vertices: a part of a whole that is not 0.
pub(crate) type Share = (u64, u64);

/// A graph that is being executed, with the measures of its types. Before anything has run, it can be cloned for as
/// many runs as are needed.
#[derive(Clone)]
pub(crate) struct Measured<'g> {
    frontier: Frontier<'g>,
    /// For each vertex, its own-type height and its total height. They are read together.
    heights: Rc<Vec<(u32, u32)>>,
    types: Vec<OfType>,
    /// For each type, one after the other, how many vertices of each own-type height have not run.
    left: Vec<u32>,
    /// Of all ready vertices, the greatest total height, and the sum of these.
    longest: u32,
    work: u64,
}

#[derive(Clone, Copy)]
struct OfType {
    /// Where the counts of the type begin in `left`; the first is for height 1.
    start: u32,
    /// The greatest own-type height of a vertex that has not run.
    top: u32,
    /// How many vertices have not run.
    left: u32,
    /// Up to which place in the queue of ready vertices they have been counted.
    seen: u32,
    /// Of the ready vertices, those of the own-type height `top`; the greatest total height; the sum of these.
    top_ready: u32,
    path: u32,
    work: u64,
}

impl<'g> Measured<'g> {
    /// The graph before anything has run.
    pub(crate) fn new(graph: &'g TypeGraph) -> Self {
        Self::of(graph, Heights::new(graph), total_heights(graph))
    }

    /// The graph for those who ask for [`Self::progress`] alone: paths and work are 0.
    pub(crate) fn of_progress(graph: &'g TypeGraph, heights: Heights) -> Self {
        Self::of(graph, heights, vec![0; graph.len()])
    }

    fn of(graph: &'g TypeGraph, Heights { own, tops }: Heights, totals: Vec<u32>) -> Self {
        let mut types = Vec::with_capacity(tops.len());
        let (mut start, mut seen) = (0, 0);
        for (&top, &left) in tops.iter().zip(graph.type_sizes()) {
            types.push(OfType { start, top, left, seen, top_ready: 0, path: 0, work: 0 });
            start += top;
            seen += left;
        }
        let mut left = vec![0; start as usize];
        for (&vertex_type, &height) in graph.types().iter().zip(&own) {
            left[(types[usize::from(vertex_type)].start + height - 1) as usize] += 1;
        }
        let heights = Rc::new(own.into_iter().zip(totals).collect());
        Self { frontier: Frontier::new(graph), heights, types, left, longest: 0, work: 0 }
    }

    /// A lower bound on the number of batches that are still to come: Σ Depth(G_t), if nothing has run.
    pub(crate) fn lower_bound(&self) -> usize {
        self.types.iter().map(|of| of.top as usize).sum()
    }

    /// The number of batches if in each step the type runs that `choose` names. It is compiled once, whatever learning
    /// tries.
    pub(crate) fn count(&self, choose: &mut dyn FnMut(&Self) -> u16) -> usize {
        let mut run = self.clone();
        let mut batches = 0;
        while !run.is_done() {
            run.measure();
            let vertex_type = choose(&run);
            run.execute(vertex_type);
            batches += 1;
        }
        batches
    }

    /// The schedule in which in each step the type runs that `choose` names.
    pub(crate) fn schedule(mut self, mut choose: impl FnMut(&Self) -> u16) -> Schedule {
        let mut batches = Vec::with_capacity(self.heights.len().min(1024));
        while !self.is_done() {
            self.measure();
            let vertex_type = choose(&self);
            batches.push((vertex_type, self.execute(vertex_type)));
        }
        self.into_schedule(&batches)
    }

    /// The schedule that has run, given its batches; the whole graph must have run.
    pub(crate) fn into_schedule(self, batches: &[(u16, u32)]) -> Schedule {
        self.frontier.into_schedule(batches)
    }

    /// The vertices that can run now.
    pub(crate) fn frontier(&self) -> &Frontier<'g> {
        &self.frontier
    }

    /// Whether everything has run.
    pub(crate) fn is_done(&self) -> bool {
        self.frontier.left() == 0
    }

    /// Measures what has become ready; after that, a type can be chosen.
    pub(crate) fn measure(&mut self) {
        (self.longest, self.work) = (0, 0);
        // Of other types, nothing is ready, and nothing is measured.
        for vertex_type in self.frontier.ready_types() {
            let of = &mut self.types[usize::from(vertex_type)];
            // What has run in the meantime need not be measured.
            let from = of.seen.max(self.frontier.ready_start(vertex_type));
            let (end, new) = self.frontier.ready_since(vertex_type, from);
            of.seen = end;
            for &vertex in new {
                let (own, total) = self.heights[vertex as usize];
                of.top_ready += u32::from(own == of.top);
                of.path = of.path.max(total);
                of.work += u64::from(total);
            }
            self.longest = self.longest.max(of.path);
            self.work += of.work;
        }
    }

    /// The types with ready vertices, ascending.
    pub(crate) fn ready_types(&self) -> impl Iterator<Item = u16> {
        self.frontier.ready_types()
    }

    /// Of a type's vertices at its greatest own-type height, those that are ready. If all are, a batch of the type
    /// lowers the bound on the remaining batches.
    #[inline]
    pub(crate) fn progress(&self, vertex_type: u16) -> Share {
        let of = &self.types[usize::from(vertex_type)];
        (of.top_ready.into(), self.left[(of.start + of.top - 1) as usize].into())
    }

    /// The measures of a type with ready vertices:
    ///
    /// 1. *path*: the longest path that begins at one of them, of the longest that begins at any ready vertex;
    /// 2. *work*: their longest paths together, of those of all ready vertices;
    /// 3. *progress*, as [`Self::progress`] says;
    /// 4. *ready*: of the type's vertices that have not run, those that are ready.
    #[inline]
    pub(crate) fn shares(&self, vertex_type: u16) -> [Share; MEASURES] {
        let of = &self.types[usize::from(vertex_type)];
        let ready = self.frontier.ready_count(vertex_type) as u64;
        [
            (of.path.into(), self.longest.into()),
            (of.work, self.work),
            self.progress(vertex_type),
            (ready, of.left.into()),
        ]
    }

    /// Runs all ready vertices of a type; returns how many.
    fn execute(&mut self, vertex_type: u16) -> u32 {
        self.execute_by(vertex_type, |frontier| frontier.execute(vertex_type, |_| ()))
    }

    /// Runs all ready vertices of a type, by a function that runs them in the frontier; returns how many.
    pub(crate) fn execute_by(
        &mut self,
        vertex_type: u16,
        execute: impl for<'f> FnOnce(&'f mut Frontier<'g>) -> &'f [u32],
    ) -> u32 {
        let batch = execute(&mut self.frontier);
        // Otherwise the loop would never end if a choice is wrong.
        assert!(!batch.is_empty(), "type {vertex_type} was chosen but has no ready vertex");
        let of = &mut self.types[usize::from(vertex_type)];
        let counts = &mut self.left[of.start as usize..];
        for &vertex in batch {
            counts[self.heights[vertex as usize].0 as usize - 1] -= 1;
        }
        of.left -= batch.len() as u32;
        while of.top > 0 && counts[of.top as usize - 1] == 0 {
            of.top -= 1;
        }
        (of.top_ready, of.path, of.work) = (0, 0, 0);
        batch.len() as u32
    }
}
