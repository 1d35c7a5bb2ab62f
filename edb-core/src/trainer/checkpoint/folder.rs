//! Folders that appear at once or not at all.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::CheckpointError;

/// What the names of checkpoints begin with.
const FINISHED: &str = "step-";

/// What the names of folders begin with that are not there yet, or no more.
const UNFINISHED: &str = ".unfinished-";

/// A folder that is removed unless it is finished.
pub(super) struct Unfinished {
    path: PathBuf,
    within: PathBuf,
    finished: bool,
}

impl Unfinished {
    /// A new folder within another.
    pub(super) fn create(within: &Path) -> Result<Self, CheckpointError> {
        let path = within.join(format!("{UNFINISHED}{}", std::process::id()));
        fs::create_dir(&path).map_err(CheckpointError::io(&path))?;
        Ok(Self { path, within: within.to_owned(), finished: false })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Forces the folder to disk and gives it the name of this step. A step that was saved before
    /// keeps that checkpoint, until it is pruned.
    pub(super) fn finish(mut self, step: u64) -> Result<PathBuf, CheckpointError> {
        sync(&self.path)?;
        let name = |revision: u32| match revision {
            0 => format!("{FINISHED}{step:010}"),
            _ => format!("{FINISHED}{step:010}.{revision}"),
        };
        let mut paths = (0..).map(|revision| self.within.join(name(revision)));
        let Some(path) = paths.find(|path| !path.exists()) else {
            unreachable!("there are more names than a folder holds")
        };
        fs::rename(&self.path, &path).map_err(CheckpointError::io(&path))?;
        self.finished = true;
        sync(&self.within)?;
        Ok(path)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.finished {
            // The error that led here matters more to the caller than one of the removal.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Forces the entries of a folder to disk. Not every system has that; where it has not, a rename is
/// still at once or not at all.
fn sync(folder: &Path) -> Result<(), CheckpointError> {
    if cfg!(unix) {
        File::open(folder).and_then(|f| f.sync_all()).map_err(CheckpointError::io(folder))?;
    }
    Ok(())
}

/// Removes a checkpoint: out of sight at once, then from the disk.
pub(super) fn remove(path: &Path) -> Result<(), CheckpointError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let hidden = path.with_file_name(format!("{UNFINISHED}{name}"));
    fs::rename(path, &hidden)
        .and_then(|()| fs::remove_dir_all(&hidden))
        .map_err(CheckpointError::io(path))
}

/// Removes what an earlier process was writing or removing when it ended.
pub(super) fn remove_unfinished(within: &Path) -> Result<(), CheckpointError> {
    for path in entries(within)? {
        if name(&path).starts_with(UNFINISHED) {
            fs::remove_dir_all(&path).map_err(CheckpointError::io(&path))?;
        }
    }
    Ok(())
}

/// The folders of checkpoints, the earliest first; none if there is no such folder.
pub(super) fn finished(within: &Path) -> Result<Vec<PathBuf>, CheckpointError> {
    if !within.exists() {
        return Ok(Vec::new());
    }
    let number = |path: &PathBuf| -> Option<(u64, u32)> {
        let name = name(path);
        let (step, revision) = match name.strip_prefix(FINISHED)?.split_once('.') {
            Some((step, revision)) => (step.to_owned(), revision.parse().ok()?),
            None => (name.strip_prefix(FINISHED)?.to_owned(), 0),
        };
        Some((step.parse().ok()?, revision))
    };
    let numbered = entries(within)?.into_iter().filter_map(|path| Some((number(&path)?, path)));
    let mut numbered: Vec<_> = numbered.collect();
    numbered.sort();
    Ok(numbered.into_iter().map(|(_, path)| path).collect())
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, CheckpointError> {
    let entries = fs::read_dir(folder).map_err(CheckpointError::io(folder))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    paths.collect::<Result<_, _>>().map_err(CheckpointError::io(folder))
}
