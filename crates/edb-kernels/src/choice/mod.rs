//! Choices among ways to compute the same, of which the fastest is found by timing what is computed
//! anyway.
//!
//! Which way is fastest depends on the machine, and on what else runs there. There are two kinds of
//! choices. `Tries` is for what takes the same time whenever it is computed: a few tries of each
//! way, at the beginning, on any thread, and the least time of each counts. [`Retrials`] is for whole
//! steps, no two of which are equal, and of which the fastest way may be another one an hour later:
//! now and then some steps run the present way, then some another one, and the means of their times
//! are compared, each with its standard error.
//!
//! No result depends on a choice.
//!
//! Comes in: the ways that there are, and how long each took. Goes out: the way to take next. Products call
//! `tune`, in which the ways of a product are listed; the back end calls [`Retrials`], for the number of threads
//! and for whether weights are packed.

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

/// How often each way is tried whose least time counts: other programs of the machine can only
/// lengthen a time, and of eight one is hardly lengthened.
pub(crate) const TRIES: usize = 8;

/// More steps are timed until the standard error of their mean is this part of it, or there are
/// [many](MANY_STEPS): the time of a multiplication differs from step to step, above all where
/// weights are moved for a few rows.
const ERROR: f64 = 0.03;
/// See [`ERROR`].
const MANY_STEPS: u32 = 64;
/// Another way has to make steps this much faster: times of equal steps vary.
const GAIN: f64 = 1.05;

/// How much is tried to find the fastest way to run steps.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// A trial may cost one part in so many of the time. The first one begins after so many times
    /// the length of a step.
    pub patience: u32,
    /// The same for the first trial of what matters from the first step on where it does.
    pub first: u32,
    /// A trial follows another after so many times the time that steps with the other way took, at
    /// the earliest, also when it cost nothing.
    pub pause: u32,
    /// At least so many steps are timed, and (`time`) for at least so long.
    pub steps: u32,
    /// See `steps`.
    pub time: Duration,
}

impl Effort {
    /// As much as costs little.
    pub const USUAL: Self =
        Self { patience: 400, first: 3, pause: 20, steps: 3, time: Duration::from_millis(2) };
    /// The way changes every other step.
    pub const RESTLESS: Self =
        Self { patience: 0, first: 0, pause: 0, steps: 1, time: Duration::ZERO };
}
