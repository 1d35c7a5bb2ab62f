//! What is wrong with a log, or with what is to be written to it.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use edb_file::Explained;

/// Within the [`io::Error`] of a log.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub(super) enum LogError {
    /// Nothing says that edb has written the file.
    #[error(
        "{} is not a log that edb wrote ({reason}), and is left as it is: give the log another name, or move \
         the file away", path.display()
    )]
    Foreign { path: PathBuf, reason: String },
    /// It may be of an earlier version of edb, or of another program.
    #[error(
        "{} does not say that edb wrote it, and it has no line of the first {steps} steps, so that it is left \
         as it is: give the log another name, or move the file away", path.display()
    )]
    Unmarked { path: PathBuf, steps: u64 },
    /// The file has no mark, like [`Unmarked`](Self::Unmarked), and lines would have to be removed from it.
    #[error(
        "{} does not say that edb wrote it, and has lines behind those of the first {steps} steps, so that it is \
         left as it is: give the log another name, move the file away, or remove these lines if an earlier version \
         of edb wrote it", path.display()
    )]
    UnmarkedBehind { path: PathBuf, steps: u64 },
    /// edb has written it, but not so.
    #[error(
        "{} is damaged ({reason}), and is left as it is: mend it, or move the file away and begin \
         another", path.display()
    )]
    Damaged { path: PathBuf, reason: String },
    #[error(
        "{} is being written by another log, perhaps that of another process: close that one first, or give each a \
         place of its own",
        path.display()
    )]
    InUse { path: PathBuf },
    #[error("the log {} cannot be written: {}", path.display(), Explained::write(path, error))]
    Io { path: PathBuf, error: io::Error },
    #[error("the log {} cannot be read: {}", path.display(), Explained::read(path, error))]
    Unread { path: PathBuf, error: io::Error },
    #[error("step {step} is less than step {last}, which the log has already")]
    Order { step: u64, last: u64 },
    #[error("two numbers have the name {name:?}: give each a name of its own")]
    Twice { name: String },
    #[error("the name {name:?} is that of the number of the step: choose another")]
    Step { name: String },
    #[error("the name {name:?} has a line break")]
    LineBreak { name: String },
    #[error(
        "the name {name:?} begins or ends in a space, which some readers of the file leave out: choose another"
    )]
    Space { name: String },
    #[error("a number has an empty name, for which readers of the file choose another")]
    Empty,
    #[error("the columns are `{columns}`, not `{found}`")]
    Columns { columns: String, found: String },
}

edb_kernels::debug_is_display!(LogError);

impl LogError {
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> io::Error + use<'_> {
        move |error| Self::Io { path: path.to_owned(), error }.into()
    }
}

impl From<LogError> for io::Error {
    fn from(error: LogError) -> Self {
        let kind = match &error {
            LogError::Foreign { .. }
            | LogError::Unmarked { .. }
            | LogError::UnmarkedBehind { .. }
            | LogError::Damaged { .. } => ErrorKind::InvalidData,
            LogError::InUse { .. } => ErrorKind::ResourceBusy,
            LogError::Io { error, .. } | LogError::Unread { error, .. } => error.kind(),
            _ => ErrorKind::InvalidInput,
        };
        Self::new(kind, error)
    }
}
