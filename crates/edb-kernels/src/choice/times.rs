//! The times of steps.

use std::time::Duration;

/// A step that runs with a chosen way.
#[derive(Debug)]
pub struct TimedStep {
    /// The place of its size among the sizes of all steps.
    pub size: usize,
    /// Its number of multiplications.
    pub work: f64,
    /// When it began, by any clock.
    pub begun: Duration,
    /// How long it took, if it is timed.
    pub time: Option<Duration>,
}

/// Times of steps of about one size.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Times {
    pub(super) steps: u32,
    pub(super) time: Duration,
    /// The number of multiplications of all steps.
    pub(super) work: f64,
    /// The sum over all steps of the seconds that a multiplication took; below, the sum of the squares of these
    /// times.
    sum: f64,
    squares: f64,
}

impl Times {
    pub(super) fn add(&mut self, time: Duration, work: f64) {
        let cost = time.as_secs_f64() / work;
        self.steps += 1;
        self.time += time;
        self.work += work;
        self.sum += cost;
        self.squares += cost * cost;
    }

    /// The standard error of the [cost](Self::cost).
    pub(super) fn error(&self) -> f64 {
        let steps = f64::from(self.steps);
        let variance = (self.squares - self.sum * self.sum / steps) / (steps - 1.0).max(1.0);
        (variance.max(0.0) / steps).sqrt()
    }

    /// The mean time of a multiplication over all steps, in seconds.
    pub(super) fn cost(&self) -> f64 {
        self.sum / f64::from(self.steps)
    }
}
