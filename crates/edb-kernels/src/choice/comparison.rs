//! Compares two ways by the times of steps.

use std::time::Duration;

use smallvec::SmallVec;

use super::times::{TimedStep, Times};
use super::{Effort, MAX_RELATIVE_ERROR, MAX_TIMED_STEPS, MIN_SPEEDUP};

/// Times some steps with the present way, and then some steps with another way.
#[derive(Debug)]
pub(super) struct Comparison {
    /// The times with the present way, and with the other way.
    measured: [TimesBySize; 2],
    /// Which of the two ways is measured now; below, whether a first step, which fills caches or packs weights,
    /// has run with it.
    at: usize,
    is_warm: bool,
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    /// Whether steps are faster with the other way.
    pub(super) is_faster: bool,
    /// How long to wait until the next comparison.
    pub(super) pause: Duration,
}

impl Comparison {
    pub(super) fn new() -> Self {
        Self { measured: Default::default(), at: 0, is_warm: true }
    }

    /// Whether the next step runs with the other way, and whether it is timed.
    pub(super) fn next(&self) -> (bool, bool) {
        (self.at == 1, self.is_warm)
    }

    /// Takes a step that has ended.
    pub(super) fn take(&mut self, step: &TimedStep, effort: Effort) -> Option<Outcome> {
        let Some(time) = step.time else {
            self.is_warm = true;
            return None;
        };
        self.measured[self.at].add(step, time);
        let is_enough = self.measured[self.at].is_enough(effort);
        if self.at == 0 {
            if is_enough {
                (self.at, self.is_warm) = (1, false);
            }
            return None;
        }
        let [own, other] = &self.measured;
        let ([time, of_own], error) = other.compare(own);
        let is_slower = other.steps() >= effort.steps && time - of_own > 2.0 * error;
        (is_enough || is_slower).then(|| {
            let is_faster = of_own > MIN_SPEEDUP * time;
            // The lost time, including the step that was not timed.
            let loss = (time - of_own) * f64::from(other.steps() + 1) / f64::from(other.steps());
            // If the other way is taken, compare again soon, since another program may have interfered.
            let loss = Duration::from_secs_f64(if is_faster { 0.0 } else { loss.max(0.0) });
            let pause = (effort.pause * other.time()).max(effort.patience * loss);
            Outcome { is_faster, pause }
        })
    }
}

/// Times of steps, by the place of their size.
#[derive(Debug, Default)]
struct TimesBySize(SmallVec<[Times; 8]>);

impl TimesBySize {
    fn add(&mut self, step: &TimedStep, time: Duration) {
        if self.0.len() <= step.size {
            self.0.resize_with(step.size + 1, Times::default);
        }
        self.0[step.size].add(time, step.work);
    }

    fn steps(&self) -> u32 {
        self.0.iter().map(|of_size| of_size.steps).sum()
    }

    fn time(&self) -> Duration {
        self.0.iter().map(|of_size| of_size.time).sum()
    }

    /// How long these steps take, and how long they would take with the times of `own`, in seconds; and the
    /// standard error of the difference. Sizes that only one of the two has are left out.
    fn compare(&self, own: &Self) -> ([f64; 2], f64) {
        let both = self.0.iter().zip(&own.0).filter(|(this, own)| this.steps.min(own.steps) > 0);
        let sums = both.fold([0.0; 3], |[time, of_own, squares], (this, own)| {
            let error = this.work * this.error().hypot(own.error());
            let times = [time + this.work * this.cost(), of_own + this.work * own.cost()];
            [times[0], times[1], squares + error * error]
        });
        ([sums[0], sums[1]], sums[2].sqrt())
    }

    /// The standard error of the time of all steps together.
    fn error(&self) -> f64 {
        let measured = self.0.iter().filter(|of_size| of_size.steps > 0);
        measured.map(|of_size| (of_size.work * of_size.error()).powi(2)).sum::<f64>().sqrt()
    }

    fn is_enough(&self, effort: Effort) -> bool {
        let ([cost, _], _) = self.compare(self);
        let is_known = self.steps() >= effort.steps && self.error() <= MAX_RELATIVE_ERROR * cost;
        self.steps() >= MAX_TIMED_STEPS || (is_known && self.time() >= effort.time)
    }
}
