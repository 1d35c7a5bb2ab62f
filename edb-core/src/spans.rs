//! The spans of phases and instructions, as [`trace`](edb_kernels::trace) describes them.

use edb_ir::{Instruction, Phase, Program};
use edb_kernels::trace::TARGET;
use tracing::span::EnteredSpan;

/// The span of a phase of a function over this many rows.
pub(crate) fn phase(function: &str, phase: Phase, rows: usize) -> EnteredSpan {
    tracing::trace_span!(target: TARGET, "phase", what = %format_args!("{function} {phase:?}"), rows)
        .entered()
}

/// The span of an instruction of a phase over a block of rows.
pub(crate) fn instruction(
    program: &Program,
    instruction: &Instruction,
    rows: usize,
) -> EnteredSpan {
    // Each call of the macro is a call site of its own, with a name that is known at compile time.
    match instruction {
        Instruction::Product(stack) => {
            tracing::trace_span!(target: TARGET, "product", what = %format_args!("product {stack}"), rows)
        }
        Instruction::Kernel(kernel) => {
            tracing::trace_span!(target: TARGET, "kernel", what = %format_args!("kernel {kernel}"), rows)
        }
        Instruction::Copy { from, to } => {
            tracing::trace_span!(target: TARGET, "copy", what = %format_args!("copy {from} to {to}"), rows)
        }
        Instruction::Op { value, .. } => {
            let op = || program.value(*value).op.row().name;
            tracing::trace_span!(target: TARGET, "op", what = %format_args!("{} %{}", op(), value.0), rows)
        }
    }
    .entered()
}
