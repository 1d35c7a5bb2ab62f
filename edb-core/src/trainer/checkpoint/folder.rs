//! Folders that appear at once or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::CheckpointError;
use edb_file::sync_folder;

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
        let process = std::process::id();
        for number in 0_u64.. {
            let path = within.join(format!("{UNFINISHED}{process}-{number}"));
            match fs::create_dir(&path) {
                // An earlier process of the same number has left it, and it could not be removed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => {
                    created.map_err(CheckpointError::io(&path))?;
                    return Ok(Self { path, within: within.to_owned(), finished: false });
                }
            }
        }
        unreachable!("there are more names than a folder holds")
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Forces the folder to disk and gives it the name of this step. A step that was saved before
    /// keeps that checkpoint, until it is pruned.
    pub(super) fn finish(mut self, step: u64) -> Result<PathBuf, CheckpointError> {
        sync_folder(&self.path).map_err(CheckpointError::io(&self.path))?;
        let name = |revision: u32| match revision {
            0 => format!("{FINISHED}{step:010}"),
            _ => format!("{FINISHED}{step:010}.{revision}"),
        };
        let mut paths = (0..).map(|revision| self.within.join(name(revision)));
        // A link that leads nowhere is something, too.
        let Some(path) = paths.find(|path| path.symlink_metadata().is_err()) else {
            unreachable!("there are more names than a folder holds")
        };
        fs::rename(&self.path, &path).map_err(CheckpointError::io(&path))?;
        self.finished = true;
        sync_folder(&self.within).map_err(CheckpointError::io(&self.within))?;
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

/// Removes a checkpoint: out of sight at once, then from the disk.
pub(super) fn remove(path: &Path) -> Result<(), CheckpointError> {
    let hidden = path.with_file_name(format!("{UNFINISHED}{}", name(path)));
    fs::rename(path, &hidden).map_err(CheckpointError::io(path))?;
    fs::remove_dir_all(&hidden).map_err(CheckpointError::io(&hidden))
}

/// Removes what an earlier process was writing or removing when it ended; returns why some of it could
/// not be removed. What has no name of ours is left alone.
pub(super) fn remove_unfinished(within: &Path) -> Result<Vec<CheckpointError>, CheckpointError> {
    let mut errors = Vec::new();
    for path in entries(within)? {
        let is_folder = path.symlink_metadata().is_ok_and(|found| found.is_dir());
        if is_folder && is_unfinished(&name(&path)) {
            errors.extend(fs::remove_dir_all(&path).map_err(CheckpointError::io(&path)).err());
        }
    }
    Ok(errors)
}

/// Whether that is the name of a folder that is not there yet (a process and a number) or no more (the
/// name of a checkpoint).
fn is_unfinished(name: &str) -> bool {
    let Some(rest) = name.strip_prefix(UNFINISHED) else { return false };
    let (process, number) = rest.split_once('-').unwrap_or((rest, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    number_of(rest).is_some() || (is_number(process) && is_number(number))
}

/// The step and the revision that the name of a checkpoint says.
fn number_of(name: &str) -> Option<(u64, u32)> {
    let rest = name.strip_prefix(FINISHED)?;
    let (step, revision) = rest.split_once('.').unwrap_or((rest, "0"));
    Some((step.parse().ok()?, revision.parse().ok()?))
}

/// What is called as checkpoints are, in the order of their steps; nothing if there is no such folder.
pub(super) fn finished(within: &Path) -> Result<Vec<PathBuf>, CheckpointError> {
    if !within.exists() {
        return Ok(Vec::new());
    }
    let paths = entries(within)?.into_iter();
    let numbered = paths.filter_map(|path| Some((number_of(&name(&path))?, path)));
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
