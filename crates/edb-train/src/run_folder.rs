//! The folder of a training run: everything with which a program that was stopped goes on.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::feed::{Loader, Position, PositionError};
use crate::log::{JsonLog, Log, TensorBoardLog};
use crate::trainer::{Checkpoint, CheckpointError, Checkpoints, Resumed, Trainer};
use edb_kernels::element::Element;
use edb_learn::learn::{EarlyStopping, LearnError, Notes};

/// The notes that a run keeps for itself in each checkpoint.
const LOADER: &str = "loader";
const STOPPING: &str = "early_stopping";

/// The folder of a training run: its checkpoints, its log, and the positions of its loader and its
/// [`EarlyStopping`]. A program that was stopped at any point opens the folder again, and the run takes the same steps as
/// if it had never been stopped, bit for bit.
///
/// ```text
/// runs/first/checkpoints/step-0000001200/..   see `Checkpoints`
///            log.jsonl                        what `log` was given, and the score of each epoch
///            events.out.tfevents.*            the same for TensorBoard, with `tensor_board`
/// ```
///
/// ```
/// # mod edb {
/// #     pub use edb_core::{*, graph::Graph, model::Model};
/// #     pub use edb_train::{feed, trainer::Trainer};
/// #     pub mod trainer { pub use edb_train::run_folder::*; }
/// # }
/// # use edb::{Graph, Model, Trainer};
/// use edb::feed::Loader;
/// use edb::learn::EarlyStopping;
/// use edb::trainer::RunFolder;
///
/// # fn accuracy(trainer: &mut Trainer) -> f64 { 0.5 }
/// # fn graphs(model: &Model, samples: Vec<usize>) -> Vec<Graph> { Vec::new() }
/// # fn train(mut trainer: Trainer) -> Result<(), Box<dyn std::error::Error>> {
/// let loader = Loader::new(1000, 32, 42); // 1000 samples, in minibatches of 32
/// let mut run = RunFolder::open("runs/first", &mut trainer, loader)?
///     .early_stopping(EarlyStopping::higher_is_better().patience(3))?;
/// while run.epochs() < 20 && !run.is_over() {
///     for samples in run.epoch() {
///         let step = trainer.step_graphs(&graphs(trainer.model(), samples))?;
///         run.log(&trainer, &[("loss", step.mean_loss())])?;
///     }
///     let accuracy = accuracy(&mut trainer);
///     run.finish_epoch(&trainer, accuracy)?; // saves a checkpoint
/// }
/// # Ok(())
/// # }
/// ```
///
/// If ranks train together ([`Trainer::distributed`]), all of them make the same calls, and rank 0 writes.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    checkpoints: Checkpoints,
    loader: Loader,
    stopping: Option<EarlyStopping>,
    /// The notes of the program, and those of the checkpoint from which the run goes on.
    notes: Notes,
    resumed: Option<Resumed>,
    /// How many steps had been taken when the folder was opened.
    steps: u64,
    /// Rank 0 writes the logs.
    log: Option<JsonLog>,
    events: Option<TensorBoardLog>,
}

/// Why a run could not be opened, logged or saved.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// A checkpoint could not be read or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A log could not be read or written.
    #[error(transparent)]
    Log(#[from] io::Error),
    /// The loader is not the one with which the run began.
    #[error("{}: {error}", checkpoint.display())]
    Loader {
        /// The checkpoint from which the run should go on.
        checkpoint: PathBuf,
        /// How the loaders differ.
        #[source]
        error: PositionError,
    },
    /// The checkpoint from which the run should go on has no notes of a run, or others.
    #[error("{}: {error}; another program saved it: give the run a folder of its own", checkpoint.display())]
    Notes {
        /// The checkpoint.
        checkpoint: PathBuf,
        /// Which note is wrong.
        #[source]
        error: LearnError,
    },
    /// In the checkpoint, higher scores are better, and here lower ones, or the other way round.
    #[error(
        "{}: the run began with a score that is better when it is {saved}, and now it should be better when it is \
         {}: give the other score a folder of its own",
        checkpoint.display(),
        match *saved { "higher" => "lower", _ => "higher" }
    )]
    Direction {
        /// The checkpoint.
        checkpoint: PathBuf,
        /// Which scores are better in it: `higher` or `lower`.
        saved: &'static str,
    },
    /// A note of the program has the name of one that the run keeps for itself.
    #[error("the run keeps a note `{name}` of its own: choose another name")]
    OwnNote {
        /// The name.
        name: String,
    },
}

edb_kernels::debug_is_display!(RunError);

impl RunFolder {
    /// Opens the folder of a run, which need not exist. If it has checkpoints, trainer and loader go on from the latest
    /// that is whole, and the log keeps the lines up to it.
    ///
    /// # Errors
    /// As [`Checkpoints::resume`]; when the loader has other samples, minibatches, buckets or another seed than the one
    /// that was saved; when the log cannot be read or written, or is not one that edb wrote.
    pub fn open<T: Element>(
        path: impl AsRef<Path>,
        trainer: &mut Trainer<T>,
        loader: Loader,
    ) -> Result<Self, RunError> {
        let checkpoints = Checkpoints::new(path.as_ref().join("checkpoints"));
        let resumed = checkpoints.resume(trainer)?;
        let writes = trainer.world().rank() == 0;
        Self::go_on(path.as_ref(), checkpoints, loader, resumed, (trainer.steps(), writes))
    }

    fn go_on(
        path: &Path,
        checkpoints: Checkpoints,
        mut loader: Loader,
        resumed: Option<Resumed>,
        (steps, writes): (u64, bool),
    ) -> Result<Self, RunError> {
        let mut notes = Notes::new();
        if let Some(Resumed { notes: saved, checkpoint, .. }) = &resumed {
            let checkpoint = || checkpoint.path.clone();
            let position: Position = saved
                .get(LOADER)
                .map_err(|error| RunError::Notes { checkpoint: checkpoint(), error })?;
            loader
                .resume(position)
                .map_err(|error| RunError::Loader { checkpoint: checkpoint(), error })?;
            notes = saved.clone();
        }
        let log = match writes {
            true => {
                edb_file::create_folder(path)?;
                Some(JsonLog::open(path.join("log.jsonl"), steps)?)
            }
            false => None,
        };
        let (path, stopping, events) = (path.to_owned(), None, None);
        Ok(Self { path, checkpoints, loader, stopping, notes, resumed, steps, log, events })
    }

    /// Keeps the latest `count` checkpoints, at least 1; by default only the last one. With
    /// [`early_stopping`](Self::early_stopping), the best one is kept in any case.
    #[must_use]
    pub fn keep_latest(mut self, count: usize) -> Self {
        self.checkpoints = self.checkpoints.keep_latest(count);
        self
    }

    /// Says which scores are better, and after how many scores without improvement the run [is over](Self::is_over).
    /// The checkpoint with the best score is kept. A run that was stopped goes on with the scores that it has had, and
    /// with the patience and the margin that are given here.
    ///
    /// # Errors
    /// When the run began with scores that are better the other way round, or the checkpoint's note is no
    /// `EarlyStopping`.
    pub fn early_stopping(mut self, mut stopping: EarlyStopping) -> Result<Self, RunError> {
        if let Some(Resumed { notes, checkpoint, .. }) = &self.resumed {
            let checkpoint = checkpoint.path.clone();
            match notes.get::<EarlyStopping>(STOPPING) {
                Ok(saved) if saved.is_higher_better() != stopping.is_higher_better() => {
                    let saved = if saved.is_higher_better() { "higher" } else { "lower" };
                    return Err(RunError::Direction { checkpoint, saved });
                }
                Ok(saved) => stopping.go_on_from(&saved),
                Err(LearnError::NoNote { .. }) => {}
                Err(error) => return Err(RunError::Notes { checkpoint, error }),
            }
        }
        self.checkpoints = match stopping.is_higher_better() {
            true => self.checkpoints.keep_highest(1),
            false => self.checkpoints.keep_lowest(1),
        };
        self.stopping = Some(stopping);
        Ok(self)
    }

    /// Also logs for TensorBoard, which shows the folders beside this one as runs to compare.
    ///
    /// # Errors
    /// As [`TensorBoardLog::open`].
    pub fn tensor_board(mut self) -> Result<Self, RunError> {
        if self.log.is_some() {
            self.events = Some(TensorBoardLog::open(&self.path, self.steps)?);
        }
        Ok(self)
    }

    /// The number of epochs completed.
    pub fn epochs(&self) -> u64 {
        self.loader.epochs()
    }

    /// Whether more scores in a row than the patience allows have not improved. Never without
    /// [`early_stopping`](Self::early_stopping).
    pub fn is_over(&self) -> bool {
        self.stopping.as_ref().is_some_and(EarlyStopping::is_over)
    }

    /// The best score so far, with [`early_stopping`](Self::early_stopping).
    pub fn best(&self) -> Option<f64> {
        self.stopping.as_ref().and_then(EarlyStopping::best)
    }

    /// The remaining minibatches of this epoch, as sample numbers: see [`Loader::epoch`].
    pub fn epoch(&mut self) -> impl Iterator<Item = Vec<usize>> + Send + use<> {
        self.loader.epoch()
    }

    /// As [`epoch`](Self::epoch), with the position after each minibatch, for [`save`](Self::save).
    pub fn epoch_with_positions(
        &mut self,
    ) -> impl Iterator<Item = (Vec<usize>, Position)> + Send + use<> {
        self.loader.epoch_with_positions()
    }

    /// Logs named numbers of the step that the trainer has just taken.
    ///
    /// # Errors
    /// As [`Log::write`].
    pub fn log<T: Element>(
        &mut self,
        trainer: &Trainer<T>,
        numbers: &[(&str, f64)],
    ) -> Result<(), RunError> {
        self.write(trainer.steps(), numbers)
    }

    fn write(&mut self, step: u64, numbers: &[(&str, f64)]) -> Result<(), RunError> {
        if let Some(log) = &mut self.log {
            log.write(step, numbers)?;
        }
        if let Some(events) = &mut self.events {
            events.write(step, numbers)?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), RunError> {
        if let Some(log) = &mut self.log {
            log.flush()?;
        }
        if let Some(events) = &mut self.events {
            events.flush()?;
        }
        Ok(())
    }

    /// Ends an epoch with its score: logs it as `score`, and saves a checkpoint. Returns whether it is the best score so
    /// far; never without [`early_stopping`](Self::early_stopping).
    ///
    /// # Errors
    /// As [`Log::write`] and [`Checkpoints::save`].
    pub fn finish_epoch<T: Element>(
        &mut self,
        trainer: &Trainer<T>,
        score: f64,
    ) -> Result<bool, RunError> {
        let is_best = self.stopping.as_mut().is_some_and(|stopping| stopping.observe(score));
        self.write(trainer.steps(), &[("score", score)])?;
        self.flush()?;
        let notes = self.notes_at(self.loader.position()).score(score);
        self.checkpoints.save(trainer, &notes)?;
        Ok(is_best)
    }

    /// Saves a checkpoint within an epoch, after the minibatch that came with this position
    /// ([`epoch_with_positions`](Self::epoch_with_positions)). Behind the last one of an epoch it does nothing, since
    /// [`finish_epoch`](Self::finish_epoch) saves, with the score.
    ///
    /// # Errors
    /// As [`Log::flush`] and [`Checkpoints::save`].
    pub fn save<T: Element>(
        &mut self,
        trainer: &Trainer<T>,
        position: Position,
    ) -> Result<(), RunError> {
        if position.begins_epoch() {
            return Ok(());
        }
        self.flush()?;
        self.checkpoints.save(trainer, &self.notes_at(position))?;
        Ok(())
    }

    /// The notes of a checkpoint at this position of the loader, without a score.
    fn notes_at(&self, position: Position) -> Notes {
        let notes = self.notes.clone().without_score().with(LOADER, &position);
        match &self.stopping {
            Some(stopping) => notes.with(STOPPING, stopping),
            None => notes,
        }
    }

    /// Keeps a value under a name in all checkpoints from now on, such as a vocabulary that a server needs.
    ///
    /// # Errors
    /// When the run keeps a note of this name for itself. Whether the value can be kept is checked when it is saved:
    /// see [`Notes::with`].
    pub fn note(&mut self, name: &str, value: &impl Serialize) -> Result<(), RunError> {
        if [LOADER, STOPPING].contains(&name) {
            return Err(RunError::OwnNote { name: name.to_owned() });
        }
        self.notes = std::mem::take(&mut self.notes).with(name, value);
        Ok(())
    }

    /// The notes: those of the checkpoint from which the run goes on, and those that were added since.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// From where the run goes on, which settings have changed and which checkpoints were skipped; `None` for a new run.
    pub fn resumed(&self) -> Option<&Resumed> {
        self.resumed.as_ref()
    }

    /// The checkpoint with the best score; `None` if there is none yet.
    ///
    /// # Errors
    /// As [`Checkpoints::list`].
    pub fn best_checkpoint(&self) -> Result<Option<Checkpoint>, RunError> {
        Ok(self.checkpoints.best()?)
    }

    /// All that was logged so far, as points of step and number under each name: what `edb_picture::curves` draws.
    /// Empty on ranks that do not write.
    ///
    /// # Errors
    /// As [`JsonLog::read`].
    pub fn curves(&mut self) -> Result<BTreeMap<String, Vec<(u64, f64)>>, RunError> {
        self.flush()?;
        match self.log {
            Some(_) => Ok(JsonLog::read(self.path.join("log.jsonl"))?),
            None => Ok(BTreeMap::new()),
        }
    }
}
