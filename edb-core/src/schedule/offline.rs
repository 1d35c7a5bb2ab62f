//! Searches for a short schedule of one graph: for minibatches that run many times.
//!
//! A beam search over types, as policies choose them one by one. What makes it cheap is that
//! provably right types (ED-Batch, lemma 2.1) leave nothing to choose, and that states in which
//! the same vertices have run are one. States are ranked by the lower bound on what remains and,
//! among equals, by how much has run of what lies deep: the sum of `h^p` over what has run, where
//! `h` is the length of the longest path above a vertex. No power `p` suits all graphs, so that
//! several are tried.

use std::collections::BTreeSet;

use super::state::{Analysis, State};
use super::{Policy, Schedule, TypeGraph};

/// How hard to search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOptions {
    /// How many states are kept from batch to batch.
    pub width: usize,
    /// The powers by which states are ranked, each a search of its own.
    pub powers: Vec<i32>,
    /// How many vertices may be run, in all searches together; see
    /// [`LearnOptions::budget`](super::LearnOptions). The width shrinks where it would not suffice.
    pub budget: u64,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { width: 64, powers: vec![1, 2, 4, 8], budget: 200_000_000 }
    }
}

/// A state of the search.
struct Entry<'a> {
    state: State<'a>,
    /// The sum of the weights of what has run.
    weight: f64,
    /// A sum of random numbers, one for each vertex that has run.
    set: u64,
    /// The last batch, in `Trail`.
    trail: u32,
}

/// The batches of all states: each with the one before it.
type Trail = Vec<(u32, u16, u32)>;

/// What ranks before comes first; then where it came from: state and type.
type Rank = (usize, f64, u64, usize, u16);

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
    let searches = options.powers.len().max(1) as u64;
    let affordable = options.budget / searches / run.max(1);
    let width = (options.width as u64).min(affordable).max(1) as usize;
    for &power in &options.powers {
        if best.len() == bound {
            break;
        }
        if let Some(found) = beam(&analysis, width, power, best.len()) {
            best = found;
        }
    }
    best.certify(graph);
    best
}

/// A schedule shorter than `limit`, if the beam leads to one.
fn beam(analysis: &Analysis<'_>, width: usize, power: i32, limit: usize) -> Option<Schedule> {
    let graph = analysis.graph();
    let totals = analysis.total_heights();
    let highest = f64::from(totals.iter().copied().max().unwrap_or(1));
    let weights: Vec<f64> =
        totals.iter().map(|&total| (f64::from(total) / highest).powi(power)).collect();

    let mut trail: Trail = Vec::new();
    let none = u32::MAX;
    let mut beam = vec![Entry { state: analysis.state(), weight: 0.0, set: 0, trail: none }];
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
                    weight += weights[vertex as usize];
                    set = set.wrapping_add(mix(u64::from(vertex)));
                }
                let remaining = entry.state.bound_after(vertex_type);
                if seen.insert(set) && step + 1 + remaining < limit {
                    ranks.push((remaining, -weight, set, from, vertex_type));
                }
            }
        }
        ranks.sort_by(|a, b| {
            (a.0.cmp(&b.0)).then(a.1.total_cmp(&b.1)).then((a.3, a.4).cmp(&(b.3, b.4)))
        });
        ranks.truncate(width);
        if ranks.is_empty() {
            return None;
        }
        beam = ranks
            .into_iter()
            .map(|(_, weight, set, from, vertex_type)| {
                let mut state = beam[from].state.clone();
                let size = state.execute(vertex_type);
                trail.push((beam[from].trail, vertex_type, size));
                Entry { state, weight: -weight, set, trail: trail.len() as u32 - 1 }
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
