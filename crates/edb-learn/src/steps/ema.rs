//! Moving averages of parameters.
//!
//! An average is written `average + (1 - β) (value - average)`, so that the average of a constant
//! is that constant. Averages remember whether they have been swapped with the parameters. While they are
//! swapped, nothing is trained, and no checkpoint is saved.

use derive_where::derive_where;

use crate::error::{LearnError, check_setting};
use crate::optimizer::averaged;
use crate::parameters::{Parameters, check_all_same};
use edb_kernels::element::Element;
use edb_kernels::isa::{Loop, dispatch};

/// An exponential moving average of all parameters, which often generalises better than the last
/// parameters. (Polyak and Juditsky, 1992, average them with equal weights.)
///
/// With decay `β`, after step `t` from 1 on, the average `a` of a parameter `θ` becomes
///
/// ```text
/// b = min(β, (1 + t) / (10 + t))
/// a ← b a + (1 - b) θ
/// ```
///
/// so the average forgets the first values fast, as in TensorFlow's `ExponentialMovingAverage`.
#[derive(Debug)]
#[derive_where(Clone; T: Element)]
pub struct Ema<T> {
    decay: f64,
    steps: u64,
    averages: Parameters<T>,
    /// Whether the averages and the parameters are swapped.
    swapped: bool,
}

impl<T: Element> Ema<T> {
    /// Starts averaging these parameters with decay `β`, in `[0, 1)`, from their current values.
    ///
    /// # Errors
    ///
    /// [`LearnError::Setting`]; [`LearnError::Memory`].
    pub fn new(decay: f64, parameters: &Parameters<T>) -> Result<Self, LearnError> {
        check_setting("Ema", "decay", decay, "in [0, 1)", (0.0..1.0).contains(&decay))?;
        Ok(Self { decay, steps: 0, averages: parameters.try_clone()?, swapped: false })
    }

    /// Updates the averages with the parameters after a step.
    ///
    /// # Errors
    ///
    /// [`LearnError::OtherParameters`] if their names or shapes differ from before;
    /// [`LearnError::Swapped`] while they are [swapped](Self::swap); [`LearnError::Stale`] if a device
    /// has newer values that cannot be read. Nothing has changed then.
    pub fn update(&mut self, parameters: &Parameters<T>) -> Result<(), LearnError> {
        self.check(parameters)?;
        self.check_in_place()?;
        parameters.fetch()?;
        self.averages.fetch()?;
        let take = self.weight();
        self.steps += 1;
        for ((_, average), (_, parameter)) in self.averages.iter_mut().zip(parameters.iter()) {
            let (averages, values) = (average.storage_mut().fetched_mut().1, parameter.fetched());
            dispatch(Average { averages, values, take });
        }
        Ok(())
    }

    /// The weight of the parameters in the next step.
    fn weight(&self) -> T {
        let steps = (self.steps + 1) as f64;
        T::from_f64(1.0 - self.decay.min((1.0 + steps) / (10.0 + steps)))
    }

    /// The next step as data, for a back end that holds the parameters. It is counted when it is
    /// [finished](Averages::finish).
    pub(crate) fn averages_of(
        &mut self,
        parameters: &Parameters<T>,
    ) -> Result<Averages<'_, T>, LearnError> {
        self.check(parameters)?;
        self.check_in_place()?;
        let take = self.weight();
        Ok(Averages { averages: &mut self.averages, take, steps: &mut self.steps })
    }

    /// Checks that these are averages of `parameters`, which [`swap`](Self::swap) has not exchanged.
    ///
    /// # Errors
    ///
    /// [`LearnError::OtherParameters`], [`LearnError::Swapped`].
    pub fn check_fits(&self, parameters: &Parameters<T>) -> Result<(), LearnError> {
        self.check(parameters)?;
        self.check_in_place()
    }

    fn check(&self, parameters: &Parameters<T>) -> Result<(), LearnError> {
        check_all_same("the averages", parameters.identities(), self.averages.identities())
    }

    /// Fails while parameters and averages are swapped.
    pub(crate) fn check_in_place(&self) -> Result<(), LearnError> {
        if self.swapped { Err(LearnError::Swapped) } else { Ok(()) }
    }

    /// The averages; while they are [swapped](Self::swap), the parameters.
    pub fn averages(&self) -> &Parameters<T> {
        &self.averages
    }

    /// Swaps the averages with the parameters, so that you can test or save the averages; a second call swaps
    /// them back. In between, nothing is averaged.
    ///
    /// # Errors
    ///
    /// [`LearnError::OtherParameters`] if their names or shapes differ from before.
    pub fn swap(&mut self, parameters: &mut Parameters<T>) -> Result<(), LearnError> {
        self.check(parameters)?;
        for ((_, average), (_, parameter)) in self.averages.iter_mut().zip(parameters.iter_mut()) {
            // Swapping the storage also swaps the values on a device.
            std::mem::swap(average.storage_mut(), parameter.storage_mut());
        }
        self.swapped = !self.swapped;
        Ok(())
    }

    /// The decay, as it was set.
    pub fn decay(&self) -> f64 {
        self.decay
    }

    /// How many steps have been averaged.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}

/// The averages and the number of averaged steps, to be set from a checkpoint together with the parameters.
/// After that they are not swapped.
pub fn averages_to_restore<T: Element>(ema: &mut Ema<T>) -> (&mut Parameters<T>, &mut u64) {
    ema.swapped = false;
    (&mut ema.averages, &mut ema.steps)
}

/// A step of moving averages, for a back end that takes it:
/// `average ← average + take (value - average)`, where each operation is rounded separately.
#[derive(Debug)]
pub struct Averages<'a, T> {
    /// The averages, one for each parameter.
    pub averages: &'a mut Parameters<T>,
    /// The weight of the parameters.
    pub take: T,
    steps: &'a mut u64,
}

impl<T> Averages<'_, T> {
    /// Records that the step was taken.
    pub(crate) fn finish(self) {
        *self.steps += 1;
    }
}

struct Average<'a, T> {
    averages: &'a mut [T],
    values: &'a [T],
    take: T,
}

impl<T: Element> Loop for Average<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for (average, &value) in self.averages.iter_mut().zip(self.values) {
            *average = averaged(*average, value, self.take);
        }
    }
}
