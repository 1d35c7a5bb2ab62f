//! Chooses the policy of a model. The default policy does this once it has seen some minibatches.

use std::fmt::Write;
use std::sync::Arc;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::machine;
use super::options::LearnOptions;
use super::progress::Progress;
use super::resample::Pool;
use crate::graph::{Signature, TypeGraph, lower_bound};
use crate::policies::{Best, Policy};

/// How many minibatches are resampled for each sample, to compare policies on them.
const RESAMPLED_PER_SAMPLE: usize = 3;
/// The least share of the time of a run that a policy must save to run in place of the machine. The time is
/// estimated, and on lattices agenda and depth save less than it says.
const MIN_SAVED_SHARE: f64 = 0.05;

/// A candidate policy.
struct Candidate {
    policy: Policy,
    name: String,
    /// The mean number of batches, and that divided by the lower bound.
    batches: f64,
    ratio: f64,
    /// The mean time of a minibatch: of choosing, of batches and of their rows. Without costs, the number of batches.
    time: f64,
}

impl Candidate {
    /// About how long a policy takes for each vertex, as the number of vertices that can be simulated in that time.
    fn visits(policy: &Policy) -> f64 {
        match policy {
            Policy::Depth | Policy::Agenda => 0.3,
            Policy::Sufficient => 1.1,
            Policy::Heuristic => 1.3,
            _ => 0.9,
        }
    }
}

/// The minibatches on which policies are compared.
struct Judged<'g> {
    graphs: Vec<&'g TypeGraph>,
    /// The mean number of vertices.
    vertices: f64,
    /// What a batch and a vertex cost, if this is known: how many vertices can be simulated in that time.
    costs: Option<[f64; 2]>,
}

impl Judged<'_> {
    fn candidate(&self, policy: Policy) -> Candidate {
        let (mut batches, mut ratio) = (0.0, 0.0);
        for graph in &self.graphs {
            let needed = policy.schedule(graph).len() as f64;
            batches += needed;
            // Nothing is scheduled as well as can be.
            ratio += if graph.is_empty() { 1.0 } else { needed / lower_bound(graph) as f64 };
        }
        let count = self.graphs.len().max(1) as f64;
        let (batches, ratio) = (batches / count, ratio / count);
        let time = match self.costs {
            Some([batch, vertex]) => {
                batches * batch + (vertex + Candidate::visits(&policy)) * self.vertices
            }
            None => batches,
        };
        Candidate { name: policy.kind(), policy, batches, ratio, time }
    }
}

impl Best {
    /// Learns a machine, and chooses it, or a policy that needs no training if that takes less time in all.
    ///
    /// Policies are compared on the samples and on three times as many minibatches resampled from their graphs. If
    /// every choice of the heuristic is provably right on all of them, nothing is learned.
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
        let vertices = graphs.iter().map(|graph| graph.len()).sum::<usize>();
        let count = graphs.len().max(1) as f64;
        let judged = Judged {
            graphs,
            vertices: vertices as f64 / count,
            costs: options.batch_cost.map(|batch| [batch, options.vertex_cost]),
        };
        let is_proved = |graph: &&TypeGraph| Policy::Heuristic.schedule(graph).is_proved();
        let is_proved = judged.graphs.iter().all(is_proved);

        // In order of preference.
        let mut candidates = Vec::new();
        if !is_proved {
            let machine =
                machine::learn(samples, signature, options.seed, options.budget, progress);
            candidates.push(judged.candidate(Policy::Machine(Arc::new(machine))));
        }
        let plain = [Policy::Heuristic, Policy::Sufficient, Policy::Agenda, Policy::Depth];
        candidates.extend(plain.map(|policy| judged.candidate(policy)));

        let first = &candidates[0];
        // A number of batches is no estimate: any fewer are enough.
        let share = judged.costs.map_or(0.0, |_| MIN_SAVED_SHARE);
        let fastest = candidates.iter().filter(|of| of.time < (1.0 - share) * first.time);
        // Of equal candidates, `min_by` takes the first.
        let fastest = fastest.min_by(|a, b| a.time.total_cmp(&b.time));
        let chosen = fastest.unwrap_or(first);

        let mut reason = format!(
            "{}: {:.3} of the lower bound on {} minibatches",
            chosen.name,
            chosen.ratio,
            judged.graphs.len()
        );
        if is_proved {
            reason += "; every choice of the heuristic was provably right, so that nothing can need fewer batches \
                       and nothing was learned";
        }
        if !std::ptr::eq(chosen, first) {
            let saved = 100.0 * (1.0 - chosen.time / first.time);
            let what = if judged.costs.is_some() { "time" } else { "batches" };
            // Writing to a string does not fail.
            let _ =
                write!(reason, "; it saves {saved:.0} % of the {what} of {} in all", first.name);
        }
        for (number, other) in candidates.iter().enumerate() {
            let before = if number == 0 { "; batches:" } else { "," };
            let _ = write!(reason, "{before} {} {:.1}", other.name, other.batches);
        }
        let members = vec![chosen.policy.clone()];
        Self { signature: signature.clone(), members, reason }
    }
}
