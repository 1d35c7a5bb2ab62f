//! The sections in which a function ends.
//!
//! A branch that little follows needs no section behind it: what follows is copied into its arms.
//! That saves a section for each vertex, and what the arms would hand on.

use std::collections::HashMap;

use edb_ir::{Domain, Leaf, Movement, Op, Program, ValueId};

use super::drafts::{Draft, End, remove};

/// The most values behind a branch that are copied into its arms.
const FEW: usize = 12;

/// The ends of a function whose last section is `last`. If that is behind a branch and cheap, it is
/// copied into the arms, and left out unless an arm does nothing; and so for arms that end behind
/// branches themselves.
pub(super) fn ends(program: &mut Program, drafts: &mut Vec<Draft>, last: usize) -> Vec<End> {
    let mut ends = Vec::new();
    let mut open = vec![End::of(program, last)];
    while let Some(end) = open.pop() {
        let at = end.section;
        let is_arm = |section: &usize| drafts[*section].targets == [at];
        let arms: Vec<usize> = (0..drafts.len()).filter(is_arm).collect();
        if arms.is_empty() || !is_cheap(program, &drafts[at]) {
            ends.push(end);
            continue;
        }
        for &section in &arms {
            let (copied, same) = copy(program, &drafts[at], section);
            let there = |ids: &[ValueId]| -> Vec<ValueId> {
                ids.iter().map(|id| same.get(id).copied().unwrap_or(*id)).collect()
            };
            let losses = there(&drafts[at].losses);
            let draft = &mut drafts[section];
            draft.values.extend(copied);
            draft.losses.extend(losses);
            draft.targets.clear();
            open.push(End { section, scatter: there(&end.scatter), push: there(&end.push) });
        }
        if drafts.iter().any(|draft| draft.targets.contains(&at)) {
            for (_, from) in &mut drafts[at].variables {
                from.retain(|(section, _)| !arms.contains(section));
            }
            ends.push(end);
        } else {
            let renumber = remove(drafts, at);
            ends.iter_mut().chain(&mut open).for_each(|end| renumber(&mut end.section));
        }
    }
    ends
}

/// Whether a section is no more than a few ops that cost next to nothing. Sites of draws count from
/// where a section begins, so that there may be none.
fn is_cheap(program: &Program, draft: &Draft) -> bool {
    let is_cheap = |id: &ValueId| {
        let value = program.value(*id);
        let is_cheap = match &value.op {
            Op::Movement(op) => !matches!(op, Movement::BagSum(_)),
            op @ Op::Indexing(_) => op.decision().is_none(),
            Op::Leaf(_) | Op::Pointwise(_) => true,
            _ => false,
        };
        value.domain == Domain::Step || value.domain == Domain::Vertex && is_cheap
    };
    draft.values.len() <= FEW
        && draft.item.is_none()
        && draft.loops.is_empty()
        && draft.values.iter().all(is_cheap)
}

/// Copies the values of the last section to the end of another: the copies, and what the values of
/// the last section are there.
fn copy(
    program: &mut Program,
    last: &Draft,
    to: usize,
) -> (Vec<ValueId>, HashMap<ValueId, ValueId>) {
    let at_end = |(id, from): &(ValueId, Vec<(usize, ValueId)>)| {
        let (_, value) = from.iter().find(|(section, _)| *section == to)?;
        Some((*id, *value))
    };
    let mut same: HashMap<ValueId, ValueId> = last.variables.iter().filter_map(at_end).collect();
    let mut copied = Vec::new();
    for id in &last.values {
        let mut value = program.value(*id).clone();
        // What every section computes that reads it stays one value, and so does a tensor that is
        // pulled, which has one gradient.
        let is_pulled = matches!(value.op, Op::Leaf(Leaf::Pull(_))) && !value.shape.is_index();
        if value.domain == Domain::Step || is_pulled {
            copied.push(*id);
            continue;
        }
        for arg in &mut value.args {
            *arg = same.get(arg).copied().unwrap_or(*arg);
        }
        // What an arm leaves may follow from parameters, where what is behind the branch did not.
        let args = value.args.iter().map(|arg| program.value(*arg).domain);
        if let Some(finest) = args.max() {
            value.domain = value.op.domain(finest);
        }
        program.values.push(value);
        let new = ValueId(program.values.len() as u32 - 1);
        same.insert(*id, new);
        copied.push(new);
    }
    (copied, same)
}
