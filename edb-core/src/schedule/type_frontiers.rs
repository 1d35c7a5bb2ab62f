//! Frontier(Gᵃ): of each type, the vertices that wait for none of their own type.

use std::collections::BTreeMap;

use super::TypeGraph;
use super::frontier::Frontier;
use super::labels::{Labels, MANY};

/// For each type *a*, the exact size of Frontier(Gᵃ) while a graph is being executed: the number
/// of vertices of *a* that have not run and depend on no vertex of *a* that has not run, be it
/// directly or through other types (ED-Batch, section 2.3).
///
/// # How the counts are kept
///
/// Say that a vertex *carries* a type when it or something below it is of that type and has not
/// run. A vertex of type *a* belongs to Frontier(Gᵃ) when no child carries *a*. A vertex ceases to
/// carry a type once: when it runs, its own; any other when the last of its children does. For that
/// the children that still carry it are counted, and whoever ceases tells its parents. That a
/// vertex carries a type matters only if something above it is of that type; otherwise no one
/// counts. Time is linear in the graph for each type that depends on itself, in whatever order
/// vertices run; other types cost nothing.
///
/// A count is a byte: so those of most minibatches fit a processor's first cache.
#[derive(Clone)]
pub(super) struct TypeFrontiers<'g> {
    graph: &'g TypeGraph,
    chained: Vec<bool>,
    counts: Vec<u32>,
    /// As in [`Labels`].
    stride: usize,
    carriers: Vec<u8>,
    wide: BTreeMap<u32, Vec<u32>>,
    /// Vertices that cease to carry the type at hand.
    work: Vec<u32>,
}

impl<'g> TypeFrontiers<'g> {
    /// The counts before anything has run.
    pub(super) fn new(graph: &'g TypeGraph, labels: &Labels) -> Self {
        let Labels { frontiers, chained, stride, carriers, wide, .. } = labels.clone();
        Self { graph, chained, counts: frontiers, stride, carriers, wide, work: Vec::new() }
    }

    /// The size of the frontier of a type: |Frontier(Gᵃ)|.
    #[inline]
    pub(super) fn count(&self, vertex_type: u16) -> usize {
        self.counts[usize::from(vertex_type)] as usize
    }

    /// Runs all ready vertices of a type and returns them, in no particular order.
    pub(super) fn execute<'f>(
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
        let mut entered = 0;
        let batch = frontier.execute(vertex_type, |parent| entered += self.tell(parent, own));
        while let Some(vertex) = self.work.pop() {
            for &parent in self.graph.parents(vertex) {
                entered += self.tell(parent, own);
            }
        }
        self.counts[own] = self.counts[own] + entered - batch.len() as u32;
        batch
    }

    /// Tells a vertex that one of its children has ceased to carry a type. Returns 1 if it is of
    /// that type and waits for none of it any more: it still carries it itself.
    #[inline]
    fn tell(&mut self, vertex: u32, own: usize) -> u32 {
        let count = &mut self.carriers[vertex as usize * self.stride + own];
        *count = match *count {
            0 => return 0,
            MANY => {
                let counts = self.wide.get_mut(&vertex).map(|counts| &mut counts[own]);
                let left = counts.map_or(0, |count| {
                    *count -= 1;
                    *count
                });
                if left > 0 { MANY } else { 0 }
            }
            count => count - 1,
        };
        if *count > 0 {
            return 0;
        }
        if usize::from(self.graph.vertex_type(vertex)) == own {
            return 1;
        }
        self.work.push(vertex);
        0
    }
}
