//! How many threads steps of about one size use.

use std::time::Duration;

use super::measured::{Effort, Step};
use super::trial::Trial;
use edb_kernels::trace;

/// The number of threads for steps of about one size.
#[derive(Debug)]
pub(super) struct TeamSize {
    threads: usize,
    /// When the next trial begins; unknown before the first step has ended.
    next: Option<Duration>,
    /// A trial, and the other number of threads.
    trial: Option<(Trial, usize)>,
    /// Whether the last trial was with more threads.
    was_more: bool,
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
            self.trial = Some((Trial::new(), other));
        }
        let Some((trial, other)) = &self.trial else { return (self.threads, false) };
        let (is_other, is_timed) = trial.next();
        (if is_other { *other } else { self.threads }, is_timed)
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
        let Some((trial, other)) = &mut self.trial else { return };
        let Some(outcome) = trial.take(step, effort) else { return };
        if outcome.is_faster {
            let (threads, instead_of) = (*other, self.threads);
            let what = "steps of this size are faster on another number of threads";
            tracing::debug!(target: trace::TARGET, threads, instead_of, "{what}");
            self.threads = threads;
        }
        self.trial = None;
        self.next = Some(now + outcome.pause);
    }
}
