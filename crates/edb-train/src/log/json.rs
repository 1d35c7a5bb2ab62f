//! Lines of JSON.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::error::LogError;
use super::flushed::FlushedByClock;
use super::held::Held;
use super::lines::{Format, Kept, Line, go_on};
use super::{Log, check_names, check_order};

/// How lines begin: with a space, which JSON permits, and which no other program has there and nowhere else.
const MARK: &str = "{ \"step\":";
const UNMARKED: &str = "{\"step\":";

/// One JSON object for each step, each on a line, with the names in the order given. Infinite and
/// NaN values are `null`.
///
/// ```
/// # extern crate edb_train as edb;
/// use edb::log::{JsonLog, Log};
///
/// let mut lines = Vec::new();
/// let mut log = JsonLog::new(&mut lines);
/// log.write(7, &[("loss", 0.25), ("rate", 1e-3)])?;
/// drop(log);
/// assert_eq!(lines, b"{ \"step\":7,\"loss\":0.25,\"rate\":0.001}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct JsonLog<W: Write = BufWriter<File>> {
    file: FlushedByClock<W>,
    last: Option<u64>,
    /// Dropped behind the file, which is written then.
    _held: Option<Held>,
}

impl JsonLog {
    /// Opens the file, which need not exist, after the lines of the first `steps` steps.
    ///
    /// # Errors
    /// When the file cannot be read or written, another log has it open, edb did not write it, or it is
    /// damaged; it is unchanged then.
    pub fn open(path: impl AsRef<Path>, steps: u64) -> io::Result<Self> {
        let Kept { file, held, last } = go_on(path.as_ref(), steps, &mut Objects)?;
        Ok(Self { file: FlushedByClock::new(file), last, _held: Some(held) })
    }
}

impl JsonLog {
    /// Reads a log: for each name, the step and the number of each line that has it. A last line that was not written
    /// to its end is left out. Numbers that were infinite or NaN are NaN.
    ///
    /// # Errors
    /// When the file cannot be read, or a line is no JSON object of a step and numbers.
    pub fn read(path: impl AsRef<Path>) -> io::Result<BTreeMap<String, Vec<(u64, f64)>>> {
        let path = path.as_ref();
        let unread = |error| LogError::Unread { path: path.to_owned(), error };
        let mut lines = BufReader::new(File::open(path).map_err(unread)?);
        let (mut curves, mut bytes) = (BTreeMap::<String, Vec<_>>::new(), Vec::new());
        for number in 1.. {
            bytes.clear();
            lines.read_until(b'\n', &mut bytes).map_err(unread)?;
            let Some(line) = bytes.strip_suffix(b"\n") else { break };
            let Object { step, numbers } = serde_json::from_slice(line).map_err(|error| {
                let reason = format!("line {number}: {error}");
                LogError::Damaged { path: path.to_owned(), reason }
            })?;
            for (name, value) in numbers {
                curves.entry(name).or_default().push((step, value));
            }
        }
        Ok(curves)
    }
}

impl<W: Write> JsonLog<W> {
    /// Writes to this file.
    pub fn new(file: W) -> Self {
        Self { file: FlushedByClock::new(file), last: None, _held: None }
    }
}

impl<W: Write> Log for JsonLog<W> {
    /// No two names are the same, and none is `step`.
    fn write(&mut self, step: u64, numbers: &[(&str, f64)]) -> io::Result<()> {
        check_names(numbers.iter().map(|(name, _)| *name), Some("step"))?;
        check_order(&mut self.last, step)?;
        let text = text(MARK, step, numbers.iter().copied())? + "\n";
        // All at once, so that no half of it is written where there is no room for the rest.
        self.file.write_all(text.as_bytes())?;
        self.file.written()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A line, without its line break.
fn text<'a>(
    begins: &str,
    step: u64,
    numbers: impl Iterator<Item = (&'a str, f64)>,
) -> io::Result<String> {
    let mut line = format!("{begins}{step}");
    for (name, number) in numbers {
        let (name, number) = (serde_json::to_string(name)?, serde_json::to_string(&number)?);
        line.push_str(&format!(",{name}:{number}"));
    }
    Ok(line + "}")
}

/// What a line has in it.
struct Object {
    step: u64,
    numbers: Vec<(String, f64)>,
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Not a map, which would have another order.
        deserializer.deserialize_map(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Object;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a step and numbers")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
        let step = match map.next_entry::<String, u64>()? {
            Some((name, step)) if name == "step" => step,
            _ => return Err(A::Error::custom("the step is not the first")),
        };
        let mut numbers = Vec::new();
        while let Some((name, number)) = map.next_entry::<String, Option<f64>>()? {
            if name == "step" {
                return Err(A::Error::custom("it has two steps"));
            }
            numbers.push((name, number.unwrap_or(f64::NAN)));
        }
        Ok(Object { step, numbers })
    }
}

struct Objects;

impl Format for Objects {
    const MARK: &str = MARK;
    const UNMARKED: &str = UNMARKED;

    fn line(&mut self, line: &str) -> Option<Line> {
        let Object { step, numbers } = serde_json::from_str(line).ok()?;
        let mark = [MARK, UNMARKED].into_iter().find(|mark| line.starts_with(mark))?;
        let numbers = numbers.iter().map(|(name, number)| (name.as_str(), *number));
        (text(mark, step, numbers).ok()? == line).then_some(Line::OfStep(step))
    }

    fn begins(&self, bytes: &[u8]) -> bool {
        let is_begun = |mark: &str| {
            let mark = mark.as_bytes();
            bytes.starts_with(mark) || mark.starts_with(bytes)
        };
        let ends_too_early = match serde_json::from_slice::<Object>(bytes) {
            Ok(_) => str::from_utf8(bytes).is_ok_and(|line| Self.line(line).is_some()),
            Err(error) => error.is_eof(),
        };
        [MARK, UNMARKED].into_iter().any(is_begun) && ends_too_early
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Found by fuzzing: readers of JSON take the last of two steps, and edb took the first.
    #[test]
    fn a_line_has_one_step() {
        assert!(Objects.line(r#"{ "step":9,"loss":0.5}"#).is_some());
        assert!(Objects.line(r#"{ "step":9,"step":0.5}"#).is_none());
        let error = serde_json::from_str::<Object>(r#"{"step":9,"step":8}"#).err().unwrap();
        assert!(error.to_string().contains("it has two steps"), "{error}");
    }
}
