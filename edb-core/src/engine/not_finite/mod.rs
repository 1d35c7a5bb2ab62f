//! Where the first number arises that is not finite.
//!
//! A [`Run`](super::results::run::Run) comes in of which a loss or a gradient is NaN or infinite. Its vertices are
//! computed again by the interpreter, in the order in which they ran, until an op makes a number that is not
//! finite of numbers that are: forward in `values.rs`, backward in `gradients.rs`. Out goes the vertex, the
//! op and the line of the function. Users call it, and `edb-train` when it refuses a step.

pub(crate) mod gradients;
pub(crate) mod values;
