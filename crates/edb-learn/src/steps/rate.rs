//! Learning rate schedules.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::stopping::EarlyStopping;
use crate::error::{LearnError, check_setting};

/// A learning rate schedule: for each step, a factor by which the optimiser's learning rate is multiplied.
///
/// Schedules can be combined: a warm-up, then a cosine down to a tenth.
///
/// ```
/// # extern crate edb_learn as edb;
/// use edb::learn::RateSchedule;
///
/// let schedule = RateSchedule::linear(100, 0.0, 1.0).then(100, RateSchedule::cosine(900, 0.1));
/// assert_eq!([0, 50, 100, 550, 1000, 9000].map(|step| schedule.factor(step)),
///            [0.0, 0.5, 1.0, 0.55, 0.1, 0.1]);
/// ```
///
/// A factor depends on the step alone, so a schedule has no state to save. Numbers of steps are at least 1, and factors
/// finite and not negative; a trainer [checks](Self::check) this before its first step. See [`Plateau`] for a factor
/// that depends on a score. Cosines come from the `libm` crate, which gives the same bits on every machine.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub enum RateSchedule {
    /// A constant factor.
    Constant(f64),
    /// Multiplied by `gamma` every `every` steps: PyTorch's `StepLR`.
    Step {
        /// The number of steps between multiplications, at least 1.
        every: u64,
        /// The factor.
        gamma: f64,
    },
    /// `gamma ^ step`: PyTorch's `ExponentialLR`.
    Exponential {
        /// The factor of each step.
        gamma: f64,
    },
    /// Linear from one factor to another, and then constant: PyTorch's `LinearLR`.
    Linear {
        /// The number of steps, at least 1.
        steps: u64,
        /// The first factor.
        from: f64,
        /// The last factor.
        to: f64,
    },
    /// Along half a cosine from one factor to another, and then constant (Loshchilov and Hutter,
    /// 2017, "SGDR: stochastic gradient descent with warm restarts", equation 5, without restarts).
    Cosine {
        /// The number of steps, at least 1.
        steps: u64,
        /// The first factor.
        from: f64,
        /// The last factor.
        to: f64,
    },
    /// Up along half a cosine, and down along another: see [`RateSchedule::one_cycle`].
    OneCycle {
        /// The number of steps, at least 1.
        steps: u64,
    },
    /// One schedule for some steps, then another, which counts from there: PyTorch's
    /// `SequentialLR`.
    Then {
        /// The first.
        first: Box<RateSchedule>,
        /// The number of steps of the first.
        steps: u64,
        /// The second.
        second: Box<RateSchedule>,
    },
    /// The product of two.
    Times(Box<RateSchedule>, Box<RateSchedule>),
}

impl RateSchedule {
    /// The optimiser's learning rate, times `factor`.
    pub fn constant(factor: f64) -> Self {
        Self::Constant(factor)
    }

    /// Multiplies by `gamma` each `every` steps.
    pub fn step(every: u64, gamma: f64) -> Self {
        Self::Step { every, gamma }
    }

    /// Multiplies by `gamma` in each step.
    pub fn exponential(gamma: f64) -> Self {
        Self::Exponential { gamma }
    }

    /// Linear from one factor to another in this number of steps.
    pub fn linear(steps: u64, from: f64, to: f64) -> Self {
        Self::Linear { steps, from, to }
    }

    /// Falls from 1 to `to` along half a cosine in this number of steps.
    pub fn cosine(steps: u64, to: f64) -> Self {
        Self::Cosine { steps, from: 1.0, to }
    }

    /// One cycle (Smith and Topin, 2018, "Super-convergence"), with the defaults of PyTorch's
    /// `OneCycleLR`: along half a cosine from 1/25 up to 1, the optimiser's learning rate, in the
    /// first 30% of the steps, then along another down to 1 / 250 000.
    pub fn one_cycle(steps: u64) -> Self {
        Self::OneCycle { steps }
    }

    /// This schedule for `steps` steps, then another, which counts from 0 there.
    pub fn then(self, steps: u64, second: Self) -> Self {
        Self::Then { first: Box::new(self), steps, second: Box::new(second) }
    }

    /// The product of this schedule and another.
    pub fn times(self, other: Self) -> Self {
        Self::Times(Box::new(self), Box::new(other))
    }

    /// Multiplies the first `steps` steps by a linear warm-up (Goyal et al., 2017, "Accurate, large
    /// minibatch SGD", section 2.2). This schedule counts from the beginning of the warm-up. A warm-up of 0 steps
    /// is none.
    pub fn warm_up(self, steps: u64) -> Self {
        // The ramp begins at `1 / steps`, not at 0, so that the first step changes the parameters.
        match steps {
            0 | 1 => self,
            steps => self.times(Self::linear(steps - 1, 1.0 / steps as f64, 1.0)),
        }
    }

    /// Checks the settings, as a trainer does before its first step.
    ///
    /// # Errors
    /// [`LearnError::Setting`] for a number of steps that is 0, or a factor that is negative or not finite.
    pub fn check(&self) -> Result<(), LearnError> {
        let check_steps = |of: &str, what: &str, steps: u64| {
            check_setting(of, what, steps as f64, "at least 1", steps > 0)
        };
        let check_factor = |of: &str, what: &str, factor: f64| {
            let valid = factor.is_finite() && factor >= 0.0;
            check_setting(of, what, factor, "finite and not negative", valid)
        };
        match self {
            Self::Constant(factor) => check_factor("RateSchedule::constant", "factor", *factor),
            Self::Step { every, gamma } => {
                check_steps("RateSchedule::step", "number of steps", *every)?;
                check_factor("RateSchedule::step", "gamma", *gamma)
            }
            Self::Exponential { gamma } => {
                check_factor("RateSchedule::exponential", "gamma", *gamma)
            }
            Self::Linear { steps, from, to } => {
                check_steps("RateSchedule::linear", "number of steps", *steps)?;
                check_factor("RateSchedule::linear", "first factor", *from)?;
                check_factor("RateSchedule::linear", "last factor", *to)
            }
            Self::Cosine { steps, from, to } => {
                check_steps("RateSchedule::cosine", "number of steps", *steps)?;
                check_factor("RateSchedule::cosine", "first factor", *from)?;
                check_factor("RateSchedule::cosine", "last factor", *to)
            }
            Self::OneCycle { steps } => {
                check_steps("RateSchedule::one_cycle", "number of steps", *steps)
            }
            Self::Then { first, steps, second } => {
                first.check()?;
                check_steps("RateSchedule::then", "number of steps", *steps)?;
                second.check()
            }
            Self::Times(first, second) => first.check().and_then(|()| second.check()),
        }
    }

    /// The factor of step `step`, counted from 0.
    pub fn factor(&self, step: u64) -> f64 {
        // Which share of a ramp is done, in `[0, 1]`.
        let share = |steps: u64| if step >= steps { 1.0 } else { step as f64 / steps as f64 };
        match self {
            Self::Constant(factor) => *factor,
            Self::Step { every, gamma } => libm::pow(*gamma, (step / (*every).max(1)) as f64),
            Self::Exponential { gamma } => libm::pow(*gamma, step as f64),
            Self::Linear { steps, from, to } => {
                let share = share(*steps);
                between(*from, *to, share)
            }
            Self::Cosine { steps, from, to } => cosine(*from, *to, share(*steps)),
            Self::OneCycle { steps } => {
                // The phases end where they end in PyTorch, which may be between two steps.
                let (step, steps) = (step as f64, *steps as f64);
                let (top, end) = ((0.3 * steps - 1.0).max(0.0), (steps - 1.0).max(0.0));
                match step {
                    _ if step >= end => cosine(1.0, 4e-6, 1.0),
                    _ if step <= top && top > 0.0 => cosine(0.04, 1.0, step / top),
                    _ => cosine(1.0, 4e-6, (step - top) / (end - top)),
                }
            }
            Self::Then { first, steps, second } => match step.checked_sub(*steps) {
                None => first.factor(step),
                Some(step) => second.factor(step),
            },
            Self::Times(first, second) => first.factor(step) * second.factor(step),
        }
    }
}

/// Half a cosine from one factor to another, at `share` of the way.
fn cosine(from: f64, to: f64, share: f64) -> f64 {
    let left = 0.5 * (1.0 + libm::cos(PI * share));
    between(from, to, 1.0 - left)
}

/// The value at `share` of the way from one number to another. At both ends it is exact, and everywhere if the
/// two numbers are equal.
fn between(from: f64, to: f64, share: f64) -> f64 {
    if share < 0.5 { from + share * (to - from) } else { to - (1.0 - share) * (to - from) }
}

/// Lowers the learning rate when a score has stopped improving: PyTorch's `ReduceLROnPlateau`.
///
/// ```
/// # extern crate edb_learn as edb;
/// use edb::learn::Plateau;
///
/// let mut plateau = Plateau::lower_is_better().factor(0.5).patience(1);
/// for (loss, factor) in [(1.0, 1.0), (0.8, 1.0), (0.8, 1.0), (0.8, 0.5), (0.7, 0.5)] {
///     assert_eq!(plateau.observe(loss)?, factor);
/// }
/// # Ok::<(), edb::learn::LearnError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[must_use]
pub struct Plateau {
    /// Releases up to 0.2 called it `watch`, and files still do.
    #[serde(rename = "watch")]
    stopping: EarlyStopping,
    #[serde(with = "edb_ir::any_number")]
    gamma: f64,
    #[serde(with = "edb_ir::any_number")]
    least: f64,
    #[serde(with = "edb_ir::any_number")]
    current: f64,
}

impl Plateau {
    /// For a score that is better when it is lower, such as a loss.
    pub fn lower_is_better() -> Self {
        Self::new(EarlyStopping::lower_is_better())
    }

    /// For a score that is better when it is higher, such as an accuracy.
    pub fn higher_is_better() -> Self {
        Self::new(EarlyStopping::higher_is_better())
    }

    fn new(stopping: EarlyStopping) -> Self {
        Self { stopping: stopping.patience(10), gamma: 0.1, least: 0.0, current: 1.0 }
    }

    /// Sets the factor by which the learning rate is lowered. It is finite and not negative; 0.1 by default.
    pub fn factor(mut self, gamma: f64) -> Self {
        self.gamma = gamma;
        self
    }

    /// Sets how many scores in a row may fail to improve; 10 by default.
    pub fn patience(mut self, scores: u64) -> Self {
        self.stopping = self.stopping.patience(scores);
        self
    }

    /// Sets by how much a score must be better than the best one to count as better; 0 by default.
    pub fn margin(mut self, margin: f64) -> Self {
        self.stopping = self.stopping.with_any_margin(margin);
        self
    }

    /// Sets the least factor of the learning rate. It is finite and not negative; 0 by default.
    pub fn least(mut self, least: f64) -> Self {
        self.least = least;
        self
    }

    /// Checks the settings, as a trainer does before its first step.
    ///
    /// # Errors
    /// [`LearnError::Setting`] for the first setting that is out of range.
    pub fn check(&self) -> Result<(), LearnError> {
        self.stopping.check("Plateau")?;
        for (setting, value) in [("factor", self.gamma), ("least factor", self.least)] {
            let valid = value.is_finite() && value >= 0.0;
            check_setting("Plateau", setting, value, "finite and not negative", valid)?;
        }
        Ok(())
    }

    /// Records a score, and returns the factor of the learning rate from now on.
    ///
    /// # Errors
    /// [`LearnError::Score`] for NaN, which is not recorded; [`LearnError::Setting`] for a setting that is out
    /// of range.
    pub fn observe(&mut self, score: f64) -> Result<f64, LearnError> {
        self.check()?;
        if score.is_nan() {
            return Err(LearnError::Score);
        }
        self.stopping.observe(score);
        if self.stopping.is_over() {
            self.stopping.wait_again();
            self.current = (self.current * self.gamma).max(self.least);
        }
        Ok(self.current)
    }

    /// Takes over the observed scores of another `Plateau` and its factor, and keeps its own settings. This is
    /// for a resumed run.
    pub fn go_on_from(&mut self, other: &Self) {
        self.stopping.go_on_from(&other.stopping);
        self.current = other.current;
    }

    /// The settings as text, to compare the settings of two runs.
    pub fn settings(&self) -> String {
        let Self { stopping, gamma, least, current: _ } = self;
        format!("{}, factor {gamma}, at least {least}", stopping.settings())
    }

    /// The current factor of the learning rate.
    pub fn current(&self) -> f64 {
        self.current
    }
}
