//! Files: parameters, and the notes that a program keeps with them.
//!
//! The inputs are parameters and notes, or the path of a safetensors file. The result is a file that is
//! written atomically, or the checked contents of a file. Models, the trainer's checkpoints and word vectors
//! use this code. Numbers that JSON lacks are refused by `finite`.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `checkpoint` | parameters to and from safetensors files |
//! | `notes` | the values that a program keeps in these files |
//! | `finite` | whether all numbers of a value are finite |

pub mod checkpoint;
mod finite;
mod notes;

pub use checkpoint::{TensorFile, Transfer};
pub use notes::{BUNDLE, BUNDLE_BEGIN, FUNCTIONS, FUNCTIONS_BEGIN, Notes};
