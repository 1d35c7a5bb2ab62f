//! The policy of an engine, which learns while minibatches come.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::best::Best;
use super::learn::{LearnOptions, Watch};
use super::signature::Signature;
use super::{Policy, Schedule, ScheduleError, TypeGraph};

/// How many minibatches are seen before learning begins.
const SAMPLES: usize = 4;

/// Schedules minibatch after minibatch under a policy; under [`Policy::Auto`] it learns on the
/// first four of each model and then knows better.
///
/// What it learns depends on these minibatches and on the seed, and on nothing else. Minibatches
/// that come earlier are scheduled by whatever of the policies that need no training is shortest.
#[derive(Debug, Default)]
pub struct Scheduler {
    policy: Policy,
    options: LearnOptions,
    /// By model, that is, by its vertex types.
    known: BTreeMap<Signature, Known>,
}

#[derive(Debug)]
enum Known {
    Samples(Vec<TypeGraph>),
    Best(Arc<Best>),
}

impl Scheduler {
    /// A scheduler under this policy.
    pub fn new(policy: Policy) -> Self {
        Self { policy, ..Self::default() }
    }

    /// The seed of what is learned.
    pub fn seed(&mut self, seed: u64) {
        self.options.seed = seed;
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The schedule of a minibatch of a model with these vertex types.
    ///
    /// # Errors
    ///
    /// If the policy was learned for another number of types.
    pub fn schedule(
        &mut self,
        types: &Signature,
        graph: &TypeGraph,
    ) -> Result<Schedule, ScheduleError> {
        if !matches!(self.policy, Policy::Auto) {
            self.policy.fits(graph.type_count())?;
            return Ok(self.policy.schedule(graph));
        }
        let known = match self.known.get_mut(types) {
            Some(known) => known,
            None => self.known.entry(types.clone()).or_insert(Known::Samples(Vec::new())),
        };
        if let Known::Samples(samples) = known {
            samples.push(graph.clone());
            if samples.len() < SAMPLES {
                return Ok(Policy::Auto.schedule(graph));
            }
            let graphs: Vec<&TypeGraph> = samples.iter().collect();
            let best = Best::learn(&graphs, types, &self.options, &mut Watch(&mut |_| ()));
            *known = Known::Best(Arc::new(best));
        }
        Ok(match known {
            Known::Best(best) => best.schedule(graph),
            Known::Samples(_) => Policy::Auto.schedule(graph),
        })
    }

    /// What has been learned for a model with these vertex types, to be saved or looked at.
    pub fn learned(&self, types: &Signature) -> Option<Policy> {
        match self.known.get(types)? {
            Known::Best(best) => Some(Policy::Best(best.clone())),
            Known::Samples(_) => None,
        }
    }

    /// What runs for a model with these vertex types, and why.
    pub fn report(&self, types: &Signature) -> String {
        match (&self.policy, self.known.get(types)) {
            (Policy::Auto, Some(Known::Best(best))) => best.reason().to_owned(),
            (Policy::Auto, known) => {
                let seen = match known {
                    Some(Known::Samples(samples)) => samples.len(),
                    _ => 0,
                };
                format!(
                    "the shortest of heuristic, sufficient, agenda and depth: {seen} of {SAMPLES} \
                     minibatches seen, after which a policy is learned"
                )
            }
            (policy, _) => format!("{policy}: as was asked for"),
        }
    }
}
