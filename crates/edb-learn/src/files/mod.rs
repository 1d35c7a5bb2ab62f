//! What is written to files: parameters, and what a program keeps beside them.
//!
//! Comes in: parameters and notes, or the path of a safetensors file. Goes out: a file that is written atomically, or what
//! a file holds, checked. Models, the trainer's checkpoints and word vectors call it. Numbers that JSON lacks are written
//! by `any_number`, or refused by `finite`.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `checkpoint` | parameters to and from safetensors files |
//! | `notes` | what a program keeps in these files |
//! | `any_number` | numbers that may be infinite or NaN, in JSON |
//! | `finite` | whether all numbers of a value are finite |

pub mod any_number;
pub mod checkpoint;
mod finite;
mod notes;

pub(crate) use checkpoint::TensorFile;
pub use checkpoint::Transfer;
pub use notes::{FUNCTIONS, FUNCTIONS_BEGIN, Notes};
