//! The layout of memory: which values stand next to which, so that operands of batched calls are
//! ranges and not copies (ED-Batch, section 3.2 and appendix B).
//!
//! | step | module | paper |
//! | --- | --- | --- |
//! | the problem: values, calls, operands | [`problem`] | section 3.2, the two constraints |
//! | orders in which sets are consecutive | [`pq_tree`], [`templates`] | Booth and Lueker, 1976 |
//! | operands of one call get one structure | [`broadcast`] | Algorithm 2, BroadcastConstraint |
//! | structures get one orientation | [`orient`] | Algorithm 2, DecideNodesOrder |
//! | which operands are copied if not all fit | [`mod@solve`] | not in the paper |
//!
//! PQ-trees here are those of one vertex function: tens of leaves, so that steps linear in the tree
//! are cheap. Still, nothing recurses: a tree of `n` leaves may be `n / 2` deep.

pub mod broadcast;
pub mod orient;
pub mod pq_tree;
pub mod problem;
pub mod solve;
pub mod templates;

pub use pq_tree::PqTree;
pub use problem::{
    Call, CallLayout, Cost, Item, Layout, LayoutError, Operand, OperandPlace, Problem,
};
pub use solve::{solve, solve_within, tree};
