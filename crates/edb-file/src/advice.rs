//! What to do about a file that cannot be read or written: what error messages add to the words of the operating system.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::{env, fmt, fs};

/// An error of reading or writing at a path. It prints as the error of the operating system, and what to do about it.
///
/// ```text
/// No such file or directory (os error 2); there is no folder `run`: make it first
/// ```
#[derive(Debug)]
pub struct Explained<'a> {
    path: &'a Path,
    error: &'a io::Error,
    writes: bool,
}

impl<'a> Explained<'a> {
    /// An error of reading a file or a folder.
    pub fn read(path: &'a Path, error: &'a io::Error) -> Self {
        Self { path, error, writes: false }
    }

    /// An error of writing, making or removing a file or a folder.
    pub fn write(path: &'a Path, error: &'a io::Error) -> Self {
        Self { path, error, writes: true }
    }

    /// The folder in which the file is.
    fn folder(&self) -> Option<&'a Path> {
        self.path.parent().filter(|folder| !folder.as_os_str().is_empty())
    }

    /// What to do; `None` where the operating system's own words say it, or nothing is known.
    fn advice(&self) -> Option<String> {
        let Self { path, error, writes } = *self;
        let missing = self.folder().filter(|folder| !folder.exists());
        match error.kind() {
            ErrorKind::NotFound => match (missing, writes) {
                (Some(folder), true) => {
                    Some(format!("there is no folder `{}`: make it first", folder.display()))
                }
                (Some(folder), false) => {
                    Some(format!("there is no folder `{}`{}", folder.display(), from_where(folder)))
                }
                (None, true) => None,
                (None, false) => Some(format!("is it the right path?{}", from_where(path))),
            },
            ErrorKind::NotADirectory => {
                let file = path.ancestors().skip(1).find(|above| above.is_file())?;
                Some(format!("`{}` is a file, and no folder", file.display()))
            }
            ErrorKind::IsADirectory => Some(match tensors_in(path) {
                Some(file) if !writes => {
                    format!("it is a folder: name the file in it, `{}`", file.display())
                }
                _ => "it is a folder: name a file".into(),
            }),
            ErrorKind::PermissionDenied => {
                let asked = if writes && !path.exists() { self.folder() } else { Some(path) };
                let asked = asked.unwrap_or(Path::new("."));
                let verb = if writes { "write to" } else { "read" };
                Some(format!(
                    "this user may not {verb} `{}`: change its permissions, or choose another place",
                    asked.display()
                ))
            }
            ErrorKind::ReadOnlyFilesystem => Some("choose a place that can be written to".into()),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                Some("make room, or choose another place".into())
            }
            _ => None,
        }
    }
}

impl fmt::Display for Explained<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)?;
        self.advice().map_or(Ok(()), |advice| write!(f, "; {advice}"))
    }
}

/// A file of tensors in a folder, as a checkpoint has one.
fn tensors_in(folder: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(folder).ok()?.filter_map(|file| Some(file.ok()?.path()));
    files.filter(|file| file.extension().is_some_and(|end| end == "safetensors")).min()
}

/// Where a relative path begins: a program that runs in another folder than its author thinks finds nothing.
fn from_where(path: &Path) -> String {
    match env::current_dir() {
        Ok(folder) if path.is_relative() => {
            format!(" (this program runs in `{}`)", folder.display())
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is added to the operating system's words.
    fn added(explained: Explained<'_>) -> String {
        let (text, own) = (explained.to_string(), explained.error.to_string());
        text.strip_prefix(&own).unwrap().to_owned()
    }

    #[test]
    fn errors_say_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let [absent, file] = ["absent", "file"].map(|name| folder.path().join(name));
        fs::write(&file, "").unwrap();
        let within = absent.join("a.csv");
        let error = fs::write(&within, "").unwrap_err();
        assert_eq!(
            added(Explained::write(&within, &error)),
            format!("; there is no folder `{}`: make it first", absent.display())
        );
        let error = fs::read(&within).unwrap_err();
        assert_eq!(
            added(Explained::read(&within, &error)),
            format!("; there is no folder `{}`", absent.display())
        );
        let error = fs::read(&absent).unwrap_err();
        assert_eq!(added(Explained::read(&absent, &error)), "; is it the right path?");
        let here = env::current_dir().unwrap();
        let relative = Path::new("no such file");
        let error = fs::read(relative).unwrap_err();
        assert_eq!(
            added(Explained::read(relative, &error)),
            format!("; is it the right path? (this program runs in `{}`)", here.display())
        );
        let below = file.join("a.csv");
        let error = fs::write(&below, "").unwrap_err();
        assert_eq!(
            added(Explained::write(&below, &error)),
            format!("; `{}` is a file, and no folder", file.display())
        );
        let error = fs::write(folder.path(), "").unwrap_err();
        assert_eq!(added(Explained::write(folder.path(), &error)), "; it is a folder: name a file");
        let tensors = folder.path().join("model.safetensors");
        fs::write(&tensors, "").unwrap();
        assert_eq!(
            added(Explained::read(folder.path(), &error)),
            format!("; it is a folder: name the file in it, `{}`", tensors.display())
        );
        assert_eq!(added(Explained::write(folder.path(), &error)), "; it is a folder: name a file");
    }

    /// Tests may run as a user who may do everything, so the errors are made here.
    #[test]
    fn permissions_and_full_disks_are_explained() {
        let folder = tempfile::tempdir().unwrap();
        let [new, old] = ["new", "old"].map(|name| folder.path().join(name));
        fs::write(&old, "").unwrap();
        let denied = io::Error::from(ErrorKind::PermissionDenied);
        let of = |verb: &str, what: &Path| {
            let what = what.display();
            format!(
                "; this user may not {verb} `{what}`: change its permissions, or choose another place"
            )
        };
        assert_eq!(added(Explained::write(&new, &denied)), of("write to", folder.path()));
        assert_eq!(added(Explained::write(&old, &denied)), of("write to", &old));
        assert_eq!(added(Explained::read(&old, &denied)), of("read", &old));
        assert_eq!(
            added(Explained::write(Path::new("new"), &denied)),
            of("write to", Path::new("."))
        );
        let full = io::Error::from(ErrorKind::StorageFull);
        assert_eq!(added(Explained::write(&new, &full)), "; make room, or choose another place");
        let read_only = io::Error::from(ErrorKind::ReadOnlyFilesystem);
        assert_eq!(
            added(Explained::write(&new, &read_only)),
            "; choose a place that can be written to"
        );
    }

    /// What is not known is left to the operating system.
    #[test]
    fn other_errors_are_as_they_are() {
        let error = io::Error::other("the cable is out");
        assert_eq!(Explained::read(Path::new("a"), &error).to_string(), "the cable is out");
    }
}
