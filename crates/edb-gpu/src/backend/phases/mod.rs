//! The instructions of a phase, as launches over the rows of the phase.
//!
//! Comes in: a function, a phase and its rows. Goes out: launches, which write values and gradients into the memory of
//! the minibatch. The back end calls it for each phase that the engine runs, and for `accumulate`, after the backward pass.
//!
//! | file | what it does |
//! | --- | --- |
//! | `operands` | where the operands of an instruction are |
//! | `instructions` | fused kernels, other ops, copies |
//! | `products` | products with parameters, and with matrices of vertices |
//! | `accumulate` | sums of the gradients of parameters over all vertices |

mod accumulate;
mod instructions;
mod operands;
mod products;

pub(crate) use operands::PhaseRun;
