//! Whether weights are packed for products of few rows.
//!
//! Such products can read weights where they lie, which saves packing them after each update. But
//! threads read a part of each [line](crate::cpu::lines) then, which one processor fetches as fast
//! as panels, and another at half the speed. Weights that one step has packed are there for the next
//! one, whatever its size, so this is chosen for steps of all sizes at once.

use std::time::Duration;

use super::measured::{ERROR, Effort, GAIN, MANY_STEPS, Measured, Step};
use crate::trace;

/// Whether steps pack, and how that is tried.
#[derive(Debug, Default)]
pub(super) struct Packing {
    packs: bool,
    /// When the next trial begins; unknown before the first step of training has ended.
    next: Option<Duration>,
    trial: Option<Trial>,
}

/// Some steps as they are, then some with the other choice.
#[derive(Debug, Default)]
struct Trial {
    measured: [Times; 2],
    /// Which of the two is measured, and whether a first step, which packs or leaves it, has been
    /// run for it.
    at: usize,
    is_warm: bool,
}

/// Times of steps, by the place of their size.
#[derive(Debug, Default)]
struct Times(Vec<Measured>);

impl Times {
    fn add(&mut self, step: &Step, time: Duration) {
        if self.0.len() <= step.size {
            self.0.resize_with(step.size + 1, Measured::default);
        }
        self.0[step.size].add(time, step.work);
    }

    fn steps(&self) -> u32 {
        self.0.iter().map(|of_size| of_size.steps).sum()
    }

    fn time(&self) -> Duration {
        self.0.iter().map(|of_size| of_size.time).sum()
    }

    /// How long the steps of these times take, and how long they would take with those of `own`, in
    /// seconds, and the standard error of the difference. Sizes that only one of the two has are left
    /// out.
    fn compare(&self, own: &Self) -> ([f64; 2], f64) {
        let both = self.0.iter().zip(&own.0).filter(|(this, own)| this.steps.min(own.steps) > 0);
        let sums = both.fold([0.0; 3], |[time, of_own, squares], (this, own)| {
            let error = this.work * this.error().hypot(own.error());
            let times = [time + this.work * this.cost(), of_own + this.work * own.cost()];
            [times[0], times[1], squares + error * error]
        });
        ([sums[0], sums[1]], sums[2].sqrt())
    }

    /// The standard error of the time of all.
    fn error(&self) -> f64 {
        let measured = self.0.iter().filter(|of_size| of_size.steps > 0);
        measured.map(|of_size| (of_size.work * of_size.error()).powi(2)).sum::<f64>().sqrt()
    }

    fn is_enough(&self, effort: Effort) -> bool {
        let (steps, time) = (self.steps(), self.time());
        let is_known = steps >= effort.steps && self.error() <= ERROR * time.as_secs_f64();
        steps >= MANY_STEPS || (is_known && time >= effort.time)
    }
}

impl Packing {
    /// Whether the next step packs, and whether it is timed; a trial begins only if it may.
    pub(super) fn begin(&mut self, trains: bool, now: Duration, may_try: bool) -> (bool, bool) {
        // Right after a trial, another one has precedence.
        if may_try && self.trial.is_none() && self.next.is_some_and(|next| now > next) {
            self.trial = Some(Trial { is_warm: true, ..Trial::default() });
        }
        match &self.trial {
            Some(trial) => (self.packs ^ (trial.at == 1), trains && trial.is_warm),
            None => (self.packs, false),
        }
    }

    /// Whether a trial runs.
    pub(super) fn tries(&self) -> bool {
        self.trial.is_some()
    }

    /// Takes a step that has ended.
    pub(super) fn end(&mut self, step: &Step, effort: Effort, now: Duration) {
        if !step.trains {
            return;
        }
        if self.next.is_none() {
            self.next = Some(now + effort.first * (now - step.begun));
        }
        let Some(Trial { measured, at, is_warm }) = &mut self.trial else { return };
        let Some(time) = step.timed.filter(|_| *is_warm) else {
            *is_warm = true;
            return;
        };
        measured[*at].add(step, time);
        let is_enough = measured[*at].is_enough(effort);
        if *at == 0 {
            if is_enough {
                (*at, *is_warm) = (1, false);
            }
            return;
        }
        let ([time, of_own], error) = measured[1].compare(&measured[0]);
        let is_slower = measured[1].steps() >= effort.steps && time - of_own > 2.0 * error;
        if is_enough || is_slower {
            self.decide(effort, now);
        }
    }

    /// Ends a trial.
    fn decide(&mut self, effort: Effort, now: Duration) {
        let Some(Trial { measured: [own, other], .. }) = self.trial.take() else { return };
        let ([time, of_own], _) = other.compare(&own);
        if of_own > GAIN * time {
            self.packs = !self.packs;
            let packs = self.packs;
            let what = "steps are faster with weights packed, or not packed, for few rows";
            tracing::debug!(target: trace::TARGET, packs, "{what}");
        }
        self.next = Some(now + effort.pause(other.time(), time - of_own));
    }
}
