//! Parameters on the device: brought there when they have changed, and stacked as products want them.

use std::sync::Arc;

use edb_core::backend::{Frame, Weights};
use edb_core::element::Element;
use edb_core::learn::ParameterId;

use super::launch::{Library, Rows};
use crate::driver::{Address, Driver, Matrix, Memory};
use crate::error::CudaError;
use crate::number::Number;

/// The parameters of a model.
#[derive(Debug)]
pub(super) struct DeviceParameters {
    driver: Arc<dyn Driver>,
    /// Each with its version.
    values: Vec<(u64, Memory)>,
    /// Stacked matrices, by their number among the model's; where they were made, of which versions.
    stacked: Vec<Option<Stacked>>,
}

#[derive(Debug)]
struct Stacked {
    weights: Weights,
    /// What its elements are.
    of: Number,
    versions: Vec<u64>,
    memory: Memory,
}

impl DeviceParameters {
    pub(super) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self { driver: Arc::clone(driver), values: Vec::new(), stacked: Vec::new() }
    }

    /// Brings what has changed to the device.
    pub(super) fn upload<T: Element + bytemuck::Pod>(
        &mut self,
        frame: Frame<'_, T>,
    ) -> Result<(), CudaError> {
        for (id, parameter) in frame.parameters.iter() {
            if self.values.len() <= id.index() {
                // No parameter has version 0.
                self.values.push((0, Memory::new(&self.driver)));
            }
            let (version, memory) = &mut self.values[id.index()];
            if *version != parameter.version() {
                let bytes = bytemuck::cast_slice(parameter.values());
                memory.reserve(bytes.len().max(1))?;
                self.driver.upload(bytes, memory.at())?;
                *version = parameter.version();
            }
        }
        Ok(())
    }

    /// Where a parameter is.
    pub(super) fn at(&self, id: ParameterId) -> Address {
        self.values[id.index()].1.at()
    }

    /// A stacked matrix, as one of such numbers that lies in memory row by row.
    pub(super) fn stacked<T: Element>(
        &mut self,
        frame: Frame<'_, T>,
        number: usize,
        of: Number,
        library: &Library,
    ) -> Result<Matrix, CudaError> {
        let weights = &frame.model.weights[number];
        let real = library.numbers.real;
        let columns = |id: ParameterId| frame.parameters.get(id).shape()[1];
        let whole = |matrix: Matrix| Matrix { transposed: !weights.transposed, ..matrix };
        // Narrow ones are always copies.
        if let Some((id, start)) = part_of_one(weights).filter(|_| of == real) {
            let stride = columns(id);
            let at = self.at(id) + ((start[0] * stride + start[1]) * real.size()) as u64;
            return Ok(whole(Matrix { at, stride, transposed: false }));
        }
        let stride = weights.size[1];
        let versions: Vec<u64> =
            weights.blocks.iter().map(|block| self.values[block.param.index()].0).collect();
        if self.stacked.len() <= number {
            self.stacked.resize_with(number + 1, || None);
        }
        let known =
            self.stacked[number].take().filter(|known| (&known.weights, known.of) == (weights, of));
        let mut stacked = known.unwrap_or_else(|| Stacked {
            weights: weights.clone(),
            of,
            versions: Vec::new(),
            memory: Memory::new(&self.driver),
        });
        if stacked.versions != versions {
            stacked.memory.reserve(weights.size[0] * stride * of.size())?;
            for block in &weights.blocks {
                let from = columns(block.param);
                let part =
                    |rows: Rows, [row, column]: [usize; 2]| rows.from(row * rows.stride + column);
                let x = part(Rows::each(self.at(block.param), from, real), block.start);
                let out = part(Rows::each(stacked.memory.at(), stride, of), block.at);
                library.copy(out, x, (block.size[0], block.size[1]))?;
            }
            stacked.versions = versions;
        }
        let at = stacked.memory.at();
        self.stacked[number] = Some(stacked);
        Ok(whole(Matrix { at, stride, transposed: false }))
    }
}

/// The parameter that a stacked matrix is a part of, just as it lies there, and its first row and
/// column; gates that were split off one matrix are it again.
fn part_of_one(weights: &Weights) -> Option<(ParameterId, [usize; 2])> {
    let first = weights.blocks.first()?;
    let offset = |axis: usize| first.start[axis].checked_sub(first.at[axis]);
    let start = [offset(0)?, offset(1)?];
    let same = |axis: usize| {
        weights.blocks.iter().all(|block| block.start[axis] == start[axis] + block.at[axis])
    };
    let one = weights.blocks.iter().all(|block| block.param == first.param);
    (one && same(0) && same(1)).then_some((first.param, start))
}
