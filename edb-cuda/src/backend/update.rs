//! What the end of a step works in.

use std::sync::Arc;

use super::launch::Library;
use crate::driver::{Driver, Memory};
use crate::error::CudaError;

/// `optimizer.cuh`: the numbers of the status.
pub(super) const STATUS: usize = 3;

/// What the end of a step needs.
#[derive(Debug)]
pub(super) struct UpdateMemory {
    /// Loaded by the first step: inference does without.
    pub(super) library: Option<Library>,
    pub(super) status: Memory,
    pub(super) tables: Memory,
    pub(super) squares: Memory,
    pub(super) factors: Memory,
}

impl UpdateMemory {
    pub(super) fn new(driver: &Arc<dyn Driver>) -> Self {
        let memory = || Memory::new(driver);
        let (status, tables, squares, factors) = (memory(), memory(), memory(), memory());
        Self { library: None, status, tables, squares, factors }
    }

    pub(super) fn library(&self) -> &Library {
        self.library.as_ref().expect("a step begins with `begin_step`")
    }

    /// What the host has to know of a step: the loss, the norm, and whether it was taken.
    pub(super) fn status(&self, driver: &dyn Driver) -> Result<[f64; STATUS], CudaError> {
        let mut status = [0.0; STATUS];
        driver.download(self.status.at(), bytemuck::cast_slice_mut(&mut status))?;
        Ok(status)
    }
}
