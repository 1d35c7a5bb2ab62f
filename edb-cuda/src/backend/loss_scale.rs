//! By what the backward pass is multiplied: on the device, for its kernels, and here, for what leaves it.

use std::sync::Arc;

use edb_core::element::Element;

use super::launch::Rows;
use crate::driver::{Address, Driver, Memory};
use crate::error::CudaError;
use crate::number::Numbers;
use crate::source::fused::Mode;

/// The loss scale of the minibatch that runs: one number in a place that stays, so that launches that
/// were recorded read the newest.
#[derive(Debug)]
pub(super) struct LossScale {
    /// What the device has; `None` where nothing is scaled.
    factor: Option<f64>,
    memory: Memory,
}

impl LossScale {
    pub(super) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self { factor: None, memory: Memory::new(driver) }
    }

    /// Brings a scale to the device, where its kernels ask for one.
    pub(super) fn set(
        &mut self,
        factor: f64,
        numbers: Numbers,
        driver: &dyn Driver,
    ) -> Result<(), CudaError> {
        if !numbers.scales_losses() || self.factor == Some(factor) {
            return Ok(());
        }
        self.factor = None;
        self.memory.reserve(numbers.real.size())?;
        driver.upload(&(factor as f32).to_ne_bytes(), self.memory.at())?;
        self.factor = Some(factor);
        Ok(())
    }

    /// Where kernels read it.
    pub(super) fn at(&self) -> Address {
        self.memory.at()
    }

    /// The same as rows that are all one.
    pub(super) fn row(&self, numbers: Numbers) -> Rows {
        Rows { mode: Mode::One, ..Rows::each(self.at(), 1, numbers.real) }
    }

    /// By what a gradient is multiplied to be the gradient of the loss.
    pub(super) fn inverse(&self) -> f64 {
        self.factor.map_or(1.0, f64::recip)
    }

    /// Takes the scale out of gradients.
    pub(super) fn unscale<T: Element>(&self, gradients: &mut [T]) {
        if self.factor.is_some() {
            let inverse = T::from_f64(self.inverse());
            gradients.iter_mut().for_each(|gradient| *gradient *= inverse);
        }
    }
}
