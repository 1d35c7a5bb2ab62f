//! Checkpoints: the whole state of a training run, in folders that appear at once or not at all.

mod error;
mod folder;
mod record;
mod state;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use error::CheckpointError;

use super::Trainer;
use crate::element::Element;
use crate::trace::TARGET;
use folder::Unfinished;

/// The checkpoints of one training run, in one folder.
///
/// A checkpoint holds everything that the next step depends on: parameters, the optimiser's state and
/// learning rate, step, plateau, moving averages, the loss scale (where a device has one), the seed of
/// the draws, the policy that was learned, and what the program [notes](Notes) beside them, such as the
/// [position](crate::feed::Position) of its loader. A run that is resumed from it by a program with the
/// same settings continues bit for bit.
///
/// ```text
/// run/step-0000001200/model.safetensors        parameters: `Model::load` reads them
///                     optimizer.safetensors    `phrase.u/first`, ..
///                     averages.safetensors     where there are moving averages
///                     policy.json              where one was learned: `Policy::load` reads it
///                     training.json            everything else
/// ```
///
/// A checkpoint is written into a hidden folder, forced to disk, and then renamed: a process that is
/// killed, or a disk that is full, leaves the checkpoints before as they were. Only then are older
/// ones removed, and what an earlier process has left unfinished. One run writes to a folder at a
/// time.
///
/// ```no_run
/// # use edb_core::{model::Model, trainer::{CheckpointError, Checkpoints, Notes, Trainer}};
/// # fn run(mut trainer: Trainer) -> Result<(), CheckpointError> {
/// let checkpoints = Checkpoints::new("run").keep_latest(2).keep_highest(3);
/// if let Some(notes) = checkpoints.resume(&mut trainer)? {
///     println!("from step {}, best accuracy {:?}", trainer.steps(), notes.get::<f64>("best"));
/// }
/// // .. some steps, and a score ..
/// checkpoints.save(&trainer, &Notes::new().score(0.91).with("best", &0.91))?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    latest: usize,
    best: usize,
    higher: bool,
}

/// What a program keeps with a checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    score: Option<f64>,
    values: BTreeMap<String, serde_json::Value>,
}

impl Notes {
    /// Nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// How good the model is: what the best checkpoints are chosen by.
    #[must_use]
    pub fn score(mut self, score: f64) -> Self {
        self.score = Some(score);
        self
    }

    /// Keeps a value under a name. One that has no form in JSON (a map whose keys are no strings) is
    /// kept as nothing.
    #[must_use]
    pub fn with(mut self, name: &str, value: &impl Serialize) -> Self {
        let value = serde_json::to_value(value).unwrap_or_default();
        self.values.insert(name.to_owned(), value);
        self
    }

    /// A value that was kept under a name; `None` if there is none, or none of this type.
    pub fn get<V: DeserializeOwned>(&self, name: &str) -> Option<V> {
        V::deserialize(self.values.get(name)?).ok()
    }
}

/// A checkpoint in a folder.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Checkpoint {
    /// Its folder.
    pub path: PathBuf,
    /// How many steps had been taken.
    pub step: u64,
    /// How good the model was.
    pub score: Option<f64>,
}

impl Checkpoints {
    /// The checkpoints in this folder, which need not exist: the latest is kept.
    pub fn new(folder: impl AsRef<Path>) -> Self {
        Self { folder: folder.as_ref().to_owned(), latest: 1, best: 0, higher: true }
    }

    /// Keeps so many of the latest, at least 1.
    #[must_use]
    pub fn keep_latest(mut self, count: usize) -> Self {
        self.latest = count.max(1);
        self
    }

    /// Keeps also those with the highest scores, so many.
    #[must_use]
    pub fn keep_highest(mut self, count: usize) -> Self {
        (self.best, self.higher) = (count, true);
        self
    }

    /// Keeps also those with the lowest scores, so many.
    #[must_use]
    pub fn keep_lowest(mut self, count: usize) -> Self {
        (self.best, self.higher) = (count, false);
        self
    }

    /// Writes a checkpoint, then removes those that are not to be kept. Returns its folder.
    ///
    /// # Errors
    /// When something cannot be written: the checkpoints before are then as they were. When one that
    /// is not kept cannot be removed; the new one is there then.
    pub fn save<T: Element>(
        &self,
        trainer: &Trainer<T>,
        notes: &Notes,
    ) -> Result<PathBuf, CheckpointError> {
        let _span = tracing::info_span!(target: TARGET, "save").entered();
        fs::create_dir_all(&self.folder).map_err(CheckpointError::io(&self.folder))?;
        folder::remove_unfinished(&self.folder)?;
        let unfinished = Unfinished::create(&self.folder)?;
        state::write(trainer, notes, unfinished.path())?;
        let path = unfinished.finish(trainer.steps())?;
        let step = trainer.steps();
        tracing::info!(target: TARGET, step, path = %path.display(), "a checkpoint was saved");
        self.prune()?;
        Ok(path)
    }

    /// The checkpoints, the earliest first.
    ///
    /// # Errors
    /// When the folder cannot be read, or a checkpoint in it.
    pub fn list(&self) -> Result<Vec<Checkpoint>, CheckpointError> {
        let mut checkpoints = Vec::new();
        for path in folder::finished(&self.folder)? {
            let record = record::read(&path)?;
            checkpoints.push(Checkpoint { path, step: record.step, score: record.notes.score });
        }
        Ok(checkpoints)
    }

    /// The latest checkpoint; `None` if there is none.
    ///
    /// # Errors
    /// As [`list`](Self::list).
    pub fn latest(&self) -> Result<Option<Checkpoint>, CheckpointError> {
        Ok(self.list()?.pop())
    }

    /// The checkpoint with the best score, the earlier of equal ones; `None` if none has a score.
    ///
    /// # Errors
    /// As [`list`](Self::list).
    pub fn best(&self) -> Result<Option<Checkpoint>, CheckpointError> {
        let checkpoints = self.list()?;
        Ok(self.ranked(&checkpoints).first().map(|best| (*best).clone()))
    }

    /// The checkpoints that have a score, the best first.
    fn ranked<'a>(&self, checkpoints: &'a [Checkpoint]) -> Vec<&'a Checkpoint> {
        let scored =
            checkpoints.iter().filter_map(|checkpoint| Some((checkpoint.score?, checkpoint)));
        let mut ranked: Vec<(f64, &Checkpoint)> = scored.collect();
        // Stable: of equal ones, the earlier stays first.
        ranked.sort_by(|(a, _), (b, _)| if self.higher { b.total_cmp(a) } else { a.total_cmp(b) });
        ranked.into_iter().map(|(_, checkpoint)| checkpoint).collect()
    }

    fn prune(&self) -> Result<(), CheckpointError> {
        let checkpoints = self.list()?;
        let latest = checkpoints.iter().rev().take(self.latest);
        let ranked = self.ranked(&checkpoints);
        let kept: Vec<&Checkpoint> = latest.chain(ranked.into_iter().take(self.best)).collect();
        let gone = checkpoints.iter().filter(|checkpoint| !kept.contains(checkpoint));
        gone.into_iter().try_for_each(|checkpoint| folder::remove(&checkpoint.path))
    }

    /// Continues the run from its latest checkpoint: sets everything that it holds, and returns its
    /// notes; `None`, and nothing changes, if there is no checkpoint.
    ///
    /// The trainer must have been made with the settings of the one that was saved: model, optimiser,
    /// groups, clipping, schedule, threads as wanted, policy as asked for.
    ///
    /// # Errors
    /// When the checkpoint cannot be read, or is of another model or trainer: all differences are
    /// named, by function, dimension, op and parameter. Nothing has changed then.
    pub fn resume<T: Element>(
        &self,
        trainer: &mut Trainer<T>,
    ) -> Result<Option<Notes>, CheckpointError> {
        match folder::finished(&self.folder)?.pop() {
            Some(latest) => Self::resume_from(&latest, trainer).map(Some),
            None => Ok(None),
        }
    }

    /// As [`resume`](Self::resume), from the checkpoint in this folder.
    ///
    /// # Errors
    /// As [`resume`](Self::resume).
    pub fn resume_from<T: Element>(
        path: impl AsRef<Path>,
        trainer: &mut Trainer<T>,
    ) -> Result<Notes, CheckpointError> {
        let _span = tracing::info_span!(target: TARGET, "resume").entered();
        let notes = state::read(path.as_ref(), trainer)?;
        let step = trainer.steps();
        tracing::info!(target: TARGET, step, path = %path.as_ref().display(), "a run continues");
        Ok(notes)
    }
}
