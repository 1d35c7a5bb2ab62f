//! Locks a folder, so that only one trainer at a time writes to it.
//!
//! The trainer holds a lock of the operating system on a file. The lock ends with the trainer, or when the process
//! ends for any reason. The file stays, and has the id of the last process that locked it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, process};

use super::error::CheckpointError;

/// The file that is locked.
const LOCK_FILE: &str = ".lock";

/// The locks of the folders to which a trainer writes.
#[derive(Debug, Default)]
pub(crate) struct Locks(Mutex<Vec<Lock>>);

/// A lock of a folder: the file that is locked, and its path.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
    file: File,
}

impl Lock {
    /// Whether the file at the path is still this file. The file or its folder may have been removed and made
    /// again. On systems where files have no identity, only a removed file is noticed.
    fn is_in_place(&self) -> bool {
        let (Ok(there), Ok(own)) = (fs::metadata(&self.path), self.file.metadata()) else {
            return false;
        };
        identity(&there) == identity(&own)
    }
}

/// Unlocks the file explicitly. It is not enough to close it: a process that is being started has a copy of each open
/// file until it runs its own program, and would keep the folder locked until then.
impl Drop for Lock {
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

#[cfg(unix)]
fn identity(file: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (file.dev(), file.ino())
}

#[cfg(not(unix))]
fn identity(_: &fs::Metadata) -> Option<u64> {
    None
}

impl Locks {
    /// Locks a folder that exists, unless this trainer has locked it already. If the file system has no locks, it
    /// does nothing.
    ///
    /// # Errors
    /// When another trainer has locked the folder, or the file cannot be made.
    pub(super) fn lock(&self, folder: &Path) -> Result<(), CheckpointError> {
        let path = fs::canonicalize(folder).map_err(CheckpointError::io(folder))?.join(LOCK_FILE);
        let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        locks.retain(Lock::is_in_place);
        if locks.iter().any(|lock| lock.path == path) {
            return Ok(());
        }
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let mut file = opened.map_err(CheckpointError::write(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let text = fs::read_to_string(&path).unwrap_or_default();
                let process = text.trim().parse().ok();
                return Err(CheckpointError::Locked { folder: folder.to_owned(), process });
            }
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {
                return Ok(());
            }
            Err(TryLockError::Error(error)) => return Err(CheckpointError::write(&path)(error)),
        }
        // The process id only helps the user, so it is no error if it cannot be written, as on a full disk.
        let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", process::id()));
        locks.push(Lock { path, file });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_the_file_does_not_keep_the_folder_locked() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (Locks::default(), Locks::default());
        one.lock(folder.path()).unwrap();
        let copy = one.0.lock().unwrap()[0].file.try_clone().unwrap();
        assert!(matches!(other.lock(folder.path()), Err(CheckpointError::Locked { .. })));
        drop(one);
        other.lock(folder.path()).unwrap();
        drop(copy);
    }
}
