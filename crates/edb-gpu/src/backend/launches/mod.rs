//! Launches: the kernels of a model are generated, loaded and launched, or recorded and replayed.
//!
//! Comes in: a declared kernel with its arguments, or the fused kernels of a model. Goes out: launches on the device, at
//! once, or noted and replayed as one recording. All other folders of the back end launch kernels by it.
//!
//! | file | what it does |
//! | --- | --- |
//! | `code` | generates and loads the kernels of models |
//! | `kernel_set` | loads the declared kernels, and launches them |
//! | `launcher` | launches at once, or notes what is to be launched |
//! | `pattern`, `replay` | launches that are recorded once and replayed often |

mod code;
mod kernel_set;
mod launcher;
mod pattern;
mod replay;

pub(crate) use code::{Codes, batched};
pub(crate) use kernel_set::KernelSet;
pub(crate) use launcher::Notes;
pub(crate) use replay::Replays;
