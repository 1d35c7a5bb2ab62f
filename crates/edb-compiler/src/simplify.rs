//! Simplification: constants folded, equal values merged, dead values dropped.

use std::collections::HashMap;

use edb_ir::{
    Dim, Domain, Indexing, Leaf, Movement, Op, Pointwise, Program, Shape, Value, ValueId,
};

/// Simplifies a program, forward or joint. Its results do not change, up to the sign of zeros.
pub fn simplify(mut program: Program) -> Program {
    let mut seen: HashMap<Vec<u8>, ValueId> = HashMap::new();
    let mut map: Vec<ValueId> = Vec::with_capacity(program.values.len());
    for number in 0..program.values.len() {
        let mut value = program.values[number].clone();
        for arg in &mut value.args {
            *arg = map[arg.index()];
        }
        skip_copies(&program, &mut value);
        let id = rewrite(&program, &mut value).unwrap_or_else(|| {
            let id = ValueId(number as u32);
            let id = match value.op {
                // A copy exists to be a separate value, so it is never merged.
                Op::Movement(Movement::Copy(_)) | Op::Indexing(Indexing::Copy(_)) => id,
                _ => *seen.entry(key(&value)).or_insert(id),
            };
            program.values[number] = value;
            id
        });
        map.push(id);
    }
    program.map_results(|id| map[id.index()]);
    drop_dead(program)
}

/// Values with equal keys are equal. Keys are bytes, since `==` of floats is not an equivalence.
fn key(value: &Value) -> Vec<u8> {
    postcard::to_stdvec(&(&value.op, &value.args, &value.shape))
        .expect("ops and shapes encode into memory")
}

/// Replaces arguments that are copies into a finer domain by their originals, if the other
/// arguments keep the value in its domain.
fn skip_copies(program: &Program, value: &mut Value) {
    if matches!(value.op, Op::Movement(Movement::Copy(_)) | Op::Transition(_)) {
        return;
    }
    for operand in 0..value.args.len() {
        let argument = program.value(value.args[operand]);
        if !matches!(argument.op, Op::Movement(Movement::Copy(_))) {
            continue;
        }
        let original = argument.args[0];
        let domains =
            value.args.iter().enumerate().map(|(other, id)| {
                program.value(if other == operand { original } else { *id }).domain
            });
        if value.op.domain(domains.max().unwrap_or(Domain::Step)) == value.domain {
            value.args[operand] = original;
        }
    }
}

/// The earlier value that equals this one, if there is one; otherwise the value may be simplified.
fn rewrite(program: &Program, value: &mut Value) -> Option<ValueId> {
    let args = value.args.clone();
    let of = |operand: usize| program.value(args[operand]);
    let number = |operand: usize| match of(operand).op {
        Op::Leaf(Leaf::Constant(number)) => Some(number),
        _ => None,
    };
    let zero =
        |operand: usize| number(operand) == Some(0.0) || of(operand).op == Op::Leaf(Leaf::Zeros);
    let one = |operand: usize| number(operand) == Some(1.0);
    // An operand may replace the value only if it has its domain and shape.
    let stands_for =
        |operand: usize| of(operand).domain == value.domain && of(operand).shape == value.shape;
    let same = match value.op {
        Op::Pointwise(Pointwise::Add | Pointwise::Sub) if zero(1) && stands_for(0) => Some(args[0]),
        Op::Pointwise(Pointwise::Add) if zero(0) && stands_for(1) => Some(args[1]),
        Op::Pointwise(Pointwise::Mul | Pointwise::Div) if one(1) && stands_for(0) => Some(args[0]),
        Op::Pointwise(Pointwise::Mul) if one(0) && stands_for(1) => Some(args[1]),
        Op::Pointwise(Pointwise::Neg) if of(0).op == Op::Pointwise(Pointwise::Neg) => {
            Some(of(0).args[0])
        }
        Op::Pointwise(Pointwise::Select) if args[1] == args[2] && stands_for(1) => Some(args[1]),
        Op::Movement(Movement::Reshape) if stands_for(0) => Some(args[0]),
        Op::Movement(Movement::Copy(Domain::Step)) if stands_for(0) => Some(args[0]),
        // The whole vector or matrix: a split into one part, and its gradient.
        Op::Movement(
            Movement::Slice { .. }
            | Movement::Pad { .. }
            | Movement::Concat
            | Movement::SliceRows { .. }
            | Movement::PadRows { .. }
            | Movement::ConcatRows,
        ) if args.len() == 1 && stands_for(0) => Some(args[0]),
        _ => None,
    };
    if same.is_some() {
        return same;
    }
    let folded = match value.op {
        Op::Pointwise(Pointwise::Neg) => number(0).map(|x| -x),
        Op::Pointwise(Pointwise::Add | Pointwise::Sub | Pointwise::Mul | Pointwise::Div) => {
            number(0).zip(number(1)).map(|(a, b)| match value.op {
                Op::Pointwise(Pointwise::Add) => a + b,
                Op::Pointwise(Pointwise::Sub) => a - b,
                Op::Pointwise(Pointwise::Mul) => a * b,
                _ => a / b,
            })
        }
        _ => None,
    };
    if let Some(number) = folded {
        (value.op, value.args) = (Op::Leaf(Leaf::Constant(number)), Vec::new());
    } else if value.op == Op::Pointwise(Pointwise::Add)
        && let Some(parts) = tiles(program, value)
    {
        (value.op, value.args) = (Op::Movement(Movement::Concat), parts);
    }
    None
}

/// The parts of a sum of pads that tile the whole vector: the gradient of a split is a
/// concatenation.
fn tiles(program: &Program, value: &Value) -> Option<Vec<ValueId>> {
    let mut open = value.args.clone();
    let mut pads: Vec<(&Dim, ValueId)> = Vec::new();
    while let Some(id) = open.pop() {
        match &program.value(id).op {
            Op::Pointwise(Pointwise::Add) => open.extend(&program.value(id).args),
            Op::Movement(Movement::Pad { start }) => pads.push((start, program.value(id).args[0])),
            _ => return None,
        }
    }
    let mut parts = Vec::with_capacity(pads.len());
    let mut end = Dim::default();
    while !pads.is_empty() {
        let next = pads.iter().position(|(start, _)| **start == end)?;
        let (_, part) = pads.swap_remove(next);
        let [length] = program.value(part).shape.dims()? else { return None };
        end = end.add_scaled(length, 1)?;
        parts.push(part);
    }
    let domains = parts.iter().map(|part| program.value(*part).domain);
    (value.shape == Shape::vector(end) && domains.max() == Some(value.domain)).then_some(parts)
}

/// Drops values that no port depends on, and renumbers the others.
pub(crate) fn drop_dead(mut program: Program) -> Program {
    let mut live = vec![false; program.values.len()];
    for id in program.forward_results().chain(program.backward_results()) {
        live[id.index()] = true;
    }
    for number in (0..live.len()).rev() {
        if live[number] {
            for arg in &program.values[number].args {
                live[arg.index()] = true;
            }
        }
    }
    let mut map = vec![ValueId(0); live.len()];
    let mut kept = Vec::new();
    let mut backward_start = 0;
    for (number, mut value) in std::mem::take(&mut program.values).into_iter().enumerate() {
        if live[number] {
            value.args.iter_mut().for_each(|arg| *arg = map[arg.index()]);
            map[number] = ValueId(kept.len() as u32);
            kept.push(value);
            if number < program.backward_start as usize {
                backward_start = kept.len() as u32;
            }
        }
    }
    program.values = kept;
    program.backward_start = backward_start;
    program.map_results(|id| map[id.index()]);
    program
}
