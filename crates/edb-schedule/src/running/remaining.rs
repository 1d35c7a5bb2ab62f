//! The vertices of each type that have yet to run, by own-type height.

use super::frontier::Frontier;
use crate::graph::{Heights, TypeGraph};

/// For each type, how many vertices of each own-type height have not run, and how many of these
/// are ready.
#[derive(Clone)]
pub(crate) struct Remaining<'h> {
    heights: &'h [u32],
    totals: &'h [u32],
    types: Vec<OfType>,
    /// The counts of all types, one type after the other, by height.
    counts: Vec<Count>,
}

#[derive(Clone, Copy)]
struct OfType {
    /// Where the counts of the type begin; the first is for height 1.
    start: u32,
    /// The greatest height of a vertex that has not run.
    top: u32,
    left: u32,
    /// Up to which place in the queue of ready vertices they have been counted.
    seen: u32,
    ready: Ready,
}

/// The ready vertices of a type, summed up.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ready {
    /// The sum of their own-type heights.
    pub(crate) height_sum: u64,
    /// The sum of their total heights; below, the greatest total height.
    pub(crate) total_sum: u64,
    pub(crate) total_highest: u32,
}

#[derive(Clone, Copy, Default)]
struct Count {
    left: u32,
    ready: u32,
}

impl<'h> Remaining<'h> {
    /// The counts before anything has run. `totals` is needed only for [`Self::ready`]; otherwise
    /// it may be empty.
    pub(crate) fn new(graph: &TypeGraph, heights: &'h Heights, totals: &'h [u32]) -> Self {
        let Heights { own: heights, tops } = heights;
        let mut types = Vec::with_capacity(tops.len());
        let (mut start, mut seen) = (0, 0);
        for (&top, &left) in tops.iter().zip(graph.type_sizes()) {
            types.push(OfType { start, top, left, seen, ready: Ready::default() });
            start += top;
            seen += left;
        }
        let mut counts = vec![Count::default(); start as usize];
        for (&vertex_type, &height) in graph.types().iter().zip(heights) {
            counts[(types[usize::from(vertex_type)].start + height - 1) as usize].left += 1;
        }
        Self { heights, totals, types, counts }
    }

    /// How many vertices of a type have not run.
    #[inline]
    pub(crate) fn left(&self, vertex_type: u16) -> u32 {
        self.types[usize::from(vertex_type)].left
    }

    /// The greatest height of a vertex of the type that has not run: how many batches of the type
    /// there must still be.
    #[inline]
    pub(crate) fn top(&self, vertex_type: u16) -> u32 {
        self.types[usize::from(vertex_type)].top
    }

    /// How many vertices at the greatest height are ready, and how many there are.
    ///
    /// Counts the vertices that have become ready since the last call.
    #[inline]
    pub(crate) fn progress(&mut self, frontier: &Frontier<'_>, vertex_type: u16) -> (u32, u32) {
        let of_type = &mut self.types[usize::from(vertex_type)];
        // Vertices that have run in the meantime need not be counted.
        let from = of_type.seen.max(frontier.ready_start(vertex_type));
        let (seen, new) = frontier.ready_since(vertex_type, from);
        of_type.seen = seen;
        let below = of_type.start.wrapping_sub(1);
        for &vertex in new {
            let height = self.heights[vertex as usize];
            self.counts[below.wrapping_add(height) as usize].ready += 1;
            // If total heights were not asked for, no sums are kept.
            if let Some(&total) = self.totals.get(vertex as usize) {
                of_type.ready.height_sum += u64::from(height);
                of_type.ready.total_sum += u64::from(total);
                of_type.ready.total_highest = of_type.ready.total_highest.max(total);
            }
        }
        if of_type.top == 0 {
            return (0, 0);
        }
        let Count { left, ready } = self.counts[(below.wrapping_add(of_type.top)) as usize];
        (ready, left)
    }

    /// The ready vertices of a type, summed up, as of the last call of [`Self::progress`].
    #[inline]
    pub(crate) fn ready(&self, vertex_type: u16) -> Ready {
        self.types[usize::from(vertex_type)].ready
    }

    /// Updates the counts after all ready vertices of a type have run.
    pub(crate) fn executed(&mut self, vertex_type: u16, batch: &[u32]) {
        let of_type = &mut self.types[usize::from(vertex_type)];
        let below = of_type.start.wrapping_sub(1);
        // Vertices of the batch that were not counted as ready before need not be counted now.
        for &vertex in batch {
            let count =
                &mut self.counts[below.wrapping_add(self.heights[vertex as usize]) as usize];
            count.left -= 1;
            count.ready = 0;
        }
        of_type.left -= batch.len() as u32;
        of_type.ready = Ready::default();
        while of_type.top > 0 && self.counts[below.wrapping_add(of_type.top) as usize].left == 0 {
            of_type.top -= 1;
        }
    }
}
