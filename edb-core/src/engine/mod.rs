//! The engine: it schedules a minibatch, gives rows and places in the arena, and runs the phases in order.
//!
//! Each module uses only the modules above it in this table:
//!
//! | module | what happens there |
//! | --- | --- |
//! | `precision.rs`, `error.rs` | the precisions in which a device computes; the errors |
//! | `layout/` | vertices get rows, edges get gradient rows, and records get places in the arena |
//! | `backend/` | the interface that a back end implements: phases over rows, sums, steps |
//! | `pass/` | a minibatch that is laid out runs forward and backward; a `Runner` has all that this needs |
//! | `base.rs` | the fields of an [`Engine`], and its settings |
//! | `results/` | the results of a minibatch that has run: [`Run`] |
//! | `running.rs` | an engine runs a minibatch as a whole |
//! | `parts/` | a minibatch is cut into parts, and threads run the parts side by side |
//! | `growing/` | graphs grow from what they compute, and vertices decide how they go on |
//! | `measure.rs` | measures what batches cost |
//! | `gradients/` | gradients of each graph and of each loss, Jacobians, products with second derivatives |
//! | `training.rs` | the pieces of a training step, for `edb-train` |
//! | `not_finite/` | finds where the first NaN or infinite number arises |
//!
//! The back end counts what it copies (`backend/mod.rs`, `Copies`). `pass/mod.rs` and `growing/settle.rs` put these
//! counts and the times into a [`StepReport`] (`pass/report.rs`).
//!
//! Invariants:
//!
//! - Every function that takes a model and a minibatch calls `check_owns` before it uses numbers of
//!   functions or parameters as indices (`tests/refusals.rs` of `edb`).
//! - Before a batch runs, there is memory for everything that it reads or writes. Unless graphs grow, the size of
//!   this memory is computed from the schedule before anything runs.
//! - A backward pass overwrites values of the forward pass. So the engine records whether the last minibatch has
//!   gone backward, and refuses to read its tape again, no matter which run asks.

pub mod backend;
mod base;
mod error;
mod gradients;
mod growing;
pub(crate) mod layout;
mod measure;
mod not_finite;
pub(crate) mod parts;
mod pass;
mod precision;
mod results;
mod running;
pub mod training;

pub use base::Engine;
pub use error::EngineError;
pub use gradients::each::GraphGradients;
pub use gradients::jacobian::JacobianOf;
pub use gradients::losses::LossOf;
pub use gradients::tangent::TangentRun;
pub use growing::grow_each::RoundOutcome;
pub use growing::growth::{GrowingGraph, Growth, Round};
pub use not_finite::gradients::GradientNotFinite;
pub use not_finite::values::NotFinite;
pub use pass::loss_scale::LossScale;
pub use pass::report::{NoiseScale, StepReport};
pub use pass::seeds::Seeds;
pub use precision::{Precision, UnknownPrecision};
pub use results::answer::{Answer, Fields, Numbers, Pushed, Values, VertexAnswer};
pub use results::by_name::FunctionOutputs;
pub use results::graph_results::GraphResults;
#[cfg(feature = "bundle")]
pub use results::replay::Replayed;
pub use results::run::Run;
pub use results::stacked::Stacked;
