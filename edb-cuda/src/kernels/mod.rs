//! What host and kernels agree on: each kernel is declared once, with its parameters and the way
//! its work is divided.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `rows` | operands: rows of several modes, indices, draws |
//! | `parameters` | the kinds of parameters, and the arguments that a launch has for each |
//! | `declare` | the macro that declares kernels |
//! | [`library`] | the kernels that are the same for all models |
//! | [`optimizer`] | the kernels that end a training step |
//! | [`fused`] | the fused kernels of a function |

mod declare;
pub(crate) mod fused;
pub(crate) mod library;
pub(crate) mod optimizer;
mod parameters;
mod rows;

pub(crate) use declare::{Call, Constant, Declaration, Set};
pub(crate) use parameters::{Arguments, ElementType, Kind};
pub(crate) use rows::{Draws, Index, Mode, Rows};
