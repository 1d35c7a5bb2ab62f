//! Learning policies from minibatches.
//!
//! The inputs are a few minibatches, as graphs of types, and [`LearnOptions`]. The result is
//! a policy: the finite state machine of ED-Batch (`q_learning.rs`), a machine whose states are found (`machine.rs`),
//! or what takes the least time on these minibatches (`best.rs`). The same
//! minibatches and the same seed give the same policy, since the budget counts vertices and not
//! seconds.
//!
//! Users call [`Policy::learn`]; the [`Scheduler`](crate::Scheduler) of an engine learns while
//! minibatches arrive, and `growing/` learns how graphs grow.

mod best;
mod machine;
mod options;
mod progress;
pub(crate) mod q_learning;
mod resample;

use std::sync::Arc;

use crate::error::ScheduleError;
use crate::graph::{Signature, TypeGraph};
use crate::policies::{Best, Fsm, Policy};

pub use options::{LearnOptions, Learner};
pub use progress::Progress;
pub use q_learning::QOptions;
pub(crate) use resample::Pool;

impl Policy {
    /// Learns a policy on a few minibatches, for types without names.
    ///
    /// # Errors
    ///
    /// If the minibatches do not have the same number of types, or there are none, or an option is
    /// out of range.
    pub fn learn(samples: &[TypeGraph], options: &LearnOptions) -> Result<Policy, ScheduleError> {
        let types = samples.first().map_or(0, TypeGraph::type_count);
        Self::learn_for(&Signature::unnamed(types), samples, options, &mut |_| ())
    }

    /// Learns a policy on a few minibatches, for these types; `progress` is called with the progress of
    /// learning.
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
        let graphs: Vec<&TypeGraph> = samples.iter().collect();
        options.check(signature, &graphs)?;
        let LearnOptions { seed, budget, .. } = *options;
        Ok(match options.learner {
            Learner::Fsm(encoding) => {
                let learner = q_learning::Learner { signature, encoding, options: &options.q };
                let fsm = learner.learn(&graphs, seed, budget, Fsm::count, progress);
                Policy::Fsm(Arc::new(fsm))
            }
            #[expect(deprecated)]
            Learner::Machine | Learner::Index => {
                let learned = machine::learn(&graphs, signature, seed, budget, progress);
                Policy::Machine(Arc::new(learned))
            }
            Learner::Best => {
                Policy::Best(Arc::new(Best::learn(&graphs, signature, options, progress)))
            }
        })
    }
}
