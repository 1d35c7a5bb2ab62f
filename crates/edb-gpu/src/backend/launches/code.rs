//! The kernels of models, generated and loaded when a model first runs.

use edb_core::backend::{BoundFunction, Frame};
use edb_core::element::Element;
use edb_ir::{FunctionId, IdVec, Phase, RecordId};

use super::launcher::Kernel;
use crate::dialect::{Dialect, Launched};
use crate::driver::Driver;
use crate::error::GpuError;
use crate::kernels::fused::{Fused, FusedKernel};
use crate::number::{Number, Numbers};

/// The phases that run batch by batch, forward or backward, for an entangled function or one that
/// is not.
pub(crate) fn batched(phase: Phase, entangled: bool) -> &'static [Phase] {
    use Phase::{BackwardEager, BackwardLazy, BackwardRecurrent, Eager, Lazy, Recurrent};
    match (phase, entangled) {
        (Eager | Recurrent | Lazy, true) => &[Eager, Recurrent, Lazy],
        (Eager | Recurrent | Lazy, false) => &[Recurrent],
        (BackwardEager | BackwardRecurrent | BackwardLazy, true) => {
            &[BackwardEager, BackwardRecurrent, BackwardLazy]
        }
        (BackwardEager | BackwardRecurrent | BackwardLazy, false) => &[BackwardRecurrent],
        (Phase::Prepare | Phase::Accumulate, _) => &[],
    }
}

/// How many models are cached, for an engine that alternates between models.
const MODELS: usize = 8;

/// The fused kernels of a function, by their numbers in its plan.
#[derive(Debug, Default)]
pub(crate) struct Code {
    /// The number type in which each record is stored.
    pub(crate) numbers: IdVec<RecordId, Number>,
    pub(crate) fused: Vec<Fused>,
    pub(crate) kernels: Vec<Kernel>,
    /// Whether the variants for recording are loaded.
    recorded: bool,
}

/// The fused kernels of a function.
fn fused(numbers: Numbers, function: &BoundFunction) -> Vec<FusedKernel<'_>> {
    let kernels = function.plan.routine.kernels.iter();
    kernels.map(|kernel| FusedKernel::new(numbers, function, kernel)).collect()
}

/// The code of the models that ran last, most recent first.
#[derive(Debug, Default)]
pub(crate) struct Codes {
    models: Vec<(u64, Vec<Code>)>,
}

impl Codes {
    /// Generates and loads the code of a frame's model, unless it is cached.
    pub(crate) fn prepare<T: Element>(
        &mut self,
        driver: &dyn Driver,
        dialect: &dyn Dialect,
        numbers: Numbers,
        frame: Frame<'_, T>,
    ) -> Result<(), GpuError> {
        let id = frame.model_id();
        match self.models.iter().position(|(known, _)| *known == id) {
            Some(0) => {}
            Some(position) => self.models[..=position].rotate_right(1),
            None => {
                let mut codes = Vec::with_capacity(frame.model().functions.len());
                for function in &frame.model().functions {
                    let records = function.routine.records.ids();
                    let stored =
                        records.map(|record| numbers.of_record(function, record)).collect();
                    let mut code = Code { numbers: stored, ..Code::default() };
                    let fused = fused(numbers, function);
                    if !fused.is_empty() {
                        let (source, positions) = dialect.fused(numbers, Launched::Now, &fused);
                        let kernel = |now| Kernel { now, recorded: None };
                        code.kernels = driver.load(&source)?.into_iter().map(kernel).collect();
                        let loaded = fused.iter().zip(positions);
                        code.fused =
                            loaded.map(|(fused, position)| fused.loaded_as(position)).collect();
                    }
                    codes.push(code);
                }
                self.models.insert(0, (id, codes));
                self.models.truncate(MODELS);
            }
        }
        Ok(())
    }

    /// Loads the variants for recording of all kernels that run batch by batch in a frame; its
    /// model must be prepared.
    pub(crate) fn prepare_recorded<T: Element>(
        &mut self,
        driver: &dyn Driver,
        dialect: &dyn Dialect,
        numbers: Numbers,
        frame: Frame<'_, T>,
    ) -> Result<(), GpuError> {
        let functions = frame.model().functions.iter().zip(&frame.layout().types);
        for (code, (function, layout)) in self.models[0].1.iter_mut().zip(functions) {
            let runs = |phase: &Phase| !function.instructions(*phase).is_empty();
            let batched = [Phase::Recurrent, Phase::BackwardRecurrent]
                .into_iter()
                .flat_map(|phase| batched(phase, layout.entangled));
            if code.recorded || !batched.into_iter().any(runs) {
                continue;
            }
            let fused = fused(numbers, function);
            if !fused.is_empty() {
                let (source, _) = dialect.fused(numbers, Launched::Recorded, &fused);
                for (kernel, handle) in code.kernels.iter_mut().zip(driver.load(&source)?) {
                    kernel.recorded = Some(handle);
                }
            }
            code.recorded = true;
        }
        Ok(())
    }

    /// The code of a function of the most recently prepared model.
    pub(crate) fn code(&self, function: FunctionId) -> &Code {
        &self.models[0].1[function.index()]
    }
}
