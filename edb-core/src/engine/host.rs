//! Training steps on the host, for back ends that do not take them.

use super::EngineError;
use super::backend::{Backend, Crew, Frame, Stepper};
use super::losses;
use crate::element::Element;
use crate::learn::{Gradients, ParameterStep, Parameters, StepOutcome};

/// The losses and gradients of the minibatches of a step, on the host.
#[derive(Debug)]
pub(super) struct HostSums<T> {
    loss: f64,
    gradients: Gradients<T>,
}

impl<T: Element> HostSums<T> {
    /// Adds the loss of a part of a minibatch.
    pub(super) fn add_loss(&mut self, loss: f64) {
        self.loss += loss;
    }

    /// Adds the gradients of parts, in their order, which become zero and keep their memory; the
    /// threads of a crew share the work.
    pub(super) fn add_gradients(
        &mut self,
        parts: &mut [&mut Gradients<T>],
        crew: &mut dyn Crew<T>,
    ) {
        self.gradients.absorb_parts(parts, &mut |pieces, work| crew.share(pieces, work));
    }

    /// Exchanges the gradients for others of the same parameters, as memory for the next step, and
    /// returns the sum of losses.
    pub(super) fn swap(&mut self, gradients: &mut Gradients<T>) -> f64 {
        std::mem::swap(&mut self.gradients, gradients);
        self.loss
    }
}

impl<T: Element> Default for HostSums<T> {
    fn default() -> Self {
        Self { loss: 0.0, gradients: Gradients::new(&Parameters::new()) }
    }
}

/// Steps on the host, after a back end that does not take them.
struct OnHost<'a, T> {
    backend: &'a mut dyn Backend<T>,
    sums: &'a mut HostSums<T>,
}

/// Calls `work` with the [`Stepper`] of a back end or, if it has none, with that of the host.
pub(super) fn with_stepper<T: Element, R>(
    backend: &mut dyn Backend<T>,
    sums: &mut HostSums<T>,
    work: impl FnOnce(&mut dyn Stepper<T>) -> R,
) -> R {
    if let Some(stepper) = backend.stepper() {
        return work(stepper);
    }
    work(&mut OnHost { backend, sums })
}

impl<T: Element> Stepper<T> for OnHost<'_, T> {
    fn begin_step(&mut self, parameters: &Parameters<T>, alone: bool) -> Result<(), EngineError> {
        let HostSums { loss, gradients } = &mut *self.sums;
        *loss = 0.0;
        match gradients.fit(parameters) {
            true => gradients.reset(),
            false => *gradients = Gradients::new(parameters),
        }
        gradients.set_factored(alone);
        Ok(())
    }

    fn keep_losses(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        self.sums.loss += losses::sum(self.backend, frame)?;
        Ok(())
    }

    fn keep_gradients(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        self.backend.accumulate(frame, &mut self.sums.gradients)
    }

    fn take(&mut self, step: &mut ParameterStep<'_, T>) -> Result<StepOutcome, EngineError> {
        let HostSums { loss, gradients } = &*self.sums;
        let mut outcome = None;
        self.backend.with_workers(&mut |workers| {
            outcome = Some(step.take(*loss, gradients, workers));
        });
        Ok(outcome.expect("a back end lends its threads once")?)
    }

    fn give(&mut self, gradients: &mut Gradients<T>) -> Result<f64, EngineError> {
        gradients.add_all(self.sums.gradients.clone())?;
        Ok(self.sums.loss)
    }
}
