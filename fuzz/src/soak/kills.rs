//! Kills a process that trains and saves after every step, at any moment: a run resumed from its
//! files must continue bit for bit.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use edb::learn::{NAdam, Plateau};
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

    /// Takes the next step; its minibatch follows from the step's number.
    pub(super) fn step(&mut self) -> Result<(), String> {
        let mut rng = rng(self.trainer.steps());
        let count = rng.random_range(1..4);
        let graph = |_| self.zoo.graph(self.trainer.model(), 8, &mut rng);
        let graphs: Vec<Graph> = (0..count).map(graph).collect();
        let batch = self.trainer.model().minibatch(&graphs).map_err(|e| failed("a step")(&e))?;
        let step = self.trainer.step(&batch).map_err(|e| failed("a step")(&e))?;
        self.trainer.observe(step.loss).map_err(|e| failed("a score")(&e))?;
        Ok(())
    }
}

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
    loop {
        training.step()?;
        let saved = checkpoints(folder).save(&training.trainer, &Notes::new());
        saved.map_err(|e: CheckpointError| failed("saving")(&e))?;
    }
}

/// Kills processes until the time is over.
pub(super) fn run(plan: &Plan, watch: &Watch) -> Result<Counts, String> {
    let mut rng = rng(plan.seed ^ 1);
    let mut counts = Counts::new();
    while watch.goes_on() {
        let folder = tempfile::tempdir().map_err(|e| failed("a temporary folder")(&e))?;
        // The same run without interruption, on another number of threads; it follows step by step.
        let mut uninterrupted = Training::new(1, 1)?;
        while watch.goes_on() && uninterrupted.trainer.steps() < STEPS {
            let wait = Duration::from_millis(rng.random_range(1..600));
            let torn = kill(plan, folder.path(), wait)?;
            // Its initial values differ, and the checkpoint must replace them.
            let mut left = Training::new(2, 1)?;
            let resumed = checkpoints(folder.path()).resume(&mut left.trainer);
            let resumed = resumed.map_err(|e| failed("resuming after a kill")(&e))?;
            *counts.entry("kills").or_default() += 1;
            *counts.entry("kills while saving").or_default() += u64::from(torn);
            let steps = left.trainer.steps();
            if resumed.is_none() {
                continue;
            }
            if steps < uninterrupted.trainer.steps() {
                return Err(format!("a kill cost the checkpoints back to step {steps}"));
            }
            while uninterrupted.trainer.steps() < steps {
                uninterrupted.step()?;
            }
            if Fingerprint::of(&left.trainer) != Fingerprint::of(&uninterrupted.trainer) {
                return Err(format!("what was resumed at step {steps} is another run"));
            }
            // The next step must agree too: it depends on the whole state.
            left.step()?;
            uninterrupted.step()?;
            if Fingerprint::of(&left.trainer) != Fingerprint::of(&uninterrupted.trainer) {
                return Err(format!("step {steps} after a resumption is another"));
            }
            checkpoints(folder.path())
                .save(&left.trainer, &Notes::new())
                .map_err(|e| failed("saving after a kill")(&e))?;
            *counts.entry("resumptions").or_default() += 1;
        }
    }
    Ok(counts)
}

/// Lets a process train for a while and kills it; returns whether it was writing a checkpoint.
fn kill(plan: &Plan, folder: &Path, wait: Duration) -> Result<bool, String> {
    let error = failed("the process to be killed");
    let mut child = Command::new(&plan.program)
        .args(["train".as_ref(), folder.as_os_str()])
        .stdout(Stdio::null())
        .spawn()
        .map_err(|e| error(&e))?;
    thread::sleep(wait);
    let ended = child.try_wait().map_err(|e| error(&e))?;
    if let Some(status) = ended {
        return Err(format!("the process to be killed ended by itself: {status}"));
    }
    child.kill().and_then(|()| child.wait()).map_err(|e| error(&e))?;
    let mut entries = fs::read_dir(folder).map_err(|e| error(&e))?.flatten();
    // The file that is locked stays.
    let is_torn = |name: &str| name.starts_with('.') && name != ".lock";
    Ok(entries.any(|entry| is_torn(&entry.file_name().to_string_lossy())))
}
