//! A graph while it is executed, with what the heuristic looks at.

use super::measured::Measured;
use super::type_frontiers::TypeFrontiers;
use crate::graph::TypeGraph;

/// A graph that is being executed, with the measures of its types and their frontiers.
pub(crate) struct State<'g> {
    pub(crate) measured: Measured<'g>,
    pub(crate) types: TypeFrontiers<'g>,
}

impl<'g> State<'g> {
    /// The graph before anything has run.
    pub(crate) fn new(graph: &'g TypeGraph) -> Self {
        let (types, heights) = TypeFrontiers::new(graph);
        Self { measured: Measured::of_progress(graph, heights), types }
    }

    /// The first type whose whole frontier is ready (ED-Batch, lemma 2.1): some shortest schedule continues
    /// with it.
    #[inline]
    pub(crate) fn safe(&self) -> Option<u16> {
        let frontier = self.measured.frontier();
        let is_safe = |&t: &u16| frontier.ready_count(t) == self.types.count(t);
        frontier.ready_types().find(is_safe)
    }

    /// |Frontier_a(G)| / |Frontier(Gᵃ)|.
    #[inline]
    pub(crate) fn ratio(&self, vertex_type: u16) -> f32 {
        let ready = self.measured.frontier().ready_count(vertex_type);
        ready as f32 / self.types.count(vertex_type) as f32
    }

    /// Runs all ready vertices of a type; returns how many.
    pub(crate) fn execute(&mut self, vertex_type: u16) -> u32 {
        let types = &mut self.types;
        self.measured.execute_by(vertex_type, |frontier| types.execute(frontier, vertex_type))
    }
}
