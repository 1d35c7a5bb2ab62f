//! The progress of learning.

/// How far learning has come.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The kind of policy that is being learned: `fsm-sort`, `machine`.
    pub policy: String,
    /// The number of trials or generations done.
    pub done: usize,
    /// The greatest number of trials or generations.
    pub of: usize,
    /// The batches that the policy needs for the minibatches it is evaluated on.
    pub batches: usize,
    /// The lower bound on the number of these batches.
    pub lower_bound: usize,
}
