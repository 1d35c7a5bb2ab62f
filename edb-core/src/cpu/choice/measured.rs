//! The times of steps, and how much is tried to find the fastest way to run them.

use std::time::Duration;

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// A trial may cost one part in so many of the time. The first one of threads begins after so
    /// many times the length of a step.
    pub(super) patience: u32,
    /// The same for the first trial of packing, which matters from the first step on where it does.
    pub(super) first: u32,
    /// A trial follows another after so many times the time that steps with the other choice took,
    /// at the earliest, also when it cost nothing.
    pub(super) pause: u32,
    /// At least so many steps are timed, for at least so long.
    pub(super) steps: u32,
    pub(super) time: Duration,
}

impl Default for Effort {
    fn default() -> Self {
        Self { patience: 400, first: 3, pause: 20, steps: 3, time: Duration::from_millis(2) }
    }
}

/// A step that runs.
#[derive(Debug)]
pub(super) struct Step {
    /// Its place among the sizes, and (`work`) the number of multiplications.
    pub(super) size: usize,
    pub(super) work: f64,
    pub(super) trains: bool,
    pub(super) begun: Duration,
    /// How long its phases and its update have taken, if they are timed.
    pub(super) timed: Option<Duration>,
}

/// Times of steps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Measured {
    pub(super) steps: u32,
    pub(super) time: Duration,
    /// The multiplications of all.
    pub(super) work: f64,
    /// The sum of the seconds that a multiplication took in each step, and (`squares`) that of their
    /// squares.
    sum: f64,
    squares: f64,
}

impl Measured {
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
