//! Gradients that an ordinary training step does not need: of each graph, of each loss, Jacobians, and products with
//! second derivatives.
//!
//! Input: a [`Run`](super::results::run::Run) that has run forward with a tape, or a minibatch and the tangent of a
//! model (`tangent.rs`). For the gradients of each graph, the run goes backward once, and the rows of each graph are
//! summed when the caller asks for them (`each.rs`). For Jacobians (`jacobian.rs`) and single losses (`losses.rs`),
//! copies of the graphs go backward: one copy for each row of a Jacobian, or for each vertex with a loss.
//!
//! Output: gradients, norms and products. Users call this module, and so do steps of `edb-train` that need the
//! gradients of each graph.

pub(crate) mod each;
pub(crate) mod jacobian;
pub(crate) mod losses;
pub(crate) mod tangent;
