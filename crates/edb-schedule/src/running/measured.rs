//! What a [`Machine`](crate::Machine) sees of each type: four measures, kept in constant time a vertex.

use super::frontier::Frontier;
use crate::graph::{Heights, TypeGraph, total_heights};
use crate::schedule::Schedule;

/// How many measures there are.
pub(crate) const MEASURES: usize = 4;

/// One measure of a type with ready vertices: a part of a whole that is not 0.
pub(crate) type Share = (u64, u64);

/// What is the same in all runs of a graph.
pub(crate) struct Measured<'g> {
    frontier: Frontier<'g>,
    /// For each vertex, its own-type height and its total height. They are read together.
    heights: Vec<(u32, u32)>,
    types: Vec<OfType>,
    /// For each type, one after the other, how many vertices of each own-type height have not run.
    left: Vec<u32>,
    bound: usize,
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
    pub(crate) fn new(graph: &'g TypeGraph) -> Self {
        let Heights { own, tops } = Heights::new(graph);
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
        let bound = tops.iter().map(|&top| top as usize).sum();
        let heights = own.into_iter().zip(total_heights(graph)).collect();
        Self { frontier: Frontier::new(graph), heights, types, left, bound }
    }

    /// Σ Depth(G_t): a lower bound on the number of batches of any schedule.
    pub(crate) fn lower_bound(&self) -> usize {
        self.bound
    }

    /// The number of batches if in each step the type runs that `choose` names. It is compiled once, whatever learning
    /// tries.
    pub(crate) fn count(&self, choose: &mut dyn FnMut(&MeasuredRun<'_, 'g>) -> u16) -> usize {
        let mut run = self.run();
        let mut batches = 0;
        while run.next() {
            let vertex_type = choose(&run);
            run.execute(vertex_type);
            batches += 1;
        }
        batches
    }

    /// The schedule in which in each step the type runs that `choose` names.
    pub(crate) fn schedule(self, mut choose: impl FnMut(&MeasuredRun<'_, 'g>) -> u16) -> Schedule {
        let Self { frontier, heights, types, left, .. } = self;
        let mut batches = Vec::with_capacity(heights.len().min(1024));
        let mut run = MeasuredRun { frontier, heights: &heights, types, left, longest: 0, work: 0 };
        while run.next() {
            let vertex_type = choose(&run);
            batches.push((vertex_type, run.execute(vertex_type)));
        }
        run.frontier.into_schedule(&batches)
    }

    fn run(&self) -> MeasuredRun<'_, 'g> {
        MeasuredRun {
            frontier: self.frontier.clone(),
            heights: &self.heights,
            types: self.types.clone(),
            left: self.left.clone(),
            longest: 0,
            work: 0,
        }
    }
}

/// A graph that is being executed, with the measures of its types.
pub(crate) struct MeasuredRun<'m, 'g> {
    frontier: Frontier<'g>,
    heights: &'m [(u32, u32)],
    types: Vec<OfType>,
    left: Vec<u32>,
    /// Of all ready vertices, the greatest total height, and the sum of these.
    longest: u32,
    work: u64,
}

impl MeasuredRun<'_, '_> {
    /// Measures what has become ready. Returns whether anything is ready; after that, a type can be chosen.
    fn next(&mut self) -> bool {
        (self.longest, self.work) = (0, 0);
        for (vertex_type, of) in (0..=u16::MAX).zip(&mut self.types) {
            let (end, new) = self.frontier.ready_since(vertex_type, of.seen);
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
        self.frontier.left() > 0
    }

    /// The types with ready vertices, ascending.
    pub(crate) fn ready_types(&self) -> impl Iterator<Item = u16> {
        self.frontier.ready_types()
    }

    /// The measures of a type with ready vertices:
    ///
    /// 1. *path*: the longest path that begins at one of them, of the longest that begins at any ready vertex;
    /// 2. *work*: their longest paths together, of those of all ready vertices;
    /// 3. *progress*: of the type's vertices at its greatest own-type height, those that are ready. If all are, a
    ///    batch of the type lowers the bound on the remaining batches;
    /// 4. *ready*: of the type's vertices that have not run, those that are ready.
    #[inline]
    pub(crate) fn shares(&self, vertex_type: u16) -> [Share; MEASURES] {
        let of = &self.types[usize::from(vertex_type)];
        let top = self.left[(of.start + of.top - 1) as usize];
        let ready = self.frontier.ready_count(vertex_type) as u64;
        [
            (of.path.into(), self.longest.into()),
            (of.work, self.work),
            (of.top_ready.into(), top.into()),
            (ready, of.left.into()),
        ]
    }

    /// Runs all ready vertices of a type; returns how many.
    fn execute(&mut self, vertex_type: u16) -> u32 {
        let batch = self.frontier.execute(vertex_type, |_| ());
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
