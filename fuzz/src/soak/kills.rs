//! Kills a process that trains, logs and saves after every step, at any moment: a run resumed from
//! its files must continue bit for bit, and its log has each step once. While that process has the
//! folder, no other trainer saves into it.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use edb::learn::{NAdam, Plateau};
use edb::log::{CsvLog, Log};
use edb::prelude::*;
use edb::trainer::{CheckpointError, Checkpoints, Notes};
use rand::RngExt;

use super::{Counts, Fingerprint, Plan, Watch, failed};
use edb_backend_suite::zoo::{Zoo, rng};

/// After this many steps a run starts over, so that a growing folder does not slow down the kills.
const STEPS: u64 = 400;

/// A trainer in which everything that can have a state has one.
pub(super) struct Training {
    zoo: Zoo,
    pub(super) trainer: Trainer,
}

impl Training {
    pub(super) fn new(model_seed: u64, threads: usize) -> Result<Self, String> {
        let (zoo, model) = Zoo::model(10, model_seed);
        let engine = Engine::with_threads(threads).map_err(|e| failed("threads")(&e))?;
        let trainer = Trainer::new(model, NAdam::new(0.01))
            .engine(engine.seed(5))
            .clip_norm(1.0)
            .plateau(Plateau::lower_is_better().patience(2).factor(0.9))
            .ema(0.9)
            .map_err(|e| failed("averages")(&e))?;
        Ok(Self { zoo, trainer })
    }

    /// Takes the next step, whose minibatch follows from its number; returns the loss.
    pub(super) fn step(&mut self) -> Result<f64, String> {
        let mut rng = rng(self.trainer.steps());
        let count = rng.random_range(1..4);
        let graph = |_| self.zoo.graph(self.trainer.model(), 8, &mut rng);
        let graphs: Vec<Graph> = (0..count).map(graph).collect();
        let batch = self.trainer.model().minibatch(&graphs).map_err(|e| failed("a step")(&e))?;
        let step = self.trainer.step(&batch).map_err(|e| failed("a step")(&e))?;
        self.trainer.observe(step.loss).map_err(|e| failed("a score")(&e))?;
        Ok(step.loss)
    }

    /// Takes the next step and logs it.
    fn log_step(&mut self, log: &mut CsvLog) -> Result<(), String> {
        let loss = self.step()?;
        let logged = log.write(self.trainer.steps(), &[("loss", loss)]).and_then(|()| log.flush());
        logged.map_err(|e| failed("a log")(&e))
    }

    /// Opens the log in this folder behind the steps that have been taken.
    fn log(&self, folder: &Path) -> Result<CsvLog, String> {
        CsvLog::open(folder.join(LOG), self.trainer.steps()).map_err(|e| failed("a log")(&e))
    }
}

/// The name of the log, in a folder with checkpoints.
const LOG: &str = "log.csv";

fn checkpoints(folder: &Path) -> Checkpoints {
    Checkpoints::new(folder).keep_latest(2)
}

/// The work of the child process, until it is killed.
///
/// # Errors
/// When a step or a checkpoint fails.
pub fn train(folder: &Path) -> Result<(), String> {
    let mut training = Training::new(1, 2)?;
    checkpoints(folder).resume(&mut training.trainer).map_err(|e| failed("resuming")(&e))?;
    let mut log = training.log(folder)?;
    loop {
        training.log_step(&mut log)?;
        let saved = checkpoints(folder).save(&training.trainer, &Notes::new());
        saved.map_err(|e: CheckpointError| failed("saving")(&e))?;
    }
}

/// Kills processes until the time is over.
pub(super) fn run(plan: &Plan, watch: &Watch) -> Result<Counts, String> {
    let mut rng = rng(plan.seed ^ 1);
    let mut counts = Counts::new();
    while watch.goes_on() {
        let folders = [tempfile::tempdir(), tempfile::tempdir()];
        let [folder, whole] = folders.map(|made| made.map_err(|e| failed("a folder")(&e)));
        let (folder, whole) = (folder?, whole?);
        let (folder, whole) = (folder.path(), whole.path());
        // The same run without interruption, on another number of threads; it follows step by step.
        let mut uninterrupted = Training::new(1, 1)?;
        let mut whole_log = uninterrupted.log(whole)?;
        while watch.goes_on() && uninterrupted.trainer.steps() < STEPS {
            // Its initial values differ, and the checkpoint must replace them.
            let mut left = Training::new(2, 1)?;
            let wait = Duration::from_millis(rng.random_range(1..600));
            let (locked, torn) = kill(plan, folder, &left.trainer, wait)?;
            let resumed = checkpoints(folder).resume(&mut left.trainer);
            let resumed = resumed.map_err(|e| failed("resuming after a kill")(&e))?;
            *counts.entry("kills").or_default() += 1;
            *counts.entry("kills while saving").or_default() += u64::from(torn);
            *counts.entry("saves refused").or_default() += u64::from(locked);
            let steps = left.trainer.steps();
            if resumed.is_none() {
                continue;
            }
            let before = uninterrupted.trainer.steps();
            if steps < before {
                return Err(format!("a kill cost the checkpoints back to step {steps}"));
            }
            while uninterrupted.trainer.steps() < steps {
                uninterrupted.log_step(&mut whole_log)?;
            }
            if Fingerprint::of(&left.trainer) != Fingerprint::of(&uninterrupted.trainer) {
                return Err(format!("what was resumed at step {steps} is another run"));
            }
            check_log(folder, whole)?;
            *counts.entry("resumptions").or_default() += 1;
            *counts.entry("logged steps").or_default() += steps - before;
            // Now and then it is the next process that finds everything as the last one left it.
            if rng.random_bool(0.5) {
                continue;
            }
            let mut log = left.log(folder)?;
            // The next step must agree too: it depends on the whole state.
            left.log_step(&mut log)?;
            uninterrupted.log_step(&mut whole_log)?;
            if Fingerprint::of(&left.trainer) != Fingerprint::of(&uninterrupted.trainer) {
                return Err(format!("step {steps} after a resumption is another"));
            }
            checkpoints(folder)
                .save(&left.trainer, &Notes::new())
                .map_err(|e| failed("saving after a kill")(&e))?;
        }
    }
    Ok(counts)
}

/// Checks that the log of a run that was killed begins, byte by byte, with that of the run without
/// interruption, which has each step once, in order. Steps may follow that no checkpoint has.
fn check_log(killed: &Path, whole: &Path) -> Result<(), String> {
    let read = |folder: &Path| {
        fs::read_to_string(folder.join(LOG)).map_err(|e| failed("reading a log")(&e))
    };
    let (killed, whole) = (read(killed)?, read(whole)?);
    match killed.starts_with(&whole) {
        true => Ok(()),
        false => Err(format!("the log of a run that was killed is\n{killed}instead of\n{whole}")),
    }
}

/// Lets a process train for a while and kills it. Returns whether it had the folder locked, so that
/// another trainer could not save there, and whether it was writing a checkpoint when it died.
fn kill(
    plan: &Plan,
    folder: &Path,
    other: &Trainer,
    wait: Duration,
) -> Result<(bool, bool), String> {
    let error = failed("the process to be killed");
    let mut child = Command::new(&plan.program)
        .args(["train".as_ref(), folder.as_os_str()])
        .stdout(Stdio::null())
        .spawn()
        .map_err(|e| error(&e))?;
    thread::sleep(wait);
    // The file names the last process that locked it. Before that, the other trainer would get it.
    let owner = fs::read_to_string(folder.join(".lock")).unwrap_or_default();
    let locked = owner.trim() == child.id().to_string();
    let saved = locked.then(|| checkpoints(folder).save(other, &Notes::new()));
    let ended = child.try_wait().map_err(|e| error(&e))?;
    child.kill().and_then(|()| child.wait()).map_err(|e| error(&e))?;
    if let Some(status) = ended {
        return Err(format!("the process to be killed ended by itself: {status}"));
    }
    match saved {
        None | Some(Err(CheckpointError::Locked { .. })) => {}
        Some(Ok(_)) => return Err("two trainers saved into one folder".into()),
        Some(Err(other)) => return Err(failed("saving into a folder that is locked")(&other)),
    }
    let mut entries = fs::read_dir(folder).map_err(|e| error(&e))?.flatten();
    // The file that is locked stays.
    let is_torn = |name: &str| name.starts_with('.') && name != ".lock";
    Ok((locked, entries.any(|entry| is_torn(&entry.file_name().to_string_lossy()))))
}
