//! Chooses among several ways to compute the same result. The fastest way is found by timing work that has to
//! be done anyway.
//!
//! Which way is fastest depends on the machine, and on the other programs that run there. There are two kinds
//! of choices. `Tries` is for work that always takes the same time: each way is tried a few times at the
//! beginning, on any thread, and its least time counts. [`Retrials`] is for whole steps. No two steps are
//! equal, and another way may be the fastest an hour later. So now and then some steps run with the present way
//! and some with another way, and the means of their times are compared, with their standard errors.
//!
//! No result depends on a choice.
//!
//! The inputs are the ways, and the time that each took. The result is the way to take next. Products call
//! `tune`, which lists the ways of a product; the back end calls [`Retrials`] to choose the number of threads,
//! and whether weights are packed.

mod comparison;
mod retrials;
mod times;
mod tries;
pub(crate) mod tune;

use std::time::Duration;

pub use retrials::Retrials;
pub use times::TimedStep;
pub(crate) use tries::Tries;

pub(crate) use tune::{ORDERS, Order, Product, TileShape, WAYS, WIDE_ROWS, Way};

/// How often each way is tried if its least time counts. Other programs on the machine can only lengthen a
/// time, and at least one of eight times is hardly lengthened.
pub(crate) const TRIES_PER_WAY: usize = 8;

/// Steps are timed until the standard error of their mean is at most this fraction of the mean, or [this many
/// steps](MAX_TIMED_STEPS) have been timed. The time per multiplication differs from step to step, above all if
/// weights are moved for a few rows.
const MAX_RELATIVE_ERROR: f64 = 0.03;
/// At most this many steps are timed: see [`MAX_RELATIVE_ERROR`].
const MAX_TIMED_STEPS: u32 = 64;
/// Another way must be faster by this factor to be taken, since the times of equal steps vary.
const MIN_SPEEDUP: f64 = 1.05;

/// How much time is spent on finding the fastest way to run steps.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Trials may cost at most `1 / patience` of the time. The first trial begins after `patience` times the
    /// length of a step.
    pub patience: u32,
    /// The first trial begins after `first` times the length of a step, if the choice may matter from the first
    /// step on.
    pub first: u32,
    /// After a trial, the next one begins at the earliest after `pause` times the time that the steps with the
    /// other way took, even if the trial cost nothing.
    pub pause: u32,
    /// At least this many steps are timed, and for at least `time`.
    pub steps: u32,
    /// See `steps`.
    pub time: Duration,
}

impl Effort {
    /// The usual effort, which costs little time.
    pub const USUAL: Self =
        Self { patience: 400, first: 3, pause: 20, steps: 3, time: Duration::from_millis(2) };
    /// The way changes every other step.
    pub const RESTLESS: Self =
        Self { patience: 0, first: 0, pause: 0, steps: 1, time: Duration::ZERO };
}
