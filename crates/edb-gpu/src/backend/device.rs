//! The state of a back end on its device.

use std::sync::Arc;

use edb_core::GraphSumsOnHost;
use edb_core::backend::Copies;
use edb_core::element::Element;

use super::clock::Clock;
use super::gradients::{GradientSums, LossScale, Shares};
use super::launches::{Codes, KernelSet, Notes, Replays};
use super::minibatch::{Arena, Mirror, Tables};
use super::parameters::{DeviceParameters, UpdateMemory};
use crate::dialect::Dialect;
use crate::driver::{DeviceMemory, Driver};
use crate::error::GpuError;
use crate::kernels::library::Library;
use crate::number::Numbers;
use crate::options::{GpuOptions, Launches};

/// Runs phases on a device.
#[derive(Debug)]
pub(crate) struct GpuBackend<T> {
    pub(super) driver: Arc<dyn Driver>,
    pub(super) dialect: Arc<dyn Dialect>,
    pub(super) launches: Launches,
    /// Whether rows must not depend on others, as products of the device's library do: how it sums
    /// depends on their number.
    pub(super) rows_apart: bool,
    pub(super) library: KernelSet<Library>,
    pub(super) codes: Codes,
    pub(super) arena: Arena,
    /// The memory of indices, and the number of those of the minibatch.
    pub(super) indices: DeviceMemory,
    pub(super) index_count: usize,
    /// While graphs grow, the indices that the host has fetched, where they lie in that memory.
    pub(super) fetched: Option<Vec<u32>>,
    /// Values that are only used within a phase.
    pub(super) scratch: DeviceMemory,
    /// Temporary memory of a single step.
    pub(super) spare: DeviceMemory,
    pub(super) tables: Tables,
    pub(super) parameters: DeviceParameters<T>,
    pub(super) update: UpdateMemory,
    pub(super) sums: GradientSums,
    pub(super) shares: Shares,
    pub(super) copies: Copies,
    pub(super) mirror: Mirror<T>,
    /// The memory of indices, if the host has read it.
    pub(super) read_indices: Mirror<u32>,
    /// Gradients that the host has read, unscaled.
    pub(super) gradients: Mirror<T>,
    /// What sums the gradients of each graph, from a copy of what has run.
    pub(super) graph_sums: GraphSumsOnHost<T>,
    pub(super) clock: Clock,
    pub(super) loss_scale: LossScale,
    pub(super) replays: Replays,
    /// The buffer for launch notes, while no batches are being noted.
    pub(super) notes: Notes,
}

impl<T: Element + bytemuck::Pod> GpuBackend<T> {
    pub(crate) fn new(
        driver: &Arc<dyn Driver>,
        dialect: &Arc<dyn Dialect>,
        options: GpuOptions,
    ) -> Result<Self, GpuError> {
        let GpuOptions { precision, launches } = options;
        let refused = || GpuError::Precision { device: driver.name() };
        let numbers = Numbers::new::<T>(precision).ok_or_else(refused)?;
        let memory = || DeviceMemory::new(driver);
        Ok(Self {
            driver: Arc::clone(driver),
            dialect: Arc::clone(dialect),
            launches,
            rows_apart: false,
            library: KernelSet::library(driver, &**dialect, numbers, launches == Launches::Graphs)?,
            codes: Codes::default(),
            arena: Arena::new(driver, numbers),
            indices: memory(),
            index_count: 0,
            fetched: None,
            scratch: memory(),
            spare: memory(),
            tables: Tables::new(driver),
            parameters: DeviceParameters::new(driver),
            update: UpdateMemory::new(driver),
            sums: GradientSums::default(),
            shares: Shares::default(),
            copies: Copies::default(),
            mirror: Mirror::new(),
            read_indices: Mirror::new(),
            gradients: Mirror::new(),
            graph_sums: GraphSumsOnHost::default(),
            clock: Clock::new(driver),
            loss_scale: LossScale::new(driver),
            replays: Replays::new(driver),
            notes: Notes::default(),
        })
    }

    /// Discards the host's copies, because the device is about to change the values.
    pub(super) fn forget_read(&mut self) {
        self.mirror.clear();
        self.read_indices.clear();
        self.gradients.clear();
    }

    /// The memory of indices, on the host; while graphs grow, what was fetched of it.
    pub(super) fn host_indices(&self) -> Result<&[u32], GpuError> {
        if let Some(fetched) = &self.fetched {
            return Ok(fetched);
        }
        self.read_indices.get(0..self.index_count, || {
            let mut indices = vec![0_u32; self.index_count].into_boxed_slice();
            if !indices.is_empty() {
                let bytes = bytemuck::cast_slice_mut(&mut indices);
                self.driver.download(self.indices.address(), bytes)?;
            }
            Ok(indices)
        })
    }
}
