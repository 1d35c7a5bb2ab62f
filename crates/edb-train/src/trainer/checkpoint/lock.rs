//! Which trainer writes to a folder: one at a time.
//!
//! It holds a lock of the operating system, which ends with the trainer, and with the process however
//! that ends. The file that is locked stays, and says whose the lock was last.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, process};

use super::error::CheckpointError;

/// The file that is locked.
const NAME: &str = ".lock";

/// The folders to which a trainer writes.
#[derive(Debug, Default)]
pub(crate) struct Locks(Mutex<Vec<Lock>>);

/// A folder that is locked, and where it was.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
    file: File,
}

impl Lock {
    /// Whether others find this file at its path: it, or its folder, may have been removed since, and
    /// made again. Where files have no identity, only the first is seen.
    fn is_in_place(&self) -> bool {
        let (Ok(there), Ok(own)) = (fs::metadata(&self.path), self.file.metadata()) else {
            return false;
        };
        identity(&there) == identity(&own)
    }
}

/// A process that is being started has a copy of each open file until it runs its own program, so closing
/// the file would leave the folder locked for as long.
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
    /// Locks a folder that exists, unless it is locked already. A file system that knows no locks is
    /// written to without.
    ///
    /// # Errors
    /// When another trainer writes to it, or the file cannot be made.
    pub(super) fn lock(&self, folder: &Path) -> Result<(), CheckpointError> {
        let path = fs::canonicalize(folder).map_err(CheckpointError::io(folder))?.join(NAME);
        let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        locks.retain(Lock::is_in_place);
        if locks.iter().any(|lock| lock.path == path) {
            return Ok(());
        }
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let mut file = opened.map_err(CheckpointError::io(&path))?;
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
            Err(TryLockError::Error(error)) => return Err(CheckpointError::io(&path)(error)),
        }
        // Whose it is helps people only, as on a full disk.
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
