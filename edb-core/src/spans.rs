//! The spans of phases and instructions, as [`trace`](edb_kernels::trace) describes them.

use edb_ir::routine::KernelOp;
use edb_ir::{Instruction, Leaf, Op, Phase, Plan};
use edb_kernels::trace::TARGET;
use tracing::span::EnteredSpan;
use tracing::{Level, Span, level_enabled};

/// The span of a phase of a function over this many rows.
pub(crate) fn phase(function: &str, phase: Phase, rows: usize) -> EnteredSpan {
    tracing::trace_span!(target: TARGET, "phase", what = %format_args!("{function} {phase:?}"), rows)
        .entered()
}

/// The span of an instruction of a phase over a block of rows.
pub(crate) fn instruction(
    plan: &Plan,
    (phase, instruction): &(Phase, Instruction),
    rows: usize,
) -> EnteredSpan {
    // What the name depends on is looked up only if somebody listens.
    if !level_enabled!(Level::TRACE) {
        return Span::none().entered();
    }
    let moves = moves(plan, instruction);
    // Each call of the macro is a call site of its own, with a name that is known at compile time.
    macro_rules! span {
        ($name:literal, $($what:tt)*) => {
            tracing::trace_span!(
                target: TARGET, $name, what = %format_args!($($what)*), ?phase, moves, rows
            )
        };
    }
    match instruction {
        Instruction::Product(stack) => span!("product", "product {stack}"),
        Instruction::Kernel(kernel) => span!("kernel", "kernel {kernel}"),
        Instruction::Copy { from, to } => span!("copy", "copy {from} to {to}"),
        Instruction::Op { value, .. } => {
            span!("op", "{} %{}", plan.program.value(*value).op.row().name, value.0)
        }
    }
    .entered()
}

/// Whether an instruction moves numbers and computes none: it copies, reads input or what a child
/// scattered, or hands the gradients of these back, which are added up on the way.
fn moves(plan: &Plan, instruction: &Instruction) -> bool {
    match instruction {
        Instruction::Copy { .. } => true,
        Instruction::Op { value, .. } => match &plan.program.value(*value).op {
            Op::Movement(_) => true,
            Op::Leaf(leaf) => matches!(
                leaf,
                Leaf::Pull(_)
                    | Leaf::Child { .. }
                    | Leaf::StateGradient(_)
                    | Leaf::OutputGradient(_)
            ),
            Op::Pointwise(_)
            | Op::Draw(_)
            | Op::Contraction(_)
            | Op::Reduction(_)
            | Op::RowReduction(_)
            | Op::SemiringContraction(_)
            | Op::Indexing(_)
            | Op::Transition(_) => false,
        },
        Instruction::Kernel(kernel) => {
            let kernel = &plan.routine.kernels[*kernel];
            let copies = |of: u16| kernel.body[usize::from(of)].op == KernelOp::Copy;
            kernel.ends.is_empty() && kernel.outputs.iter().all(|(_, of)| copies(*of))
        }
        Instruction::Product(_) => false,
    }
}
