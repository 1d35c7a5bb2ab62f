//! The engine: schedule, rows and arena of a minibatch, and the order in which phases run.
//!
//! The rooms, each of which uses only those above it:
//!
//! | room | what happens there |
//! | --- | --- |
//! | `precision.rs`, `error.rs` | in which numbers a device computes; what can be wrong |
//! | `layout/` | vertices get rows, edges gradient rows, and records places in the arena |
//! | `backend/` | the interface of what computes: phases over rows, sums, steps |
//! | `pass/` | a minibatch that is laid out runs forward and backward; what that needs is a `Runner` |
//! | `base.rs` | what an [`Engine`] has, and how it is set up |
//! | `results/` | what is seen of a minibatch that has run: [`Run`] |
//! | `running.rs` | a minibatch runs on an engine, whole |
//! | `parts/` | a minibatch is cut, and threads run its parts side by side |
//! | `growing/` | graphs that grow from what they compute, and vertices that decide how they go on |
//! | `measure.rs` | what batches cost |
//! | `gradients/` | of each graph and loss, Jacobians, products with second derivatives |
//! | `training.rs` | the pieces of a training step, for `edb-train` |
//! | `not_finite/` | where a number arises that is not finite |
//!
//! What a run reports is counted by the back end (`backend/mod.rs`, `Copies`), and put together in `pass/mod.rs` and
//! `growing/settle.rs` as a [`StepReport`] (`pass/report.rs`).
//!
//! Invariants:
//!
//! - Every function that takes a model and a minibatch calls `check_owns` before it uses numbers of
//!   functions or parameters as indices (`tests/refusals.rs` of `edb`).
//! - Before a batch runs, all that it touches has memory. Unless graphs grow, that of a run is
//!   computed from the schedule before anything runs.
//! - The engine knows whether what ran last has gone backward, since its memory is overwritten,
//!   whichever run asks.

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
pub use results::graph_results::GraphResults;
pub use results::run::Run;
pub use results::stacked::Stacked;
