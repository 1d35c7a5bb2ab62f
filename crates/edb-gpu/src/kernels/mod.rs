//! What host and kernels agree on: each kernel is declared once, with its parameters and the way
//! its work is divided.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `rows` | operands: rows of several modes, indices, draws |
//! | `parameters` | the kinds of parameters, and the arguments that a launch has for each |
//! | `declare` | the macro that declares kernels |
//! | `constants` | what every source knows of the host |
//! | [`library`] | the kernels that are the same for all models |
//! | [`optimizer`] | the kernels that end a training step |
//! | [`fused`] | the fused kernels of a function |

mod constants;
mod declare;
pub mod fused;
pub mod library;
pub mod optimizer;
mod parameters;
mod rows;

pub use constants::CONSTANTS;
pub(crate) use declare::Call;
pub use declare::{Constant, Declaration, Set};
pub(crate) use parameters::Arguments;
pub use parameters::{ElementType, Kind, Parameter};
pub use rows::Mode;
pub(crate) use rows::{Draws, Index, Rows};
