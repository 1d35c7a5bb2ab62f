//! The policy of DyNet: among the types with ready vertices, it runs the type whose vertices that have not run
//! have the least average depth; of equal types, the one with the lowest number.
//!
//! Neubig, Goldberg and Dyer, *On-the-fly Operation Batching in Dynamic Computation Graphs*, NIPS
//! 2017. The average is over all vertices of the type that have not run, ready or not, as in the
//! example of ED-Batch, section 2.1.

use std::cmp::Ordering;

use super::chooser::{TypeChooser, schedule_by};
use crate::graph::TypeGraph;
use crate::running::Frontier;
use crate::schedule::Schedule;

pub(super) fn schedule(graph: &TypeGraph) -> Schedule {
    schedule_by(Agenda::new(graph), graph)
}

struct Agenda {
    depths: Vec<u32>,
    /// The vertices of each type that have yet to run.
    left: Vec<Remainder>,
}

#[derive(Clone, Copy, Default)]
struct Remainder {
    vertices: u64,
    depth_sum: u64,
}

impl Remainder {
    /// Compares averages exactly: no product overflows.
    fn cmp_average(self, other: Self) -> Ordering {
        let cross = |a: Self, b: Self| u128::from(a.depth_sum) * u128::from(b.vertices);
        cross(self, other).cmp(&cross(other, self))
    }
}

impl Agenda {
    fn new(graph: &TypeGraph) -> Self {
        let depths = graph.depths();
        let mut left = vec![Remainder::default(); usize::from(graph.type_count())];
        for (&vertex_type, &depth) in graph.types().iter().zip(&depths) {
            let left = &mut left[usize::from(vertex_type)];
            left.vertices += 1;
            left.depth_sum += u64::from(depth);
        }
        Self { depths, left }
    }
}

impl TypeChooser for Agenda {
    fn choose(&mut self, frontier: &Frontier<'_>) -> Option<u16> {
        let left = |vertex_type: u16| self.left[usize::from(vertex_type)];
        // The types ascend, and of equal types `min_by` takes the first.
        frontier.ready_types().min_by(|&a, &b| left(a).cmp_average(left(b)))
    }

    fn execute<'f>(&mut self, frontier: &'f mut Frontier<'_>, vertex_type: u16) -> &'f [u32] {
        let batch = frontier.execute(vertex_type, |_| ());
        let left = &mut self.left[usize::from(vertex_type)];
        left.vertices -= batch.len() as u64;
        left.depth_sum -=
            batch.iter().map(|&vertex| u64::from(self.depths[vertex as usize])).sum::<u64>();
        batch
    }
}
