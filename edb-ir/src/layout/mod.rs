//! The layout of memory: which values stand next to which, so that operands of batched calls are
//! ranges and not copies (ED-Batch, section 3.2 and appendix B).
//!
//! PQ-trees here are those of one vertex function: tens of leaves, so that steps linear in the tree
//! are cheap. Still, nothing recurses: a tree of `n` leaves may be `n / 2` deep.

pub mod pq_tree;
pub mod templates;

pub use pq_tree::PqTree;
