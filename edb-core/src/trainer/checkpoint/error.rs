//! Why a checkpoint was not written or read.

use std::io;
use std::path::{Path, PathBuf};

use crate::learn::LearnError;
use crate::schedule::PolicyFileError;

/// Why a checkpoint was not written or read.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// A file or a folder could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// Tensors could not be read or written.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The policy could not be read or written.
    #[error(transparent)]
    Policy(#[from] PolicyFileError),
    /// A record is not what this version writes.
    #[error("{} is no record of a checkpoint: {reason}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        reason: String,
    },
    /// A checkpoint was written by another version of edb.
    #[error("{} is a checkpoint of version {found}; this edb reads version {expected}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that can be read.
        expected: u32,
    },
    /// A checkpoint is of another model or trainer.
    #[error("checkpoint {} does not fit: {}", path.display(), differences.join("; "))]
    Differs {
        /// The checkpoint.
        path: PathBuf,
        /// All differences.
        differences: Vec<String>,
    },
}

readable!(CheckpointError);

impl CheckpointError {
    /// An error of the operating system, at this path.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}
