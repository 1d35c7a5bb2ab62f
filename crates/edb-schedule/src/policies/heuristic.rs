//! A policy that needs no training. It runs provably right types first, then types that lower the bound on the
//! remaining batches, then the type with the greatest mean of ratio and progress.
//!
//! A type is *safe* when all of Frontier(Gᵃ) is ready (ED-Batch, lemma 2.1): no other choice is
//! better. If no type is safe, one whose vertices at its greatest own-type height are all ready
//! makes the greatest progress that a batch can: the lower bound on the remaining batches falls by
//! one. Of such types, the one with the greatest ratio |Frontier_a(G)| / |Frontier(Gᵃ)| is the
//! least likely to be split. If there is no such type either, the mean of the ratio and the progress decides;
//! the progress is the share of the vertices at the greatest height that are ready.
//!
//! With many types, the ratio alone sometimes leads to a shorter schedule. So for graphs of a dozen types or
//! more, both rules run, and the shorter schedule is kept.

use super::chooser;
use super::sufficient::Sufficient;
use crate::graph::TypeGraph;
use crate::running::State;
use crate::schedule::{Proof, Schedule};

/// From this number of types on, the ratio alone is tried, too.
const MIN_TYPES_FOR_RATIO: u16 = 12;

pub(super) fn schedule(graph: &TypeGraph) -> Schedule {
    let state = State::new(graph);
    let has_many = graph.type_count() >= MIN_TYPES_FOR_RATIO;
    let types = has_many.then(|| state.types.clone());
    let own = run(state);
    let Some(types) = types.filter(|_| !own.is_proved()) else { return own };
    let ratio = chooser::schedule_by(Sufficient::new(types), graph);
    if ratio.len() < own.len() { ratio } else { own }
}

/// The schedule in which a safe type runs if there is one, and otherwise the type that [`choose`] names.
fn run(mut state: State<'_>) -> Schedule {
    let mut batches = Vec::new();
    let mut is_proved = true;
    while !state.measured.is_done() {
        let vertex_type = state.safe().unwrap_or_else(|| {
            is_proved = false;
            choose(&mut state)
        });
        batches.push((vertex_type, state.execute(vertex_type)));
    }
    let schedule = state.measured.into_schedule(&batches);
    if is_proved { schedule.proved(Proof::Frontiers) } else { schedule }
}

/// The type that comes next if no type is safe.
pub(super) fn choose(state: &mut State<'_>) -> u16 {
    state.measured.measure();
    let mut best = (0, f32::NEG_INFINITY);
    for vertex_type in state.measured.ready_types() {
        let ratio = state.ratio(vertex_type);
        let (ready, all) = state.measured.progress(vertex_type);
        let progress = ready as f32 / all as f32;
        // Ratio and progress are at most 1, so the score of full progress is greater than any mean.
        let score = if progress == 1.0 { 2.0 + ratio } else { (ratio + progress) / 2.0 };
        if score > best.1 {
            best = (vertex_type, score);
        }
    }
    best.0
}
