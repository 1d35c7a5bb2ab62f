//! Recomputation: what the backward pass needs and what is cheap is computed again there: a sum, a
//! difference or a product of what is read there anyway, and a matrix that is pulled, which lies in
//! the input. To store it in the forward pass, and to read it again, takes longer if it is large.

use edb_ir::{Dim, Domain, IdVec, Leaf, Movement, Op, Phase, Pointwise, Program, Shape, ValueId};

use crate::phases::phases;
use crate::simplify::drop_dead;

/// Lets the backward phases compute again what is cheap.
pub fn recompute(program: Program) -> Program {
    let phases = [Phase::BackwardEager, Phase::BackwardRecurrent, Phase::BackwardLazy];
    drop_dead(phases.into_iter().fold(program, recompute_in))
}

fn recompute_in(mut program: Program, phase: Phase) -> Program {
    let phases = phases(&program);
    let again = what_is_again_computed(&program, &phases, phase);
    // The copies come first in the backward pass; what is behind them is renumbered.
    let start = program.backward_start;
    let count = again.iter().filter(|again| **again).count() as u32;
    let moved = |id: ValueId| if id.0 < start { id } else { ValueId(id.0 + count) };
    let mut copies: IdVec<ValueId, Option<ValueId>> = IdVec::filled(None, program.values.len());
    let mut made = Vec::new();
    for id in again.ids().filter(|id| again[*id]) {
        let mut value = program.value(id).clone();
        value.args.iter_mut().for_each(|arg| *arg = copies[*arg].unwrap_or(*arg));
        copies[id] = Some(ValueId(start + made.len() as u32));
        made.push(value);
    }
    for number in start as usize..program.values.len() {
        let is_here = phases.raw[number] == phase;
        for arg in &mut program.values[number].args {
            *arg = copies[*arg].filter(|_| is_here).unwrap_or_else(|| moved(*arg));
        }
    }
    program.map_results(moved);
    program.values.splice(start as usize..start as usize, made);
    program
}

/// Whether a vector or a matrix may be large, since its size is not fixed.
fn may_be_large(shape: &Shape) -> bool {
    let is_named = |dim: &Dim| dim.as_constant().is_none();
    shape.dims().is_some_and(|dims| dims.iter().any(is_named))
}

/// Which forward values a backward phase computes again.
fn what_is_again_computed(
    program: &Program,
    phases: &IdVec<ValueId, Phase>,
    phase: Phase,
) -> IdVec<ValueId, bool> {
    let none = || IdVec::filled(false, program.values.len());
    // What the phase reads, and what others read, so that it is stored whatever the phase does.
    let (mut is_read, mut is_stored) = (none(), none());
    program.forward_results().for_each(|id| is_stored[id] = true);
    for (id, value) in program.iter() {
        for &arg in &value.args {
            is_read[arg] |= phases[id] == phase;
            is_stored[arg] |= phases[id] != phase && phases[id] != phases[arg];
        }
    }
    let mut is_cheap = none();
    let forward = || program.iter().take(program.backward_start as usize);
    for (id, value) in forward() {
        let is_at_hand = |arg: &ValueId| {
            is_read[*arg] || is_cheap[*arg] || program.value(*arg).domain == Domain::Step
        };
        let takes_little = match value.op {
            Op::Pointwise(Pointwise::Add | Pointwise::Sub | Pointwise::Mul) => true,
            // To pull a vector takes as long as to read it.
            Op::Leaf(Leaf::Pull(_)) => value.shape.dims().is_some_and(|dims| dims.len() > 1),
            Op::Movement(Movement::Detach) => true,
            _ => false,
        };
        let is_worth_it = value.domain != Domain::Step && may_be_large(&value.shape);
        is_cheap[id] = takes_little && is_worth_it && value.args.iter().all(is_at_hand);
    }
    let mut again = none();
    for (id, value) in forward().rev() {
        again[id] |= is_cheap[id] && is_read[id] && !is_stored[id];
        if again[id] {
            value.args.iter().for_each(|&arg| again[arg] |= is_cheap[arg] && !is_read[arg]);
        }
    }
    again
}
