//! Files that one log at a time has open: what another one removes or writes would be in the midst of its
//! lines.
//!
//! On Unix, a log holds a lock of the operating system, which others may read past, and which ends with the log,
//! and with the process however that ends. On Windows, such a lock would keep readers out: there the file is
//! opened so that no one else can open it to write. A file system that knows no locks is written to without.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use super::error::LogError;

/// That a file is held, until this is dropped.
#[derive(Debug)]
pub(super) struct Held(#[cfg(unix)] Option<File>);

/// Opens a file to read and write, and holds it.
///
/// # Errors
/// When another log holds it, or it cannot be opened as `options` say.
pub(super) fn hold(options: &mut OpenOptions, path: &Path) -> io::Result<(File, Held)> {
    let file = open(options.read(true).write(true), path)?;
    let held = Held::of(&file, path)?;
    Ok((file, held))
}

#[cfg(not(windows))]
fn open(options: &OpenOptions, path: &Path) -> io::Result<File> {
    options.open(path).map_err(LogError::io(path))
}

#[cfg(windows)]
fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;

    /// `FILE_SHARE_READ` and `FILE_SHARE_DELETE`.
    const READ_AND_DELETE: u32 = 1 | 4;
    /// `ERROR_SHARING_VIOLATION`.
    const SHARED: i32 = 32;
    options.share_mode(READ_AND_DELETE).open(path).map_err(|error| match error.raw_os_error() {
        Some(SHARED) => LogError::InUse { path: path.to_owned() }.into(),
        _ => LogError::io(path)(error),
    })
}

#[cfg(unix)]
impl Held {
    fn of(file: &File, path: &Path) -> io::Result<Self> {
        use std::fs::TryLockError;

        match file.try_lock() {
            Ok(()) => Ok(Self(Some(file.try_clone().map_err(LogError::io(path))?))),
            Err(TryLockError::WouldBlock) => Err(LogError::InUse { path: path.to_owned() }.into()),
            Err(TryLockError::Error(_)) => Ok(Self(None)),
        }
    }
}

#[cfg(not(unix))]
impl Held {
    fn of(_: &File, _: &Path) -> io::Result<Self> {
        Ok(Self())
    }
}

/// A process that is being started has a copy of each open file until it runs its own program, so closing
/// the file would hold it for as long.
#[cfg(unix)]
impl Drop for Held {
    fn drop(&mut self) {
        if let Some(file) = &self.0 {
            let _ = file.unlock();
        }
    }
}
