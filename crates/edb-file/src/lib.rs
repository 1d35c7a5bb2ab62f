//! Atomic file writes that survive a power failure.
//!
//! All files that edb saves are written by [`write`](write()), except logs and traces, which grow
//! during a run.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file atomically, with the contents that `fill` writes. The file is written under a
/// temporary name in the same folder (`.NAME.PID-N.tmp`), synced to disk and renamed, which
/// replaces a file at `path`; then the folder is synced, without which the new name could be lost.
/// If an operation before the renaming fails, the temporary file is removed, and a file at `path`
/// is unchanged.
///
/// # Errors
/// The error of the operating system.
pub fn write(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let (temporary, file) = Temporary::create(path)?;
    let mut file = BufWriter::new(file);
    fill(&mut file)?;
    file.into_inner()?.sync_all()?;
    temporary.rename(path)?;
    sync_folder(parent(path))
}

/// As [`write()`], for contents in memory.
///
/// # Errors
/// The error of the operating system.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write(path, |file| file.write_all(bytes))
}

/// Creates a folder and its missing parents. The folders that hold new ones are synced to disk.
///
/// # Errors
/// The error of the operating system.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    let missing: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
    fs::create_dir_all(folder)?;
    missing.iter().rev().try_for_each(|made| sync_folder(parent(made)))
}

/// Syncs the entries of a folder to disk. Some systems and file systems have no such call, or not
/// for a folder that may not be listed: this does nothing there, and a renaming is still atomic.
///
/// # Errors
/// The error of the operating system.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let opened = match File::open(folder) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        opened => opened?,
    };
    let has_no_such_call =
        |kind| matches!(kind, io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported);
    match opened.sync_all() {
        Err(error) if has_no_such_call(error.kind()) => Ok(()),
        synced => synced,
    }
}

/// The folder of a path; for a bare name, the current folder.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file that is removed on drop unless it was renamed.
struct Temporary {
    path: PathBuf,
    renamed: bool,
}

impl Temporary {
    /// A new file in the folder of `target`, with a unique name.
    fn create(target: &Path) -> io::Result<(Self, File)> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = target.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_string_lossy();
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = target.with_file_name(format!(".{name}.{}-{count}.tmp", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((Self { path, renamed: false }, file)),
                // Left by a process with the same id that was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn rename(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.renamed {
            // The error that led here matters more to the caller than a failed removal.
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// A hard link to the old file keeps its contents: nothing is written in place.
    #[test]
    #[cfg(unix)]
    fn a_file_is_replaced_and_not_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["file", "other"].map(|name| folder.path().join(name));
        write_bytes(&path, b"first").unwrap();
        fs::hard_link(&path, &other).unwrap();
        write_bytes(&path, b"second").unwrap();
        assert_eq!(
            (fs::read(&path).unwrap(), fs::read(&other).unwrap()),
            (b"second".into(), b"first".into())
        );
        assert_eq!(names(folder.path()), ["file", "other"]);
    }

    #[test]
    fn what_fails_leaves_everything_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write_bytes(&path, b"first").unwrap();
        let failed = write(&path, |file| {
            file.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read(&path).unwrap(), b"first");
        for nowhere in ["absent/file", "..", "file/file"] {
            assert!(write_bytes(&folder.path().join(nowhere), b"").is_err());
        }
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn folders_are_made_where_they_are_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b/c");
        for _ in 0..2 {
            create_folder(&deep).unwrap();
            assert!(deep.is_dir());
        }
        fs::write(folder.path().join("file"), "").unwrap();
        assert!(create_folder(&folder.path().join("file/a")).is_err());
        assert_eq!(parent(Path::new("run")), Path::new("."));
        assert_eq!(parent(Path::new("a/run")), Path::new("a"));
    }
}
