//! The verifier of routines. It checks everything that back ends rely on, also in release builds.
//!
//! A back end runs blocks of rows on several threads, which read and write one arena through
//! pointers. That no two threads access one element follows from these rules, which are checked of
//! every plan before a model is made of it:
//!
//! | rule | module |
//! | --- | --- |
//! | phases in order; pieces written once, before reads, but for in-place kernels | this one |
//! | what a record's memory may be, and in which phases it may be read and written | `memory` |
//! | the operands of one instruction fit, and no result overlaps what the instruction reads | `operands` |
//!
//! Rules that need sizes (a record is as wide as the parameter or state that it lies in, blocks of
//! a matrix do not overlap) are checked where dimensions become numbers.

mod memory;
mod operands;

use crate::id::IdVec;
use crate::program::{Domain, Program, Slot};

use super::{Home, Instruction, Phase, ProductKind, RecordId, Routine, Span};

/// A routine that breaks a rule: a bug in a pass, or bytes that are not a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place} of the routine: {message}")]
pub struct RoutineError {
    place: String,
    message: String,
}

impl RoutineError {
    fn new(place: impl std::fmt::Display, message: String) -> Self {
        Self { place: place.to_string(), message }
    }
}

/// Checks the routine of a program that has been verified.
///
/// # Errors
/// The first record, or else the first instruction, that breaks a rule of this module.
pub fn verify(program: &Program, routine: &Routine) -> Result<(), RoutineError> {
    for (number, record) in routine.records.iter_enumerated() {
        let fail = |message| RoutineError::new(format_args!("record {number}"), message);
        memory::record(program, record).map_err(fail)?;
    }
    let fail = |message| RoutineError::new("the records", message);
    memory::states_apart(routine).map_err(fail)?;
    let mut written = Written::new(routine);
    let mut before = Phase::Prepare;
    for (number, (phase, instruction)) in routine.instructions.iter().enumerate() {
        let fail = |message| RoutineError::new(format_args!("instruction {number}"), message);
        if *phase < before {
            return Err(fail(format!("{phase:?} comes behind {before:?}")));
        }
        before = *phase;
        operands::in_bounds(routine, instruction).map_err(fail)?;
        operands::instruction(program, routine, instruction).map_err(fail)?;
        memory::instruction(program, routine, *phase, instruction).map_err(fail)?;
        written.instruction(routine, instruction).map_err(fail)?;
    }
    let fail = |message| RoutineError::new("what is shown", message);
    shown(program, routine, &written).map_err(fail)?;
    all_run(routine).map_err(|message| RoutineError::new("the instructions", message))
}

/// Checks that every product and kernel is run by some instruction, and so has been checked with
/// it: binding a routine resolves the spans of all of them.
fn all_run(routine: &Routine) -> Result<(), String> {
    let mut stacks = vec![false; routine.stacks.len()];
    let mut kernels = vec![false; routine.kernels.len()];
    for (_, instruction) in &routine.instructions {
        match instruction {
            Instruction::Product(stack) => stacks[stack.index()] = true,
            Instruction::Kernel(kernel) => kernels[kernel.index()] = true,
            Instruction::Op { .. } | Instruction::Copy { .. } => {}
        }
    }
    for (what, run) in [("product", stacks), ("kernel", kernels)] {
        if let Some(number) = run.iter().position(|run| !run) {
            return Err(format!("{what} {number} is run by none of them"));
        }
    }
    Ok(())
}

/// Which pieces have been written.
struct Written(IdVec<RecordId, Vec<bool>>);

impl Written {
    /// Parameters, the input and the rows of children count as written from the start.
    fn new(routine: &Routine) -> Self {
        let given = |home| matches!(home, Home::Parameter(_) | Home::Child(..) | Home::Pulled(_));
        let of = |record: &super::Record| vec![given(record.training); record.pieces.len()];
        Self(routine.records.iter().map(of).collect())
    }

    fn all(&self, span: Span) -> bool {
        let of_record = &self.0[span.record];
        of_record[usize::from(span.start)..usize::from(span.end)].iter().all(|written| *written)
    }

    /// Checks the reads and writes of an instruction whose spans are in bounds, and notes the
    /// writes.
    fn instruction(&mut self, routine: &Routine, instruction: &Instruction) -> Result<(), String> {
        let (mut reads, writes) = (routine.reads(instruction), routine.writes(instruction));
        let mut adds = false;
        if let Instruction::Product(stack) = instruction {
            let stack = &routine.stacks[*stack];
            adds = stack.accumulate || stack.kind == ProductKind::OuterSum;
            reads.extend(stack.accumulate.then_some(stack.out));
        }
        if let Some(span) = reads.iter().find(|span| !self.all(**span)) {
            return Err(format!("{span} is read before it is written"));
        }
        for (number, span) in writes.iter().enumerate() {
            let others = writes[..number].iter();
            // `operands` checks that blocks of one matrix are distinct.
            if !adds && others.into_iter().any(|other| other.overlaps(*span)) {
                return Err(format!("{span} is computed twice by one instruction"));
            }
            // Only a kernel may read what it writes, which `operands` checks.
            let again = adds || reads.contains(span);
            let of_record = &mut self.0[span.record];
            for piece in &mut of_record[usize::from(span.start)..usize::from(span.end)] {
                if std::mem::replace(piece, true) && !again {
                    return Err(format!("{span} has been computed already"));
                }
            }
        }
        Ok(())
    }
}

/// Checks that what ports show is computed, each value completely, and is never overwritten.
fn shown(program: &Program, routine: &Routine, written: &Written) -> Result<(), String> {
    for (number, (id, span)) in routine.shown.iter().enumerate() {
        if id.index() >= program.values.len() {
            return Err(format!("%{} does not exist", id.0));
        }
        if number > 0 && routine.shown[number - 1].0 >= *id {
            return Err(format!("%{} is not behind those before it", id.0));
        }
        if !operands::exists(routine, *span) {
            return Err(format!("{span} is out of bounds"));
        }
        let record = routine.record(*span);
        let value = program.value(*id);
        if record.domain != value.domain {
            let (is, shown) = (value.domain, record.domain);
            return Err(format!("%{} is of {is:?} and shown at {span}, of {shown:?}", id.0));
        }
        let kind = &value.shape;
        if (kind.is_index() || record.is_index())
            && routine.pieces(*span) != std::slice::from_ref(kind)
        {
            return Err(format!("%{} is shown at {span}, which is of another kind", id.0));
        }
        if !written.all(*span) {
            return Err(format!("%{} is shown at {span}, but not computed", id.0));
        }
        if !matches!(record.training, Home::Step | Home::State(_) | Home::Rows) {
            return Err(format!("%{} is shown at {span}, which is not kept", id.0));
        }
    }
    for (field, id) in program.scatter.iter().enumerate() {
        let of_field = Home::State(field as u16);
        let mut records = routine.records.iter_enumerated();
        let record = records.find(|(_, record)| record.training == of_field);
        let whole = record.is_some_and(|(id, record)| {
            record.inference == of_field && written.0[id].iter().all(|written| *written)
        });
        if !whole || routine.shown(*id).is_none() {
            return Err(format!("field {field} of the state is not computed"));
        }
    }
    for id in program.backward_results().filter(|id| routine.shown(*id).is_none()) {
        let sparse = |instruction: &Instruction| matches!(instruction, Instruction::Op { value, out: None, .. } if *value == id);
        if !routine.instructions.iter().any(|(_, instruction)| sparse(instruction)) {
            return Err(format!("the gradient %{} is neither shown nor a sparse sum", id.0));
        }
    }
    let of_children = program.gradients.children.iter().map(|(slot, _, id)| match slot {
        Slot::Fixed(_) => (*id, Domain::Vertex),
        Slot::Rest => (*id, Domain::Edge),
    });
    let of_pulls = program.gradients.pulls.iter().map(|(_, id)| (*id, Domain::Vertex));
    for (id, domain) in of_children.chain(of_pulls) {
        if program.value(id).domain != domain {
            return Err(format!("the gradient %{} is not of {domain:?}", id.0));
        }
    }
    for id in program.forward_results() {
        let span = routine.shown(id).ok_or_else(|| format!("%{} is not shown", id.0))?;
        let record = routine.record(span);
        let kept = matches!(record.inference, Home::Rows | Home::State(_));
        if !kept || record.domain != Domain::Vertex {
            return Err(format!("%{} is shown at {span}, which inference does not keep", id.0));
        }
    }
    let kernels = routine.instructions.iter().filter_map(|(_, instruction)| match instruction {
        Instruction::Kernel(kernel) => Some(&routine.kernels[*kernel]),
        _ => None,
    });
    for kernel in kernels {
        for input in 0..kernel.inputs.len() {
            let Some(output) = kernel.in_place(input) else { continue };
            let (span, _) = kernel.outputs[output];
            if routine.shown.iter().any(|(_, shown)| shown.overlaps(span)) {
                return Err(format!("{span} is shown and overwritten"));
            }
        }
    }
    Ok(())
}

/// Verifies a compiled routine in debug builds; a broken one is a bug in edb.
pub fn debug_verify(program: &Program, routine: &Routine) {
    if cfg!(debug_assertions)
        && let Err(error) = verify(program, routine)
    {
        panic!("`{}`: {error}\n{routine:?}", program.name);
    }
}
