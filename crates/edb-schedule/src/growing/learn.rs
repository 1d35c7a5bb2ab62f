//! Learns a policy by which graphs grow, from graphs that have grown.

use std::sync::Arc;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::Unlearned;
use super::online::{by_fsm, by_fullest, by_order, by_waves};
use crate::costs::Costs;
use crate::error::ScheduleError;
use crate::graph::{Signature, TypeGraph, type_depths};
use crate::learning::{LearnOptions, Pool, q_learning};
use crate::policies::{Best, Encoding, Fsm, Policy, TypeOrder};

/// A learned policy is used only if it saves at least this share of the batches.
const MIN_SAVED_SHARE: f64 = 0.01;
/// How many minibatches are resampled for each recorded minibatch.
const RESAMPLED_PER_RECORDED: usize = 3;
/// The budget is divided into this many equal shares: one for each encoding of a finite state machine, and one
/// for orders.
const BUDGET_SHARES: u64 = 4;

/// The price of a batch of each type: 1, or the cost of its launch.
struct Prices(Vec<u64>);

impl Prices {
    fn new(types: &Signature, costs: Option<&Costs>) -> Result<Self, ScheduleError> {
        let Some(costs) = costs else {
            return Ok(Self(vec![1; usize::from(types.type_count())]));
        };
        let costs = costs.growing();
        costs.fit(types.type_count())?;
        Ok(Self(costs.types.iter().map(|cost| cost.launch_ns).collect()))
    }

    fn of(&self, batches: &[(u16, u32)]) -> u64 {
        batches.iter().map(|(vertex_type, _)| self.0[usize::from(*vertex_type)]).sum()
    }

    /// A lower bound on the cost of any schedule of a graph.
    fn bound(&self, graph: &TypeGraph) -> u64 {
        let depths = type_depths(graph);
        depths.iter().zip(&self.0).map(|(depth, price)| u64::from(*depth) * price).sum()
    }
}

impl Unlearned {
    fn batches(self, graph: &TypeGraph) -> Vec<(u16, u32)> {
        match self {
            Self::Waves => by_waves(graph),
            Self::Fullest => by_fullest(graph),
        }
    }

    /// This way to grow as a candidate, with the policy that stands for it: [`Policy::Sufficient`].
    fn candidate(self, prices: Vec<u64>) -> Candidate {
        let name = match self {
            Self::Waves => "waves",
            Self::Fullest => "fullest",
        };
        Candidate { name: name.into(), policy: Policy::Sufficient, prices }
    }
}

/// A way to grow, and what each minibatch costs when it grows in this way.
struct Candidate {
    name: String,
    policy: Policy,
    prices: Vec<u64>,
}

/// Returns the policy with which graphs of `types`, the last of which is `grow`, take the fewest batches, or
/// the least time if costs are given. The candidates are the way to grow without learning, an order of types,
/// and finite state machines.
///
/// The candidates are compared on the recorded graphs and on three times as many minibatches that are resampled
/// from them.
pub(crate) fn learn(
    samples: &[&TypeGraph],
    (types, unlearned): (&Signature, Unlearned),
    costs: Option<&Costs>,
    options: &LearnOptions,
) -> Result<Best, ScheduleError> {
    let prices = Prices::new(types, costs)?;
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed ^ 0x6e0);
    let pool = Pool::new(samples);
    let each = pool.len().div_ceil(samples.len().max(1));
    let drawn: Vec<TypeGraph> = (0..RESAMPLED_PER_RECORDED * samples.len())
        .filter_map(|_| pool.draw(each, &mut rng))
        .collect();
    let graphs: Vec<&TypeGraph> = samples.iter().copied().chain(&drawn).collect();
    let bounds: Vec<u64> = graphs.iter().map(|graph| prices.bound(graph).max(1)).collect();
    let before: Vec<u64> =
        graphs.iter().map(|graph| prices.of(&unlearned.batches(graph))).collect();
    let at_bound =
        |(price, bound): (&u64, &u64)| *price as f64 <= (1.0 + MIN_SAVED_SHARE) * *bound as f64;
    if before.iter().zip(&bounds).all(at_bound) {
        return Ok(best(types, &[unlearned.candidate(before)], &bounds));
    }
    let mut all = vec![unlearned.candidate(before)];
    let priced = |grown: &dyn Fn(&TypeGraph) -> Vec<(u16, u32)>| -> Vec<u64> {
        graphs.iter().map(|graph| prices.of(&grown(graph))).collect()
    };
    let share = options.budget / BUDGET_SHARES;
    let order = order(samples, types, &prices, share);
    all.push(Candidate {
        name: "order".into(),
        prices: priced(&|graph| by_order(&order, graph)),
        policy: Policy::Order(Arc::new(order)),
    });
    for &encoding in Encoding::ALL {
        let learner = q_learning::Learner { signature: types, encoding, options: &options.q };
        let count = |fsm: &Fsm, graph: &TypeGraph| (by_fsm(fsm, graph).len(), 0);
        let fsm = learner.learn(samples, options.seed, share, count, &mut |_| ());
        all.push(Candidate {
            name: format!("fsm-{encoding}"),
            prices: priced(&|graph| by_fsm(&fsm, graph)),
            policy: Policy::Fsm(Arc::new(fsm)),
        });
    }
    Ok(best(types, &all, &bounds))
}

/// The cheapest candidate, if it saves enough compared with the first; otherwise the first.
fn best(types: &Signature, all: &[Candidate], bounds: &[u64]) -> Best {
    let mean = |candidate: &Candidate| {
        let ratios = candidate.prices.iter().zip(bounds);
        ratios.map(|(&price, &bound)| price as f64 / bound as f64).sum::<f64>()
            / bounds.len().max(1) as f64
    };
    // Of equal candidates, `min_by` takes the first.
    let least = all.iter().min_by(|a, b| mean(a).total_cmp(&mean(b)));
    let least = least.filter(|least| mean(least) < (1.0 - MIN_SAVED_SHARE) * mean(&all[0]));
    let chosen = least.unwrap_or(&all[0]);
    let means: Vec<String> =
        all.iter().map(|candidate| format!("{} {:.3}", candidate.name, mean(candidate))).collect();
    let reason = format!(
        "graphs grow by {}: {:.3} of the lower bound on {} recorded minibatches; {}",
        chosen.name,
        mean(chosen),
        bounds.len(),
        means.join(", ")
    );
    Best { signature: types.clone(), members: vec![chosen.policy.clone()], reason }
}

/// Searches for the cheapest order of types by moving one type at a time. `budget` is how many vertices may be
/// simulated.
fn order(samples: &[&TypeGraph], types: &Signature, prices: &Prices, mut budget: u64) -> TypeOrder {
    let vertices: u64 = samples.iter().map(|graph| graph.len() as u64).sum();
    let price_of = |order: &TypeOrder| -> u64 {
        samples.iter().map(|graph| prices.of(&by_order(order, graph))).sum()
    };
    // In the first order `grow` is last, so all graphs are handed out together.
    let order = (0..types.type_count()).collect();
    let mut best = TypeOrder { signature: types.clone(), order };
    let mut least = price_of(&best);
    let mut improved = true;
    while std::mem::take(&mut improved) {
        for from in 0..best.order.len() {
            for to in 0..best.order.len() {
                if from == to || budget < vertices {
                    continue;
                }
                budget -= vertices;
                let mut order = best.clone();
                let moved = order.order.remove(from);
                order.order.insert(to, moved);
                let price = price_of(&order);
                if price < least {
                    (best, least, improved) = (order, price, true);
                }
            }
        }
    }
    best
}
