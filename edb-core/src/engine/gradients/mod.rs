//! Gradients that a training step does not need: of each graph, of each loss, Jacobians, and products with
//! second derivatives.
//!
//! A [`Run`](super::results::run::Run) comes in that has run forward with a tape, or a minibatch and a model's
//! tangent (`tangent.rs`). It goes backward once, and sums over the rows of each graph are made when they
//! are asked for (`each.rs`), or copies of its graphs go backward, one for each row of a Jacobian
//! (`jacobian.rs`) or each loss (`losses.rs`). Out go gradients, norms and products. Users call it, and of
//! `edb-train` private and weighted steps.

pub(crate) mod each;
pub(crate) mod jacobian;
pub(crate) mod losses;
pub(crate) mod tangent;
