//! Tries another way to run steps, now and then.

use std::time::Duration;

use super::Effort;
use super::comparison::Comparison;
use super::times::TimedStep;

/// Says when another way is tried, and holds the results so far.
#[derive(Debug, Default)]
pub struct Retrials {
    /// When the next trial begins; unknown before the first step has ended.
    next: Option<Duration>,
    trial: Option<Comparison>,
}

impl Retrials {
    /// When the next trial should begin, if this is known and no trial runs.
    pub fn due(&self) -> Option<Duration> {
        self.next.filter(|_| self.trial.is_none())
    }

    /// Begins a trial.
    pub fn begin(&mut self) {
        self.trial = Some(Comparison::new());
    }

    /// Whether a trial runs.
    pub fn are_running(&self) -> bool {
        self.trial.is_some()
    }

    /// Gives up a trial; it begins again later.
    pub fn give_up(&mut self) {
        self.trial = None;
    }

    /// Whether the next step runs the other way, and whether it is timed.
    pub fn next(&self) -> (bool, bool) {
        self.trial.as_ref().map_or((false, false), Comparison::next)
    }

    /// Takes a step that has ended, and returns whether the other way has been found to be faster. The first
    /// trial begins after `first` times the length of the first step.
    pub fn end(&mut self, step: &TimedStep, effort: Effort, first: u32, now: Duration) -> bool {
        self.next.get_or_insert(now + first * (now - step.begun));
        let outcome = self.trial.as_mut().and_then(|trial| trial.take(step, effort));
        let Some(outcome) = outcome else { return false };
        self.trial = None;
        self.next = Some(now + outcome.pause);
        outcome.is_faster
    }
}
