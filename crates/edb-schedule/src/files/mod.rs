//! Policies on disk.
//!
//! The input is a learned policy with the [`Signature`](crate::Signature) of a model, or the
//! path of a file. The result is the file, which is JSON that people can read (`saved.rs`), or
//! the policy. Files are not trusted: their version, types and numbers are checked, and a [`PolicyFileError`]
//! names the file and says what is wrong with it.
//!
//! Users call it, by [`Policy::save`](crate::Policy::save) and [`Policy::load`](crate::Policy::load).
//! `costs.rs` reads the files of costs with the same errors.

mod file_error;
mod saved;

pub(crate) use file_error::read;
pub use file_error::{PolicyFileError, PolicyFileProblem};
