//! The phase of each value (Cavs, section 3.4, eager and lazy operators).

use edb_ir::{Contraction, Domain, IdVec, Leaf, Op, Phase, Program, Value, ValueId};

/// The phase of each value.
pub fn phases(program: &Program) -> IdVec<ValueId, Phase> {
    let count = program.values.len();
    let mut after_gather: IdVec<ValueId, bool> = IdVec::filled(false, count);
    let mut after_gradient = after_gather.clone();
    let mut after_sum = after_gather.clone();
    for (id, value) in program.iter() {
        let any = |flags: &IdVec<_, bool>| value.args.iter().any(|arg| flags[*arg]);
        after_gather[id] = matches!(value.op, Op::Leaf(Leaf::Child { .. })) || any(&after_gather);
        after_gradient[id] =
            matches!(value.op, Op::Leaf(Leaf::StateGradient(_))) || any(&after_gradient);
        let sums = value.args.iter().any(|arg| program.value(*arg).domain > value.domain);
        after_sum[id] = value.domain == Domain::Step && (sums || any(&after_sum));
    }
    // What comes next in a vertex has to be known while it runs.
    let feeds_scatter = feeding(program, program.scatter.iter().chain(&program.next).copied());
    let feeds_children = feeding(program, program.gradients.children.iter().map(|g| g.2));
    let phase = |(id, value): (ValueId, &Value)| match (program.is_backward(id), value.domain) {
        (true, Domain::Step) if after_sum[id] => Phase::Accumulate,
        (_, Domain::Step) => Phase::Prepare,
        (false, _) if !after_gather[id] => Phase::Eager,
        (false, _) if feeds_scatter[id] => Phase::Recurrent,
        (false, _) => Phase::Lazy,
        (true, _) if !after_gradient[id] => Phase::BackwardEager,
        (true, _) if feeds_children[id] => Phase::BackwardRecurrent,
        (true, _) => Phase::BackwardLazy,
    };
    let mut phases: IdVec<ValueId, Phase> = program.iter().map(phase).collect();
    hurry(program, &mut phases);
    sink(program, &mut phases);
    phases
}

/// The gradient of a small matrix by which a vertex multiplied a large one is computed as soon as
/// it can be, while the large ones are in the cache.
fn hurry(program: &Program, phases: &mut IdVec<ValueId, Phase>) {
    let is_fixed = |id: ValueId| {
        let dims = program.value(id).shape.dims().unwrap_or_default();
        dims.iter().all(|dim| dim.as_constant().is_some())
    };
    for (id, value) in program.iter() {
        if phases[id] == Phase::BackwardLazy
            && value.op == Op::Contraction(Contraction::MatMulLeftTransposed)
            && value.args.iter().all(|arg| phases[*arg] != Phase::BackwardLazy && !is_fixed(*arg))
            && is_fixed(id)
        {
            phases[id] = Phase::BackwardRecurrent;
        }
    }
}

/// Values that could run early but are used in one later phase only are moved there, where they
/// stay in scratch memory: mostly derivatives of activations. Contractions stay in the early phase,
/// where they run over all rows at once.
fn sink(program: &Program, phases: &mut IdVec<ValueId, Phase>) {
    let mut user: IdVec<ValueId, Option<Phase>> = IdVec::filled(None, phases.len());
    let mut fixed: IdVec<ValueId, bool> = IdVec::filled(false, phases.len());
    program.backward_results().for_each(|id| fixed[id] = true);
    let backward = program.iter().rev().take_while(|(id, _)| program.is_backward(*id));
    for (id, value) in backward {
        let contraction = matches!(value.op, Op::Contraction(_) | Op::SemiringContraction(_));
        if let (Phase::BackwardEager, false, false, Some(later)) =
            (phases[id], fixed[id], contraction, user[id])
            && matches!(later, Phase::BackwardRecurrent | Phase::BackwardLazy)
        {
            phases[id] = later;
        }
        for &arg in &value.args {
            match user[arg] {
                None => user[arg] = Some(phases[id]),
                Some(other) if other != phases[id] => fixed[arg] = true,
                Some(_) => {}
            }
        }
    }
}

/// Which values any of `roots` depends on.
fn feeding(program: &Program, roots: impl Iterator<Item = ValueId>) -> IdVec<ValueId, bool> {
    let mut feeds: IdVec<ValueId, bool> = IdVec::filled(false, program.values.len());
    roots.for_each(|id| feeds[id] = true);
    for (id, value) in program.iter().rev() {
        if feeds[id] {
            value.args.iter().for_each(|arg| feeds[*arg] = true);
        }
    }
    feeds
}
