//! Chooses how many threads steps of about one size use.

use std::time::Duration;

use edb_kernels::choice::{Effort, Retrials, TimedStep};
use edb_kernels::trace;

/// The number of threads for steps of about one size.
#[derive(Debug)]
pub(super) struct TeamSize {
    threads: usize,
    trials: Retrials,
    /// The other number of threads in the last trial; below, whether it was greater.
    other: usize,
    was_more: bool,
}

impl TeamSize {
    pub(super) fn new(threads: usize) -> Self {
        Self { threads, trials: Retrials::default(), other: threads, was_more: false }
    }

    /// Returns how many threads the next step uses, and whether it is timed. A trial may begin only if
    /// `may_try`.
    pub(super) fn begin(&mut self, most: usize, now: Duration, may_try: bool) -> (usize, bool) {
        if may_try && self.trials.due().is_some_and(|due| now >= due) {
            // Trials alternate between twice as many and half as many threads, if both are possible.
            self.was_more = self.threads < most && (self.threads == 1 || !self.was_more);
            self.other = if self.was_more { most.min(2 * self.threads) } else { self.threads / 2 };
            self.trials.begin();
        }
        let (is_other, is_timed) = self.trials.next();
        (if is_other { self.other } else { self.threads }, is_timed)
    }

    /// The number of threads that has been fastest so far.
    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Whether a trial runs.
    pub(super) fn tries(&self) -> bool {
        self.trials.are_running()
    }

    /// Gives up a trial; it begins again later.
    pub(super) fn give_up(&mut self) {
        self.trials.give_up();
    }

    /// Takes a step that has ended.
    pub(super) fn end(&mut self, step: &TimedStep, effort: Effort, now: Duration) {
        if self.trials.end(step, effort, effort.patience, now) {
            let (threads, instead_of) = (self.other, self.threads);
            let what = "steps of this size are faster on another number of threads";
            tracing::debug!(target: trace::TARGET, threads, instead_of, "{what}");
            self.threads = threads;
        }
    }
}
