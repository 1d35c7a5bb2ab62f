//! The sums of which the parameters' gradients of one graph consist.

use edb_ir::{Domain, FunctionId, Instruction, Op, Phase, Span, Transition, ValueId};

use crate::engine::backend::Frame;
use edb_kernels::element::Element;
use edb_learn::learn::ParameterId;
use edb_model::model::bound::BoundFunction;
use edb_model::model::outer::Outer;

/// For each of these parameters, the sums of which its gradient consists.
pub(super) fn plans_of<'a, T: Element>(
    frame: Frame<'a, T>,
    parameters: &[ParameterId],
) -> Vec<Vec<GradientSum<'a>>> {
    parameters.iter().map(|id| sums_of(frame, *id)).collect()
}

/// A sum that is a part of a parameter's gradient.
pub(super) enum GradientSum<'a> {
    /// A sum of products that is a whole matrix.
    Products { function: &'a BoundFunction, outer: &'a Outer },
    /// A sum of rows; it belongs to the parameter from element `start` on.
    Rows { function: &'a BoundFunction, summed: Span, start: usize },
    /// A sum of rows, each of which is added to rows of a table.
    Table { function: &'a BoundFunction, summed: Span, rows: TableRows },
    /// Any other sum.
    Other { function: &'a BoundFunction },
}

/// The rows of a table to which a row is added.
#[derive(Clone, Copy)]
pub(super) enum TableRows {
    /// The row at an index.
    At(Span),
    /// The rows of a bag, given by its field in the program's input.
    Bag(u16),
}

impl GradientSum<'_> {
    pub(super) fn function(&self) -> FunctionId {
        match self {
            GradientSum::Products { function, .. }
            | GradientSum::Rows { function, .. }
            | GradientSum::Table { function, .. }
            | GradientSum::Other { function } => function.id,
        }
    }
}

/// The sums of which the gradient of a parameter consists.
fn sums_of<'a, T: Element>(frame: Frame<'a, T>, param: ParameterId) -> Vec<GradientSum<'a>> {
    let mut sums = Vec::new();
    for function in &frame.model.functions {
        let gradients = &function.plan.program.gradients.params;
        for (own, parts) in function.params.iter().zip(gradients) {
            if *own == param {
                parts.iter().for_each(|part| sums_of_part(function, param, *part, &mut sums));
            }
        }
    }
    sums
}

fn sums_of_part<'a>(
    function: &'a BoundFunction,
    param: ParameterId,
    part: ValueId,
    sums: &mut Vec<GradientSum<'a>>,
) {
    let routine = &function.routine;
    let instructions =
        || function.instructions(Phase::Accumulate).iter().map(|(_, instruction)| instruction);
    let Some(span) = function.plan.routine.shown(part) else {
        for instruction in instructions() {
            if let Instruction::Op { value, out: None, args } = instruction
                && *value == part
            {
                sums.push(match (&function.plan.program.value(*value).op, &args[..]) {
                    (Op::Transition(Transition::RowSum), [summed, index]) => GradientSum::Table {
                        function,
                        summed: *summed,
                        rows: TableRows::At(*index),
                    },
                    (Op::Transition(Transition::BagRowSum(field)), [summed]) => {
                        GradientSum::Table {
                            function,
                            summed: *summed,
                            rows: TableRows::Bag(*field),
                        }
                    }
                    _ => GradientSum::Other { function },
                });
            }
        }
        return;
    };
    if routine.gradients[span.record] != Some(param) {
        return sums.push(GradientSum::Other { function });
    }
    let over_rows = |stack| routine.stacks[stack].domain != Domain::Step;
    let outer = routine.outers.iter().find(|outer| outer.record == span.record);
    if let Some(outer) = outer.filter(|outer| over_rows(outer.stack)) {
        return sums.push(GradientSum::Products { function, outer });
    }
    for instruction in instructions() {
        if !function.plan.routine.writes(instruction).iter().any(|to| to.record == span.record) {
            continue;
        }
        sums.push(match instruction {
            Instruction::Op { value, out: Some(out), args }
                if function.plan.program.value(*value).op
                    == Op::Transition(Transition::Reduce(Domain::Step)) =>
            {
                GradientSum::Rows { function, summed: args[0], start: routine.field(*out).start }
            }
            _ => GradientSum::Other { function },
        });
    }
}
