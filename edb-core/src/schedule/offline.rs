//! Searches for a short schedule of one graph: for minibatches that run many times.
//!
//! Beams (`beam.rs`) over the reduced graph (`reduce.rs`), from either end, each time wider. No
//! ranking suits all graphs, so that several are tried. A beam that leaves nothing out proves that
//! the schedule at hand is a shortest one, even where the lower bound cannot be reached.

use super::beam::{Beam, Ranking};
use super::look_ahead::replay;
use super::state::Analysis;
use super::{Policy, Proof, Schedule, TypeGraph, reduce};

/// The width of the first beams.
const NARROW: usize = 16;
/// By how much beams widen.
const WIDER: usize = 4;

/// How hard to search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOptions {
    /// How many states are kept from batch to batch at most.
    pub width: usize,
    /// How states are ranked, each a search of its own: the power and the factor of a
    /// [`LookAhead`](super::LookAhead).
    pub rankings: Vec<(i32, f64)>,
    /// How much work all searches together may be; see
    /// [`LearnOptions::budget`](super::LearnOptions).
    pub budget: u64,
}

impl Default for SearchOptions {
    fn default() -> Self {
        let powers = [1, 2].into_iter();
        let rankings = powers.flat_map(|power| [1e-9, 3.0, 12.0].map(|factor| (power, factor)));
        Self { width: 4096, rankings: rankings.collect(), budget: 50_000_000 }
    }
}

/// The shortest schedule that was found, never longer than that of any policy in `policies`.
///
/// Deterministic. Ends early once a schedule is proved to be a shortest one.
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
    if best.len() > bound {
        let forwards = reduce::reduce(graph);
        let backwards = forwards.reversed();
        let beams = [(Beam::new(&forwards), false), (Beam::new(&backwards), true)];
        let mut budget = options.budget;
        let mut width = NARROW.min(options.width);
        'wider: loop {
            for &(power, factor) in &options.rankings {
                for (beam, turned) in &beams {
                    let ranking = Ranking { width, power, factor };
                    let found = beam.search(ranking, best.len(), &mut budget);
                    if let Some(mut word) = found.word {
                        if *turned {
                            word.reverse();
                        }
                        best = replay(graph, &word);
                    }
                    if found.exhausted {
                        best = best.proved(Proof::Exhaustion);
                    }
                    if found.exhausted || best.len() == bound || budget == 0 {
                        break 'wider;
                    }
                }
            }
            if width >= options.width {
                break;
            }
            width = (width * WIDER).min(options.width);
        }
    }
    best.certify(graph);
    best
}
