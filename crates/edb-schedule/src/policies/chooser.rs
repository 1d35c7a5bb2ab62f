//! The loop that most policies share: choose a type, and run all its ready vertices.

use crate::graph::TypeGraph;
use crate::running::Frontier;
use crate::schedule::{Proof, Schedule};

/// Chooses the next type. Only in this do the policies that use the loop differ: it is π of ED-Batch, algorithm
/// 1.
pub(super) trait TypeChooser {
    /// The type of the next batch, which must have ready vertices; `None` when no type has any.
    fn choose(&mut self, frontier: &Frontier<'_>) -> Option<u16>;

    /// Runs all ready vertices of a type, updates the chooser, and returns them.
    fn execute<'f>(&mut self, frontier: &'f mut Frontier<'_>, vertex_type: u16) -> &'f [u32];

    /// Whether every choice so far was provably right: all of Frontier(Gᵃ) was ready (ED-Batch,
    /// lemma 2.1). `false` if the chooser does not check.
    fn proved(&self) -> bool {
        false
    }
}

/// The schedule in which each batch consists of all ready vertices of the type that the chooser names
/// (ED-Batch, algorithm 1).
///
/// Leaving out a ready vertex never saves a batch: it only makes more vertices wait.
pub(super) fn schedule_by(mut chooser: impl TypeChooser, graph: &TypeGraph) -> Schedule {
    let mut frontier = Frontier::new(graph);
    let mut batches = Vec::new();
    while let Some(vertex_type) = chooser.choose(&frontier) {
        let batch = chooser.execute(&mut frontier, vertex_type);
        // Otherwise the loop would never end if a chooser is wrong.
        assert!(!batch.is_empty(), "type {vertex_type} was chosen but has no ready vertex");
        batches.push((vertex_type, batch.len() as u32));
    }
    let schedule = frontier.into_schedule(&batches);
    if chooser.proved() { schedule.proved(Proof::Frontiers) } else { schedule }
}
