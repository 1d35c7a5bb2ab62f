//! Finds where the first NaN or infinite number arises.
//!
//! Input: a [`Run`](super::results::run::Run) with a loss or a gradient that is NaN or infinite. `values.rs` finds the
//! first vertex with such a value, and runs this vertex again in the interpreter, op by op. `gradients.rs` goes
//! backward through all vertices in the interpreter. Both stop at the first op that makes a number that is not finite
//! from numbers that are finite.
//!
//! Output: the vertex, the op and, for gradients, the expression. Users call this module, and so does `edb-train` when
//! it refuses a step.

pub(crate) mod gradients;
pub(crate) mod values;
