//! Parameters on the device: uploaded when they have changed, and stacked as products need them.
//!
//! Comes in: the parameters of a model, on the host or already on the device. Goes out: their addresses, each by itself or
//! several beside each other in one matrix. The back end calls it before a minibatch runs; `phases` asks it for addresses,
//! and `steps` updates what it holds.
//!
//! | file | what it holds |
//! | --- | --- |
//! | this file | the parameters of a model, and those that are stacked |
//! | `resident` | numbers that stay on the device, parameters and the optimiser's state |
//! | `update` | memory and kernels for the end of a training step |

mod resident;
mod update;

use std::sync::Arc;

use edb_core::backend::{Frame, WeightBlock, Weights, WeightsId};
use edb_core::element::Element;
use edb_core::engine::EngineError;
use edb_core::learn::{ParameterId, Parameters};

use super::launches::KernelSet;
use crate::driver::{Address, DeviceMemory, Driver, Matrix};
use crate::error::GpuError;
use crate::kernels::Rows;
use crate::kernels::library::Library;
use crate::number::Number;

pub(crate) use resident::Resident;
pub(crate) use update::UpdateMemory;

/// The parameters of a model.
#[derive(Debug)]
pub(super) struct DeviceParameters<T> {
    driver: Arc<dyn Driver>,
    values: Vec<Option<Arc<Resident<T>>>>,
    /// Stacked matrices, by their number in the model, with the parameter versions they were made
    /// from.
    stacked: Vec<Option<Stacked>>,
}

#[derive(Debug)]
struct Stacked {
    weights: Weights,
    /// The type of its elements.
    number: Number,
    versions: Vec<u64>,
    memory: DeviceMemory,
}

impl<T: Element + bytemuck::Pod> DeviceParameters<T> {
    pub(super) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self { driver: Arc::clone(driver), values: Vec::new(), stacked: Vec::new() }
    }

    /// Uploads the parameters that have changed.
    pub(super) fn upload(&mut self, parameters: &Parameters<T>) -> Result<(), EngineError> {
        self.values.resize_with(parameters.len().max(self.values.len()), || None);
        for ((_, parameter), known) in parameters.iter().zip(&mut self.values) {
            let storage = parameter.storage();
            if known.as_ref().is_some_and(|known| known.version() == storage.version()) {
                continue;
            }
            let name = parameter.name();
            *known = Some(Resident::current(name, storage, known.take(), &self.driver)?);
        }
        Ok(())
    }

    /// The values of a parameter.
    pub(super) fn resident(&self, id: ParameterId) -> &Arc<Resident<T>> {
        self.values[id.index()].as_ref().expect("all are brought there when a minibatch begins")
    }

    /// The address of a parameter.
    pub(super) fn address(&self, id: ParameterId) -> Address {
        self.resident(id).address()
    }

    /// A stacked matrix, stored row by row in a number type.
    pub(super) fn stacked(
        &mut self,
        frame: Frame<'_, T>,
        weights: WeightsId,
        number: Number,
        library: &KernelSet<Library>,
    ) -> Result<Matrix, GpuError> {
        let place = weights.index();
        let weights = &frame.model().weights[weights];
        let real = library.numbers.real;
        let columns = |id: ParameterId| frame.parameters().get(id).shape()[1];
        let oriented = |matrix: Matrix| Matrix { transposed: !weights.transposed, ..matrix };
        // A matrix that is part of one parameter is used in place; narrow matrices are always
        // copies.
        if let [WeightBlock { param, start, .. }] = weights.blocks[..]
            && number == real
        {
            let stride = columns(param);
            let address =
                self.address(param) + ((start[0] * stride + start[1]) * real.size()) as u64;
            return Ok(oriented(Matrix { address, stride, transposed: false }));
        }
        let stride = weights.size[1];
        let versions: Vec<u64> =
            weights.blocks.iter().map(|block| self.resident(block.param).version()).collect();
        if self.stacked.len() <= place {
            self.stacked.resize_with(place + 1, || None);
        }
        let known = self.stacked[place]
            .take()
            .filter(|known| (&known.weights, known.number) == (weights, number));
        let mut stacked = known.unwrap_or_else(|| Stacked {
            weights: weights.clone(),
            number,
            versions: Vec::new(),
            memory: DeviceMemory::new(&self.driver),
        });
        if stacked.versions != versions {
            stacked.memory.reserve(weights.size[0] * stride * number.size())?;
            // Launched now rather than noted: the next minibatch need not do it again.
            let notes = library.launcher.note(None);
            let stack = |block: &WeightBlock| {
                let from = columns(block.param);
                let part =
                    |rows: Rows, [row, column]: [usize; 2]| rows.from(row * rows.stride + column);
                let x = part(Rows::same_row(self.address(block.param), from, real), block.start);
                let out =
                    part(Rows::same_row(stacked.memory.address(), stride, number), block.place);
                library.copy(out, x, block.size[0], block.size[1])
            };
            let done = weights.blocks.iter().try_for_each(stack);
            library.launcher.note(notes);
            done?;
            stacked.versions = versions;
        }
        let address = stacked.memory.address();
        self.stacked[place] = Some(stacked);
        Ok(oriented(Matrix { address, stride, transposed: false }))
    }
}
