//! BroadcastConstraint (ED-Batch, Algorithms 2 and 3): the operands of a call get one structure.
//!
//! Lanes that are consecutive in every order of one operand must be so in the others. These
//! constraints are read off an operand's part of the tree, translated to lanes, and reduced for the
//! others, until nothing changes. Then the parts of a call's operands admit the same orders of its
//! lanes, and trees that admit the same orders are equal but for the order of children.

use super::pq_tree::{PqTree, Span};
use super::templates::NotConsecutive;

/// The operands of a call that are to be ranges, all of them already reduced in the tree.
#[derive(Clone, Debug)]
pub struct Ranges<'a> {
    /// The values of each operand, lane by lane.
    pub operands: Vec<&'a [usize]>,
    /// Whether the lanes must be in the given order.
    pub ordered: bool,
}

/// Gives the operands of each call one structure.
///
/// # Errors
/// When no order of the tree aligns all of them.
pub fn broadcast(tree: &mut PqTree, calls: &[Ranges<'_>]) -> Result<(), NotConsecutive> {
    for call in calls.iter().filter(|call| call.ordered) {
        // Each lane is next to the following one, so no node below the set is free.
        for operand in &call.operands {
            for pair in operand.windows(2) {
                tree.reduce(pair)?;
            }
        }
    }
    // Any change may add constraints for any call. There are few rounds, since each but the last
    // excludes orders.
    loop {
        let mut changed = false;
        for call in calls.iter().filter(|call| call.operands.len() > 1) {
            for from in 0..call.operands.len() {
                let Some(span) = tree.span(call.operands[from]) else { return Err(NotConsecutive) };
                for set in constraints(&span) {
                    for (_, operand) in call.operands.iter().enumerate().filter(|to| to.0 != from) {
                        let values: Vec<usize> = set.iter().map(|lane| operand[*lane]).collect();
                        changed |= tree.reduce(&values)?;
                    }
                }
            }
        }
        if !changed {
            return Ok(());
        }
    }
}

/// Sets of lanes that are together equivalent to a span (Algorithm 3, GetSubtreeCons): all lanes of
/// each free node; for the others, each child with the next.
fn constraints(span: &Span) -> impl Iterator<Item = &[usize]> {
    span.parts.iter().flat_map(|part| {
        let width = if part.free { part.bounds.len() } else { 3 };
        part.bounds.windows(width).map(|run| &span.lanes[run[0]..run[run.len() - 1]])
    })
}
