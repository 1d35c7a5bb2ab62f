//! The index policy: the type with the greatest score comes next. The score is linear in features that mean the
//! same in graphs of any size.
//!
//! The finite state machine of ED-Batch covers only the states that it has seen. A score of relative features
//! is defined for every state, and generalises over sizes. The weights are learned in
//! `learning/cross_entropy.rs`.

use crate::graph::{Signature, TypeGraph};
use crate::running::{Analysis, State};
use crate::schedule::Schedule;

/// The names of the features of a type with ready vertices, in the order of the weights.
///
/// All are between 0 and 1. *Height* is own-type height, *total height* the length of the longest
/// path through vertices of any type, both counted upwards from a vertex.
pub const FEATURES: [&str; 17] = [
    "ratio",              // |Frontier_a(G)| / |Frontier(Gᵃ)|, equation 1 of ED-Batch
    "progress",           // ready share of the vertices at the type's greatest height
    "full_progress",      // 1 if these are all ready
    "no_progress",        // 1 if none of them is
    "ready_share",        // of all ready vertices, those of the type
    "ready_to_most",      // ready vertices against those of the type with the most
    "height",             // greatest height against the greatest of any type
    "height_share",       // greatest height against the sum over types
    "ready_to_left",      // of the type's vertices yet to run, those that are ready
    "left_share",         // of all vertices yet to run, those of the type
    "last",               // 1 if the last batch was of the type
    "mean_height",        // mean height of the ready against the greatest
    "frontier_to_left",   // of the type's vertices yet to run, those in Frontier(Gᵃ)
    "total_height",       // greatest total height of the ready against that of any type
    "critical",           // 1 if no type has a ready vertex of greater total height
    "total_height_share", // sum of total heights of the ready against that over all types
    "mean_total_height",  // mean total height of the ready against the greatest of any type
];

/// Computes a score for each type with ready vertices; the type with the greatest score comes next. But if a
/// type is provably right (ED-Batch, lemma 2.1), that type comes next.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexPolicy {
    pub(crate) signature: Signature,
    /// By feature.
    pub(crate) weights: [f32; FEATURES.len()],
    /// By type.
    pub(crate) biases: Vec<f32>,
}

impl IndexPolicy {
    /// The vertex types that it was learned for.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The weight of each of the [`FEATURES`].
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The bias of each type, which is added to its score.
    pub fn biases(&self) -> &[f32] {
        &self.biases
    }

    /// The schedule of a graph.
    pub fn schedule(&self, graph: &TypeGraph) -> Schedule {
        Analysis::new(graph).run_once(|state| self.choose(state))
    }

    /// The type that comes next if no type is safe.
    pub(crate) fn choose(&self, state: &mut State<'_>) -> u16 {
        let totals = Totals::new(state);
        let mut best = (0, f32::NEG_INFINITY);
        for vertex_type in 0..state.type_count() {
            if state.frontier.ready_count(vertex_type) == 0 {
                continue;
            }
            let features = features(state, vertex_type, &totals);
            let terms =
                features.iter().zip(&self.weights).map(|(feature, weight)| feature * weight);
            let bias = self.biases.get(usize::from(vertex_type)).copied().unwrap_or(0.0);
            let score = bias + terms.sum::<f32>();
            // The first type is always taken, so there is a choice even if all scores are NaN.
            if score > best.1 || best.1 == f32::NEG_INFINITY {
                best = (vertex_type, score.max(f32::MIN));
            }
        }
        best.0
    }
}

/// Totals over all types; features are relative to them.
#[derive(Default)]
struct Totals {
    ready: u32,
    most_ready: u32,
    heights: u32,
    highest: u32,
    left: u32,
    total_highest: u32,
    total_sum: u64,
}

impl Totals {
    fn new(state: &mut State<'_>) -> Self {
        let mut totals = Self { left: state.frontier.left() as u32, ..Self::default() };
        for vertex_type in 0..state.type_count() {
            let top = state.remaining.top(vertex_type);
            totals.heights += top;
            totals.highest = totals.highest.max(top);
            let ready = state.frontier.ready_count(vertex_type) as u32;
            if ready == 0 {
                continue;
            }
            totals.ready += ready;
            totals.most_ready = totals.most_ready.max(ready);
            state.remaining.progress(&state.frontier, vertex_type);
            let sums = state.remaining.ready(vertex_type);
            totals.total_highest = totals.total_highest.max(sums.total_highest);
            totals.total_sum += sums.total_sum;
        }
        totals
    }
}

fn features(state: &mut State<'_>, vertex_type: u16, totals: &Totals) -> [f32; FEATURES.len()] {
    let figures = state.figures(vertex_type);
    let sums = state.remaining.ready(vertex_type);
    let left = state.remaining.left(vertex_type) as f32;
    let top = state.remaining.top(vertex_type) as f32;
    let ready = figures.ready as f32;
    let flag = |condition| f32::from(u8::from(condition));
    [
        figures.ratio(),
        figures.progress(),
        flag(figures.top_ready == figures.top_left),
        flag(figures.top_ready == 0),
        ready / totals.ready as f32,
        ready / totals.most_ready as f32,
        top / totals.highest as f32,
        top / totals.heights as f32,
        ready / left,
        left / totals.left as f32,
        flag(state.last == Some(vertex_type)),
        sums.height_sum as f32 / (ready * top),
        figures.frontier as f32 / left,
        sums.total_highest as f32 / totals.total_highest as f32,
        flag(sums.total_highest == totals.total_highest),
        sums.total_sum as f32 / totals.total_sum as f32,
        sums.total_sum as f32 / (ready * totals.total_highest as f32),
    ]
}
