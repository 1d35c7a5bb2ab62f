//! The times of steps.

use std::time::Duration;

/// A step whose way is chosen.
#[derive(Debug)]
pub struct TimedStep {
    /// The place of its size among those of all steps, and (`work`) its number of multiplications.
    pub size: usize,
    /// See `size`.
    pub work: f64,
    /// When it has begun, by any clock.
    pub begun: Duration,
    /// How long it has taken, if it is timed.
    pub time: Option<Duration>,
}

/// Times of steps of about one size.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Times {
    pub(super) steps: u32,
    pub(super) time: Duration,
    /// The multiplications of all.
    pub(super) work: f64,
    /// The sum of the seconds that a multiplication took in each step, and (`squares`) that of their
    /// squares.
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

    /// The seconds that a multiplication takes, in the mean of the steps.
    pub(super) fn cost(&self) -> f64 {
        self.sum / f64::from(self.steps)
    }
}
