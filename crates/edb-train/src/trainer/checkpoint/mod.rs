//! Checkpoints: the whole state of a training run, in folders that are written atomically.
//!
//! Invariant: before a trainer saves to a folder, private or not, it merges the ledgers of all records in the folder
//! with its own. A record that cannot be read counts as a step that was not private.

mod changes;
mod checksums;
mod error;
mod folder;
mod functions;
mod lines;
pub(super) mod lock;
mod outcome;
mod ranks;
mod record;
mod settings;
mod state;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

pub use changes::SettingChange;
pub use error::{CheckpointError, Skipped};
pub use outcome::{Checkpoint, Resumed, Saved};

use super::Trainer;
use super::ledger::Ledger;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_kernels::trace::TARGET;
use edb_learn::collective::Collective;
use edb_learn::learn::Notes;
use folder::Unfinished;
pub(super) use functions::{FunctionRecord, Sides};
use record::Record;

/// The checkpoints of one training run, in one folder.
///
/// A checkpoint holds everything that the next step depends on: parameters, the optimiser's state and learning rate,
/// step, plateau, moving averages, the loss scale (if the device has one), the seed of random draws, and the learned
/// policy. It also holds [notes](Notes) of the program, such as the [position](crate::feed::Position) of its loader. If
/// a program with the same settings resumes from it, the run continues bit for bit. A checkpoint also has the settings
/// of the run. A trainer with other settings is [refused](CheckpointError::Settings), unless it
/// [accepts](Trainer::accept_changes) the changes.
///
/// ```text
/// run/step-0000001200/model.safetensors        parameters and notes: `ModelBuilder::load` reads them
///                     optimizer.safetensors    `phrase.u/first`, ..
///                     averages.safetensors     if there are moving averages
///                     policy.json              if a policy was learned: `Policy::load` reads it
///                     growth.json              if a policy was learned for graphs that grow
///                     training.json            everything else
///                     checksums.txt            of the other files
/// ```
///
/// Checkpoints of a [private](Trainer::private) trainer have no policy, since it would tell something about the shapes
/// of graphs. A run that resumes from such a checkpoint learns a policy again. This changes no bit of the parameters.
///
/// A checkpoint is written into a hidden folder, synced to disk, and then renamed. So if the process is killed or the
/// disk is full, earlier checkpoints stay as they were. Older checkpoints are removed only after that. The next save
/// removes unfinished folders of an earlier process.
///
/// **Who writes.** One trainer at a time. Its first save locks the folder (`run/.lock`), until the trainer is dropped
/// or its process ends. Reading needs no lock: if a trainer removes a checkpoint while another reads it, the other
/// reads the folder again.
///
/// **Which is the latest.** The checkpoint that was saved last, whatever its step: each has a greater number than those
/// before. If a run goes back from step 500 to step 100 ([`resume_from`](Self::resume_from)) and saves at step 150,
/// that checkpoint is the latest, and a restarted program continues from it. The checkpoints of the abandoned steps
/// count as older. They are removed once enough others have been saved later, except those with the best scores. A
/// checkpoint that was just saved is never removed.
///
/// **What is damaged.** A checkpoint gets its name only when it is complete. If files of it are missing, truncated or
/// changed in any bit, something else has damaged it. It is skipped, with a warning through `tracing`, and never
/// removed. (To change a file on purpose, remove `checksums.txt`.) [`resume`](Self::resume) continues from the latest
/// checkpoint that is whole, and reports those that it skipped. Other files and folders are not touched.
///
/// ```no_run
/// # mod edb { pub use edb_core::{*, graph::Graph, model::Model}; pub use edb_train::{*, trainer::Trainer}; }
/// # use edb::Trainer;
/// # use edb::trainer::{CheckpointError, Checkpoints, Notes};
/// # fn run(mut trainer: Trainer) -> Result<(), CheckpointError> {
/// let checkpoints = Checkpoints::new("run").keep_latest(2).keep_highest(3);
/// if let Some(run) = checkpoints.resume(&mut trainer)? {
///     println!("from step {}, best accuracy {:?}", trainer.steps(), run.notes.get::<f64>("best").ok());
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

impl Checkpoints {
    /// The checkpoints in this folder, which need not exist yet. Only the latest checkpoint is kept. An empty path
    /// means the working directory.
    pub fn new(folder: impl AsRef<Path>) -> Self {
        let folder = match folder.as_ref() {
            folder if folder.as_os_str().is_empty() => Path::new("."),
            folder => folder,
        };
        Self { folder: folder.to_owned(), latest: 1, best: 0, higher: true }
    }

    /// Keeps the latest `count` checkpoints, at least 1. If a step was saved several times, its last checkpoint counts.
    /// Its other checkpoints are kept only while there are fewer than `count` steps.
    ///
    /// # Panics
    /// If `count` is 0: a run would have nothing to go on from.
    #[must_use]
    pub fn keep_latest(mut self, count: usize) -> Self {
        assert!(
            count > 0,
            "`keep_latest(0)` keeps no checkpoint to go on from: let it be 1 or more"
        );
        self.latest = count;
        self
    }

    /// Also keeps the `count` checkpoints with the highest scores; 0, the default, keeps none for its score.
    #[must_use]
    pub fn keep_highest(mut self, count: usize) -> Self {
        (self.best, self.higher) = (count, true);
        self
    }

    /// Also keeps the `count` checkpoints with the lowest scores; 0, the default, keeps none for its score.
    #[must_use]
    pub fn keep_lowest(mut self, count: usize) -> Self {
        (self.best, self.higher) = (count, false);
        self
    }

    /// Writes a checkpoint, then removes checkpoints that are not kept any more. If ranks train
    /// [together](Trainer::distributed), all of them call it, and rank 0 writes.
    ///
    /// # Errors
    /// When the checkpoint cannot be written, or another trainer writes to the folder
    /// ([`CheckpointError::Locked`]). Then earlier checkpoints are unchanged. It is not an error if an older
    /// checkpoint cannot be removed: [`Saved::leftover`] reports it, and the next call tries again.
    pub fn save<T: Element>(
        &self,
        trainer: &Trainer<T>,
        notes: &Notes,
    ) -> Result<Saved, CheckpointError> {
        save(self, trainer, notes)
    }

    fn save_here<T: Element>(
        &self,
        trainer: &Trainer<T>,
        notes: &Notes,
    ) -> Result<Saved, CheckpointError> {
        let _span = tracing::info_span!(target: TARGET, "save").entered();
        notes.metadata()?;
        edb_file::create_folder(&self.folder).map_err(CheckpointError::write(&self.folder))?;
        trainer.locks.lock(&self.folder)?;
        let mut leftover = folder::remove_unfinished(&self.folder)?;
        let found = self.find()?;
        let number = found.next_number();
        // This is also done if training is not private: a checkpoint that has private steps may be removed.
        let mut ledger = trainer.ledger.clone();
        ledger.merge(&found.known);
        let private = trainer.private.as_ref();
        let epsilon = private.map(|private| ledger.accountant().epsilon(private.delta));
        let unfinished = Unfinished::create(&self.folder)?;
        state::write(trainer, notes, number, ledger, unfinished.path())?;
        checksums::write(unfinished.path())?;
        let step = trainer.steps();
        let path = unfinished.finish(step)?;
        tracing::info!(target: TARGET, step, path = %path.display(), "a checkpoint was saved");
        let score = notes.finite_score();
        let mut readable = found.readable;
        readable.push((number, Checkpoint { path: path.clone(), step, score }));
        let checkpoints: Vec<Checkpoint> = readable.into_iter().map(|(_, found)| found).collect();
        for old in self.to_be_removed(&checkpoints) {
            leftover.extend(folder::remove(&old.path).err());
        }
        for error in &leftover {
            tracing::warn!(target: TARGET, %error, "an old checkpoint could not be removed");
        }
        Ok(Saved { path, epsilon, leftover })
    }

    /// The checkpoints, in the order in which they were saved. Checkpoints with a damaged record are left out, with
    /// a warning through `tracing`. Other files of a checkpoint are not checked.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn list(&self) -> Result<Vec<Checkpoint>, CheckpointError> {
        Ok(self.find()?.readable.into_iter().map(|(_, checkpoint)| checkpoint).collect())
    }

    /// The latest checkpoint, which is the one that was saved last; `None` if there is none.
    ///
    /// # Errors
    /// As [`list`](Self::list).
    pub fn latest(&self) -> Result<Option<Checkpoint>, CheckpointError> {
        Ok(self.list()?.pop())
    }

    /// The checkpoint with the best score; `None` if no checkpoint has a score. If several have the best score, it
    /// is the earliest of them.
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
        // The sort is stable: of checkpoints with equal scores, the earlier stays first.
        ranked.sort_by(|(a, _), (b, _)| if self.higher { b.total_cmp(a) } else { a.total_cmp(b) });
        ranked.into_iter().map(|(_, checkpoint)| checkpoint).collect()
    }

    /// The checkpoints that are not kept any more. The last checkpoint is never one of them. If a step was saved
    /// several times, its last checkpoint counts among the latest, and its best one among the best. Its other
    /// checkpoints are kept only if there are too few steps.
    fn to_be_removed<'a>(&self, checkpoints: &'a [Checkpoint]) -> Vec<&'a Checkpoint> {
        let latest = checkpoints.iter().rev().collect();
        // Of checkpoints of one step with equal scores, the last one is kept.
        let last_equal = |best: &'a Checkpoint| {
            let is_equal =
                |other: &&Checkpoint| (other.step, other.score) == (best.step, best.score);
            checkpoints.iter().rfind(is_equal).unwrap_or(best)
        };
        let ranked = self.ranked(checkpoints).into_iter().map(last_equal).collect();
        let latest = each_step_once(latest).into_iter().take(self.latest);
        let best = each_step_once(ranked).into_iter().take(self.best);
        let kept: Vec<&Checkpoint> = latest.chain(best).collect();
        checkpoints.iter().filter(|checkpoint| !kept.contains(checkpoint)).collect()
    }

    /// Reads the records of all checkpoints in the folder.
    fn find(&self) -> Result<Found, CheckpointError> {
        let mut found = Found::default();
        for (is_named, path, record) in self.records()? {
            match record {
                Ok(record) => {
                    found.known.merge(&record.ledger());
                    found.last = found.last.max(record.number);
                    let (step, score) = (record.step, record.score());
                    let checkpoint = Checkpoint { path, step, score };
                    found.readable.extend(is_named.then_some((record.number, checkpoint)));
                }
                Err(error) => {
                    found.known.merge(&Ledger::unreadable());
                    let skipped = Skipped::new(path, error);
                    found.skipped.extend(is_named.then_some(skipped));
                }
            }
        }
        // The sort is stable: checkpoints of version 1 have no number, and stay in the order of their steps.
        found.readable.sort_by_key(|(number, _)| *number);
        Ok(found)
    }

    /// All records in the folder, each with whether its folder has the name of a checkpoint. Other folders were
    /// renamed by someone; only the steps in their records count.
    fn records(&self) -> Result<Vec<Read>, CheckpointError> {
        loop {
            let paths = folder::finished(&self.folder)?.into_iter();
            let paths = paths.filter(|(is_named, path)| *is_named || record::is_in(path));
            let all: Vec<Read> = paths
                .map(|(is_named, path)| {
                    let record = record::read(&path);
                    (is_named, path, record)
                })
                .collect();
            // If a trainer has removed a checkpoint since it was listed, it has saved another one before.
            let is_gone = |(_, path, record): &Read| record.is_err() && folder::is_gone(path);
            if !all.iter().any(is_gone) {
                return Ok(all);
            }
        }
    }

    /// Continues the run from its latest checkpoint that is whole, and restores everything that the checkpoint
    /// holds. Returns `None`, and changes nothing, if there is no checkpoint.
    ///
    /// The trainer must have the model and the settings of the trainer that was saved, unless it
    /// [accepts](Trainer::accept_changes) other settings. Functions are compared by what they compute for each field
    /// and loss. It does not matter how they are written, or which release of edb compiled them. A checkpoint of edb
    /// 0.2 or earlier does not have all that is needed to compare them; a warning through `tracing` says so.
    ///
    /// The number of threads and the device may differ. The number of ranks that train
    /// [together](Trainer::distributed) may differ, too: all ranks call this, and rank 0 reads the folder and sends the
    /// checkpoint to the others.
    ///
    /// # Errors
    /// When the checkpoint is of another model or trainer: the error names all differences, by function, dimension,
    /// op and parameter. When there are checkpoints but none is whole, since the run must not start over unnoticed.
    /// When a checkpoint cannot be read for another reason than damage, such as a missing permission or an unknown
    /// version of the format. Then nothing has changed, except if one [rank](CheckpointError::Rank) could not read
    /// it: the other ranks have read it, and their next step finds that the ranks differ.
    pub fn resume<T: Element>(
        &self,
        trainer: &mut Trainer<T>,
    ) -> Result<Option<Resumed>, CheckpointError> {
        resume(self, trainer)
    }

    fn resume_here<T: Element>(
        &self,
        trainer: &mut Trainer<T>,
    ) -> Result<Option<Resumed>, CheckpointError> {
        'found: loop {
            let Found { readable, mut skipped, known, .. } = self.find()?;
            // A checkpoint that cannot be read may be the latest, so it is an error unless it is damaged.
            if let Some(position) = skipped.iter().position(|skipped| !skipped.reason.is_damage()) {
                return Err(skipped.swap_remove(position).reason);
            }
            for (_, checkpoint) in readable.into_iter().rev() {
                match Self::read(&checkpoint.path, trainer, &known) {
                    Ok((notes, changed)) => {
                        return Ok(Some(Resumed { notes, checkpoint, changed, skipped }));
                    }
                    Err(error) if error.is_damage() => {
                        // Another trainer has removed it meanwhile, so the folder is read again.
                        if folder::is_gone(&checkpoint.path) {
                            continue 'found;
                        }
                        skipped.push(Skipped::new(checkpoint.path, error));
                    }
                    Err(error) => return Err(error),
                }
            }
            if skipped.is_empty() {
                return Ok(None);
            }
            return Err(CheckpointError::Damaged { folder: self.folder.clone(), skipped });
        }
    }

    /// Continues the run as [`resume`](Self::resume) does, from the checkpoint in this folder.
    ///
    /// # Errors
    /// When the checkpoint cannot be read, or is of another model or of other settings. Then nothing has changed.
    pub fn resume_from<T: Element>(
        path: impl AsRef<Path>,
        trainer: &mut Trainer<T>,
    ) -> Result<Resumed, CheckpointError> {
        resume_from(path.as_ref(), trainer)
    }

    /// Reads a checkpoint, and adds the steps of the other checkpoints in its folder to the accounts.
    fn read<T: Element>(
        path: &Path,
        trainer: &mut Trainer<T>,
        known: &Ledger,
    ) -> Result<(Notes, Vec<SettingChange>), CheckpointError> {
        let _span = tracing::info_span!(target: TARGET, "resume").entered();
        let read = state::read(path, trainer)?;
        trainer.know(known);
        let step = trainer.steps();
        tracing::info!(target: TARGET, step, path = %path.display(), "a run continues");
        Ok(read)
    }
}

/// Puts the first checkpoint of each step at the beginning, and after these all others. The order stays otherwise.
fn each_step_once(of: Vec<&Checkpoint>) -> Vec<&Checkpoint> {
    let mut steps = BTreeSet::new();
    let (mut all, others): (Vec<_>, Vec<_>) =
        of.into_iter().partition(|checkpoint| steps.insert(checkpoint.step));
    all.extend(others);
    all
}

/// A folder that was read: whether it has the name of a checkpoint, its path, and its record.
type Read = (bool, PathBuf, Result<Record, CheckpointError>);

/// The checkpoints found in a folder.
#[derive(Default)]
struct Found {
    /// The checkpoints whose record can be read, in the order in which they were saved, each with
    /// its number in that order.
    readable: Vec<(u64, Checkpoint)>,
    /// The checkpoints whose record cannot be read.
    skipped: Vec<Skipped>,
    /// The greatest number of all records that can be read, including those in folders that were renamed.
    last: u64,
    /// The steps of all records, including those in folders that were renamed.
    known: Ledger,
}

impl Found {
    /// The number for a checkpoint that is saved after all of these.
    fn next_number(&self) -> u64 {
        let next = self.last + 1;
        if self.skipped.is_empty() {
            return next;
        }
        // A checkpoint that cannot be read now may be readable again later. Its number is less than the current
        // time in milliseconds, whether it counts saves or was chosen here.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        next.max(u64::try_from(now).unwrap_or(0))
    }
}

compiled_here! {
    /// See [`Checkpoints::save`].
    fn save(checkpoints: &Checkpoints, trainer: &Trainer<T>, notes: &Notes) -> Result<Saved, CheckpointError> {
        let world = trainer.world();
        trainer.check_ranks()?;
        match world.ranks() {
            1 => checkpoints.save_here(trainer, notes),
            _ => ranks::save(&world, || checkpoints.save_here(trainer, notes)),
        }
    }
}

compiled_here! {
    /// See [`Checkpoints::resume`].
    fn resume(checkpoints: &Checkpoints, trainer: &mut Trainer<T>) -> Result<Option<Resumed>, CheckpointError> {
        let world = trainer.world();
        trainer.check_ranks()?;
        match world.ranks() {
            1 => checkpoints.resume_here(trainer),
            _ => trainer.after_resume(|trainer| {
                ranks::resume(&world, trainer, |trainer| checkpoints.resume_here(trainer))
            }),
        }
    }
}

compiled_here! {
    /// See [`Checkpoints::resume_from`].
    fn resume_from(path: &Path, trainer: &mut Trainer<T>) -> Result<Resumed, CheckpointError> {
        let world = trainer.world();
        let read = |trainer: &mut Trainer<T>| {
            // The steps of branches that were left count, too: they may be in the other checkpoints of the folder.
            let within = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            let found = Checkpoints::new(within.parent().unwrap_or(&within)).find();
            let known = found.map_or_else(|_| Ledger::unreadable(), |found| found.known);
            let (notes, changed) = Checkpoints::read(path, trainer, &known)?;
            let (step, score) = (trainer.steps(), notes.finite_score());
            let checkpoint = Checkpoint { path: path.to_owned(), step, score };
            Ok(Resumed { notes, checkpoint, changed, skipped: Vec::new() })
        };
        if world.ranks() == 1 {
            return read(trainer);
        }
        trainer.check_ranks()?;
        let resumed = trainer.after_resume(|trainer| {
            ranks::resume(&world, trainer, |trainer| read(trainer).map(Some))
        });
        resumed?.ok_or_else(|| CheckpointError::First { reason: "it has no checkpoint".to_owned() })
    }
}
