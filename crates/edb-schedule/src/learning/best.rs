//! Chooses the best of all policies for a model. The default policy does this once it has seen some
//! minibatches.

use std::fmt::Write;
use std::sync::Arc;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::options::LearnOptions;
use super::progress::Progress;
use super::resample::Pool;
use super::{cross_entropy, q_learning};
use crate::graph::{Signature, TypeGraph, reduce};
use crate::policies::{Best, Encoding, Fsm, LookAhead, Policy};
use crate::running::Analysis;
use crate::schedule::Schedule;

/// How many policies may schedule one minibatch at most; the shortest schedule is kept.
const MAX_MEMBERS: usize = 4;
/// The least share of the batches that another member must save to be worth its time.
const MIN_SAVED_SHARE: f64 = 0.002;
/// The further share that a look-ahead must save if it is not known what a batch costs: this much for each
/// visit, that is, for each time that it simulates all vertices of the graph.
const MIN_SAVED_SHARE_PER_VISIT: f64 = 0.001;
/// How many minibatches are resampled for each sample, to compare policies on them.
const RESAMPLED_PER_SAMPLE: usize = 3;
/// The budget is divided into this many equal shares: the finite state machine gets one, look-aheads get one,
/// and index policies get the rest.
const BUDGET_SHARES: u64 = 5;
/// The look-aheads that are tried: power, factor, and whether they search backwards.
const LOOK_AHEADS: [(i32, f64, bool); 6] = [
    (2, 3.0, true),
    (2, 12.0, false),
    (1, 3.0, false),
    (1, 1e-9, false),
    (2, 12.0, true),
    (1, 3.0, true),
];

/// A candidate policy, with the number of batches that it needs for each minibatch.
struct Candidate {
    policy: Policy,
    name: String,
    batches: Vec<usize>,
    /// How many vertices the policy simulates, divided by the number of vertices of the minibatches.
    visits: f64,
}

/// Decides whether a policy saves enough to be worth the time that it takes.
struct Worth {
    /// The mean number of vertices of a minibatch; below, the mean number of its batches.
    vertices: f64,
    batches: f64,
    /// How many vertices can be simulated in the time of a batch, if this is known.
    batch_cost: Option<f64>,
}

impl Worth {
    /// For these minibatches, which run in these numbers of batches.
    fn new(batch_cost: Option<f64>, graphs: &[&TypeGraph], batches: &[usize]) -> Self {
        let mean = |all: usize| all as f64 / graphs.len().max(1) as f64;
        let vertices = mean(graphs.iter().map(|graph| graph.len()).sum());
        Self { vertices, batches: mean(batches.iter().sum::<usize>().max(1)), batch_cost }
    }

    /// The share of the batches that a policy must save to be worth its time.
    fn toll(&self, candidate: &Candidate) -> f64 {
        let looks = matches!(candidate.policy, Policy::LookAhead(_));
        let of_time = match self.batch_cost {
            Some(cost) => candidate.visits * self.vertices / (self.batches * cost.max(1.0)),
            None if looks => MIN_SAVED_SHARE_PER_VISIT * candidate.visits,
            None => 0.0,
        };
        MIN_SAVED_SHARE + of_time
    }

    /// Whether saving one batch of a minibatch is worth the time to simulate each of its vertices `visits`
    /// times.
    fn pays_for(&self, visits: f64) -> bool {
        self.batch_cost.is_none_or(|cost| visits * self.vertices <= cost)
    }
}

impl Best {
    /// Learns policies, and chooses among these and the policies that need no training.
    ///
    /// Policies are compared on the samples and on three times as many minibatches resampled from
    /// their graphs. The chosen members never need more batches for a sample than depth, agenda, sufficient or
    /// heuristic: if they would, that policy becomes a member, too.
    pub(crate) fn learn(
        samples: &[&TypeGraph],
        signature: &Signature,
        options: &LearnOptions,
        progress: &mut dyn FnMut(&Progress),
    ) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed ^ 0x5eed);
        let pool = Pool::new(samples);
        let each = pool.len().div_ceil(samples.len().max(1));
        let drawn =
            (0..RESAMPLED_PER_SAMPLE * samples.len()).filter_map(|_| pool.draw(each, &mut rng));
        let drawn: Vec<_> = drawn.collect();
        let graphs: Vec<&TypeGraph> = samples.iter().copied().chain(&drawn).collect();
        let analyses: Vec<_> = graphs.iter().map(|graph| Analysis::new(graph)).collect();
        let bounds: Vec<_> = analyses.iter().map(|a| a.lower_bound().max(1)).collect();

        let heuristics = graphs.iter().map(|graph| Policy::Heuristic.schedule(graph));
        let heuristics: Vec<_> = heuristics.collect();
        if heuristics.iter().all(Schedule::is_proved) {
            let reason = format!(
                "heuristic: on {} minibatches every one of its choices was provably right, so that \
                 nothing can need fewer batches and nothing was learned",
                graphs.len()
            );
            let both_ways = LookAhead::BOTH_WAYS.map(Policy::LookAhead);
            let members = [Policy::Heuristic].into_iter().chain(both_ways).collect();
            return Self { signature: signature.clone(), members, reason };
        }

        // In order of preference: of equally good policies, the first is chosen.
        let mut policies: Vec<(String, Policy)> = Vec::new();
        let share = options.budget / BUDGET_SHARES;
        let (encoding, seed) = (Encoding::Sort, options.seed);
        let learner = q_learning::Learner { signature, encoding, options: &options.q };
        let fsm = learner.learn(samples, seed, share, Fsm::count, progress);
        policies.push(("fsm".into(), Policy::Fsm(Arc::new(fsm))));
        policies.push(("heuristic".into(), Policy::Heuristic));
        let budget = options.budget - 2 * share;
        let indices =
            cross_entropy::learn(samples, signature, &options.index, seed, budget, progress);
        for (number, index) in indices.into_iter().enumerate() {
            policies.push((format!("index {}", number + 1), Policy::Index(Arc::new(index))));
        }
        for policy in [Policy::Sufficient, Policy::Agenda, Policy::Depth] {
            policies.push((policy.to_string(), policy));
        }
        let candidates = policies.into_iter().map(|(name, policy)| {
            let batches = analyses.iter().map(|a| policy.schedule_of(a).len()).collect();
            Candidate { policy, name, batches, visits: 1.0 }
        });
        let mut candidates: Vec<_> = candidates.collect();
        candidates.extend(look_aheads(&graphs, share));
        let worth = Worth::new(options.batch_cost, &graphs, &candidates[0].batches);
        choose(signature, &candidates, &worth, &bounds, samples.len())
    }
}

/// Look-aheads as candidates, as many as `budget` allows: first with a width of 4, then the best of these with
/// other widths.
fn look_aheads(graphs: &[&TypeGraph], mut budget: u64) -> Vec<Candidate> {
    let vertices = graphs.iter().map(|graph| graph.len() as u64).sum::<u64>();
    let merged: Vec<_> = graphs.iter().map(|graph| reduce::merge(graph)).collect();
    budget = budget.saturating_sub(2 * vertices);
    let mut all: Vec<Candidate> = Vec::new();
    let mut add = |look_ahead: LookAhead, all: &mut Vec<Candidate>| {
        if budget == 0 {
            return;
        }
        let (mut batches, mut work) = (Vec::new(), 0);
        for (graph, merged) in graphs.iter().zip(&merged) {
            let (schedule, of_graph) = look_ahead.schedule_merged(graph, merged);
            batches.push(schedule.len());
            work += of_graph;
        }
        budget = budget.saturating_sub(work + vertices);
        let visits = work as f64 / vertices.max(1) as f64;
        let (name, policy) = (look_ahead.to_string(), Policy::LookAhead(look_ahead));
        all.push(Candidate { policy, name, batches, visits });
    };
    for (power, factor, backwards) in LOOK_AHEADS {
        add(LookAhead { width: 4, power, factor, backwards }, &mut all);
    }
    let mut ranked: Vec<_> = all.iter().map(|c| (c.batches.iter().sum::<usize>(), c)).collect();
    ranked.sort_by_key(|&(batches, _)| batches);
    let ranked: Vec<Policy> = ranked.into_iter().map(|(_, c)| c.policy.clone()).collect();
    for policy in ranked.iter().take(2) {
        if let Policy::LookAhead(look_ahead) = *policy {
            for width in [8, 16, 2] {
                add(LookAhead { width, ..look_ahead }, &mut all);
            }
        }
    }
    all
}

/// Takes the best candidate, then others that save enough more batches, then each policy without training that
/// needs fewer batches for some sample than all those taken before.
fn choose(
    signature: &Signature,
    candidates: &[Candidate],
    worth: &Worth,
    bounds: &[usize],
    samples: usize,
) -> Best {
    let mean = |batches: &[usize]| {
        let ratios = batches.iter().zip(bounds).map(|(&b, &bound)| b as f64 / bound as f64);
        ratios.sum::<f64>() / bounds.len() as f64
    };
    let with = |base: &[usize], more: &Candidate| -> Vec<usize> {
        base.iter().zip(&more.batches).map(|(&a, &b)| a.min(b)).collect()
    };
    let mut chosen: Vec<&Candidate> = Vec::new();
    let mut batches = vec![usize::MAX; bounds.len()];
    while chosen.len() < MAX_MEMBERS {
        // Of equal candidates, `min_by` takes the first.
        let cost = |c: &&Candidate| {
            mean(&with(&batches, c)) + worth.toll(c) * mean(&candidates[0].batches)
        };
        let next = candidates.iter().min_by(|a, b| cost(a).total_cmp(&cost(b)));
        let Some(next) = next.filter(|c| cost(c) < mean(&batches)) else { break };
        batches = with(&batches, next);
        chosen.push(next);
    }
    let plain = |c: &&Candidate| {
        matches!(c.policy, Policy::Depth | Policy::Agenda | Policy::Sufficient | Policy::Heuristic)
    };
    for candidate in candidates.iter().filter(plain) {
        let better = candidate.batches.iter().zip(&batches).take(samples).any(|(a, b)| a < b);
        if better {
            batches = with(&batches, candidate);
            chosen.push(candidate);
        }
    }
    // If most minibatches reach the lower bound, look-aheads join for the other minibatches: a look-ahead runs
    // only if the members before it miss the bound.
    let least = batches.iter().zip(bounds).filter(|(batches, bound)| batches == bound).count();
    let looks = |candidate: &&Candidate| matches!(candidate.policy, Policy::LookAhead(_));
    let visits = candidates.iter().filter(looks).map(|look_ahead| look_ahead.visits);
    let pays = worth.pays_for(2.0 * visits.fold(f64::INFINITY, f64::min));
    let at_bound = !chosen.iter().any(looks) && 2 * least > bounds.len() && pays;
    let names: Vec<_> = chosen.iter().map(|candidate| candidate.name.as_str()).collect();
    let mut reason = format!(
        "{}: {:.3} of the lower bound on {} minibatches",
        names.join(" and "),
        mean(&batches),
        bounds.len()
    );
    let mut rest: Vec<_> = candidates.iter().map(|c| (mean(&c.batches), &c.name)).collect();
    rest.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Only the best policy of each of these kinds is reported.
    for kind in ["index", "look-ahead"] {
        let mut told = false;
        rest.retain(|(_, name)| !name.starts_with(kind) || !std::mem::replace(&mut told, true));
    }
    if at_bound {
        reason += "; where the bound is missed, a look-ahead";
    }
    for (number, (ratio, name)) in rest.iter().enumerate() {
        let before = if number == 0 { "; alone: " } else { ", " };
        // Writing to a string does not fail.
        let _ = write!(reason, "{before}{name} {ratio:.3}");
    }
    let mut members: Vec<_> = chosen.iter().map(|candidate| candidate.policy.clone()).collect();
    if at_bound {
        members.extend(LookAhead::BOTH_WAYS.map(Policy::LookAhead));
    }
    Best { signature: signature.clone(), members, reason }
}
