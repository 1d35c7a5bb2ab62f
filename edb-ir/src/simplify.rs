//! Simplification: constants folded, equal values merged, dead values dropped.

use std::collections::HashMap;

use crate::dim::{Dim, Shape};
use crate::op::{Domain, Op};
use crate::program::{Program, Value, ValueId};

/// Simplifies a program, forward or joint. What the ports see does not change, up to the sign of
/// zeros.
pub fn simplify(mut program: Program) -> Program {
    let mut seen: HashMap<Vec<u8>, ValueId> = HashMap::new();
    let mut map: Vec<ValueId> = Vec::with_capacity(program.values.len());
    for at in 0..program.values.len() {
        let mut value = program.values[at].clone();
        for arg in &mut value.args {
            *arg = map[arg.index()];
        }
        skip_copies(&program, &mut value);
        let id = match rewrite(&program, &value) {
            Rewrite::Same(id) => id,
            Rewrite::Value(value) => {
                let id = ValueId(at as u32);
                let id = match value.op {
                    // A copy is there to be a value of its own.
                    Op::Copy(_) => id,
                    _ => *seen.entry(key(&value)).or_insert(id),
                };
                program.values[at] = value;
                id
            }
        };
        map.push(id);
    }
    program.map_results(|id| map[id.index()]);
    drop_dead(program)
}

/// Equal keys are equal values: bytes, since `==` of floats is no equivalence.
fn key(value: &Value) -> Vec<u8> {
    postcard::to_stdvec(&(&value.op, &value.args, &value.shape))
        .expect("ops and shapes encode into memory")
}

/// An argument that is only a copy into a finer domain can be read in its own, if something else
/// keeps the value where it is.
fn skip_copies(program: &Program, value: &mut Value) {
    if matches!(value.op, Op::Copy(_) | Op::Reduce(_) | Op::OuterSum | Op::RowSum(_)) {
        return;
    }
    for at in 0..value.args.len() {
        let argument = program.value(value.args[at]);
        if !matches!(argument.op, Op::Copy(_)) {
            continue;
        }
        let original = argument.args[0];
        let domains = value
            .args
            .iter()
            .enumerate()
            .map(|(other, id)| program.value(if other == at { original } else { *id }).domain);
        if value.op.domain(domains.max().unwrap_or(Domain::Step)) == value.domain {
            value.args[at] = original;
        }
    }
}

enum Rewrite {
    /// The value is one that exists.
    Same(ValueId),
    /// The value is this, perhaps simpler than before.
    Value(Value),
}

fn rewrite(program: &Program, value: &Value) -> Rewrite {
    let number = |at: usize| match program.value(value.args[at]).op {
        Op::Constant(number) => Some(number),
        _ => None,
    };
    let zero = |at: usize| number(at) == Some(0.0) || program.value(value.args[at]).op == Op::Zeros;
    // An operand may replace the whole value only where it exists as often and is as large.
    let stands_for = |at: usize| {
        let operand = program.value(value.args[at]);
        operand.domain == value.domain && operand.shape == value.shape
    };
    let constant = |number: f64| {
        let op = Op::Constant(number);
        Rewrite::Value(Value { op, args: Vec::new(), ..value.clone() })
    };
    match value.op {
        Op::Add if let Some(parts) = tiles(program, value) => {
            Rewrite::Value(Value { op: Op::Concat, args: parts, ..value.clone() })
        }
        Op::Add if zero(1) && stands_for(0) => Rewrite::Same(value.args[0]),
        Op::Add if zero(0) && stands_for(1) => Rewrite::Same(value.args[1]),
        Op::Sub if zero(1) && stands_for(0) => Rewrite::Same(value.args[0]),
        Op::Mul if number(1) == Some(1.0) && stands_for(0) => Rewrite::Same(value.args[0]),
        Op::Mul if number(0) == Some(1.0) && stands_for(1) => Rewrite::Same(value.args[1]),
        Op::Div if number(1) == Some(1.0) && stands_for(0) => Rewrite::Same(value.args[0]),
        Op::Neg if program.value(value.args[0]).op == Op::Neg => {
            Rewrite::Same(program.value(value.args[0]).args[0])
        }
        Op::Copy(_) if stands_for(0) && value.domain == Domain::Step => {
            Rewrite::Same(value.args[0])
        }
        Op::Add | Op::Sub | Op::Mul | Op::Div => match (number(0), number(1)) {
            (Some(a), Some(b)) => constant(match value.op {
                Op::Add => a + b,
                Op::Sub => a - b,
                Op::Mul => a * b,
                _ => a / b,
            }),
            _ => Rewrite::Value(value.clone()),
        },
        Op::Neg => match number(0) {
            Some(number) => constant(-number),
            None => Rewrite::Value(value.clone()),
        },
        _ => Rewrite::Value(value.clone()),
    }
}

/// The parts of a sum of pads that lie side by side and fill the whole vector: the gradient of a
/// split is a concatenation.
fn tiles(program: &Program, value: &Value) -> Option<Vec<ValueId>> {
    let mut open = value.args.clone();
    let mut pads: Vec<(&Dim, ValueId)> = Vec::new();
    while let Some(id) = open.pop() {
        match &program.value(id).op {
            Op::Add => open.extend(&program.value(id).args),
            Op::Pad { start } => pads.push((start, program.value(id).args[0])),
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

/// Drops what no port depends on, and numbers the rest anew.
fn drop_dead(mut program: Program) -> Program {
    let mut live = vec![false; program.values.len()];
    for id in program.forward_results().chain(program.backward_results()) {
        live[id.index()] = true;
    }
    for at in (0..live.len()).rev() {
        if live[at] {
            for arg in &program.values[at].args {
                live[arg.index()] = true;
            }
        }
    }
    let mut map = vec![ValueId(0); live.len()];
    let mut kept = Vec::new();
    let mut backward_start = 0;
    for (at, mut value) in std::mem::take(&mut program.values).into_iter().enumerate() {
        if live[at] {
            value.args.iter_mut().for_each(|arg| *arg = map[arg.index()]);
            map[at] = ValueId(kept.len() as u32);
            kept.push(value);
            if at < program.backward_start as usize {
                backward_start = kept.len() as u32;
            }
        }
    }
    program.values = kept;
    program.backward_start = backward_start;
    program.map_results(|id| map[id.index()]);
    program
}
