//! The back end: a phase of a function as launches over all of its rows.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`arena`] | the values of vertices, in the numbers that they are kept in |
//! | [`tables`] | rows, edges and input of a minibatch, uploaded once |
//! | [`parameters`] | parameters on the device, stacked as products want them |
//! | [`resident`] | numbers that live on the device |
//! | [`code`] | the kernels of a model, written and loaded |
//! | [`operands`] | where the operands of a step are |
//! | [`steps`], [`products`] | steps of a phase |
//! | [`sums`] | gradients of parameters |
//! | [`loss_scale`] | by what the backward pass is multiplied |
//! | [`stepper`] | steps of training: losses, norms, and what moves parameters |
//! | [`mirror`] | what the host has read |
//! | [`clock`] | how long it took |
//! | [`launch`] | kernels that are the same for all models |

mod arena;
mod clock;
mod code;
mod launch;
mod loss_scale;
mod mirror;
mod operands;
mod parameters;
mod products;
mod resident;
mod stepper;
mod steps;
mod sums;
mod tables;

use std::ops::Range;
use std::sync::Arc;

use edb_core::backend::{Backend, Copies, DeviceTimes, Frame, Stepper};
use edb_core::element::Element;
use edb_core::engine::EngineError;
use edb_core::learn::Gradients;
use edb_ir::Phase;

use crate::driver::{Driver, Memory};
use crate::error::CudaError;
use crate::number::{Numbers, Precision};
use arena::Arena;
use clock::{Clock, Stage};
use code::Codes;
use launch::Library;
use loss_scale::LossScale;
use mirror::Mirror;
use operands::Run;
use parameters::DeviceParameters;
use stepper::Ending;
use sums::Sums;
use tables::Tables;

/// Runs phases on a device.
#[derive(Debug)]
pub(crate) struct CudaBackend<T> {
    driver: Arc<dyn Driver>,
    library: Library,
    codes: Codes,
    arena: Arena,
    /// What a phase computes and nobody reads behind it.
    scratch: Memory,
    /// What a step needs for itself.
    spare: Memory,
    tables: Tables,
    parameters: DeviceParameters<T>,
    ending: Ending,
    sums: Sums,
    copies: Copies,
    mirror: Mirror<T>,
    /// Gradients as the host has read them, unscaled.
    gradients: Mirror<T>,
    clock: Clock,
    loss_scale: LossScale,
}

impl<T: Element + bytemuck::Pod> CudaBackend<T> {
    pub(crate) fn new(driver: &Arc<dyn Driver>, precision: Precision) -> Result<Self, CudaError> {
        let refused = || CudaError::Precision { device: driver.name() };
        let numbers = Numbers::new::<T>(precision).ok_or_else(refused)?;
        let memory = || Memory::new(driver);
        Ok(Self {
            driver: Arc::clone(driver),
            library: Library::new(driver, numbers)?,
            codes: Codes::default(),
            arena: Arena::new(driver, numbers),
            scratch: memory(),
            spare: memory(),
            tables: Tables::new(memory()),
            parameters: DeviceParameters::new(driver),
            ending: Ending::new(driver),
            sums: Sums::default(),
            copies: Copies::default(),
            mirror: Mirror::new(),
            gradients: Mirror::new(),
            clock: Clock::new(driver),
            loss_scale: LossScale::new(driver),
        })
    }

    /// Forgets what the host has read: it is going to change.
    fn forget_read(&mut self) {
        self.mirror.clear();
        self.gradients.clear();
    }

    fn run_phase(
        &mut self,
        frame: Frame<'_, T>,
        function: usize,
        phase: Phase,
        rows: Range<usize>,
    ) -> Result<(), CudaError> {
        let steps = frame.model.functions[function].steps(phase);
        if steps.is_empty() || rows.is_empty() && phase != Phase::Prepare {
            return Ok(());
        }
        self.forget_read();
        use Phase::{BackwardEager, BackwardLazy, BackwardRecurrent};
        if matches!(phase, BackwardEager | BackwardRecurrent | BackwardLazy) {
            self.clock.enter(Stage::Backward)?;
        }
        let mut run = Run::new(self, frame, function, phase, rows)?;
        steps.iter().try_for_each(|(_, step)| run.step(step))
    }

    /// Elements of the arena. A copy that fails behind `finish` has no other way to say so than by numbers
    /// that are none; the next call says why.
    fn downloaded(&self, rows: Range<usize>) -> Box<[T]> {
        let count = rows.len();
        self.arena.read(rows).unwrap_or_else(|_| vec![T::nan(); count].into())
    }

    fn begin_minibatch(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        self.forget_read();
        self.clock.enter(Stage::Forward)?;
        let numbers = self.library.numbers;
        self.loss_scale.set(frame.loss_scale, numbers, &*self.driver)?;
        self.codes.prepare(&*self.driver, numbers, frame)?;
        self.parameters.upload(frame.parameters)?;
        self.arena.begin(frame, &self.codes)?;
        self.tables.fill(frame, &self.arena);
        self.tables.upload(&*self.driver)?;
        Ok(())
    }

    /// Adds the gradients of a minibatch's parameters to those that are summed already.
    fn sum(&mut self, frame: Frame<'_, T>) -> Result<(), CudaError> {
        self.forget_read();
        self.clock.enter(Stage::Backward)?;
        self.sums.begin(frame.parameters, &self.driver);
        for function in 0..frame.model.functions.len() {
            let rows = frame.layout.types[function].vertices.len();
            if rows > 0 {
                Run::new(self, frame, function, Phase::Accumulate, 0..rows)?.accumulate()?;
            }
        }
        Ok(())
    }
}

impl<T: Element + bytemuck::Pod> Backend<T> for CudaBackend<T> {
    fn element_bytes(&self) -> usize {
        self.library.numbers.stored.size()
    }

    fn scales_losses(&self) -> bool {
        self.library.numbers.scales_losses()
    }

    fn reserve(&mut self, elements: usize) -> Result<(), EngineError> {
        self.forget_read();
        Ok(self.arena.reserve(elements)?)
    }

    fn extend(&mut self, elements: usize) -> Result<(), EngineError> {
        Ok(self.arena.extend(elements)?)
    }

    fn begin(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        self.begin_minibatch(frame)
    }

    fn read(&self, rows: Range<usize>, range: Range<usize>) -> &[T] {
        let values = self.mirror.get(rows.clone(), || self.downloaded(rows.clone()));
        &values[range.start - rows.start..range.end - rows.start]
    }

    fn read_gradient(&self, rows: Range<usize>, range: Range<usize>) -> &[T] {
        let unscaled = || {
            let mut gradients = self.downloaded(rows.clone());
            self.loss_scale.unscale(&mut gradients);
            gradients
        };
        let values = self.gradients.get(rows.clone(), unscaled);
        &values[range.start - rows.start..range.end - rows.start]
    }

    fn write(
        &mut self,
        range: Range<usize>,
        fill: &mut dyn FnMut(&mut [T]),
    ) -> Result<(), EngineError> {
        self.forget_read();
        let mut values = vec![T::zero(); range.len()];
        fill(&mut values);
        Ok(self.arena.write(range.start, &values)?)
    }

    fn run(
        &mut self,
        frame: Frame<'_, T>,
        function: usize,
        phase: Phase,
        rows: Range<u32>,
    ) -> Result<(), EngineError> {
        Ok(self.run_phase(frame, function, phase, rows.start as usize..rows.end as usize)?)
    }

    fn finish(&mut self) -> Result<(), EngineError> {
        self.clock.enter(Stage::Idle)?;
        Ok(self.driver.synchronize()?)
    }

    fn stepper(&mut self) -> Option<&mut dyn Stepper<T>> {
        Some(self)
    }

    fn take_times(&mut self) -> Option<DeviceTimes> {
        self.clock.take()
    }

    fn take_copies(&mut self) -> Copies {
        std::mem::take(&mut self.copies)
    }

    fn accumulate(
        &mut self,
        frame: Frame<'_, T>,
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError> {
        self.sums.forget();
        self.sum(frame)?;
        self.clock.enter(Stage::Idle)?;
        self.sums.give(gradients, &self.loss_scale, &*self.driver)?;
        Ok(self.driver.synchronize()?)
    }
}
