//! The loss scale: on the device, for its kernels, and on the host, to unscale its results.

use std::sync::Arc;

use edb_core::element::Element;

use crate::driver::{Address, DeviceMemory, Driver};
use crate::error::GpuError;
use crate::kernels::{Mode, Rows};
use crate::number::Numbers;

/// The loss scale of the current minibatch: one number at a fixed address, so that recorded
/// launches read the current one.
#[derive(Debug)]
pub(crate) struct LossScale {
    /// The factor on the device; `None` if losses are not scaled.
    factor: Option<f64>,
    memory: DeviceMemory,
}

impl LossScale {
    pub(crate) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self { factor: None, memory: DeviceMemory::new(driver) }
    }

    /// Uploads a scale to the device, if its kernels read one.
    pub(crate) fn set(
        &mut self,
        factor: f64,
        numbers: Numbers,
        driver: &dyn Driver,
    ) -> Result<(), GpuError> {
        if !numbers.scales_losses() || self.factor == Some(factor) {
            return Ok(());
        }
        self.factor = None;
        self.memory.reserve(numbers.real.size())?;
        driver.upload(&(factor as f32).to_ne_bytes(), self.memory.address())?;
        self.factor = Some(factor);
        Ok(())
    }

    /// Where kernels read it.
    pub(crate) fn address(&self) -> Address {
        self.memory.address()
    }

    /// The scale as an operand with the same row for all.
    pub(crate) fn row(&self, numbers: Numbers) -> Rows {
        Rows { mode: Mode::One, ..Rows::same_row(self.address(), 1, numbers.real) }
    }

    /// The factor that turns a scaled gradient into the gradient of the loss.
    pub(crate) fn inverse(&self) -> f64 {
        self.factor.map_or(1.0, f64::recip)
    }

    /// Unscales gradients.
    pub(crate) fn unscale<T: Element>(&self, gradients: &mut [T]) {
        if self.factor.is_some() {
            let inverse = T::from_f64(self.inverse());
            gradients.iter_mut().for_each(|gradient| *gradient *= inverse);
        }
    }
}
