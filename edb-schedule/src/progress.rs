//! How learning goes.

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
