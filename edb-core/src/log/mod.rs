//! Logs of scalars of a training run, step by step.
//!
//! | log | format |
//! | --- | --- |
//! | [`CsvLog`] | comma-separated values, one column for each name |
//! | [`JsonLog`] | JSON, one line for each step |
//! | [`TensorBoardLog`] | event files of TensorBoard |
//!
//! ```
//! use edb_core::log::{JsonLog, Log};
//!
//! let mut lines = Vec::new();
//! let mut log = JsonLog::new(&mut lines);
//! log.write(7, &[("loss", 0.25), ("rate", 1e-3)])?;
//! drop(log);
//! assert_eq!(lines, b"{\"step\":7,\"loss\":0.25,\"rate\":0.001}\n");
//! # Ok::<(), std::io::Error>(())
//! ```

mod tensor_board;

use std::io::{self, Write};

pub use tensor_board::TensorBoardLog;

/// Logs scalars of steps.
pub trait Log {
    /// Writes named scalars of a step. Output may be buffered until the log is flushed or dropped.
    ///
    /// # Errors
    /// When the file cannot be written, or the names do not suit its format.
    fn write(&mut self, step: u64, numbers: &[(&str, f64)]) -> io::Result<()>;

    /// Writes everything that is buffered.
    ///
    /// # Errors
    /// When the file cannot be written.
    fn flush(&mut self) -> io::Result<()>;
}

/// Comma-separated values: a header of names, then one line for each step.
#[derive(Debug)]
pub struct CsvLog<W: Write> {
    file: W,
    columns: Vec<String>,
}

impl<W: Write> CsvLog<W> {
    /// Writes to this file.
    pub fn new(file: W) -> Self {
        Self { file, columns: Vec::new() }
    }
}

impl<W: Write> Log for CsvLog<W> {
    /// The names must be those of the first call, in their order.
    fn write(&mut self, step: u64, numbers: &[(&str, f64)]) -> io::Result<()> {
        if self.columns.is_empty() {
            self.columns = numbers.iter().map(|(name, _)| (*name).to_owned()).collect();
            let names: Vec<String> = self.columns.iter().map(|name| quoted(name)).collect();
            writeln!(self.file, "step,{}", names.join(","))?;
        }
        if !self.columns.iter().eq(numbers.iter().map(|(name, _)| name)) {
            let names: Vec<&str> = numbers.iter().map(|(name, _)| *name).collect();
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("the columns are {:?}, not {names:?}", self.columns),
            ));
        }
        let numbers: Vec<String> = numbers.iter().map(|(_, number)| number.to_string()).collect();
        writeln!(self.file, "{step},{}", numbers.join(","))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A name, quoted as RFC 4180 requires.
fn quoted(name: &str) -> String {
    match name.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    }
}

/// One JSON object for each step, each on a line, with the names in the order given. Infinite and
/// NaN values are `null`.
#[derive(Debug)]
pub struct JsonLog<W: Write> {
    file: W,
}

impl<W: Write> JsonLog<W> {
    /// Writes to this file.
    pub fn new(file: W) -> Self {
        Self { file }
    }
}

impl<W: Write> Log for JsonLog<W> {
    fn write(&mut self, step: u64, numbers: &[(&str, f64)]) -> io::Result<()> {
        let mut line = format!("{{\"step\":{step}");
        for (name, number) in numbers {
            let (name, number) = (serde_json::to_string(name)?, serde_json::to_string(number)?);
            line.push_str(&format!(",{name}:{number}"));
        }
        writeln!(self.file, "{line}}}")
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
        assert_eq!(error, r#"the columns are ["loss", "f1, \"micro\""], not ["loss"]"#);
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text, "step,loss,\"f1, \"\"micro\"\"\"\n1,0.5,NaN\n2,0.1,0.000000001\n");
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
