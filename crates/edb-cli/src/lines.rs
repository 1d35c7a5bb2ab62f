//! Graphs as lines of JSON.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use edb::Element;
use edb::graph::GraphRecord;
use edb::prelude::*;

use crate::work::Result;

/// The longest line, since a line is read as a whole.
const MAX_LINE_BYTES: u64 = 256 << 20;

/// The graph of a line.
pub(crate) fn graph<T: Element>(
    model: &Model<T>,
    text: &str,
) -> std::result::Result<Graph<T>, String> {
    // Some programs write a mark at the beginning of a file.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let record: GraphRecord = serde_json::from_str(text)
        // Which line it is, the caller says.
        .map_err(|error| error.to_string().replace(" at line 1 column ", " at column "))?;
    model.graph_from_record(&record).map_err(|error| error.to_string())
}

/// The error of a file, with its name.
pub(crate) fn named(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Refuses to write to a file that is read.
pub(crate) fn check_not_read(output: &Path, read: [&Path; 2]) -> Result<()> {
    let own = output.canonicalize().ok();
    match own.is_some() && read.iter().any(|path| own == path.canonicalize().ok()) {
        true => Err(format!("{} is read: write to another file", output.display()).into()),
        false => Ok(()),
    }
}

/// Lines of a file, of bounded length.
pub(crate) struct Lines {
    path: PathBuf,
    reader: Box<dyn BufRead>,
    /// The number of the line that was read last, from 1.
    pub(crate) number: usize,
}

impl Lines {
    pub(crate) fn new(path: &Path) -> Result<Self> {
        let reader: Box<dyn BufRead> = match path.to_str() {
            Some("-") => Box::new(BufReader::new(io::stdin())),
            _ => Box::new(BufReader::new(File::open(path).map_err(|error| named(path, &error))?)),
        };
        Ok(Self { path: path.to_owned(), reader, number: 0 })
    }

    /// The next line that is not blank, or what is wrong with it; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<std::result::Result<String, String>>> {
        loop {
            let mut line = Vec::new();
            let read = (&mut self.reader).take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line);
            let read = read.map_err(|error| named(&self.path, &error))?;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            if read as u64 > MAX_LINE_BYTES && !line.ends_with(b"\n") {
                self.skip_line()?;
                return Ok(Some(Err(format!("it is longer than {MAX_LINE_BYTES} bytes"))));
            }
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            return Ok(Some(String::from_utf8(line).map_err(|_| "it is no UTF-8".to_owned())));
        }
    }

    /// Passes the rest of a line.
    fn skip_line(&mut self) -> Result<()> {
        loop {
            let buffer = self.reader.fill_buf().map_err(|error| named(&self.path, &error))?;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let passed = end.map_or(buffer.len(), |end| end + 1);
            let is_done = end.is_some() || buffer.is_empty();
            self.reader.consume(passed);
            if is_done {
                return Ok(());
            }
        }
    }
}
