//! Logs of scalars of a training run, step by step: of what a program passes. What edb itself measures is a
//! `StepReport`.
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
//! Nothing else is ever removed from a file, but a last line that was not written to its end. A log begins with
//! a mark that says that edb wrote it, which readers of its format do not see: in CSV the first name is in quotes,
//! `"step"`; in JSON the first brace has a space behind it; an event file names its writer. A file without the
//! mark is an error, unless all of it is as earlier versions of edb wrote it, and all its lines are of steps that
//! have been taken. Nothing is removed from such a file. A damaged line is an error, too, and so is a file that
//! another log has open. An error leaves the file unchanged.
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

mod csv;
mod error;
mod events;
mod flushed;
mod held;
mod json;
mod lines;
mod tensor_board;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::io;

pub use csv::CsvLog;
use error::LogError;
pub use json::JsonLog;
pub use tensor_board::TensorBoardLog;

/// Logs scalars of steps.
pub trait Log {
    /// Writes named scalars of a step, whose number is not less than those before. What has been
    /// written is in the file after a second at the latest when more is, and when the log is flushed
    /// or dropped.
    ///
    /// # Errors
    /// When the file cannot be written, the step is less than the last one, or the names do not suit the
    /// format: such a log could not be gone on with.
    fn write(&mut self, step: u64, numbers: &[(&str, f64)]) -> io::Result<()>;

    /// Writes everything that is buffered: do so before each checkpoint, so that a run that goes on
    /// from it finds all of its steps.
    ///
    /// # Errors
    /// When the file cannot be written.
    fn flush(&mut self) -> io::Result<()>;
}

/// Checks that a step is not before the last one, and makes it the last.
fn check_order(last: &mut Option<u64>, step: u64) -> Result<(), LogError> {
    match *last {
        Some(last) if step < last => Err(LogError::Order { step, last }),
        _ => {
            *last = Some(step);
            Ok(())
        }
    }
}

/// Checks that no two names are the same, and none is that of the steps, if these have one.
fn check_names<'a>(
    names: impl Iterator<Item = &'a str>,
    of_steps: Option<&str>,
) -> Result<(), LogError> {
    let mut known = BTreeSet::new();
    for name in names {
        let own = || name.to_owned();
        if of_steps == Some(name) {
            return Err(LogError::Step { name: own() });
        }
        if !known.insert(name) {
            return Err(LogError::Twice { name: own() });
        }
    }
    Ok(())
}
