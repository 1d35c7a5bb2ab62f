//! The phase of each value (Cavs, section 3.4, eager and lazy operators).

use edb_ir::{Domain, Leaf, Op, Phase, Program, Value, ValueId};

/// The phase of each value.
pub fn phases(program: &Program) -> Vec<Phase> {
    let count = program.values.len();
    let mut after_gather = vec![false; count];
    let mut after_gradient = vec![false; count];
    let mut after_sum = vec![false; count];
    for (id, value) in program.iter() {
        let at = id.index();
        let any = |flags: &[bool]| value.args.iter().any(|arg| flags[arg.index()]);
        after_gather[at] = matches!(value.op, Op::Leaf(Leaf::Child { .. })) || any(&after_gather);
        after_gradient[at] =
            matches!(value.op, Op::Leaf(Leaf::StateGradient(_))) || any(&after_gradient);
        let sums = value.args.iter().any(|arg| program.value(*arg).domain > value.domain);
        after_sum[at] = value.domain == Domain::Step && (sums || any(&after_sum));
    }
    let feeds_scatter = feeding(program, program.scatter.iter().copied());
    let feeds_children = feeding(program, program.gradients.children.iter().map(|g| g.2));
    let phase = |(id, value): (ValueId, &Value)| {
        let at = id.index();
        match (program.is_backward(id), value.domain) {
            (true, Domain::Step) if after_sum[at] => Phase::Accumulate,
            (_, Domain::Step) => Phase::Prepare,
            (false, _) if !after_gather[at] => Phase::Eager,
            (false, _) if feeds_scatter[at] => Phase::Recurrent,
            (false, _) => Phase::Lazy,
            (true, _) if !after_gradient[at] => Phase::BackwardEager,
            (true, _) if feeds_children[at] => Phase::BackwardRecurrent,
            (true, _) => Phase::BackwardLazy,
        }
    };
    let mut phases: Vec<Phase> = program.iter().map(phase).collect();
    sink(program, &mut phases);
    phases
}

/// Values that could run early but are used in one later phase only are moved there, where they
/// stay in scratch memory: mostly derivatives of activations. Contractions stay in the early phase,
/// where they run over all rows at once.
fn sink(program: &Program, phases: &mut [Phase]) {
    let mut user: Vec<Option<Phase>> = vec![None; phases.len()];
    let mut fixed = vec![false; phases.len()];
    program.backward_results().for_each(|id| fixed[id.index()] = true);
    for at in (program.backward_start as usize..phases.len()).rev() {
        let value = &program.values[at];
        let contraction = matches!(value.op, Op::Contraction(_));
        if let (Phase::BackwardEager, false, false, Some(later)) =
            (phases[at], fixed[at], contraction, user[at])
            && matches!(later, Phase::BackwardRecurrent | Phase::BackwardLazy)
        {
            phases[at] = later;
        }
        for arg in &value.args {
            match user[arg.index()] {
                None => user[arg.index()] = Some(phases[at]),
                Some(other) if other != phases[at] => fixed[arg.index()] = true,
                Some(_) => {}
            }
        }
    }
}

/// Which values any of `roots` depends on.
fn feeding(program: &Program, roots: impl Iterator<Item = ValueId>) -> Vec<bool> {
    let mut feeds = vec![false; program.values.len()];
    roots.for_each(|id| feeds[id.index()] = true);
    for at in (0..feeds.len()).rev() {
        if feeds[at] {
            program.values[at].args.iter().for_each(|arg| feeds[arg.index()] = true);
        }
    }
    feeds
}
