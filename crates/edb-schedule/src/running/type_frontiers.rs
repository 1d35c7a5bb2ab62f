//! Frontier(Gᵃ): for each type, the vertices that wait for no vertex of their own type.

use std::collections::BTreeMap;

use super::frontier::Frontier;
use crate::graph::{Heights, Labels, TYPES_PER_WORD, TypeGraph, WIDE_COUNT};

/// For each type *a*, the exact size of Frontier(Gᵃ) while a graph is being executed: the number of vertices of
/// *a* that have not run, and that do not depend, directly or through other types, on a vertex of *a* that has
/// not run (ED-Batch, section 2.3).
///
/// # How the counts are kept
///
/// A vertex *carries* a type while it, or a vertex below it, is of that type and has not run. A
/// vertex of type *a* belongs to Frontier(Gᵃ) when no child carries *a*. A vertex stops carrying its own type
/// when it runs, and any other type when the last of its children stops carrying it. So each vertex counts the
/// children that still carry a type, and a vertex that stops carrying it notifies its parents. Counts are kept
/// only if the vertex itself or a vertex above it is of the type. Time is linear in the graph for each type
/// that depends on itself, in whatever order vertices run; other types cost nothing.
///
/// A count is a byte, since cache misses take most of the time.
#[derive(Clone)]
pub(crate) struct TypeFrontiers<'g> {
    graph: &'g TypeGraph,
    chained: Vec<bool>,
    counts: Vec<u32>,
    /// As in [`Labels`].
    carriers: Vec<Vec<u64>>,
    wide: BTreeMap<u32, Vec<u32>>,
    /// A buffer: the vertices that stop carrying the type that is running.
    work: Vec<u32>,
}

impl<'g> TypeFrontiers<'g> {
    /// The counts before anything has run, and the heights that were found with them.
    pub(crate) fn new(graph: &'g TypeGraph) -> (Self, Heights) {
        let Labels { frontiers: counts, chained, carriers, wide, heights } = Labels::new(graph);
        (Self { graph, chained, counts, carriers, wide, work: Vec::new() }, heights)
    }

    /// The size of the frontier of a type: |Frontier(Gᵃ)|.
    #[inline]
    pub(crate) fn count(&self, vertex_type: u16) -> usize {
        self.counts[usize::from(vertex_type)] as usize
    }

    /// Runs all ready vertices of a type and returns them, in no particular order.
    pub(crate) fn execute<'f>(
        &mut self,
        frontier: &'f mut Frontier<'_>,
        vertex_type: u16,
    ) -> &'f [u32] {
        let own = usize::from(vertex_type);
        if !self.chained[own] {
            let batch = frontier.execute(vertex_type, |_| ());
            self.counts[own] -= batch.len() as u32;
            return batch;
        }
        let mut update = CountUpdate {
            graph: self.graph,
            vertex_type,
            shift: 8 * (own % TYPES_PER_WORD),
            carriers: &mut self.carriers[own / TYPES_PER_WORD],
            wide: &mut self.wide,
            work: &mut self.work,
            entered: 0,
        };
        let batch = frontier.execute(vertex_type, |parent| update.tell(parent));
        while let Some(vertex) = update.work.pop() {
            for &parent in self.graph.parents(vertex) {
                update.tell(parent);
            }
        }
        self.counts[own] = self.counts[own] + update.entered - batch.len() as u32;
        batch
    }
}

/// Updates the counts when vertices stop carrying a type.
struct CountUpdate<'a> {
    graph: &'a TypeGraph,
    vertex_type: u16,
    /// The bit offset of the type's count in a word.
    shift: usize,
    carriers: &'a mut [u64],
    wide: &'a mut BTreeMap<u32, Vec<u32>>,
    work: &'a mut Vec<u32>,
    /// How many vertices of the type have stopped waiting for another vertex of the type.
    entered: u32,
}

impl CountUpdate<'_> {
    /// Tells a vertex that one of its children has stopped carrying the type.
    #[inline]
    fn tell(&mut self, vertex: u32) {
        let counts = &mut self.carriers[vertex as usize];
        match (*counts >> self.shift) as u8 {
            0 => return,
            WIDE_COUNT => {
                if !self.tell_wide(vertex) {
                    return;
                }
                self.carriers[vertex as usize] &= !(u64::from(WIDE_COUNT) << self.shift);
            }
            count => {
                *counts -= 1 << self.shift;
                if count > 1 {
                    return;
                }
            }
        }
        // A vertex of the type itself still carries it.
        if self.graph.vertex_type(vertex) == self.vertex_type {
            self.entered += 1;
        } else {
            self.work.push(vertex);
        }
    }

    /// Does this for a vertex with many children; returns whether this was the last child that carried the
    /// type.
    #[cold]
    fn tell_wide(&mut self, vertex: u32) -> bool {
        self.wide.get_mut(&vertex).is_none_or(|counts| {
            let count = &mut counts[usize::from(self.vertex_type)];
            *count -= 1;
            *count == 0
        })
    }
}
