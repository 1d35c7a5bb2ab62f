//! What plans make use of.

/// What a plan makes use of: everything, unless one wants to see what a part of it gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What needs no schedule runs over all rows of a minibatch at once; otherwise everything runs
    /// batch by batch, but for the gradients of parameters.
    pub lazy: bool,
    /// Pieces lie as the PQ-tree found, and gradients where what was saved for them lay; otherwise in
    /// the order of the program, each for itself, and what calls want side by side is copied together.
    pub layout: bool,
    /// Pointwise ops are fused into kernels; otherwise each is a pass of its own.
    pub fusion: bool,
    /// Kernels read children's states where they are; otherwise all that is read of a child is
    /// gathered.
    pub views: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { lazy: true, layout: true, fusion: true, views: true }
    }
}
