//! Why a checkpoint was not written or read.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::changes::{self, SettingChange};
use edb_core::schedule::{PolicyFileError, PolicyFileProblem};
use edb_file::Explained;
use edb_kernels::trace::TARGET;
use edb_learn::collective::CollectiveError;
use edb_learn::learn::LearnError;

/// Why a checkpoint was not written or read.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// A file or a folder could not be read.
    #[error("{} cannot be read: {}", path.display(), Explained::read(path, source))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file or a folder could not be made or written.
    #[error("{} cannot be written: {}", path.display(), Explained::write(path, source))]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A folder could not be removed.
    #[error("{} cannot be removed: {}", path.display(), Explained::write(path, source))]
    Remove {
        /// The folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Tensors could not be read or written.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The policy could not be read or written.
    #[error(transparent)]
    Policy(#[from] PolicyFileError),
    /// A record or a list of checksums is malformed, or a file does not match its checksum.
    #[error("{} is no record of a checkpoint: {reason}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        reason: String,
    },
    /// A checkpoint was written by another version of edb.
    #[error(
        "{} is a checkpoint of version {found}; this edb reads versions 1 to {expected}",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The latest version that can be read.
        expected: u32,
    },
    /// The state of a trainer cannot be saved, since it could not be read back from its record.
    #[error(
        "this run cannot be kept in a checkpoint, as its record could not be read again ({reason}): is a \
         learning rate, a setting of the plateau or one of a group not finite?"
    )]
    Unreadable {
        /// The error that occurred when the record was read back.
        reason: String,
    },
    /// Another trainer writes to the folder.
    #[error(
        "another trainer{} writes checkpoints to {}: give each run a folder of its own, or end the other",
        process.map_or_else(String::new, |process| format!(", of process {process},")),
        folder.display()
    )]
    Locked {
        /// The folder.
        folder: PathBuf,
        /// The id of the process of the other trainer, if it is known. This may be the current process.
        process: Option<u32>,
    },
    /// There are checkpoints in a folder, but none of them is whole.
    #[error(
        "{} has no checkpoint that is whole ({}): remove what is damaged to begin anew",
        folder.display(),
        join(skipped)
    )]
    Damaged {
        /// The folder.
        folder: PathBuf,
        /// The damaged checkpoints in it.
        skipped: Vec<Skipped>,
    },
    /// Rank 0, which writes and reads checkpoints for all ranks, had an error.
    #[error("rank 0: {reason}")]
    First {
        /// Its error.
        reason: String,
    },
    /// A rank could not read the checkpoint that rank 0 has sent. Now the ranks have different states.
    #[error("rank {rank}: {reason}; begin again")]
    Rank {
        /// The first rank that could not read it.
        rank: usize,
        /// Its error.
        reason: String,
    },
    /// The ranks could not exchange messages.
    #[error(transparent)]
    Collective(#[from] CollectiveError),
    /// A checkpoint was saved with other settings.
    #[error(
        "checkpoint {} was saved with other settings: {}: set them as they were, or go on with those of \
         the trainer by `Trainer::accept_changes`",
        path.display(),
        changes::join(changed)
    )]
    Settings {
        /// The checkpoint.
        path: PathBuf,
        /// All settings that differ.
        changed: Vec<SettingChange>,
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

edb_kernels::debug_is_display!(CheckpointError);

impl CheckpointError {
    /// Makes an error of reading at this path from that of the operating system.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }

    /// Makes an error of making or writing what has this path from that of the operating system.
    pub(super) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }

    /// Makes an error of removing the folder of this path from that of the operating system.
    pub(super) fn remove(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Remove { path, source }
    }

    /// Whether the error means that files of a checkpoint are missing, truncated or changed. It does not if they
    /// are inaccessible, of another version, or of another model.
    pub(super) fn is_damage(&self) -> bool {
        match self {
            Self::Record { .. }
            | Self::Learn(LearnError::Corrupt { .. } | LearnError::Zip { .. }) => true,
            Self::Io { source, .. } | Self::Learn(LearnError::Io { source, .. }) => is_lost(source),
            Self::Policy(error) => match &error.problem {
                PolicyFileProblem::Io(source) => is_lost(source),
                PolicyFileProblem::Json(_)
                | PolicyFileProblem::Invalid(_)
                | PolicyFileProblem::TooLarge(_)
                | PolicyFileProblem::Schedule(_) => true,
                _ => false,
            },
            _ => false,
        }
    }
}

/// A checkpoint that is damaged.
#[derive(Debug)]
#[non_exhaustive]
pub struct Skipped {
    /// Its folder.
    pub path: PathBuf,
    /// What is wrong, and in which file.
    pub reason: CheckpointError,
}

impl Skipped {
    /// Makes the entry, and logs a warning at once, in case the caller does not look at the result.
    pub(super) fn new(path: PathBuf, reason: CheckpointError) -> Self {
        tracing::warn!(target: TARGET, %reason, path = %path.display(), "a checkpoint was skipped");
        Self { path, reason }
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

/// Whether a file is missing, is not a file, or is truncated or invalid.
fn is_lost(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, IsADirectory, NotADirectory, NotFound, UnexpectedEof};
    matches!(error.kind(), NotFound | NotADirectory | IsADirectory | UnexpectedEof | InvalidData)
}

fn join(skipped: &[Skipped]) -> String {
    skipped.iter().map(Skipped::to_string).collect::<Vec<_>>().join("; ")
}
