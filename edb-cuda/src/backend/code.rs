//! The kernels of models, written and loaded when a model first runs.

use edb_core::backend::Frame;
use edb_core::element::Element;

use crate::driver::{Driver, Handle};
use crate::error::CudaError;
use crate::source::fused::Fused;
use crate::source::{Real, Source};

/// How many models are remembered: those that an engine takes turns with.
const MODELS: usize = 8;
/// The bytes of arguments that every kernel may have (CUDA C++ programming guide, table of limits).
pub(super) const MOST_ARGUMENTS: usize = 4096;

/// The fused kernels of a function, by their number in its plan.
#[derive(Debug, Default)]
pub(super) struct Code {
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
        real: Real,
        frame: Frame<'_, T>,
    ) -> Result<(), CudaError> {
        let id = frame.model_id();
        match self.models.iter().position(|(known, _)| *known == id) {
            Some(0) => {}
            Some(at) => self.models[..=at].rotate_right(1),
            None => {
                let mut codes = Vec::with_capacity(frame.model.functions.len());
                for function in &frame.model.functions {
                    codes.push(match Source::of_function(real, function) {
                        Some((source, kernels)) => Code { kernels, handles: driver.load(&source)? },
                        None => Code::default(),
                    });
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
