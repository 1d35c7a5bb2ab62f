//! Checkpoints, which Rust resumes as Python does.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use edb::trainer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::Result;
use crate::held::{notes_from_python, notes_to_python};
use crate::number::each;
use crate::trainer::Trainer;

/// A folder of checkpoints: all that the next step depends on, saved whole or not at all.
#[pyclass(frozen, module = "edb")]
#[derive(Debug)]
pub(crate) struct Checkpoints(trainer::Checkpoints);

#[pymethods]
impl Checkpoints {
    /// Of those in the folder, keeps so many of the latest, and of those with the lowest, or the highest, scores.
    #[new]
    #[pyo3(signature = (folder, *, keep_latest = None, keep_lowest = None, keep_highest = None))]
    fn new(
        folder: PathBuf,
        keep_latest: Option<NonZeroUsize>,
        keep_lowest: Option<usize>,
        keep_highest: Option<usize>,
    ) -> Result<Self> {
        if keep_lowest.is_some() && keep_highest.is_some() {
            let text = "keep_lowest and keep_highest exclude each other: a score is better one way";
            return Err(PyValueError::new_err(text).into());
        }
        let mut checkpoints = trainer::Checkpoints::new(folder);
        if let Some(count) = keep_latest {
            checkpoints = checkpoints.keep_latest(count.get());
        }
        if let Some(count) = keep_lowest {
            checkpoints = checkpoints.keep_lowest(count);
        }
        if let Some(count) = keep_highest {
            checkpoints = checkpoints.keep_highest(count);
        }
        Ok(Self(checkpoints))
    }

    /// Saves what a trainer has reached, with notes of the program and a score. Returns where.
    #[pyo3(signature = (trainer, *, notes = None, score = None))]
    fn save(
        &self,
        py: Python<'_>,
        trainer: PyRef<'_, Trainer>,
        notes: Option<&Bound<'_, PyDict>>,
        score: Option<f64>,
    ) -> Result<PathBuf> {
        let notes = notes.map(notes_from_python).transpose()?.unwrap_or_default();
        let notes = match score {
            Some(score) if !score.is_finite() => {
                return Err(PyValueError::new_err(format!(
                    "the score is {score}: it must be finite"
                ))
                .into());
            }
            Some(score) => notes.score(score),
            None => notes,
        };
        each!(&trainer.0, training => {
            Ok(training.with(py, |trainer| Ok(self.0.save(trainer, &notes)?))?.path)
        })
    }

    /// Continues from the latest checkpoint that is whole. Returns its notes, or `None` if there is no checkpoint.
    fn resume<'py>(
        &self,
        py: Python<'py>,
        trainer: PyRef<'_, Trainer>,
    ) -> Result<Option<Bound<'py, PyDict>>> {
        each!(&trainer.0, training => {
            let resumed = training.with(py, |trainer| Ok(self.0.resume(trainer)?))?;
            resumed.map(|resumed| notes_to_python(py, &resumed.notes)).transpose()
        })
    }

    /// The paths of all checkpoints, from the earliest.
    fn list(&self) -> Result<Vec<PathBuf>> {
        Ok(self.0.list()?.into_iter().map(|checkpoint| checkpoint.path).collect())
    }
}
