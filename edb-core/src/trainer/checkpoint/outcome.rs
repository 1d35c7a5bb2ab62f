//! What comes of saving and resuming.

use std::path::{Path, PathBuf};

use super::{CheckpointError, Notes, Skipped};

/// A checkpoint in a folder.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Checkpoint {
    /// Its folder.
    pub path: PathBuf,
    /// How many steps had been taken.
    pub step: u64,
    /// How good the model was.
    pub score: Option<f64>,
}

/// A checkpoint was saved.
#[derive(Debug)]
#[non_exhaustive]
pub struct Saved {
    /// Its folder.
    pub path: PathBuf,
    /// Why older checkpoints, or what an earlier process had left unfinished, could not be removed; most
    /// often nothing. They are tried again when the next checkpoint is saved.
    pub leftover: Vec<CheckpointError>,
}

impl AsRef<Path> for Saved {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

/// A run continues from a checkpoint.
#[derive(Debug)]
#[non_exhaustive]
pub struct Resumed {
    /// What the program kept with it.
    pub notes: Notes,
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// The checkpoints that are damaged, which may be later ones; most often none.
    pub skipped: Vec<Skipped>,
}
