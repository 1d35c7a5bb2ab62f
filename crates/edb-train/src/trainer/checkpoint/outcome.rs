//! The results of saving a checkpoint and of resuming from one.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::changes::SettingChange;
use super::error::{CheckpointError, Skipped};
use edb_learn::learn::Notes;

/// A checkpoint that is in a folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Checkpoint {
    /// The folder of the checkpoint.
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
    /// The folder of the checkpoint.
    pub path: PathBuf,
    /// If training is private, the [`epsilon`](crate::trainer::Trainer::epsilon) of a trainer that resumes from
    /// this checkpoint. It counts the steps of the trainer that was saved, and the steps of all other checkpoints
    /// in the folder.
    pub epsilon: Option<f64>,
    /// The errors that occurred when older checkpoints, or unfinished folders of an earlier process, were removed.
    /// Usually there are none. The next save tries again to remove these folders.
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
    /// The notes of the program in the checkpoint.
    pub notes: Notes,
    /// The checkpoint from which the run was resumed.
    pub checkpoint: Checkpoint,
    /// The settings in which the trainer differs from the checkpoint. It goes on with its own settings, since it
    /// [accepts](crate::trainer::Trainer::accept_changes) changes. Also empty if edb 0.2.0 or earlier has saved the
    /// checkpoint, since these releases did not keep settings.
    pub changed: Vec<SettingChange>,
    /// The damaged checkpoints that were skipped. They may be later than this checkpoint. Usually there are none.
    pub skipped: Vec<Skipped>,
}
