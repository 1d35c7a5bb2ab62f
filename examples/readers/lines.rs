//! Text files with one record per line, plain or gzipped; errors name the file and the line.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

/// Why a file cannot be read as records.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// There is no such file, neither plain nor gzipped.
    #[error("{}: found neither `{plain}` nor `{plain}.gz`", .folder.display())]
    Missing {
        /// The folder that was searched.
        folder: PathBuf,
        /// The name of the plain file.
        plain: String,
    },
    /// It cannot be opened.
    #[error("{}: cannot be opened: {error}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The file is damaged from some line on.
    #[error("{}, line {line}: cannot be read: {error}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The error of the operating system or of the decompressor.
        error: io::Error,
    },
    /// A line is not a valid record.
    #[error("{}, line {line}: {reason}", .path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// Why it is not valid.
        reason: String,
    },
}

/// How a malformed line is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// Reading ends with the error.
    Stop,
    /// The error is printed to stderr, and the line is skipped.
    Report,
}

/// The maximum length of a line, in bytes: longer lines are not text, and must not exhaust memory.
const LONGEST: usize = if cfg!(test) { 1 << 16 } else { 1 << 24 };

/// A file in a folder: the plain one or, if there is none, the one with `.gz` appended.
pub fn find(folder: &Path, plain: &str) -> Result<PathBuf, LineError> {
    let names = [plain.to_owned(), format!("{plain}.gz")];
    let found = names.iter().map(|name| folder.join(name)).find(|path| path.exists());
    found.ok_or_else(|| LineError::Missing { folder: folder.to_owned(), plain: plain.to_owned() })
}

/// Lines of text, numbered from 1, from a file or from memory.
pub struct Lines {
    path: PathBuf,
    text: BufReader<Box<dyn Read>>,
    line: usize,
    malformed: Malformed,
}

impl Lines {
    /// The lines of a file, gzipped or plain according to its first bytes.
    pub fn open(path: &Path, malformed: Malformed) -> Result<Self, LineError> {
        let error = |error| LineError::Open { path: path.to_owned(), error };
        let mut file = File::open(path).map_err(error)?;
        let mut start = Vec::new();
        // A folder can be opened, but reading it fails.
        file.by_ref().take(2).read_to_end(&mut start).map_err(error)?;
        let packed = start == [0x1f, 0x8b];
        let contents = Cursor::new(start).chain(file);
        let text: Box<dyn Read> =
            if packed { Box::new(MultiGzDecoder::new(contents)) } else { Box::new(contents) };
        Ok(Self { path: path.to_owned(), text: BufReader::new(text), line: 0, malformed })
    }

    /// The lines of a text; `name` is its name in errors.
    pub fn of(name: &str, text: String) -> Self {
        let text: Box<dyn Read> = Box::new(Cursor::new(text));
        let malformed = Malformed::Stop;
        Self { path: name.into(), text: BufReader::new(text), line: 0, malformed }
    }

    /// The next line, or an error if it is not text; `None` at the end of the file.
    ///
    /// Lines end in LF or CRLF, and a byte order mark may precede the first.
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

    /// Reads the first line, which must begin with `start`: the names of the fields.
    pub fn heading(&mut self, start: &str) -> Result<(), LineError> {
        match self.next_text()? {
            Some(line) if line.starts_with(start) => Ok(()),
            _ => Err(self.wrong(format!("expected a heading that begins with `{start}`"))),
        }
    }

    /// The record of the last line that was read; `None` if it is malformed and skipped.
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

    /// The next records, at most `most`, one per line; blank lines are skipped.
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

    /// An error about the last line that was read.
    pub fn wrong(&self, reason: impl Display) -> LineError {
        let (path, line) = (self.path.clone(), self.line);
        LineError::Record { path, line, reason: reason.to_string() }
    }
}

/// The items of a line, separated only by ASCII spaces, because words may contain other spaces.
pub fn items(line: &str) -> impl Iterator<Item = &str> + Clone {
    line.split(' ').filter(|item| !item.is_empty())
}

/// The words of a sentence, without its end marks, if it has any.
pub fn unmarked(line: &str) -> Vec<String> {
    let mut words: Vec<String> = items(line).map(str::to_owned).collect();
    words.pop_if(|word| word == "</s>");
    if words.first().is_some_and(|word| word == "<s>") {
        words.remove(0);
    }
    words
}

#[cfg(test)]
mod tests;
