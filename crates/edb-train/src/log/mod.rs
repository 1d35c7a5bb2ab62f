//! Logs of scalars of a training run, step by step.
//!
//! | log | format |
//! | --- | --- |
//! | [`CsvLog`] | comma-separated values, one column for each name |
//! | [`JsonLog`] | JSON, one line for each step |
//! | [`TensorBoardLog`] | event files of TensorBoard |
//!
//! Each is opened with the number of steps that have been taken, 0 or those of the checkpoint from
//! which a run goes on. Of what the log has from before, these steps stay, and later ones, which are
//! going to be taken again, are removed. So it has each step once, however often the run was
//! stopped.
//!
//! ```no_run
//! # mod edb { pub use edb_core::{*, graph::Graph, model::Model}; pub use edb_train::{*, trainer::Trainer}; }
//! # fn run(trainer: edb::Trainer) -> std::io::Result<()> {
//! use edb::log::{CsvLog, Log};
//!
//! let mut log = CsvLog::open("log.csv", trainer.steps())?;
//! log.write(trainer.steps() + 1, &[("loss", 0.25), ("rate", 1e-3)])?;
//! log.flush()?; // before a checkpoint is saved
//! # Ok(())
//! # }
//! ```

mod flushed;
mod lines;
mod tensor_board;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Map, Value};

use flushed::FlushedByClock;
use lines::go_on;
pub use tensor_board::TensorBoardLog;

/// Logs scalars of steps.
pub trait Log {
    /// Writes named scalars of a step, whose number is not less than those before. What has been
    /// written is in the file after a second at the latest when more is, and when the log is flushed
    /// or dropped.
    ///
    /// # Errors
    /// When the file cannot be written, or the names do not suit its format.
    fn write(&mut self, step: u64, numbers: &[(&str, f64)]) -> io::Result<()>;

    /// Writes everything that is buffered: do so before each checkpoint, so that a run that goes on
    /// from it finds all of its steps.
    ///
    /// # Errors
    /// When the file cannot be written.
    fn flush(&mut self) -> io::Result<()>;
}

/// Comma-separated values: a heading of names, then one line for each step.
#[derive(Debug)]
pub struct CsvLog<W: Write = BufWriter<File>> {
    file: FlushedByClock<W>,
    heading: String,
}

impl CsvLog {
    /// Opens the file, which need not exist, behind the lines of the first `steps` steps.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is no such log; it is unchanged then.
    pub fn open(path: impl AsRef<Path>, steps: u64) -> io::Result<Self> {
        let mut heading = String::new();
        let file = go_on(path.as_ref(), |line| {
            let (step, _) = line.split_once(',')?;
            if heading.is_empty() {
                heading.push_str(line.trim_end());
                return (step == "step").then_some(true);
            }
            Some(step.parse::<u64>().ok()? <= steps)
        })?;
        Ok(Self { file: FlushedByClock::new(file), heading })
    }
}

impl<W: Write> CsvLog<W> {
    /// Writes to this file, which is empty.
    pub fn new(file: W) -> Self {
        Self { file: FlushedByClock::new(file), heading: String::new() }
    }
}

impl<W: Write> Log for CsvLog<W> {
    /// The names must be those of the first call, in their order, and have no line break.
    fn write(&mut self, step: u64, numbers: &[(&str, f64)]) -> io::Result<()> {
        let wrong = |text| Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        if let Some((name, _)) = numbers.iter().find(|(name, _)| name.contains(['\n', '\r'])) {
            return wrong(format!("the name {name:?} has a line break"));
        }
        let names: Vec<String> = numbers.iter().map(|(name, _)| quoted(name)).collect();
        let heading = format!("step,{}", names.join(","));
        if self.heading.is_empty() {
            writeln!(self.file, "{heading}")?;
            self.heading = heading;
        } else if self.heading != heading {
            return wrong(format!("the columns are `{}`, not `{heading}`", self.heading));
        }
        let numbers: Vec<String> = numbers.iter().map(|(_, number)| number.to_string()).collect();
        writeln!(self.file, "{step},{}", numbers.join(","))?;
        self.file.written()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A name, quoted as RFC 4180 requires.
fn quoted(name: &str) -> String {
    match name.contains([',', '"']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    }
}

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
/// assert_eq!(lines, b"{\"step\":7,\"loss\":0.25,\"rate\":0.001}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct JsonLog<W: Write = BufWriter<File>> {
    file: FlushedByClock<W>,
}

impl JsonLog {
    /// Opens the file, which need not exist, behind the lines of the first `steps` steps.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is no such log; it is unchanged then.
    pub fn open(path: impl AsRef<Path>, steps: u64) -> io::Result<Self> {
        // Not a type with this field, which would be read from `[3]`, too.
        type Line = Map<String, Value>;
        let step = |line: &str| serde_json::from_str::<Line>(line).ok()?.get("step")?.as_u64();
        Ok(Self::new(go_on(path.as_ref(), |line| Some(step(line)? <= steps))?))
    }
}

impl<W: Write> JsonLog<W> {
    /// Writes to this file.
    pub fn new(file: W) -> Self {
        Self { file: FlushedByClock::new(file) }
    }
}

impl<W: Write> Log for JsonLog<W> {
    fn write(&mut self, step: u64, numbers: &[(&str, f64)]) -> io::Result<()> {
        let mut line = format!("{{\"step\":{step}");
        for (name, number) in numbers {
            let (name, number) = (serde_json::to_string(name)?, serde_json::to_string(number)?);
            line.push_str(&format!(",{name}:{number}"));
        }
        writeln!(self.file, "{line}}}")?;
        self.file.written()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_those_of_the_first_line() {
        let mut bytes = Vec::new();
        let mut log = CsvLog::new(&mut bytes);
        log.write(1, &[("loss", 0.5), ("f1, \"micro\"", f64::NAN)]).unwrap();
        log.write(2, &[("loss", 0.1), ("f1, \"micro\"", 1e-9)]).unwrap();
        let error = log.write(3, &[("loss", 0.1)]).unwrap_err().to_string();
        assert_eq!(error, r#"the columns are `step,loss,"f1, ""micro"""`, not `step,loss`"#);
        let error = CsvLog::new(Vec::new()).write(1, &[("a\nb", 0.1)]).unwrap_err().to_string();
        assert_eq!(error, r#"the name "a\nb" has a line break"#);
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text, "step,loss,\"f1, \"\"micro\"\"\"\n1,0.5,NaN\n2,0.1,0.000000001\n");
    }

    /// Logs steps from one on, as a run does that goes on there and is killed before its log is
    /// closed.
    fn run(mut log: impl Log, steps: std::ops::Range<u64>, rate: f64) {
        for step in steps {
            log.write(step + 1, &[("loss", step as f64), ("a \"b\", c", rate)]).unwrap();
        }
        log.flush().unwrap();
    }

    /// Fault D1: what a run logged after its last checkpoint was logged twice when it went on from
    /// there, below a second heading, or all before it was lost.
    #[test]
    fn a_run_that_goes_on_has_each_step_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let text = || std::fs::read_to_string(&path).unwrap();

        run(CsvLog::open(&path, 0).unwrap(), 0..5, 0.5);
        run(CsvLog::open(&path, 3).unwrap(), 3..6, 0.25);
        let heading = "step,loss,\"a \"\"b\"\", c\"\n";
        let rows = "1,0,0.5\n2,1,0.5\n3,2,0.5\n4,3,0.25\n5,4,0.25\n6,5,0.25\n";
        assert_eq!(text(), format!("{heading}{rows}"));
        // A line that was not written to its end is of a step that is taken again.
        std::fs::write(&path, text() + "7,6").unwrap();
        run(CsvLog::open(&path, 6).unwrap(), 6..7, 0.25);
        assert_eq!(text(), format!("{heading}{rows}7,6,0.25\n"));
        let error = CsvLog::open(&path, 7).unwrap().write(8, &[("loss", 1.0)]).unwrap_err();
        assert!(error.to_string().ends_with("not `step,loss`"), "{error}");
        // A run that begins anew; one that was killed within its heading.
        for _ in 0..2 {
            run(CsvLog::open(&path, 0).unwrap(), 0..1, 0.5);
            assert_eq!(text(), format!("{heading}1,0,0.5\n"));
            std::fs::write(&path, "step,loss,\"a \"").unwrap();
        }

        std::fs::remove_file(&path).unwrap();
        run(JsonLog::open(&path, 0).unwrap(), 0..5, 0.5);
        std::fs::write(&path, text() + "{\"step\":").unwrap();
        run(JsonLog::open(&path, 3).unwrap(), 3..6, f64::NAN);
        let steps: Vec<u64> = (text().lines())
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
            .map(|line| line["step"].as_u64().unwrap())
            .collect();
        assert_eq!(steps, [1, 2, 3, 4, 5, 6]);
    }

    /// Nothing is removed from a file that is something else.
    #[test]
    fn other_files_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.csv");
        for (text, line) in [("name,age\na,1\n", 1), ("step,age\n1,2\nb,1\n", 3), ("step,a\n\n", 2)]
        {
            std::fs::write(&path, text).unwrap();
            let error = CsvLog::open(&path, 100).unwrap_err().to_string();
            let expected = "is of no step, so that this is no log to go on with";
            assert_eq!(error, format!("{}: line {line} {expected}", path.display()));
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        for text in ["step,a\n\n", "[3]\n[5]\n", "{\"step\":-1}\n"] {
            std::fs::write(&path, text).unwrap();
            let error = JsonLog::open(&path, 4).unwrap_err().to_string();
            assert!(error.contains("line 1 is of no step"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        assert!(CsvLog::open(folder.path().join("none/log.csv"), 0).is_err());
    }

    /// Fault D1: nothing was in the file until the log was flushed.
    #[test]
    fn what_is_written_can_be_read_soon() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut log = JsonLog::open(&path, 0).unwrap();
        for step in 1..3 {
            std::thread::sleep(std::time::Duration::from_millis(1_001));
            log.write(step, &[("loss", 0.5)]).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count() as u64, step);
        }
    }

    #[test]
    fn lines_are_json() {
        let mut bytes = Vec::new();
        let mut log = JsonLog::new(&mut bytes);
        log.write(1, &[("a\"b", 0.1), ("nan", f64::NAN)]).unwrap();
        log.flush().unwrap();
        let line: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(line, serde_json::json!({ "step": 1, "a\"b": 0.1, "nan": null }));
    }
}
