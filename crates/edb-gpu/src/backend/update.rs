//! The memory and kernels for the end of a training step.

use std::sync::Arc;

use super::kernel_set::KernelSet;
use crate::driver::{DeviceMemory, Driver};
use crate::error::GpuError;
use crate::kernels::optimizer::{Optimizer, STATUS};

/// The memory and kernels for the end of a training step.
#[derive(Debug)]
pub(super) struct UpdateMemory {
    /// Loaded by the first step, as inference does not need it.
    pub(super) library: Option<KernelSet<Optimizer>>,
    pub(super) status: DeviceMemory,
    pub(super) tables: DeviceMemory,
    pub(super) squares: DeviceMemory,
    pub(super) factors: DeviceMemory,
}

impl UpdateMemory {
    pub(super) fn new(driver: &Arc<dyn Driver>) -> Self {
        let memory = || DeviceMemory::new(driver);
        let (status, tables, squares, factors) = (memory(), memory(), memory(), memory());
        Self { library: None, status, tables, squares, factors }
    }

    pub(super) fn library(&self) -> &KernelSet<Optimizer> {
        self.library.as_ref().expect("a step begins with `begin_step`")
    }

    /// What a step comes to: `kernels/optimizer.rs` says which number is what.
    pub(super) fn status(&self, driver: &dyn Driver) -> Result<[f64; STATUS], GpuError> {
        let mut status = [0.0; STATUS];
        driver.download(self.status.address(), bytemuck::cast_slice_mut(&mut status))?;
        Ok(status)
    }
}
