//! Parameters on the device: uploaded when they have changed, and stacked as products need them.

use std::sync::Arc;

use edb_core::backend::{Frame, WeightBlock, Weights, WeightsId};
use edb_core::element::Element;
use edb_core::engine::EngineError;
use edb_core::learn::{ParameterId, Parameters};

use super::kernel_set::KernelSet;
use super::resident::Resident;
use crate::driver::{Address, Driver, Matrix, Memory};
use crate::error::GpuError;
use crate::kernels::Rows;
use crate::kernels::library::Library;
use crate::number::Number;

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
    /// The number type of its elements.
    of: Number,
    versions: Vec<u64>,
    memory: Memory,
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
            *known = Some(Resident::of(name, storage, known.take(), &self.driver)?);
        }
        Ok(())
    }

    /// The values of a parameter.
    pub(super) fn of(&self, id: ParameterId) -> &Arc<Resident<T>> {
        self.values[id.index()].as_ref().expect("all are brought there when a minibatch begins")
    }

    /// The address of a parameter.
    pub(super) fn at(&self, id: ParameterId) -> Address {
        self.of(id).at()
    }

    /// A stacked matrix, stored row by row in number type `of`.
    pub(super) fn stacked(
        &mut self,
        frame: Frame<'_, T>,
        number: WeightsId,
        of: Number,
        library: &KernelSet<Library>,
    ) -> Result<Matrix, GpuError> {
        let weights = &frame.model.weights[number];
        let number = number.index();
        let real = library.numbers.real;
        let columns = |id: ParameterId| frame.parameters.get(id).shape()[1];
        let whole = |matrix: Matrix| Matrix { transposed: !weights.transposed, ..matrix };
        // A matrix that is part of one parameter is used in place; narrow matrices are always
        // copies.
        if let [WeightBlock { param, start, .. }] = weights.blocks[..]
            && of == real
        {
            let stride = columns(param);
            let at = self.at(param) + ((start[0] * stride + start[1]) * real.size()) as u64;
            return Ok(whole(Matrix { at, stride, transposed: false }));
        }
        let stride = weights.size[1];
        let versions: Vec<u64> =
            weights.blocks.iter().map(|block| self.of(block.param).version()).collect();
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
            // Launched now rather than noted: the next minibatch need not do it again.
            let notes = library.launcher.note(None);
            let stack = |block: &WeightBlock| {
                let from = columns(block.param);
                let part =
                    |rows: Rows, [row, column]: [usize; 2]| rows.from(row * rows.stride + column);
                let x = part(Rows::each(self.at(block.param), from, real), block.start);
                let out = part(Rows::each(stacked.memory.at(), stride, of), block.place);
                library.copy(out, x, (block.size[0], block.size[1]))
            };
            let done = weights.blocks.iter().try_for_each(stack);
            library.launcher.note(notes);
            done?;
            stacked.versions = versions;
        }
        let at = stacked.memory.at();
        self.stacked[number] = Some(stacked);
        Ok(whole(Matrix { at, stride, transposed: false }))
    }
}
