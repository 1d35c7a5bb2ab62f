//! Text files with one record a line, plain or gzip'd: what is wrong is named with file and line.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
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
    /// The file is damaged from some line on.
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

/// What is done about a line that is no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// Reading ends with the error.
    Stop,
    /// The error is printed to stderr, and the line left out.
    Report,
}

/// The longest line, in bytes: what is longer is no text of ours, and should not fill the memory.
const LONGEST: usize = if cfg!(test) { 1 << 16 } else { 1 << 24 };

/// A file of a folder: the plain one, or the one with `.gz` at the end where there is none.
pub fn find(folder: &Path, plain: &str) -> Result<PathBuf, LineError> {
    let names = [plain.to_owned(), format!("{plain}.gz")];
    let found = names.iter().map(|name| folder.join(name)).find(|path| path.exists());
    found.ok_or_else(|| LineError::Missing { folder: folder.to_owned(), plain: plain.to_owned() })
}

/// Lines of text, with their numbers from 1, out of a file or from memory.
pub struct Lines {
    path: PathBuf,
    text: BufReader<Box<dyn Read>>,
    line: usize,
    malformed: Malformed,
}

impl Lines {
    /// The lines of a file; gzip'd or plain by its first bytes.
    pub fn open(path: &Path, malformed: Malformed) -> Result<Self, LineError> {
        let error = |error| LineError::Open { path: path.to_owned(), error };
        let mut file = File::open(path).map_err(error)?;
        let mut start = Vec::new();
        // A folder opens, but does not read.
        file.by_ref().take(2).read_to_end(&mut start).map_err(error)?;
        let packed = start == [0x1f, 0x8b];
        let whole = Cursor::new(start).chain(file);
        let text: Box<dyn Read> =
            if packed { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) };
        Ok(Self { path: path.to_owned(), text: BufReader::new(text), line: 0, malformed })
    }

    /// The lines of a text; errors call it `name`.
    pub fn of(name: &str, text: String) -> Self {
        let text: Box<dyn Read> = Box::new(Cursor::new(text));
        let malformed = Malformed::Stop;
        Self { path: name.into(), text: BufReader::new(text), line: 0, malformed }
    }

    /// The next line, or why it is not one of text; `None` at the end of the file.
    ///
    /// Lines end as Unix or Windows has it, and a mark of the byte order may precede the first.
    ///
    /// # Errors
    /// When nothing more can be read.
    pub fn next_line(&mut self) -> Result<Option<Result<String, LineError>>, LineError> {
        self.line += 1;
        let mut line = Vec::new();
        let read = self.text.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut line);
        let damaged = |error| LineError::Read { path: self.path.clone(), line: self.line, error };
        match read.map_err(damaged)? {
            0 => return Ok(None),
            length if length > LONGEST => {
                let error = io::Error::other(format!("it has {LONGEST} bytes and more"));
                return Err(damaged(error));
            }
            _ => {}
        }
        let ended = line.strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let mut text = ended.unwrap_or(&line);
        if self.line == 1 {
            text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        }
        Ok(Some(match std::str::from_utf8(text) {
            Ok(text) if text.contains('\0') => {
                Err(self.wrong("it has a NUL in it, and is no text"))
            }
            Ok(text) => Ok(text.to_owned()),
            Err(error) => Err(self.wrong(format!("it is no UTF-8 text: {error}"))),
        }))
    }

    /// The next line of text; `None` at the end of the file.
    pub fn next_text(&mut self) -> Result<Option<String>, LineError> {
        while let Some(line) = self.next_line()? {
            if let Some(text) = self.take(line)? {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    /// The first line, which must begin with `start`: it says what the fields of the others are.
    pub fn heading(&mut self, start: &str) -> Result<(), LineError> {
        match self.next_text()? {
            Some(line) if line.starts_with(start) => Ok(()),
            _ => Err(self.wrong(format!("expected a heading that begins with `{start}`"))),
        }
    }

    /// A record of the line that was read last; `None` where it is malformed and left out.
    pub fn take<R>(&self, record: Result<R, LineError>) -> Result<Option<R>, LineError> {
        match (record, self.malformed) {
            (Ok(record), _) => Ok(Some(record)),
            (Err(error @ LineError::Record { .. }), Malformed::Report) => {
                eprintln!("{error}: left out");
                Ok(None)
            }
            (Err(error), _) => Err(error),
        }
    }

    /// The next records, at most so many, of one line each; blank lines are skipped.
    pub fn records<R, E: Display>(
        &mut self,
        most: usize,
        parse: impl Fn(&str) -> Result<R, E>,
    ) -> Result<Vec<R>, LineError> {
        let mut records = Vec::new();
        while records.len() < most
            && let Some(line) = self.next_text()?
        {
            if !line.trim_ascii().is_empty() {
                let record = parse(&line).map_err(|reason| self.wrong(reason));
                records.extend(self.take(record)?);
            }
        }
        Ok(records)
    }

    /// An error about the line that was read last.
    pub fn wrong(&self, reason: impl Display) -> LineError {
        let (path, line) = (self.path.clone(), self.line);
        LineError::Record { path, line, reason: reason.to_string() }
    }
}

/// The items of a line: only the ASCII space separates, since words may contain other spaces.
pub fn items(line: &str) -> impl Iterator<Item = &str> + Clone {
    line.split(' ').filter(|item| !item.is_empty())
}

// By path, since this file is included by its path.
#[cfg(test)]
#[path = "lines/tests.rs"]
mod tests;
