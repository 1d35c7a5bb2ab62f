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
use crate::running::{Analysis, State};
use crate::schedule::Schedule;

/// From this number of types on, the ratio alone is tried, too.
const MIN_TYPES_FOR_RATIO: u16 = 12;

pub(super) fn schedule(graph: &TypeGraph) -> Schedule {
    let analysis = Analysis::without_totals(graph);
    if graph.type_count() < MIN_TYPES_FOR_RATIO {
        return analysis.run_once(choose);
    }
    schedule_of(&analysis)
}

/// The schedule of a graph that has been analysed.
pub(super) fn schedule_of(analysis: &Analysis<'_>) -> Schedule {
    let graph = analysis.graph();
    let own = analysis.run(choose);
    if graph.type_count() < MIN_TYPES_FOR_RATIO || own.is_proved() {
        return own;
    }
    let ratio = chooser::schedule_by(Sufficient::new(analysis.type_frontiers()), graph);
    if ratio.len() < own.len() { ratio } else { own }
}

/// The type that comes next if no type is safe.
pub(super) fn choose(state: &mut State<'_>) -> u16 {
    let mut best = (0, f32::NEG_INFINITY);
    for vertex_type in 0..state.type_count() {
        if state.frontier.ready_count(vertex_type) == 0 {
            continue;
        }
        let figures = state.figures(vertex_type);
        let (ratio, progress) = (figures.ratio(), figures.progress());
        // Ratio and progress are at most 1, so the score of full progress is greater than any mean.
        let score = if progress == 1.0 { 2.0 + ratio } else { (ratio + progress) / 2.0 };
        if score > best.1 {
            best = (vertex_type, score);
        }
    }
    best.0
}
