//! Text files with one record a line, plain or gzip'd: what is wrong is named with file and line.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

/// Why a file cannot be read as records.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// There is no such file, neither plain nor gzip'd.
    #[error("{}: found neither `{plain}` nor `{plain}.gz`", .folder.display())]
    Missing {
        /// Where it should be.
        folder: PathBuf,
        /// The name of the plain file.
        plain: String,
    },
    /// It cannot be opened.
    #[error("{}: cannot be opened: {error}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// A line cannot be read: the file is damaged, or it is no UTF-8 text.
    #[error("{}, line {line}: cannot be read: {error}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        error: io::Error,
    },
    /// A line is no record.
    #[error("{}, line {line}: {reason}", .path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// A file of a folder: the plain one, or the one with `.gz` at the end where there is none.
pub fn find(folder: &Path, plain: &str) -> Result<PathBuf, LineError> {
    let names = [plain.to_owned(), format!("{plain}.gz")];
    let found = names.iter().map(|name| folder.join(name)).find(|path| path.exists());
    found.ok_or_else(|| LineError::Missing { folder: folder.to_owned(), plain: plain.to_owned() })
}

/// The lines of a file, with their numbers from 1; gzip'd or plain by its first bytes.
pub fn open(path: &Path) -> Result<Lines, LineError> {
    let error = |error| LineError::Open { path: path.to_owned(), error };
    let mut file = File::open(path).map_err(error)?;
    let mut start = Vec::new();
    // A folder opens, but does not read.
    file.by_ref().take(2).read_to_end(&mut start).map_err(error)?;
    let packed = start == [0x1f, 0x8b];
    let whole = io::Cursor::new(start).chain(file);
    let text: Box<dyn Read> =
        if packed { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) };
    Ok(Lines { path: path.to_owned(), lines: BufReader::new(text).lines(), line: 0 })
}

/// The lines of a file that is being read.
pub struct Lines {
    path: PathBuf,
    lines: io::Lines<BufReader<Box<dyn Read>>>,
    line: usize,
}

impl Lines {
    /// The next line; `None` at the end of the file.
    pub fn next_line(&mut self) -> Result<Option<String>, LineError> {
        self.line += 1;
        let line = self.lines.next().transpose();
        line.map_err(|error| LineError::Read { path: self.path.clone(), line: self.line, error })
    }

    /// An error about the line that was read last.
    pub fn wrong(&self, reason: impl Display) -> LineError {
        let (path, line) = (self.path.clone(), self.line);
        LineError::Record { path, line, reason: reason.to_string() }
    }
}

/// What is done about a line that is no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// Reading ends with the error.
    Stop,
    /// The error is printed to stderr, and the line left out.
    Report,
}

impl Malformed {
    /// A record that was read, `None` where it is left out.
    pub fn take<R>(self, record: Result<R, LineError>) -> Result<Option<R>, LineError> {
        match (record, self) {
            (Ok(record), _) => Ok(Some(record)),
            (Err(error), Self::Report) => {
                eprintln!("{error}: left out");
                Ok(None)
            }
            (Err(error), Self::Stop) => Err(error),
        }
    }
}

/// The first `most` records of a file of one record a line; blank lines are skipped.
pub fn read<R, E: Display>(
    path: &Path,
    most: usize,
    parse: impl Fn(&str) -> Result<R, E>,
) -> Result<Vec<R>, LineError> {
    records(path, most, Malformed::Stop, parse)
}

/// All records of a file of one record a line; blank lines are skipped.
pub fn read_all<R, E: Display>(
    path: &Path,
    malformed: Malformed,
    parse: impl Fn(&str) -> Result<R, E>,
) -> Result<Vec<R>, LineError> {
    records(path, usize::MAX, malformed, parse)
}

fn records<R, E: Display>(
    path: &Path,
    most: usize,
    malformed: Malformed,
    parse: impl Fn(&str) -> Result<R, E>,
) -> Result<Vec<R>, LineError> {
    let mut lines = open(path)?;
    let mut records = Vec::new();
    while records.len() < most
        && let Some(line) = lines.next_line()?
    {
        if !line.trim_ascii().is_empty() {
            let record = parse(&line).map_err(|reason| lines.wrong(reason));
            records.extend(malformed.take(record)?);
        }
    }
    Ok(records)
}

/// The items of a line: only the ASCII space separates, since words may contain other spaces.
pub fn items(line: &str) -> impl Iterator<Item = &str> + Clone {
    line.split(' ').filter(|item| !item.is_empty())
}
