//! The folder of a training run: everything with which a program that was stopped goes on.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::feed::{Loader, Position, PositionError};
use crate::log::{JsonLog, Log, TensorBoardLog};
use crate::trainer::{Checkpoint, CheckpointError, Checkpoints, Resumed, Trainer};
use edb_file::Explained;
use edb_kernels::element::Element;
use edb_learn::collective::{Collective, Kind, gather};
use edb_learn::learn::{EarlyStopping, LearnError, Notes};

/// The notes that a run keeps for itself in each checkpoint.
const LOADER: &str = "loader";
const STOPPING: &str = "early_stopping";
/// The file of the log.
const LOG: &str = "log.jsonl";

/// The folder of a training run: its checkpoints, its log, and the positions of its loader and its
/// [`EarlyStopping`]. A program that was stopped at any point opens the folder again, and the run takes the same steps as
/// if it had never been stopped, bit for bit (but for the noise of private training, whose secret is not kept). A folder
/// without checkpoints is that of a new run.
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
/// If ranks train together ([`Trainer::distributed`]), all of them make the same calls with the same numbers, and rank 0
/// writes.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    checkpoints: Checkpoints,
    loader: Loader,
    /// How many epochs have been finished.
    epochs: u64,
    /// The epoch whose score is in the log, with the score, if its checkpoint could not be saved.
    logged: Option<(u64, f64)>,
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

/// What becomes of a run when the checkpoint of an epoch is saved.
struct AfterEpoch {
    loader: Loader,
    notes: Notes,
    stopping: Option<EarlyStopping>,
    is_best: bool,
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
    #[error(
        "{}: the run began with another loader ({error}): give a run with other data or minibatches a folder of its own",
        checkpoint.display()
    )]
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
        error: Box<LearnError>,
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
    /// A position is not one of the run's loader.
    #[error("the run cannot be saved there ({0}): give the position that came with the minibatch")]
    Position(#[source] PositionError),
    /// With early stopping, a score is no finite number, so that it cannot be compared.
    #[error(
        "the score of epoch {epoch} is {score}, which cannot be compared with others: is there something to score, and \
         is the loss still finite?"
    )]
    Score {
        /// The epoch, counted from 1.
        epoch: u64,
        /// The score.
        score: f64,
    },
    /// Ranks that train together have not opened the run alike.
    #[error("rank {rank}: {reason}")]
    Rank {
        /// The first rank that differs, or that could not open the run.
        rank: usize,
        /// Its error.
        reason: String,
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
    /// that was saved, or than that of another rank; when the log cannot be read or written, or is not one that edb
    /// wrote. The trainer may be that of the latest checkpoint then: make a new one for another folder.
    pub fn open<T: Element>(
        path: impl AsRef<Path>,
        trainer: &mut Trainer<T>,
        loader: Loader,
    ) -> Result<Self, RunError> {
        let checkpoints = Checkpoints::new(path.as_ref().join("checkpoints"));
        let resumed = checkpoints.resume(trainer)?;
        let world = trainer.world();
        let at = (trainer.steps(), world.rank() == 0);
        let run = Self::go_on(path.as_ref(), checkpoints, loader, resumed, at);
        if world.ranks() > 1 { Self::on_all(run, &*world) } else { run }
    }

    /// Fails on all ranks alike if one of them could not open the run, or if their loaders differ.
    fn on_all(run: Result<Self, RunError>, world: &dyn Collective) -> Result<Self, RunError> {
        let own = run.as_ref().map(|run| run.loader.position()).map_err(ToString::to_string);
        let all: Vec<Result<Position, String>> =
            gather(world, Kind::Checkpoint, &own).map_err(CheckpointError::from)?;
        let run = run?;
        let first = all[0].as_ref().ok().copied();
        for (rank, position) in all.into_iter().enumerate() {
            let position = position.map_err(|reason| RunError::Rank { rank, reason })?;
            if first.is_some_and(|first| first != position) {
                let reason = "its loader is not that of rank 0".to_owned();
                return Err(RunError::Rank { rank, reason });
            }
        }
        Ok(run)
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
            let position: Position = saved.get(LOADER).map_err(|error| RunError::Notes {
                checkpoint: checkpoint(),
                error: Box::new(error),
            })?;
            loader
                .resume(position)
                .map_err(|error| RunError::Loader { checkpoint: checkpoint(), error })?;
            notes = saved.clone().without_score();
        }
        let log = match writes {
            true => {
                edb_file::create_folder(path).map_err(at(path))?;
                Some(JsonLog::open(path.join(LOG), steps)?)
            }
            false => None,
        };
        Ok(Self {
            path: path.to_owned(),
            checkpoints,
            epochs: loader.epochs(),
            loader,
            logged: None,
            stopping: None,
            notes,
            resumed,
            steps,
            log,
            events: None,
        })
    }

    /// Keeps the latest `count` checkpoints; by default only the last one. With
    /// [`early_stopping`](Self::early_stopping), the best one is kept in any case.
    ///
    /// # Panics
    /// If `count` is 0, since then there would be nothing to go on from.
    #[must_use]
    pub fn keep_latest(mut self, count: usize) -> Self {
        self.checkpoints = self.checkpoints.keep_latest(count);
        self
    }

    /// Says which scores are better, and after how many scores without improvement the run [is over](Self::is_over).
    /// The checkpoint with the best score is kept. A run that was stopped goes on with the scores that it has had, and
    /// with the patience and the margin that are given here; say it at each start, since a run without forgets its
    /// scores.
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
                Err(error) => return Err(RunError::Notes { checkpoint, error: Box::new(error) }),
            }
        }
        // It was said before in this program. Scores that are better the other way round cannot be compared.
        let is_alike = |own: &&EarlyStopping| own.is_higher_better() == stopping.is_higher_better();
        if let Some(own) = self.stopping.as_ref().filter(is_alike) {
            stopping.go_on_from(own);
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

    /// How many epochs have been [finished](Self::finish_epoch).
    pub fn epochs(&self) -> u64 {
        self.epochs
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

    /// The minibatches of an epoch, or what remains of it after a stop, as sample numbers: see [`Loader::epoch`].
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
        self.on_logs(|log| log.write(step, numbers))
    }

    fn flush(&mut self) -> Result<(), RunError> {
        self.on_logs(|log| log.flush())
    }

    /// Does something with each log. An error of the operating system gets the path of the log.
    fn on_logs(
        &mut self,
        mut work: impl FnMut(&mut dyn Log) -> io::Result<()>,
    ) -> Result<(), RunError> {
        let Self { path, log, events, .. } = self;
        if let Some(log) = log {
            work(log).map_err(at(&path.join(LOG)))?;
        }
        if let Some(events) = events {
            work(events).map_err(at(path))?;
        }
        Ok(())
    }

    /// Ends an epoch with its score: logs it as `score`, and saves a checkpoint. What is left of the epoch is not run.
    /// Returns whether it is the best score so far; never without [`early_stopping`](Self::early_stopping). If it
    /// fails, the epoch has not ended, and it may be called again.
    ///
    /// # Errors
    /// As [`Log::write`] and [`Checkpoints::save`]; with early stopping, when the score is infinite or NaN.
    pub fn finish_epoch<T: Element>(
        &mut self,
        trainer: &Trainer<T>,
        score: f64,
    ) -> Result<bool, RunError> {
        let after = self.log_score(trainer.steps(), score)?;
        self.checkpoints.save(trainer, &after.notes)?;
        let AfterEpoch { loader, stopping, is_best, .. } = after;
        (self.epochs, self.loader, self.logged) = (loader.epochs(), loader, None);
        self.stopping = stopping;
        Ok(is_best)
    }

    /// Logs a score once. Returns what becomes of the run when the checkpoint is saved.
    fn log_score(&mut self, step: u64, score: f64) -> Result<AfterEpoch, RunError> {
        let epoch = self.epochs.saturating_add(1);
        let mut stopping = self.stopping.clone();
        let is_best = stopping.as_mut().is_some_and(|stopping| stopping.observe(score));
        if stopping.is_some() && !score.is_finite() {
            return Err(RunError::Score { epoch, score });
        }
        if self.logged.is_none_or(|(of, before)| of != epoch || before.to_bits() != score.to_bits())
        {
            self.write(step, &[("score", score)])?;
            self.logged = Some((epoch, score));
        }
        self.flush()?;
        let mut loader = self.loader.clone();
        loader.end_epoch(self.epochs);
        let notes = self.notes_at(loader.position(), stopping.as_ref()).score(score);
        Ok(AfterEpoch { loader, notes, stopping, is_best })
    }

    /// Saves a checkpoint within an epoch, after the minibatch that came with this position
    /// ([`epoch_with_positions`](Self::epoch_with_positions)). Call it after the step and its [`log`](Self::log). After
    /// the last minibatch of an epoch it does nothing, since [`finish_epoch`](Self::finish_epoch) saves, with the score.
    ///
    /// # Errors
    /// As [`Log::flush`] and [`Checkpoints::save`]; when the position is not one of the run's loader.
    pub fn save<T: Element>(
        &mut self,
        trainer: &Trainer<T>,
        position: Position,
    ) -> Result<(), RunError> {
        self.loader.check(&position).map_err(RunError::Position)?;
        if position.begins_epoch() {
            return Ok(());
        }
        self.flush()?;
        self.checkpoints.save(trainer, &self.notes_at(position, self.stopping.as_ref()))?;
        Ok(())
    }

    /// The notes of a checkpoint at this position of the loader, without a score.
    fn notes_at(&self, position: Position, stopping: Option<&EarlyStopping>) -> Notes {
        let notes = self.notes.clone().with(LOADER, &position);
        match stopping {
            Some(stopping) => notes.with(STOPPING, stopping),
            None => notes.without(STOPPING),
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

    /// The checkpoint with the best score, whatever the margin. `None` if there is none yet, or without
    /// [`early_stopping`](Self::early_stopping), which says which scores are better.
    ///
    /// # Errors
    /// As [`Checkpoints::list`].
    pub fn best_checkpoint(&self) -> Result<Option<Checkpoint>, RunError> {
        match self.stopping {
            Some(_) => Ok(self.checkpoints.best()?),
            None => Ok(None),
        }
    }

    /// All that was logged so far, as points of step and number under each name: what `edb_picture::curves` draws.
    /// Empty on ranks that do not write.
    ///
    /// # Errors
    /// As [`JsonLog::read`].
    pub fn curves(&mut self) -> Result<BTreeMap<String, Vec<(u64, f64)>>, RunError> {
        self.flush()?;
        match self.log {
            Some(_) => Ok(JsonLog::read(self.path.join(LOG))?),
            None => Ok(BTreeMap::new()),
        }
    }
}

/// Names the path in an error of the operating system, which does not name it; other errors of logs do.
fn at(path: &Path) -> impl Fn(io::Error) -> RunError + use<'_> {
    move |error| match error.raw_os_error() {
        None => RunError::Log(error),
        Some(_) => {
            let explained = format!("{}: {}", path.display(), Explained::write(path, &error));
            RunError::Log(io::Error::new(error.kind(), explained))
        }
    }
}
