//! Searches for a short schedule of one graph. This is for minibatches that run many times.
//!
//! It runs beam searches (`beam/`) over the reduced graph (`graph/reduce.rs`), from both ends, with wider and
//! wider beams. No ranking suits all graphs, so several are tried. An exhaustive search proves that no schedule
//! is shorter than the best one so far, even if no schedule reaches the lower bound.

use crate::beam::{Beam, Ranking};
use crate::costs::Costs;
use crate::error::ScheduleError;
use crate::graph::{TypeGraph, reduce, type_depths};
use crate::policies::{Policy, replay};
use crate::schedule::{Proof, Schedule};

/// The width of the first beams.
const FIRST_WIDTH: usize = 16;
/// By which factor the width grows from one round of beams to the next.
const WIDTH_FACTOR: usize = 4;

/// The options of a [`search`].
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOptions {
    /// The greatest width of a beam, that is, of the number of states that are kept after each batch.
    pub width: usize,
    /// The rankings of states, each given by the power and the factor of a [`LookAhead`](super::LookAhead).
    /// Each ranking is used in a search of its own.
    pub rankings: Vec<(i32, f64)>,
    /// The most work of all searches together; see [`LearnOptions::budget`](super::LearnOptions).
    pub budget: u64,
    /// What batches cost. If this is given, time is minimised instead of the number of batches.
    ///
    /// Beams minimise the sum of launch costs. If batches are launched [together](Costs::together), the
    /// schedule that they find is compared with the schedules of the policies by
    /// [time](Schedule::estimated_ns).
    pub costs: Option<Costs>,
}

impl Default for SearchOptions {
    fn default() -> Self {
        let powers = [1, 2].into_iter();
        let rankings = powers.flat_map(|power| [1e-9, 3.0, 12.0].map(|factor| (power, factor)));
        Self { width: 4096, rankings: rankings.collect(), budget: 50_000_000, costs: None }
    }
}

/// Returns the shortest schedule that was found; it is never longer than the schedule of a policy in
/// `policies`. If the options contain costs, returns the schedule that takes the least time, which is never
/// more than that of these policies.
///
/// The result is deterministic. The search ends early once it is proved that no schedule is shorter, or
/// cheaper.
///
/// # Errors
///
/// If the costs are for another number of types, or out of range; or a policy of your own gives no
/// schedule of the graph.
pub fn search(
    graph: &TypeGraph,
    policies: &[Policy],
    options: &SearchOptions,
) -> Result<Schedule, ScheduleError> {
    let prices: Vec<u64> = match &options.costs {
        Some(costs) => {
            costs.fit(graph.type_count())?;
            costs.types.iter().map(|cost| cost.launch_ns.max(1)).collect()
        }
        None => vec![1; usize::from(graph.type_count())],
    };
    let price = |schedule: &Schedule| price(schedule, &prices);
    // `Policy::Auto` returns the shortest schedule of the policies in `Policy::ALL`, but another one of them
    // may be cheaper.
    let plain = if options.costs.is_some() { Policy::ALL } else { &[Policy::Auto] };
    let all = plain.iter().chain(policies);
    let known = all.map(|policy| policy.checked_schedule(graph));
    let known: Vec<Schedule> = known.collect::<Result<_, _>>()?;
    // Of equal schedules, `min_by_key` takes the first.
    let best = known.iter().min_by_key(|schedule| price(schedule)).cloned().unwrap_or_default();
    let mut best = improved(best, graph, &prices, options);
    if let Some(costs) = options.costs.as_ref().filter(|costs| costs.together) {
        let mut least = best.estimated_ns(graph, costs)?;
        for schedule in known {
            let time = schedule.estimated_ns(graph, costs)?;
            if time < least {
                (best, least) = (schedule, time);
            }
        }
    }
    best.certify(graph);
    Ok(best)
}

/// Returns the cheapest schedule at these prices that beams find, or `best` if they find no cheaper one.
fn improved(
    mut best: Schedule,
    graph: &TypeGraph,
    prices: &[u64],
    options: &SearchOptions,
) -> Schedule {
    let price = |schedule: &Schedule| price(schedule, prices);
    let depths = type_depths(graph);
    let bound = depths.iter().zip(prices).map(|(&depth, price)| u64::from(depth) * price).sum();
    if price(&best) <= bound {
        return best;
    }
    let forwards = reduce::reduce(graph);
    let backwards = forwards.reversed();
    let beams = [(Beam::new(&forwards, prices), false), (Beam::new(&backwards, prices), true)];
    let mut budget = options.budget;
    let mut width = FIRST_WIDTH.min(options.width);
    loop {
        for &(power, factor) in &options.rankings {
            for (beam, turned) in &beams {
                let ranking = Ranking { width, power, factor };
                let found = beam.search(ranking, price(&best), &mut budget);
                if let Some(mut word) = found.word {
                    if *turned {
                        word.reverse();
                    }
                    best = replay(graph, &word);
                }
                // With costs, the cheapest schedule need not be the shortest, so it gets no certificate.
                if found.exhausted && options.costs.is_none() {
                    best = best.proved(Proof::Exhaustion);
                }
                if found.exhausted || price(&best) == bound || budget == 0 {
                    return best;
                }
            }
        }
        if width >= options.width {
            return best;
        }
        width = width.saturating_mul(WIDTH_FACTOR).min(options.width);
    }
}

/// The cost of the launches of a schedule, given the price of each type.
fn price(schedule: &Schedule, prices: &[u64]) -> u64 {
    schedule.batches().iter().map(|batch| prices[usize::from(batch.vertex_type)]).sum()
}
