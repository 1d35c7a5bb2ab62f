//! Folders that are created and removed atomically.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::CheckpointError;
use edb_file::sync_folder;

/// The prefix of the names of checkpoints.
const CHECKPOINT_PREFIX: &str = "step-";

/// The prefix of the names of folders that are being written or removed.
const UNFINISHED_PREFIX: &str = ".unfinished-";

/// A folder that is being written. It is removed on drop, unless it is finished.
pub(super) struct Unfinished {
    path: PathBuf,
    within: PathBuf,
    finished: bool,
}

impl Unfinished {
    /// Creates a new folder within another folder.
    pub(super) fn create(within: &Path) -> Result<Self, CheckpointError> {
        let process = std::process::id();
        for number in 0_u64.. {
            let path = within.join(format!("{UNFINISHED_PREFIX}{process}-{number}"));
            match fs::create_dir(&path) {
                // An earlier process with the same id has left this folder, and it could not be removed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => {
                    created.map_err(CheckpointError::write(&path))?;
                    return Ok(Self { path, within: within.to_owned(), finished: false });
                }
            }
        }
        unreachable!("there are more names than a folder holds")
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Syncs the folder to disk, and renames it to the name of this step. If there is already a checkpoint of this
    /// step, both are kept until older checkpoints are removed.
    pub(super) fn finish(mut self, step: u64) -> Result<PathBuf, CheckpointError> {
        sync_folder(&self.path).map_err(CheckpointError::write(&self.path))?;
        let taken = entries(&self.within)?;
        let taken = taken.iter().filter_map(|path| number_of(&name(path)));
        let revision = taken.filter(|(of, _)| *of == step).map(|(_, revision)| revision).max();
        // The name is never that of a checkpoint that was just removed, which another program may be reading.
        let path = self.within.join(match revision {
            None => format!("{CHECKPOINT_PREFIX}{step:010}"),
            Some(last) => format!("{CHECKPOINT_PREFIX}{step:010}.{}", last.saturating_add(1)),
        });
        fs::rename(&self.path, &path).map_err(CheckpointError::write(&path))?;
        self.finished = true;
        sync_folder(&self.within).map_err(CheckpointError::write(&self.within))?;
        Ok(path)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.finished {
            // The error that led here matters more to the caller than a failed removal.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Removes a checkpoint: renames it to a hidden name, then deletes it.
pub(super) fn remove(path: &Path) -> Result<(), CheckpointError> {
    let hidden = path.with_file_name(format!("{UNFINISHED_PREFIX}{}", name(path)));
    fs::rename(path, &hidden).map_err(CheckpointError::remove(path))?;
    fs::remove_dir_all(&hidden).map_err(CheckpointError::remove(&hidden))
}

/// Removes folders that an earlier process was writing or removing when it ended. Returns an error for each that
/// could not be removed. Other files and folders are not touched.
pub(super) fn remove_unfinished(within: &Path) -> Result<Vec<CheckpointError>, CheckpointError> {
    let mut errors = Vec::new();
    for path in entries(within)? {
        let is_folder = path.symlink_metadata().is_ok_and(|found| found.is_dir());
        if is_folder && is_unfinished(&name(&path)) {
            errors.extend(fs::remove_dir_all(&path).map_err(CheckpointError::remove(&path)).err());
        }
    }
    Ok(errors)
}

/// Whether this is the name of a folder that is being written (a process id and a number) or
/// removed (the name of a checkpoint).
fn is_unfinished(name: &str) -> bool {
    let Some(rest) = name.strip_prefix(UNFINISHED_PREFIX) else { return false };
    let (process, number) = rest.split_once('-').unwrap_or((rest, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    number_of(rest).is_some() || (is_number(process) && is_number(number))
}

/// The step and the revision in the name of a checkpoint.
fn number_of(name: &str) -> Option<(u64, u32)> {
    let rest = name.strip_prefix(CHECKPOINT_PREFIX)?;
    let (step, revision) = rest.split_once('.').unwrap_or((rest, "0"));
    Some((step.parse().ok()?, revision.parse().ok()?))
}

/// All paths in a folder except unfinished folders, each with whether it has the name of a checkpoint. Paths with
/// such a name are last, in the order of their steps. The list is empty if the folder does not exist.
pub(super) fn finished(within: &Path) -> Result<Vec<(bool, PathBuf)>, CheckpointError> {
    if !within.try_exists().map_err(CheckpointError::io(within))? {
        return Ok(Vec::new());
    }
    let paths = entries(within)?.into_iter().filter(|path| !is_unfinished(&name(path)));
    let mut numbered: Vec<_> = paths.map(|path| (number_of(&name(&path)), path)).collect();
    numbered.sort();
    Ok(numbered.into_iter().map(|(number, path)| (number.is_some(), path)).collect())
}

/// Whether nothing exists at this path.
pub(super) fn is_gone(path: &Path) -> bool {
    path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, CheckpointError> {
    let entries = fs::read_dir(folder).map_err(CheckpointError::io(folder))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    paths.collect::<Result<_, _>>().map_err(CheckpointError::io(folder))
}
