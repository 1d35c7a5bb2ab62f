//! Spans and events for [`tracing`], and a trace in a file.
//!
//! All spans and events have the target `edb`:
//!
//! | level | spans | events |
//! | --- | --- | --- |
//! | info | `save`, `resume` of checkpoints; `learn`, of a policy | the checkpoint; what was learned; in `f16`, a gradient that overflowed |
//! | debug | `build`, `minibatch`, `step`, `parts` that threads run side by side, `schedule`, `forward`, `backward`, `update` | the step; when steps of some size use another number of threads from then on |
//! | trace | `phase` of a function over the rows of a batch, which is queued only where threads run whole graphs, and runs as one of each thread; in it `product`, `kernel`, `copy` and `op`, once for each block of rows and on the thread that runs it | |
//!
//! The field `what` says what a span is of: the function and the phase, or the number that the plan
//! gives a product or kernel (`EDB_DUMP` shows these). Any subscriber works. Without one, a span
//! costs the comparison of two numbers, and nothing is allocated for it.
//!
//! [`TraceFile`] writes them to a file for <https://ui.perfetto.dev> or Chrome's `about:tracing`.
//! With a subscriber of your own, use the layer of the crate `tracing-chrome`.

mod file;

use edb_ir::{Instruction, Phase, Program};
use tracing::span::EnteredSpan;

pub use file::{TraceError, TraceFile};

/// The target of all spans and events.
pub use edb_schedule::TARGET;

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
