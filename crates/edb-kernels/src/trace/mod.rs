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
//! The field `what` says what a span is of: the function and the phase, or the number that the plan
//! gives a product or kernel (`EDB_DUMP` shows these). The spans in a phase also have the field
//! `phase`, and `moves`: whether they move numbers and compute none, as copies do, the rows of a
//! table, and what vertices gather and pull; what they hand back as gradients is added up on the way.
//! Any subscriber works. Without one, a span costs the comparison of two numbers, and nothing is
//! allocated for it.
//!
//! [`TraceFile`] writes them to a file for <https://ui.perfetto.dev> or Chrome's `about:tracing`.
//! With a subscriber of your own, use the layer of the crate `tracing-chrome`.
//!
//! The library says what it does in this way alone, and prints nothing.

mod file;

pub use file::{TraceError, TraceFile};

/// The target of all spans and events.
pub const TARGET: &str = "edb";
