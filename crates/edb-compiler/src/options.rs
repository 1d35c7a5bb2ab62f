//! The optimisations of a plan.

/// The optimisations of a plan: all are on by default; turn one off to measure what it gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Values that do not depend on the schedule are computed over all rows of a minibatch at once;
    /// otherwise everything but the gradients of parameters runs batch by batch.
    pub lazy: bool,
    /// Pieces are laid out by the PQ-tree, and gradients overwrite the values that were saved for
    /// them; otherwise each value has its own record, and operands that calls need side by side are
    /// copied together.
    pub layout: bool,
    /// Pointwise ops are fused into kernels; otherwise each is a pass of its own.
    pub fusion: bool,
    /// Kernels read children's states in place; otherwise these are always gathered.
    pub views: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { lazy: true, layout: true, fusion: true, views: true }
    }
}
