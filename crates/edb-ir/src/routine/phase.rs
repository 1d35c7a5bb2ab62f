//! The phases of a program (Cavs, section 3.4, eager and lazy operators), forward and backward.

use serde::{Deserialize, Serialize};

/// When a value is computed.
///
/// Eager and lazy phases run once over all vertices of a type in a minibatch, as large operations;
/// only the recurrent phases follow the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Phase {
    /// Depends on parameters only: once a step, before anything else.
    Prepare,
    /// Depends on no child.
    Eager,
    /// Between gather and scatter.
    Recurrent,
    /// Depends on a child and feeds no scatter.
    Lazy,
    /// Backward, depends on no state gradient: on losses and pushes only.
    BackwardEager,
    /// Backward, between the state's gradient and those of the children.
    BackwardRecurrent,
    /// Backward, depends on a state gradient, and no child's gradient depends on it.
    BackwardLazy,
    /// Sums over all vertices: parameter gradients.
    Accumulate,
}

impl Phase {
    /// All phases in the order in which they run at one vertex.
    pub const ALL: [Phase; 8] = [
        Phase::Prepare,
        Phase::Eager,
        Phase::Recurrent,
        Phase::Lazy,
        Phase::BackwardEager,
        Phase::BackwardRecurrent,
        Phase::BackwardLazy,
        Phase::Accumulate,
    ];

    /// The phases of a run that keeps no tape.
    pub const FORWARD: &[Phase] = &[Phase::Prepare, Phase::Eager, Phase::Recurrent, Phase::Lazy];
}
