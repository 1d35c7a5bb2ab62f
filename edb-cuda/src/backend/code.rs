//! The kernels of models, written and loaded when a model first runs.

use edb_core::backend::Frame;
use edb_core::element::Element;

use crate::driver::{Driver, Handle};
use crate::error::CudaError;
use crate::number::{Number, Numbers};
use crate::source::Source;
use crate::source::fused::Fused;

/// How many models are remembered: those that an engine takes turns with.
const MODELS: usize = 8;
/// The bytes of arguments that every kernel may have (CUDA C++ programming guide, table of limits).
pub(super) const MOST_ARGUMENTS: usize = 4096;

/// The fused kernels of a function, by their number in its plan.
#[derive(Debug, Default)]
pub(super) struct Code {
    /// What each record is kept in.
    pub(super) numbers: Vec<Number>,
    pub(super) kernels: Vec<Fused>,
    pub(super) handles: Vec<Handle>,
}

/// The code of the models that ran last, the last one first.
#[derive(Debug, Default)]
pub(super) struct Codes {
    models: Vec<(u64, Vec<Code>)>,
}

impl Codes {
    /// Sees to it that a frame's model has its code.
    pub(super) fn prepare<T: Element>(
        &mut self,
        driver: &dyn Driver,
        numbers: Numbers,
        frame: Frame<'_, T>,
    ) -> Result<(), CudaError> {
        let id = frame.model_id();
        match self.models.iter().position(|(known, _)| *known == id) {
            Some(0) => {}
            Some(at) => self.models[..=at].rotate_right(1),
            None => {
                let mut codes = Vec::with_capacity(frame.model.functions.len());
                for function in &frame.model.functions {
                    let records = 0..function.routine.records.len();
                    let kept = records.map(|record| numbers.of(function, record)).collect();
                    let mut code = Code { numbers: kept, ..Code::default() };
                    if let Some((source, kernels)) = Source::of_function(numbers, function) {
                        (code.kernels, code.handles) = (kernels, driver.load(&source)?);
                    }
                    codes.push(code);
                }
                self.models.insert(0, (id, codes));
                self.models.truncate(MODELS);
            }
        }
        Ok(())
    }

    /// The code of a function of the model that was prepared last.
    pub(super) fn of(&self, function: usize) -> &Code {
        &self.models[0].1[function]
    }
}
