//! What can be wrong with the files of policies and costs, and how these are read.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use edb_file::Explained;
use thiserror::Error;

use crate::error::ScheduleError;

/// The version of the format that this build writes and reads.
pub(super) const FORMAT_VERSION: u32 = 2;

/// The largest file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 28;

/// Why a policy was not saved or loaded.
#[derive(Error)]
#[error("{}{}", path.display(), problem.at(path))]
pub struct PolicyFileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub problem: PolicyFileProblem,
}

/// What is wrong with the file of a policy.
#[derive(Error)]
#[non_exhaustive]
pub enum PolicyFileProblem {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The file cannot be written.
    #[error("cannot be written: {0}")]
    Write(#[source] io::Error),
    /// A user-defined policy is code, and has no file.
    #[error("the policy `{0}` is of your own crate, and has no file: give it to the engine again")]
    Custom(String),
    /// The file is far too large.
    #[error("holds {0} bytes or more, which no policy and no costs need")]
    TooLarge(u64),
    /// The file is not JSON of this kind.
    #[error("not a policy: {0}")]
    Json(#[from] serde_json::Error),
    /// The file is of another version of the format.
    #[error("is of version {found}; this build reads version {FORMAT_VERSION}")]
    Version {
        /// The version of the file.
        found: u32,
    },
    /// The policy was learned for other vertex types.
    #[error("was learned for other vertex types: {0}")]
    OtherTypes(String),
    /// The file contradicts itself.
    #[error("not a policy: {0}")]
    Invalid(String),
    /// The contents of the file, or the values to be written, are out of range or for other vertex types.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
}

/// As for [`ScheduleError`].
impl fmt::Debug for PolicyFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// As for [`ScheduleError`].
impl fmt::Debug for PolicyFileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PolicyFileProblem {
    /// This problem behind the path of its file.
    fn at(&self, path: &Path) -> String {
        match self {
            Self::Io(error) => format!(" cannot be read: {}", Explained::read(path, error)),
            Self::Write(error) => format!(" cannot be written: {}", Explained::write(path, error)),
            problem => format!(": {problem}"),
        }
    }

    /// This problem as an error that names the file.
    pub(crate) fn of(self, path: &Path) -> PolicyFileError {
        PolicyFileError { path: path.to_owned(), problem: self }
    }
}

/// Reads the text of a file. Fails if there are more than `MAX_FILE_BYTES`, whatever size the file reports.
pub(crate) fn read(path: &Path) -> Result<String, PolicyFileProblem> {
    let file = File::open(path)?;
    let mut text = String::new();
    // Special files may report a size of 0.
    let size = match file.metadata()?.len() {
        size if size > MAX_FILE_BYTES => size,
        _ => file.take(MAX_FILE_BYTES + 1).read_to_string(&mut text)? as u64,
    };
    if size > MAX_FILE_BYTES { Err(PolicyFileProblem::TooLarge(size)) } else { Ok(text) }
}
