//! The options of learning.

use super::q_learning::QOptions;
use crate::error::{ScheduleError, check_setting};
use crate::graph::{Signature, TypeGraph};
use crate::policies::Encoding;

/// Which kind of policy is learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Learner {
    /// The [machine](Self::Machine), unless a policy that needs no learning takes
    /// [clearly](LearnOptions::vertex_cost) less time in all, or all choices of the heuristic are provably right.
    #[default]
    Best,
    /// The finite state machine of ED-Batch, with this encoding of states.
    Fsm(Encoding),
    /// The finite state machine whose states are found.
    Machine,
    /// A linear score of each type, until 0.2. A machine is learned in its place, which needs fewer batches.
    #[deprecated(note = "a machine needs fewer batches in less time: `Learner::Machine`")]
    Index,
}

/// How a policy is learned.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnOptions {
    /// The kind of policy.
    pub learner: Learner,
    /// The seed of everything random: the same seed and the same minibatches give the same policy.
    pub seed: u64,
    /// The most work that learning may do: the number of vertices in all schedules that it simulates. A
    /// processor simulates some 30 million a second. (A limit in seconds would give another policy each time.)
    pub budget: u64,
    /// The time that a batch takes in addition to the time of its rows, as the number of vertices that can be
    /// simulated in that time. If it is given, policies are compared by time, their own included. Otherwise policies
    /// are compared by the number of batches.
    pub batch_cost: Option<f64>,
    /// The time that a vertex takes in a batch, in the same unit. A policy that needs no learning runs in place of
    /// the learned one only if it saves a twentieth of the time of all batches and vertices.
    pub vertex_cost: f64,
    /// Options of Q-learning.
    pub q: QOptions,
}

impl Default for LearnOptions {
    fn default() -> Self {
        Self {
            learner: Learner::default(),
            seed: 0,
            budget: 24_000_000,
            batch_cost: None,
            vertex_cost: 0.0,
            q: QOptions::default(),
        }
    }
}

impl LearnOptions {
    /// Checks that all options are in range, and that there are samples, of as many types as the signature.
    pub(crate) fn check(
        &self,
        signature: &Signature,
        samples: &[&TypeGraph],
    ) -> Result<(), ScheduleError> {
        if samples.is_empty() {
            return Err(ScheduleError::NothingToLearnFrom);
        }
        let costs = [
            ("cost of a batch, in vertices", self.batch_cost.unwrap_or(0.0)),
            ("cost of a vertex, in vertices", self.vertex_cost),
        ];
        for (setting, cost) in costs {
            check_setting(setting, cost, "from 0 to 1e12", (0.0..=1e12).contains(&cost))?;
        }
        let expected = signature.type_count();
        match samples.iter().map(|graph| graph.type_count()).find(|found| *found != expected) {
            Some(found) => Err(ScheduleError::OtherTypes { expected, found }),
            None => Ok(()),
        }
    }
}
