//! How many threads steps of about one size use.

use std::time::Duration;

use super::measured::{Effort, GAIN, Measured, Step};
use crate::trace;

/// The number of threads for steps of about one size.
#[derive(Debug)]
pub(super) struct TeamSize {
    threads: usize,
    /// When the next trial begins; unknown before the first step has ended.
    next: Option<Duration>,
    trial: Option<Trial>,
    /// Whether the last trial was with more threads.
    was_more: bool,
}

/// Some steps with one number of threads, then some with another.
#[derive(Debug)]
struct Trial {
    other: usize,
    /// What was measured with the present number of threads, then with the other.
    measured: [Measured; 2],
    /// Which of the two is measured, and whether a first step, which wakes threads up and fills
    /// their caches, has been run for it.
    at: usize,
    is_warm: bool,
}

impl TeamSize {
    pub(super) fn new(threads: usize) -> Self {
        Self { threads, next: None, trial: None, was_more: false }
    }

    /// How many threads the next step uses, and whether it is timed; a trial begins only if it may.
    pub(super) fn begin(&mut self, most: usize, now: Duration, may_try: bool) -> (usize, bool) {
        if may_try && self.trial.is_none() && self.next.is_some_and(|next| now >= next) {
            // Twice as many and half as many, in turns where there are both.
            self.was_more = self.threads < most && (self.threads == 1 || !self.was_more);
            let other = if self.was_more { most.min(2 * self.threads) } else { self.threads / 2 };
            let measured = [Measured::default(); 2];
            self.trial = Some(Trial { other, measured, at: 0, is_warm: true });
        }
        match &self.trial {
            Some(trial) => ([self.threads, trial.other][trial.at], trial.is_warm),
            None => (self.threads, false),
        }
    }

    /// Whether a trial runs.
    pub(super) fn tries(&self) -> bool {
        self.trial.is_some()
    }

    /// Leaves a trial, which begins anew later.
    pub(super) fn give_up(&mut self) {
        self.trial = None;
    }

    /// Takes a step that has ended.
    pub(super) fn end(&mut self, step: &Step, effort: Effort, now: Duration) {
        if self.next.is_none() {
            self.next = Some(now + effort.patience * (now - step.begun));
        }
        let Some(trial) = &mut self.trial else { return };
        let Some(time) = step.timed else {
            trial.is_warm = true;
            return;
        };
        let measured = &mut trial.measured[trial.at];
        measured.add(time, step.work);
        let is_enough = measured.is_enough(effort);
        let [own, other] = trial.measured;
        match trial.at {
            0 if is_enough => (trial.at, trial.is_warm) = (1, false),
            1 if is_enough || own.beats(&other, effort) => self.decide(own, other, effort, now),
            _ => {}
        }
    }

    /// Ends a trial.
    fn decide(&mut self, own: Measured, other: Measured, effort: Effort, now: Duration) {
        let Some(trial) = self.trial.take() else { return };
        let mut loss = 0.0;
        if own.cost() > GAIN * other.cost() {
            let (threads, instead_of) = (trial.other, self.threads);
            let what = "steps of this size are faster on another number of threads";
            tracing::debug!(target: trace::TARGET, threads, instead_of, "{what}");
            self.threads = threads;
        } else {
            // With the step that was not timed.
            let work = other.work * f64::from(other.steps + 1) / f64::from(other.steps);
            loss = (other.cost() - own.cost()) * work;
        }
        // Without a loss, soon: another program may have interfered.
        self.next = Some(now + effort.pause(other.time, loss));
    }
}
