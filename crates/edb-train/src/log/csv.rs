//! Comma-separated values.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::error::LogError;
use super::flushed::FlushedByClock;
use super::held::Held;
use super::lines::{Format, Kept, Line, go_on};
use super::{Log, check_names, check_order};

/// The name of the first column, in quotes: readers of the format take them away, and no other program has them
/// there and not where they are needed.
const MARK: &str = "\"step\"";

/// Comma-separated values: a heading of names, then one line for each step.
#[derive(Debug)]
pub struct CsvLog<W: Write = BufWriter<File>> {
    file: FlushedByClock<W>,
    /// The names, if they are known.
    heading: Option<Heading>,
    last: Option<u64>,
    /// Dropped behind the file, which is written then.
    _held: Option<Held>,
}

impl CsvLog {
    /// Opens the file, which need not exist, after the lines of the first `steps` steps.
    ///
    /// # Errors
    /// When the file cannot be read or written, another log has it open, edb did not write it, or it is
    /// damaged; it is unchanged then.
    pub fn open(path: impl AsRef<Path>, steps: u64) -> io::Result<Self> {
        let mut format = Columns(None);
        let Kept { file, held, last } = go_on(path.as_ref(), steps, &mut format)?;
        Ok(Self { file: FlushedByClock::new(file), heading: format.0, last, _held: Some(held) })
    }
}

impl<W: Write> CsvLog<W> {
    /// Writes to this file, which is empty.
    pub fn new(file: W) -> Self {
        Self { file: FlushedByClock::new(file), heading: None, last: None, _held: None }
    }
}

impl<W: Write> Log for CsvLog<W> {
    /// The names must be those of the first call, in their order. They are not empty, have no line break, no
    /// space at either end, and none is `step`.
    fn write(&mut self, step: u64, numbers: &[(&str, f64)]) -> io::Result<()> {
        let heading = Heading::of(numbers.iter().map(|(name, _)| *name));
        let mut text = String::new();
        match &self.heading {
            Some(own) if own.text == heading.text => {}
            Some(own) => {
                let [columns, found] = [own, &heading].map(|of| format!("step{}", of.text));
                return Err(LogError::Columns { columns, found }.into());
            }
            None => {
                check(numbers.iter().map(|(name, _)| *name))?;
                text.push_str(&format!("{MARK}{}\n", heading.text));
            }
        }
        check_order(&mut self.last, step)?;
        text.push_str(&step.to_string());
        numbers.iter().for_each(|(_, number)| text.push_str(&format!(",{number}")));
        text.push('\n');
        // All at once, so that no half of it is written where there is no room for the rest.
        self.file.write_all(text.as_bytes())?;
        self.heading = Some(heading);
        self.file.written()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Checks that names can be read again.
fn check<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Result<(), LogError> {
    for name in names.clone() {
        let own = || name.to_owned();
        if name.is_empty() {
            return Err(LogError::Empty);
        }
        if name.contains(['\n', '\r']) {
            return Err(LogError::LineBreak { name: own() });
        }
        if name.trim() != name {
            return Err(LogError::Space { name: own() });
        }
    }
    check_names(names, Some("step"))
}

/// The names of the columns behind that of steps.
#[derive(Debug)]
struct Heading {
    /// As in the file, each behind a comma.
    text: String,
    count: usize,
}

impl Heading {
    fn of<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let (mut text, mut count) = (String::new(), 0);
        for name in names {
            text.push(',');
            // As RFC 4180 requires.
            match name.contains([',', '"']) {
                true => text.push_str(&format!("\"{}\"", name.replace('"', "\"\""))),
                false => text.push_str(name),
            }
            count += 1;
        }
        Self { text, count }
    }

    /// Reads the text of a heading; nothing if it is not as it is written.
    fn read(text: &str) -> Option<Self> {
        let (mut names, mut rest): (Vec<String>, _) = (Vec::new(), text);
        while !rest.is_empty() {
            rest = rest.strip_prefix(',')?;
            let mut name = String::new();
            if let Some(quoted) = rest.strip_prefix('"') {
                rest = quoted;
                loop {
                    let (part, behind) = rest.split_once('"')?;
                    name.push_str(part);
                    rest = behind;
                    match rest.strip_prefix('"') {
                        Some(behind) => (name, rest) = (name + "\"", behind),
                        None => break,
                    }
                }
            } else {
                let end = rest.find(',').unwrap_or(rest.len());
                let (plain, behind) = rest.split_at(end);
                (name, rest) = (plain.to_owned(), behind);
            }
            names.push(name);
        }
        let names = || names.iter().map(String::as_str);
        let heading = Self::of(names());
        (heading.text == text && check(names()).is_ok()).then_some(heading)
    }
}

/// A log of which some lines have been read, the heading first.
struct Columns(Option<Heading>);

impl Format for Columns {
    const MARK: &str = MARK;
    const UNMARKED: &str = "step";

    fn line(&mut self, line: &str) -> Option<Line> {
        let Some(heading) = &self.0 else {
            let names =
                [MARK, Self::UNMARKED].into_iter().find_map(|mark| line.strip_prefix(mark))?;
            self.0 = Some(Heading::read(names)?);
            return Some(Line::Heading);
        };
        let mut fields = line.split(',');
        let step = step(fields.next()?)?;
        let is_as_written = fields.clone().count() == heading.count && fields.all(is_number);
        is_as_written.then_some(Line::OfStep(step))
    }

    fn begins(&self, bytes: &[u8]) -> bool {
        let Some(heading) = &self.0 else {
            // Names may be anything.
            let marks = [MARK, Self::UNMARKED].into_iter();
            let mut names = marks.filter_map(|mark| bytes.strip_prefix(mark.as_bytes()));
            return names.any(|names| names.is_empty() || names.starts_with(b","));
        };
        let Ok(text) = str::from_utf8(bytes) else { return false };
        let fields: Vec<&str> = text.split(',').collect();
        match &fields[..] {
            [begun] => step(begun).is_some(),
            [of_step, numbers @ .., begun] => {
                numbers.len() < heading.count
                    && step(of_step).is_some()
                    && numbers.iter().all(|number| is_number(number))
                    && begins_number(begun)
            }
            [] => false,
        }
    }
}

/// A step as it is written.
fn step(text: &str) -> Option<u64> {
    text.parse().ok().filter(|step: &u64| step.to_string() == text)
}

/// Whether this is a number as it is written.
fn is_number(text: &str) -> bool {
    text.parse().is_ok_and(|number: f64| number.to_string() == text)
}

/// Whether a number may begin so.
fn begins_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || b"-.".contains(&byte))
        || ["NaN", "inf", "-inf"].iter().any(|name| name.starts_with(text))
}
