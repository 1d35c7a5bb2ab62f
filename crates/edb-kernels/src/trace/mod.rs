//! Spans and events for [`tracing`], and a trace in a file.
//!
//! All spans and events have the target `edb`:
//!
//! | level | spans | events |
//! | --- | --- | --- |
//! | info | `save`, `resume` of checkpoints; `learn`, of a policy | the checkpoint; what was learned; in `f16`, a gradient that overflowed; as warnings, panics of a server's callbacks, parameters that no loss reaches, and a step without any loss |
//! | debug | `build`, `minibatch`, `step`, `serve` of requests that run together, `parts` that threads run side by side, `schedule`, `forward`, `backward`, `update` | the step; when steps of some size use another number of threads from then on |
//! | trace | `phase` of a function over the rows of a batch, which is queued only where threads run whole graphs, and runs as one of each thread; in it `product`, `kernel`, `copy` and `op`, once for each block of rows and on the thread that runs it | |
//!
//! The field `what` says what a span belongs to: the function and the phase, or the number of a product or
//! kernel in the plan (`EDB_DUMP` shows these). The spans in a phase also have the fields `phase` and `moves`.
//! `moves` says whether they only move numbers and compute none: copies, rows of a table, and values that
//! vertices gather and pull. Moving their gradients back adds them up on the way. Any subscriber works. Without
//! one, a span costs the comparison of two numbers, and nothing is allocated for it.
//!
//! [`TraceFile`] writes them to a file for <https://ui.perfetto.dev> or Chrome's `about:tracing`.
//! With a subscriber of your own, use the layer of the crate `tracing-chrome`.
//!
//! The library reports what it does only in this way, and prints nothing.

mod file;

pub use file::{TraceError, TraceFile};

/// The target of all spans and events.
pub const TARGET: &str = "edb";
