//! Atomic file writes that survive a power failure.
//!
//! All files that edb saves are written by [`write`](write()), except logs and traces, which grow
//! during a run.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod advice;

pub use advice::Explained;

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The most symbolic links that are followed to a file, as on Linux.
const MOST_LINKS: usize = 40;

/// The most bytes of a file's name in that of its temporary file. File systems permit 143 bytes and more,
/// of which the process and the number take up to 32.
const MOST_OF_NAME: usize = 64;

/// Writes a file atomically, with the contents that `fill` writes. The file is written under a
/// temporary name in the same folder (`.NAME.PID-N.tmp`, with the beginning of a long name), synced to disk
/// and renamed, which replaces a file at `path`; then the folder is synced, without which the new name could
/// be lost. If an operation before the renaming fails, the temporary file is removed, and a file at `path`
/// is unchanged.
///
/// Towards `path` it behaves as [`std::fs::write`] does: a symbolic link is followed, and the file that it
/// leads to is replaced; a file that is there keeps its permissions, and its owner and group where the
/// process may give them, and one that must not be written to is an error. What is there and is no file,
/// such as `/dev/stdout` or a pipe, is written to as it is.
///
/// # Errors
/// The error of the operating system.
pub fn write(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    // Nothing is written here, unless it is no file: whether it may be written to is asked.
    let replaced = match OpenOptions::new().write(true).open(path) {
        Ok(present) => {
            let found = present.metadata()?;
            if !found.is_file() {
                let mut present = BufWriter::new(present);
                fill(&mut present)?;
                return present.flush();
            }
            Some(found)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let target = without_links(path)?;
    let (temporary, file) = Temporary::create(&target, replaced.as_ref())?;
    let mut file = BufWriter::new(file);
    fill(&mut file)?;
    file.into_inner()?.sync_all()?;
    temporary.rename(&target)?;
    sync_folder(parent(&target))
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

/// The path that the symbolic links at a path lead to, whether anything is there or not. Links in the path of
/// its folder stay.
fn without_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            // Relative to the folder of the link.
            Ok(leads_to) => path = parent(&path).join(leads_to),
            // What is no link, or is not there.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other(format!("more than {MOST_LINKS} symbolic links")))
}

/// A file that is removed on drop unless it was renamed.
struct Temporary {
    path: PathBuf,
    renamed: bool,
}

impl Temporary {
    /// A new file in the folder of `target`, with a unique name, and with the permissions of the file
    /// that it replaces.
    fn create(target: &Path, replaced: Option<&Metadata>) -> io::Result<(Self, File)> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = target.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_string_lossy();
        let name = &name[..name.floor_char_boundary(MOST_OF_NAME)];
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        if let Some(replaced) = replaced {
            permissions::restrict(&mut options, replaced);
        }
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = target.with_file_name(format!(".{name}.{}-{count}.tmp", std::process::id()));
            match options.open(&path) {
                Ok(file) => {
                    let temporary = Self { path, renamed: false };
                    if let Some(replaced) = replaced {
                        permissions::keep(&file, replaced)?;
                    }
                    return Ok((temporary, file));
                }
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

/// Who may read and write a file that takes the place of another.
#[cfg(unix)]
mod permissions {
    use std::fs::{File, Metadata, OpenOptions};
    use std::io;
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt, fchown};

    /// Lets a new file have no permissions that the other has not, from the beginning on.
    pub(super) fn restrict(options: &mut OpenOptions, other: &Metadata) {
        options.mode(other.mode() & 0o777);
    }

    pub(super) fn keep(file: &File, other: &Metadata) -> io::Result<()> {
        let found = file.metadata()?;
        if (found.uid(), found.gid()) != (other.uid(), other.gid()) {
            // Most processes may not give files away, but to another group of theirs.
            let given = fchown(file, Some(other.uid()), Some(other.gid()));
            let _ = given.or_else(|_| fchown(file, None, Some(other.gid())));
        }
        // Some file systems know none, and say the same of all files.
        match file.metadata()?.permissions() == other.permissions() {
            true => Ok(()),
            false => file.set_permissions(other.permissions()),
        }
    }
}

/// A file that may be written to has no permissions of its own here.
#[cfg(not(unix))]
mod permissions {
    use std::fs::{File, Metadata, OpenOptions};
    use std::io;

    pub(super) fn restrict(_: &mut OpenOptions, _: &Metadata) {}

    pub(super) fn keep(_: &File, _: &Metadata) -> io::Result<()> {
        Ok(())
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

    /// Fault D6 of the third list: a symbolic link was replaced by a file, and where it leads to stayed as it
    /// was.
    #[test]
    #[cfg(unix)]
    fn links_are_followed() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("far/away")).unwrap();
        write_bytes(&at("far/file"), b"first").unwrap();
        // Relative to its folder, which is reached by a link as well; and one that leads to a link.
        symlink("../file", at("far/away/link")).unwrap();
        symlink("far/away", at("near")).unwrap();
        symlink(at("near/link"), at("twice")).unwrap();
        for (link, text) in [("near/link", "second"), ("twice", "third")] {
            write_bytes(&at(link), text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(at("far/file")).unwrap(), text);
            assert!(at(link).is_symlink());
        }
        // It leads to nothing yet.
        symlink("far/new", at("dangling")).unwrap();
        write_bytes(&at("dangling"), b"new").unwrap();
        assert_eq!(fs::read(at("far/new")).unwrap(), b"new");
        assert!(at("dangling").is_symlink());
        symlink("circle", at("circle")).unwrap();
        symlink("absent/file", at("nowhere")).unwrap();
        for wrong in ["circle", "nowhere"] {
            assert!(write_bytes(&at(wrong), b"").is_err());
            assert!(at(wrong).is_symlink());
        }
        assert_eq!(names(folder.path()), ["circle", "dangling", "far", "near", "nowhere", "twice"]);
        assert_eq!(names(&at("far")), ["away", "file", "new"]);
        assert_eq!(names(&at("far/away")), ["link"]);
    }

    /// Fault D6 of the third list: a file that only its owner could read could be read by all.
    #[test]
    #[cfg(unix)]
    fn permissions_are_kept() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for mode in [0o600, 0o640, 0o755, 0o666] {
            fs::write(&path, b"first").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let now = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
            write(&path, |file| {
                // While it is written, too.
                let name = names(folder.path()).remove(0);
                assert_eq!(now(&folder.path().join(name)), mode);
                file.write_all(b"second")
            })
            .unwrap();
            assert_eq!((now(&path), fs::read(&path).unwrap()), (mode, b"second".into()));
        }
        // What must not be written to, unless one may write everything.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
        let as_it_is = fs::OpenOptions::new().write(true).open(&path).is_ok();
        assert_eq!(write_bytes(&path, b"third").is_ok(), as_it_is);
        // A new file has those of any other.
        let [new, other] = ["new", "other"].map(|name| folder.path().join(name));
        write_bytes(&new, b"").unwrap();
        fs::write(&other, b"").unwrap();
        let modes = [new, other].map(|path| fs::metadata(path).unwrap().permissions());
        assert_eq!(modes[0], modes[1]);
    }

    /// Fault D6 of the third list: the temporary name was longer than a name may be, at the end of a run.
    #[test]
    fn a_name_may_be_as_long_as_the_system_permits() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["n".repeat(250), "n".repeat(255), "\u{e9}".repeat(125)] {
            let path = folder.path().join(&name);
            fs::write(&path, b"first").unwrap();
            write_bytes(&path, b"second").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"second");
            fs::remove_file(&path).unwrap();
        }
        assert_eq!(names(folder.path()), [""; 0]);
    }

    /// What is no file is written to: nothing takes the place of a device.
    #[test]
    #[cfg(unix)]
    fn a_device_stays() {
        use std::os::unix::fs::{FileTypeExt, symlink};

        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("null");
        symlink("/dev/null", &link).unwrap();
        write_bytes(&link, b"nothing").unwrap();
        assert!(fs::metadata(&link).unwrap().file_type().is_char_device());
        assert_eq!(names(folder.path()), ["null"]);
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
