//! Conversion of branches (Allen et al., 1983, "Conversion of control dependence to data
//! dependence"): where both arms are cheap, both are computed, and the values of the one that is
//! taken are chosen.
//!
//! The [`Builder`](edb_ir::Builder) masks what an arm reads from outside, so that no infinity and no
//! NaN leaves an arm that is not taken, forward or backward.
//!
//! Invariant: an arm with a loss is a section or a variant, and is never computed by choosing: a
//! mean over vertices counts those that have had a loss.

use edb_ir::{Block, Branch, Flow, Program, Step};

use super::rewrite::{BranchBecomes, rewrite};

/// Converts the branches whose arms are cheap.
pub fn select(flow: Flow) -> Flow {
    if flow.body.is_straight() {
        return flow;
    }
    let form = |branch: &Branch| match is_cheap(&flow.program, branch) {
        true => BranchBecomes::Select,
        false => BranchBecomes::Branch,
    };
    // A function that would be too large by its masks stays as it is: its arms run apart.
    rewrite(&flow, None, form).unwrap_or(flow)
}

/// Whether both arms are computed where one is taken. Indices are not chosen by a mask.
pub(super) fn is_cheap(program: &Program, branch: &Branch) -> bool {
    let arms = branch.arms.iter().all(|arm| is_cheap_arm(program, arm));
    arms && !branch.merges.iter().any(|merge| program.value(merge.value).shape.is_index())
}

fn is_cheap_arm(program: &Program, arm: &Block) -> bool {
    arm.steps.iter().all(|step| match step {
        Step::Value(id) => program.value(*id).op.is_cheap(),
        Step::Branch(branch) => is_cheap(program, branch),
        // How many loops over children a vertex runs depends on the arm that it takes, and so do
        // whether it has a loss, by which a mean over these vertices counts it, and what it pushes.
        Step::Loop(_) | Step::Children(_) | Step::Loss(_) | Step::Push(_) => false,
    })
}
