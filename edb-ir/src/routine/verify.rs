//! The verifier of routines: what a back end relies on, checked in debug builds.

use crate::batching::Kind;
use crate::dim::Shape;
use crate::op::Class;
use crate::phase::Phase;

use super::{End, Home, Kernel, Routine, Span, Stack, Step};

/// A broken routine: a mistake of a pass, never of a user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("step {step} of the routine: {message}")]
pub struct RoutineError {
    /// The step, or the number of steps for what is shown at the end.
    pub step: usize,
    message: String,
}

/// Checks a routine.
///
/// # Errors
/// The first step that breaks a rule: phases run in order; spans are in bounds; shapes fit; pieces
/// are written once, but for those that a kernel overwrites element by element, and before they are
/// read; no two outputs of a step overlap, nor does a product
/// or a copy write what it reads; scratch is used in its own phase, and what has no memory is not
/// read. And the first shown value that is not computed.
pub fn verify(routine: &Routine) -> Result<(), RoutineError> {
    // Parameters and the rows of children are there from the start.
    let mut written: Vec<Vec<bool>> = Vec::new();
    for record in &routine.records {
        let given = matches!(record.training, Home::Parameter(_) | Home::Child(..));
        written.push(vec![given; record.pieces.len()]);
    }
    let mut before = Phase::Prepare;
    for (at, (phase, step)) in routine.steps.iter().enumerate() {
        let fail = |message: String| RoutineError { step: at, message };
        if *phase < before {
            return Err(fail(format!("{phase:?} comes behind {before:?}")));
        }
        before = *phase;
        check(routine, *phase, step, &mut written).map_err(fail)?;
    }
    for (id, span) in &routine.shown {
        let fail = |message| RoutineError { step: routine.steps.len(), message };
        in_bounds(routine, *span).map_err(fail)?;
        if !all(&written, *span) {
            return Err(fail(format!("%{} is shown at {span}, but not computed", id.0)));
        }
    }
    Ok(())
}

fn check(
    routine: &Routine,
    phase: Phase,
    step: &Step,
    written: &mut [Vec<bool>],
) -> Result<(), String> {
    let number = match step {
        Step::Product(at) => routine.stacks.get(usize::from(*at)).map(|_| ()),
        Step::Kernel(at) => routine.kernels.get(usize::from(*at)).map(|_| ()),
        Step::Op { .. } | Step::Copy { .. } => Some(()),
    };
    number.ok_or("it runs a product or a kernel that does not exist")?;
    let (mut reads, writes) = (routine.reads(step), routine.writes(step));
    let mut adds = false;
    if let Step::Product(at) = step {
        let stack = &routine.stacks[usize::from(*at)];
        adds = stack.accumulate || stack.kind == Kind::OuterSum;
        reads.extend(stack.accumulate.then_some(stack.out));
    }
    for span in reads.iter().chain(&writes) {
        in_bounds(routine, *span)?;
        let home = routine.record(*span).training;
        match home {
            Home::Scratch(of) if of != phase => {
                return Err(format!("{span} is scratch of {of:?}"));
            }
            _ => {}
        }
    }
    match step {
        Step::Product(at) => product(&routine.stacks[usize::from(*at)])?,
        Step::Kernel(at) => kernel(routine, &routine.kernels[usize::from(*at)])?,
        Step::Copy { from, to } => {
            if routine.pieces(*from) != routine.pieces(*to) || overlap(*from, *to) {
                return Err(format!("{from} cannot be copied to {to}"));
            }
        }
        Step::Op { .. } => {}
    }
    for span in &reads {
        if !all(written, *span) {
            return Err(format!("{span} is read before it is written"));
        }
        if routine.record(*span).training == Home::Nowhere {
            return Err(format!("{span} is read and has no memory"));
        }
    }
    for (at, span) in writes.iter().enumerate() {
        let others = writes[..at].iter();
        // Blocks of one matrix are told apart by `product`.
        if !adds && others.into_iter().any(|other| overlap(*other, *span)) {
            return Err(format!("{span} is computed twice by one step"));
        }
        let of_record = &mut written[usize::from(span.record)];
        for piece in &mut of_record[usize::from(span.start)..usize::from(span.end)] {
            if *piece && !adds && !reads.contains(span) {
                return Err(format!("{span} has been computed already"));
            }
            *piece = true;
        }
    }
    Ok(())
}

fn product(stack: &Stack) -> Result<(), String> {
    let Stack { out, args, blocks, .. } = stack;
    let lanes = |span: &Span| usize::from(span.end - span.start);
    if blocks.len() != lanes(out) * lanes(args) {
        return Err(format!("{} blocks for {out} and {args}", blocks.len()));
    }
    for (at, block) in blocks.iter().enumerate() {
        if lanes(&block.matrix) != 1 {
            return Err(format!("{} is no single matrix", block.matrix));
        }
        if overlap(block.matrix, *args) || overlap(block.matrix, *out) {
            return Err(format!("{} is a matrix and an operand", block.matrix));
        }
        let twin = |other: &&super::Block| **other == *block;
        if stack.kind == Kind::OuterSum && blocks[..at].iter().any(|other| twin(&other)) {
            return Err(format!("a block of {} is summed twice", block.matrix));
        }
    }
    let in_place = stack.kind != Kind::OuterSum && overlap(*out, *args);
    if in_place { Err(format!("{out} is read and written")) } else { Ok(()) }
}

fn kernel(routine: &Routine, kernel: &Kernel) -> Result<(), String> {
    let inputs = kernel.inputs.len();
    for (at, expr) in kernel.body.iter().enumerate() {
        if let Some(arg) = expr.args.iter().find(|arg| usize::from(**arg) >= inputs + at) {
            return Err(format!("t{at} needs argument {arg}, which is not computed yet"));
        }
    }
    for span in &kernel.inputs {
        if !routine.pieces(*span).iter().all(|piece| *piece == kernel.shape || piece.is_scalar()) {
            return Err(format!("{span} is not of the kernel's shape"));
        }
    }
    for (span, expr) in &kernel.outputs {
        if usize::from(*expr) >= kernel.body.len() {
            return Err(format!("{span} is t{expr}, which does not exist"));
        }
        let [piece]: &[Shape] = routine.pieces(*span) else {
            return Err(format!("{span} is more than one piece"));
        };
        if *piece != kernel.shape {
            return Err(format!("{span} is not of the kernel's shape"));
        }
    }
    for End { op, output, out } in &kernel.ends {
        if usize::from(*output) >= kernel.outputs.len() {
            return Err(format!("{out} is of output {output}, which does not exist"));
        }
        if op.row().class != Class::Reduction {
            return Err(format!("{} is no reduction", op.row().name));
        }
    }
    Ok(())
}

fn in_bounds(routine: &Routine, span: Span) -> Result<(), String> {
    let record = routine.records.get(usize::from(span.record));
    let fits = record.is_some_and(|record| usize::from(span.end) <= record.pieces.len());
    if fits && span.start < span.end { Ok(()) } else { Err(format!("{span} is out of bounds")) }
}

fn overlap(a: Span, b: Span) -> bool {
    a.record == b.record && a.start < b.end && b.start < a.end
}

fn all(written: &[Vec<bool>], span: Span) -> bool {
    written[usize::from(span.record)][usize::from(span.start)..usize::from(span.end)]
        .iter()
        .all(|written| *written)
}

/// Verifies in debug builds; a broken routine is a mistake in edb.
pub(super) fn debug_verify(routine: &Routine, name: &str) {
    if cfg!(debug_assertions)
        && let Err(error) = verify(routine)
    {
        panic!("`{name}`: {error}\n{routine:?}");
    }
}
