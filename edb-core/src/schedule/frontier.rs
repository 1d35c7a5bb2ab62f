//! Frontier(G): the vertices that can run now.

use super::TypeGraph;

/// The ready vertices of a graph that is being executed batch by batch, by type: those that have
/// not run but whose children all have (Frontier(G) of ED-Batch, section 2.3).
pub(super) struct Frontier<'g> {
    graph: &'g TypeGraph,
    ready: Vec<Vec<u32>>,
    /// For each vertex, how many of its children have yet to run.
    pending: Vec<u32>,
    /// The last batch, kept so that the storage goes round.
    batch: Vec<u32>,
}

impl<'g> Frontier<'g> {
    /// The frontier before anything has run: the vertices without children.
    pub(super) fn new(graph: &'g TypeGraph) -> Self {
        let mut ready = vec![Vec::new(); usize::from(graph.type_count())];
        let mut pending = Vec::with_capacity(graph.len());
        for (vertex, &vertex_type) in (0..).zip(graph.types()) {
            // A graph has fewer than 2^32 children, since its offsets are `u32`.
            pending.push(graph.children(vertex).len() as u32);
            if graph.children(vertex).is_empty() {
                ready[usize::from(vertex_type)].push(vertex);
            }
        }
        Self { graph, ready, pending, batch: Vec::new() }
    }

    /// How many vertices of a type are ready: |Frontier_a(G)|.
    pub(super) fn ready_count(&self, vertex_type: u16) -> usize {
        self.ready[usize::from(vertex_type)].len()
    }

    /// The types with ready vertices, ascending; there are some until everything has run.
    pub(super) fn ready_types(&self) -> impl Iterator<Item = u16> {
        (0..self.graph.type_count()).filter(|&vertex_type| self.ready_count(vertex_type) > 0)
    }

    /// Runs all ready vertices of a type and returns them, in no particular order.
    pub(super) fn execute(&mut self, vertex_type: u16) -> &[u32] {
        self.batch.clear();
        std::mem::swap(&mut self.batch, &mut self.ready[usize::from(vertex_type)]);
        for &vertex in &self.batch {
            for &parent in self.graph.parents(vertex) {
                let pending = &mut self.pending[parent as usize];
                *pending -= 1;
                if *pending == 0 {
                    self.ready[usize::from(self.graph.vertex_type(parent))].push(parent);
                }
            }
        }
        &self.batch
    }
}
