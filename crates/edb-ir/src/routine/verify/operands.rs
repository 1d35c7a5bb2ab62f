//! Checks that the operands of an instruction exist, fit one another and do not overlap.

use crate::program::{Contraction, Domain, Leaf, Op, Program, Transition, ValueId};
use crate::shapes::{Shape, Solver};
use crate::verify::is_bound;

use super::super::{
    End, Instruction, Kernel, MatrixBlock, ProductKind, Routine, Span, Stack, is_kernel_op,
};

/// Whether a span exists.
pub(super) fn exists(routine: &Routine, span: Span) -> bool {
    let record = routine.records.get(span.record);
    let fits = record.is_some_and(|record| usize::from(span.end) <= record.pieces.len());
    fits && span.start < span.end
}

/// Checks that everything that an instruction names exists.
pub(super) fn in_bounds(routine: &Routine, instruction: &Instruction) -> Result<(), String> {
    let is_known = match instruction {
        Instruction::Product(stack) => routine.stacks.get(*stack).is_some(),
        Instruction::Kernel(kernel) => routine.kernels.get(*kernel).is_some(),
        Instruction::Op { .. } | Instruction::Copy { .. } => true,
    };
    if !is_known {
        return Err("it runs a product or a kernel that does not exist".into());
    }
    let mut spans = routine.reads(instruction);
    spans.extend(routine.writes(instruction));
    if let Instruction::Product(stack) = instruction {
        spans.push(routine.stacks[*stack].out);
    }
    match spans.iter().find(|span| !exists(routine, **span)) {
        Some(span) => Err(format!("{span} is out of bounds")),
        None => Ok(()),
    }
}

/// Checks the operands of an instruction.
pub(super) fn instruction(
    program: &Program,
    routine: &Routine,
    instruction: &Instruction,
) -> Result<(), String> {
    match instruction {
        Instruction::Op { value, out, args } => op(program, routine, *value, *out, args),
        Instruction::Product(stack) => product(program, routine, &routine.stacks[*stack]),
        Instruction::Kernel(id) => kernel(program, routine, &routine.kernels[*id]),
        Instruction::Copy { from, to } => {
            let domain = routine.record(*to).domain;
            let is_index = routine.record(*to).is_index();
            if routine.pieces(*from) != routine.pieces(*to) || from.overlaps(*to) || is_index {
                return Err(format!("{from} cannot be copied to {to}"));
            }
            is_read_by(routine, domain, *from)
        }
    }
}

/// Checks that an instruction of this domain may read a span: one of the same or a coarser domain,
/// which is broadcast.
fn is_read_by(routine: &Routine, domain: Domain, span: Span) -> Result<(), String> {
    let own = routine.record(span).domain;
    if own > domain {
        return Err(format!("{span} is of {own:?} and read by an instruction of {domain:?}"));
    }
    Ok(())
}

fn is_of(routine: &Routine, domain: Domain, span: Span) -> Result<(), String> {
    let own = routine.record(span).domain;
    if own != domain {
        return Err(format!("{span} is of {own:?} and computed by an instruction of {domain:?}"));
    }
    Ok(())
}

/// Whether a back end runs an op as an instruction of its own.
fn is_step(op: &Op) -> bool {
    let product = matches!(
        op,
        Op::Contraction(Contraction::Dot | Contraction::DotTransposed)
            | Op::Transition(Transition::OuterSum)
    );
    !product && !is_kernel_op(op) && !matches!(op, Op::Leaf(Leaf::Param(_)))
}

fn op(
    program: &Program,
    routine: &Routine,
    id: ValueId,
    out: Option<Span>,
    args: &[Span],
) -> Result<(), String> {
    let Some(value) = program.values.get(id.index()) else {
        return Err(format!("%{} does not exist", id.0));
    };
    let name = value.op.row().name;
    if !is_step(&value.op) {
        return Err(format!("`{name}` is no instruction"));
    }
    if args.len() != value.args.len() {
        return Err(format!("`{name}` has {} arguments, not {}", args.len(), value.args.len()));
    }
    // An index is one of as many as its value, so that whatever reads it finds what it numbers.
    let is_kind = |span: &Span, of: ValueId| {
        let shape = &program.value(of).shape;
        match shape.is_index() {
            true => routine.pieces(*span) == std::slice::from_ref(shape),
            false => !routine.record(*span).is_index(),
        }
    };
    let mut operands = args.iter().zip(&value.args).chain(out.as_ref().map(|out| (out, &id)));
    if let Some((span, _)) = operands.find(|(span, of)| !is_kind(span, **of)) {
        return Err(format!("`{name}` takes or gives {span}, which is of another kind"));
    }
    if let Some(out) = out {
        is_of(routine, value.domain, out)?;
        if let Some(arg) = args.iter().find(|arg| arg.overlaps(out)) {
            return Err(format!("`{name}` reads {arg} and writes {out}"));
        }
    }
    for (arg, of) in args.iter().zip(&value.args) {
        let own = program.value(*of).domain;
        match value.op {
            // A sum over all rows has exactly the rows of its argument as terms.
            Op::Transition(
                Transition::Reduce(Domain::Step) | Transition::RowSum | Transition::BagRowSum(_),
            ) => {
                is_of(routine, own, *arg)?;
            }
            // Reductions over edges read a finer domain than they write.
            Op::Transition(
                Transition::Reduce(_) | Transition::ReduceMax | Transition::WeightedSum(..),
            ) => is_read_by(routine, Domain::Edge, *arg)?,
            // A slice of a concatenation may be of a coarser domain than both.
            _ => is_read_by(routine, value.domain, *arg)?,
        }
    }
    Ok(())
}

fn product(program: &Program, routine: &Routine, stack: &Stack) -> Result<(), String> {
    let Stack { kind, domain, out, args, accumulate, blocks, .. } = stack;
    let lanes = |span: &Span| usize::from(span.end - span.start);
    if blocks.len() != lanes(out) * lanes(args) {
        return Err(format!("{} blocks for {out} and {args}", blocks.len()));
    }
    let is_vector = |piece: &Shape| piece.dims().is_some_and(|dims| dims.len() == 1);
    for span in [out, args] {
        if !routine.pieces(*span).iter().all(is_vector) {
            return Err(format!("{span} is no vector"));
        }
    }
    is_of(routine, *domain, *out)?;
    is_read_by(routine, *domain, *args)?;
    for (number, block) in blocks.iter().enumerate() {
        let [row, column] = block.start.clone();
        if !is_bound(program, &Shape::matrix(row, column)) {
            return Err(format!("a block of {} begins nowhere", block.matrix));
        }
        let is_matrix = |piece: &Shape| piece.dims().is_some_and(|dims| dims.len() == 2);
        if lanes(&block.matrix) != 1 || !routine.pieces(block.matrix).iter().all(is_matrix) {
            return Err(format!("{} is no single matrix", block.matrix));
        }
        if block.matrix.overlaps(*args) || block.matrix.overlaps(*out) {
            return Err(format!("{} is a matrix and an operand", block.matrix));
        }
        match kind {
            ProductKind::OuterSum => is_of(routine, Domain::Step, block.matrix)?,
            ProductKind::Dot | ProductKind::DotTransposed => {
                is_read_by(routine, *domain, block.matrix)?
            }
        }
        let twin = |other: &MatrixBlock| *other == *block;
        if *kind == ProductKind::OuterSum && blocks[..number].iter().any(twin) {
            return Err(format!("a block of {} is summed twice", block.matrix));
        }
    }
    if *kind == ProductKind::OuterSum {
        // It reads `out` and `args`, and adds to matrices only.
        return if *accumulate { Err(format!("{out} is added to")) } else { Ok(()) };
    }
    if out.overlaps(*args) { Err(format!("{out} is read and written")) } else { Ok(()) }
}

fn kernel(program: &Program, routine: &Routine, kernel: &Kernel) -> Result<(), String> {
    let inputs = kernel.inputs.len();
    let numbers = kernel.outputs.iter().map(|(out, _)| out).chain(&kernel.inputs);
    let ends = kernel.ends.iter().map(|end| &end.out);
    if let Some(span) = numbers.chain(ends).find(|span| routine.record(**span).is_index()) {
        return Err(format!("{span} is an index"));
    }
    if kernel.outputs.is_empty() || !is_bound(program, &kernel.shape) {
        return Err("it computes nothing, or of no shape".into());
    }
    for (number, expr) in kernel.body.iter().enumerate() {
        if let Some(arg) = expr.args.iter().find(|arg| usize::from(**arg) >= inputs + number) {
            return Err(format!("t{number} needs argument {arg}, which is not computed yet"));
        }
        // An op with an absent argument has become a copy, so all arguments are given.
        if expr.op.arity() != expr.args.len() {
            return Err(format!("t{number} is `{}` of {} arguments", expr.op, expr.args.len()));
        }
    }
    for span in &kernel.inputs {
        let fits = match routine.pieces(*span) {
            [piece] => *piece == kernel.shape || piece.is_scalar(),
            _ => false,
        };
        if !fits {
            return Err(format!("{span} is not of the kernel's shape"));
        }
        is_read_by(routine, kernel.domain, *span)?;
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
        is_of(routine, kernel.domain, *span)?;
        // An input may be overwritten if it is the same span and the only reader: each element is
        // read before it is written.
        let readers = kernel.inputs.iter().filter(|input| input.overlaps(*span));
        if readers.clone().count() > 1 || readers.into_iter().any(|input| *input != *span) {
            return Err(format!("{span} is read and written"));
        }
    }
    for end in &kernel.ends {
        is_of(routine, kernel.domain, end.out)?;
        self::end(program, routine, kernel, end)?;
    }
    Ok(())
}

/// Checks a reduction of a row that a kernel has computed.
fn end(program: &Program, routine: &Routine, kernel: &Kernel, end: &End) -> Result<(), String> {
    let End { op, output, out, index } = end;
    if usize::from(*output) >= kernel.outputs.len() {
        return Err(format!("{out} is of output {output}, which does not exist"));
    }
    if !op.can_end_a_kernel() {
        return Err(format!("{} reads more than a row and an index", op.row().name));
    }
    if index.is_some() != Op::Reduction(*op).reads_index(1) {
        return Err(format!("{op:?} reads an index, or not"));
    }
    if let Some(index) = index {
        if !routine.record(*index).is_index() {
            return Err(format!("{index} is no index"));
        }
        is_read_by(routine, kernel.domain, *index)?;
    }
    if let Some(input) = kernel.inputs.iter().find(|input| input.overlaps(*out)) {
        return Err(format!("{input} is read, and {out} is an end"));
    }
    let mut solver = Solver::new(program.dims.clone());
    (0..program.unknowns.0).for_each(|_| drop(solver.fresh_dim()));
    (0..program.unknowns.1).for_each(|_| drop(solver.fresh_shape()));
    let fits = match routine.pieces(*out) {
        [piece] => {
            let rule = op.row().shape;
            let index = index.iter().flat_map(|index| routine.pieces(*index));
            let arguments: Vec<Shape> =
                std::iter::once(&kernel.shape).chain(index).cloned().collect();
            let shape = rule(&mut solver, &arguments, Some(piece));
            shape.is_ok_and(|shape| solver.shape(&shape) == *piece)
        }
        _ => false,
    };
    if fits { Ok(()) } else { Err(format!("{out} is not of the shape of {}", op.row().name)) }
}
