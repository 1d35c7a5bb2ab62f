//! The best of all policies for a model: what the default becomes once it has seen minibatches.

use std::fmt::Write;
use std::sync::Arc;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::learn::{LearnOptions, Watch};
use super::resample::Pool;
use super::signature::Signature;
use super::state::Analysis;
use super::states::Encoding;
use super::{Policy, Schedule, TypeGraph, cross_entropy, q_learning};

/// How many policies may run on one minibatch, of which the shortest schedule is kept.
const MOST_MEMBERS: usize = 4;
/// By what part of the batches another member must shorten schedules to be worth its time.
const WORTH: f64 = 0.002;
/// How many minibatches are drawn anew for each that was seen, to compare policies on.
const DRAWN: usize = 3;
/// Into how many parts the budget is cut: of these the FSM has one.
const SHARES: u64 = 5;

/// One or a few policies, of which the shortest schedule counts, and why they were chosen.
#[derive(Clone, Debug)]
pub struct Best {
    pub(super) signature: Signature,
    pub(super) members: Vec<Policy>,
    pub(super) reason: String,
}

/// A policy in the running, with what it needs for each minibatch.
struct Candidate {
    policy: Policy,
    name: String,
    batches: Vec<usize>,
}

impl Best {
    /// The vertex types that it was chosen for.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The policies that run, most often one.
    pub fn members(&self) -> &[Policy] {
        &self.members
    }

    /// Why these run: what each policy needed for the minibatches they were chosen on.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The schedule of a graph: the shortest of those of its members, the first of equals.
    pub fn schedule(&self, graph: &TypeGraph) -> Schedule {
        shortest(&self.members, graph)
    }

    /// Learns what can be learned, and chooses.
    ///
    /// Policies are compared on the samples and on three times as many minibatches drawn anew from
    /// their graphs. On none of the samples is the choice worse than depth, agenda or sufficient: if it
    /// would be, the policy that it would be worse than joins it.
    pub(super) fn learn(
        samples: &[&TypeGraph],
        signature: &Signature,
        options: &LearnOptions,
        watch: &mut Watch<'_>,
    ) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed ^ 0x5eed);
        let pool = Pool::new(samples);
        let each = pool.len().div_ceil(samples.len().max(1));
        let drawn = (0..DRAWN * samples.len()).filter_map(|_| pool.draw(each, &mut rng));
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
            return Self { signature: signature.clone(), members: vec![Policy::Heuristic], reason };
        }

        // In this order, of which the first of equals counts.
        let mut policies: Vec<(String, Policy)> = Vec::new();
        let share = options.budget / SHARES;
        let (encoding, seed) = (Encoding::Sort, options.seed);
        let fsm = q_learning::learn(samples, signature, encoding, &options.q, seed, share, watch);
        policies.push(("fsm".into(), Policy::Fsm(Arc::new(fsm))));
        policies.push(("heuristic".into(), Policy::Heuristic));
        let budget = options.budget - share;
        let indices = cross_entropy::learn(samples, signature, &options.index, seed, budget, watch);
        for (number, index) in indices.into_iter().enumerate() {
            policies.push((format!("index {}", number + 1), Policy::Index(Arc::new(index))));
        }
        for policy in [Policy::Sufficient, Policy::Agenda, Policy::Depth] {
            policies.push((policy.to_string(), policy));
        }
        let candidates: Vec<_> = policies
            .into_iter()
            .map(|(name, policy)| {
                let batches = analyses.iter().map(|a| policy.schedule_of(a).len()).collect();
                Candidate { policy, name, batches }
            })
            .collect();
        choose(signature, &candidates, &bounds, samples.len())
    }
}

/// Takes the best candidate, then those that shorten schedules enough beside it, then what it
/// takes for no sample to be worse off than under a policy that was not learned.
fn choose(
    signature: &Signature,
    candidates: &[Candidate],
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
    while chosen.len() < MOST_MEMBERS {
        // Of equals, `min_by` takes the first.
        let cost = |candidate: &&Candidate| mean(&with(&batches, candidate));
        let next = candidates.iter().min_by(|a, b| cost(a).total_cmp(&cost(b)));
        let Some(next) = next.filter(|c| cost(c) < (1.0 - WORTH) * mean(&batches)) else { break };
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
    let names: Vec<_> = chosen.iter().map(|candidate| candidate.name.as_str()).collect();
    let mut reason = format!(
        "{}: {:.3} of the lower bound on {} minibatches",
        names.join(" and "),
        mean(&batches),
        bounds.len()
    );
    let mut rest: Vec<_> = candidates.iter().map(|c| (mean(&c.batches), &c.name)).collect();
    rest.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Of the many index policies the best is enough.
    let mut index = false;
    rest.retain(|(_, name)| !name.starts_with("index") || !std::mem::replace(&mut index, true));
    for (at, (ratio, name)) in rest.iter().enumerate() {
        let before = if at == 0 { "; alone: " } else { ", " };
        // Writing to a string does not fail.
        let _ = write!(reason, "{before}{name} {ratio:.3}");
    }
    let members = chosen.into_iter().map(|candidate| candidate.policy.clone()).collect();
    Best { signature: signature.clone(), members, reason }
}

/// The shortest of the schedules of these policies, the first of equals.
pub(super) fn shortest(policies: &[Policy], graph: &TypeGraph) -> Schedule {
    let [policy] = policies else {
        let analysis = Analysis::new(graph);
        let mut best: Option<Schedule> = None;
        for policy in policies {
            let schedule = policy.schedule_of(&analysis);
            if best.as_ref().is_none_or(|best| schedule.len() < best.len()) {
                best = Some(schedule);
            }
            if best.as_ref().is_some_and(Schedule::is_proved) {
                break;
            }
        }
        return best.unwrap_or_default();
    };
    policy.schedule(graph)
}
