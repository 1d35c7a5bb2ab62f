//! Searches for a short schedule of one graph: for minibatches that run many times.
//!
//! A beam search over types, as policies choose them one by one. What makes it cheap is that
//! provably right types (ED-Batch, lemma 2.1) leave nothing to choose, and that states in which
//! the same vertices have run are one. States are ranked by the lower bound on what remains and by
//! how much remains of what lies deep: the sum of `h^p` over what has not run, where `h` is the
//! length of the longest path above a vertex, counted against the bound with a factor. No power
//! and no factor suits all graphs, so that several are tried.

use std::collections::BTreeSet;

use super::state::{Analysis, State};
use super::{Policy, Schedule, TypeGraph};

/// How hard to search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOptions {
    /// How many states are kept from batch to batch.
    pub width: usize,
    /// How states are ranked, each a search of its own: the power `p` and the factor. Both parts
    /// are shares of what they are before anything has run.
    pub rankings: Vec<(i32, f64)>,
    /// How many vertices may be run, in all searches together; see
    /// [`LearnOptions::budget`](super::LearnOptions). The width shrinks where it would not suffice.
    pub budget: u64,
}

impl Default for SearchOptions {
    fn default() -> Self {
        let powers = [1, 2, 4].into_iter();
        let rankings = powers.flat_map(|power| [1e-9, 3.0, 12.0].map(|factor| (power, factor)));
        Self { width: 128, rankings: rankings.collect(), budget: 200_000_000 }
    }
}

/// A state of the search.
struct Entry<'a> {
    state: State<'a>,
    /// The sum of the weights of what has not run.
    weight: f64,
    /// A sum of random numbers, one for each vertex that has run.
    set: u64,
    /// The last batch, in `Trail`.
    trail: u32,
}

/// The batches of all states: each with the one before it.
type Trail = Vec<(u32, u16, u32)>;

/// A state that may be kept: the least rank comes first, then where it came from.
struct Rank {
    rank: f64,
    from: usize,
    vertex_type: u16,
    weight: f64,
    set: u64,
}

/// The shortest schedule that was found, never longer than that of any policy in `policies`.
///
/// Deterministic. Ends early once a schedule is as short as the lower bound.
pub fn search(graph: &TypeGraph, policies: &[Policy], options: &SearchOptions) -> Schedule {
    let analysis = Analysis::new(graph);
    let bound = analysis.lower_bound();
    let mut best = Policy::Auto.schedule(graph);
    for policy in policies {
        let schedule = policy.schedule_of(&analysis);
        if schedule.len() < best.len() {
            best = schedule;
        }
    }
    // Each kept state runs about one batch of each ready type.
    let run = graph.len() as u64 * u64::from(graph.type_count().max(2)) / 2;
    let searches = options.rankings.len().max(1) as u64;
    let affordable = options.budget / searches / run.max(1);
    let width = (options.width as u64).min(affordable).max(1) as usize;
    for &ranking in &options.rankings {
        if best.len() == bound {
            break;
        }
        if let Some(found) = beam(&analysis, width, ranking, best.len()) {
            best = found;
        }
    }
    best.certify(graph);
    best
}

/// A schedule shorter than `limit`, if the beam leads to one.
fn beam(
    analysis: &Analysis<'_>,
    width: usize,
    (power, factor): (i32, f64),
    limit: usize,
) -> Option<Schedule> {
    let graph = analysis.graph();
    let totals = analysis.total_heights();
    let highest = f64::from(totals.iter().copied().max().unwrap_or(1));
    let weights: Vec<f64> =
        totals.iter().map(|&total| (f64::from(total) / highest).powi(power)).collect();
    let whole: f64 = weights.iter().sum();
    let bound = analysis.lower_bound() as f64;

    let mut trail: Trail = Vec::new();
    let none = u32::MAX;
    let mut beam = vec![Entry { state: analysis.state(), weight: whole, set: 0, trail: none }];
    for step in 0.. {
        if let Some(done) = beam.iter().position(|entry| entry.state.is_done()) {
            let entry = beam.swap_remove(done);
            let mut batches = Vec::with_capacity(step);
            let mut at = entry.trail;
            while let Some(&(before, vertex_type, size)) = trail.get(at as usize) {
                batches.push((vertex_type, size));
                at = before;
            }
            batches.reverse();
            return (step < limit).then(|| entry.state.into_schedule(&batches));
        }
        // Rank first, by the batch alone, and run only what is kept.
        let mut ranks: Vec<Rank> = Vec::new();
        let mut seen = BTreeSet::new();
        for (from, entry) in beam.iter_mut().enumerate() {
            let safe = entry.state.safe();
            for vertex_type in 0..graph.type_count() {
                if entry.state.frontier.ready_count(vertex_type) == 0
                    || safe.is_some_and(|safe| safe != vertex_type)
                {
                    continue;
                }
                let (mut weight, mut set) = (entry.weight, entry.set);
                for &vertex in entry.state.frontier.ready(vertex_type) {
                    weight -= weights[vertex as usize];
                    set = set.wrapping_add(mix(u64::from(vertex)));
                }
                let remaining = entry.state.bound_after(vertex_type);
                if seen.insert(set) && step + 1 + remaining < limit {
                    let rank = remaining as f64 / bound + factor * weight / whole;
                    ranks.push(Rank { rank, from, vertex_type, weight, set });
                }
            }
        }
        ranks.sort_by(|a, b| {
            let key = |rank: &Rank| (rank.from, rank.vertex_type);
            a.rank.total_cmp(&b.rank).then(key(a).cmp(&key(b)))
        });
        ranks.truncate(width);
        if ranks.is_empty() {
            return None;
        }
        beam = ranks
            .into_iter()
            .map(|Rank { from, vertex_type, weight, set, .. }| {
                let mut state = beam[from].state.clone();
                let size = state.execute(vertex_type);
                trail.push((beam[from].trail, vertex_type, size));
                Entry { state, weight, set, trail: trail.len() as u32 - 1 }
            })
            .collect();
    }
    None
}

/// A random number for a vertex (the finaliser of SplitMix64).
fn mix(vertex: u64) -> u64 {
    let z = vertex.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
