//! Learning policies: what is asked for, and how it goes.

use std::sync::Arc;

use super::best::Best;
use super::cross_entropy::{self, IndexOptions};
use super::q_learning::{self, QOptions};
use super::signature::Signature;
use super::states::Encoding;
use super::{Policy, ScheduleError, TypeGraph};

/// Which kind of policy is learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Learner {
    /// All of them; what then runs is whichever needs the fewest batches.
    #[default]
    Best,
    /// The finite state machine of ED-Batch, with this encoding of states.
    Fsm(Encoding),
    /// A linear score of each type.
    Index,
}

/// How a policy is learned.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnOptions {
    /// The kind of policy.
    pub learner: Learner,
    /// The seed of everything random: the same seed and the same minibatches give the same policy.
    pub seed: u64,
    /// How much work learning may be: how many vertices it may run in thought. A processor does
    /// some 20 million a second. (A limit in seconds would give another policy each time.)
    pub budget: u64,
    /// Of Q-learning.
    pub q: QOptions,
    /// Of the cross-entropy method.
    pub index: IndexOptions,
}

impl Default for LearnOptions {
    fn default() -> Self {
        Self {
            learner: Learner::default(),
            seed: 0,
            budget: 24_000_000,
            q: QOptions::default(),
            index: IndexOptions::default(),
        }
    }
}

/// How far learning has come.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// What is being learned: `fsm-sort`, `index`.
    pub policy: String,
    /// The trials or generations done,
    pub done: usize,
    /// of at most so many.
    pub of: usize,
    /// The batches that the policy needs for the minibatches it is tried on,
    pub batches: usize,
    /// and the lower bound on that.
    pub lower_bound: usize,
}

/// Tells someone how far learning has come.
pub(super) struct Watch<'a>(pub(super) &'a mut dyn FnMut(&Progress));

impl Watch<'_> {
    pub(super) fn report(&mut self, progress: &Progress) {
        (self.0)(progress);
    }
}

impl Policy {
    /// Learns a policy on a few minibatches, for types without names.
    ///
    /// # Errors
    ///
    /// If the minibatches do not have the same number of types, or there are none, or an option is out
    /// of range.
    pub fn learn(samples: &[TypeGraph], options: &LearnOptions) -> Result<Policy, ScheduleError> {
        let types = samples.first().map_or(0, TypeGraph::type_count);
        Self::learn_for(&Signature::unnamed(types), samples, options, &mut |_| ())
    }

    /// Learns a policy on a few minibatches, for these types; `progress` hears how it goes.
    ///
    /// # Errors
    ///
    /// If a minibatch has another number of types, or there are none, or an option is out of range.
    pub fn learn_for(
        signature: &Signature,
        samples: &[TypeGraph],
        options: &LearnOptions,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Policy, ScheduleError> {
        if samples.is_empty() {
            return Err(ScheduleError::NothingToLearnFrom);
        }
        options.index.check_range()?;
        let expected = signature.type_count();
        if let Some(graph) = samples.iter().find(|graph| graph.type_count() != expected) {
            let found = graph.type_count();
            return Err(ScheduleError::OtherTypes { expected, found });
        }
        let graphs: Vec<&TypeGraph> = samples.iter().collect();
        let watch = &mut Watch(progress);
        let LearnOptions { seed, budget, .. } = *options;
        Ok(match options.learner {
            Learner::Fsm(encoding) => Policy::Fsm(Arc::new(q_learning::learn(
                &graphs, signature, encoding, &options.q, seed, budget, watch,
            ))),
            Learner::Index => {
                let mut learned =
                    cross_entropy::learn(&graphs, signature, &options.index, seed, budget, watch);
                Policy::Index(Arc::new(learned.swap_remove(0)))
            }
            Learner::Best => {
                Policy::Best(Arc::new(Best::learn(&graphs, signature, options, watch)))
            }
        })
    }
}
