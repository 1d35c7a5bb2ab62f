//! The memory and kernels for the end of a training step.

use std::sync::Arc;

use crate::backend::launches::KernelSet;
use crate::driver::{DeviceMemory, Driver};
use crate::error::GpuError;
use crate::kernels::optimizer::{Optimizer, STATUS};

/// The memory and kernels for the end of a training step.
#[derive(Debug)]
pub(crate) struct UpdateMemory {
    /// Loaded by the first step, as inference does not need it.
    pub(crate) library: Option<KernelSet<Optimizer>>,
    pub(crate) status: DeviceMemory,
    pub(crate) tables: DeviceMemory,
    pub(crate) squares: DeviceMemory,
    pub(crate) factors: DeviceMemory,
}

impl UpdateMemory {
    pub(crate) fn new(driver: &Arc<dyn Driver>) -> Self {
        let memory = || DeviceMemory::new(driver);
        let (status, tables, squares, factors) = (memory(), memory(), memory(), memory());
        Self { library: None, status, tables, squares, factors }
    }

    pub(crate) fn library(&self) -> &KernelSet<Optimizer> {
        self.library.as_ref().expect("a step begins with `begin_step`")
    }

    /// What a step comes to: `kernels/optimizer.rs` says which number is what.
    pub(crate) fn status(&self, driver: &dyn Driver) -> Result<[f64; STATUS], GpuError> {
        let mut status = [0.0; STATUS];
        driver.download(self.status.address(), bytemuck::cast_slice_mut(&mut status))?;
        Ok(status)
    }
}
