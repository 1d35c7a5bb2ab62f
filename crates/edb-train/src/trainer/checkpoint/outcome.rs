//! The results of saving and resuming.

use std::path::{Path, PathBuf};

use super::changes::SettingChange;
use super::error::{CheckpointError, Skipped};
use edb_learn::learn::Notes;

/// A checkpoint in a folder.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Checkpoint {
    /// Its folder.
    pub path: PathBuf,
    /// How many steps had been taken.
    pub step: u64,
    /// The score in its [notes](Notes::score), if any.
    pub score: Option<f64>,
}

/// The result of saving a checkpoint.
#[derive(Debug)]
#[non_exhaustive]
pub struct Saved {
    /// Its folder.
    pub path: PathBuf,
    /// Where training is private, the [`epsilon`](crate::trainer::Trainer::epsilon) of a trainer that
    /// resumes from it: of the steps of the trainer that was saved, and of all branches that the other
    /// checkpoints in the folder tell of.
    pub epsilon: Option<f64>,
    /// The errors of removing older checkpoints, or unfinished folders of an earlier process;
    /// usually empty. The next save tries again to remove these.
    pub leftover: Vec<CheckpointError>,
}

impl AsRef<Path> for Saved {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

/// The result of resuming a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct Resumed {
    /// The program's notes in it.
    pub notes: Notes,
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// The settings of the trainer that are not those of the checkpoint, and that it goes on with, since it
    /// [accepts](crate::trainer::Trainer::accept_changes) them. Empty, too, where edb 0.2.0 or earlier
    /// has saved the checkpoint, which did not keep them.
    pub changed: Vec<SettingChange>,
    /// The damaged checkpoints, which may be later than this one; usually empty.
    pub skipped: Vec<Skipped>,
}
