//! Parameters: the named tensors that training changes.
//!
//! The inputs are names, shapes and initial values, from a model or a user. The results are
//! [`Parameters`], whose newest values are on the host or on a device. `initializer` and `files` fill them;
//! gradients are made for them, and `steps` updates them.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `parameter` | one parameter, and all parameters of a model |
//! | `storage` | values on the host; a device may hold newer ones |
//! | `workers` | threads that share a pass over parameters or gradients |

mod parameter;
mod storage;
mod workers;

pub(crate) use parameter::{FILLED, Identity, check_same, value_count};
pub use parameter::{Parameter, ParameterId, Parameters, Sizes, check_all_same, check_counts};
pub use storage::{Remote, RemoteError, Storage};
pub(crate) use workers::Moving;
#[cfg(test)]
pub(crate) use workers::Nobody;
pub use workers::{Followers, RowsToUpdate, SharedWork, Team, Workers};
