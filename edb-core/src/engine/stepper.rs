//! Training steps: each minibatch leaves its losses and gradients where the parameters are, on the
//! host or on a device, and then the parameters move there.

use super::EngineError;
use super::backend::Backend;
use super::frame::Frame;
use super::losses;
use crate::element::Element;
use crate::learn::{Gradients, ParameterStep, Parameters, StepOutcome};

/// The interface of what holds parameters, their gradients and the state of optimisers. Where a
/// back end implements it, only the loss and the norm of a step go through the host.
///
/// Calls come in this order: [`begin_step`](Self::begin_step); for each minibatch, the forward
/// phases of [`Backend`](crate::backend::Backend), [`keep_losses`](Self::keep_losses), the backward
/// phases, [`keep_gradients`](Self::keep_gradients) in place of
/// [`accumulate`](crate::backend::Backend::accumulate); then [`take`](Self::take), once, or a second
/// time if it was not taken the first time.
pub trait Stepper<T: Element> {
    /// Forgets the losses and the gradients that were kept. `alone` says that the step has one
    /// minibatch only: on the host, gradients of few terms may then be
    /// [factors](crate::learn::Gradient::Factors).
    ///
    /// # Errors
    /// When the device fails.
    fn begin_step(&mut self, parameters: &Parameters<T>, alone: bool) -> Result<(), EngineError>;

    /// Adds the losses of all vertices of a minibatch, which has just run forward, to those kept.
    ///
    /// # Errors
    /// When the device fails.
    fn keep_losses(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError>;

    /// Runs [`Phase::Accumulate`](edb_ir::Phase::Accumulate) of every function, and adds the
    /// parameters' gradients to those kept.
    ///
    /// # Errors
    /// When the device fails.
    fn keep_gradients(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError>;

    /// Updates parameters by the gradients that are kept, unless the loss is not finite, or the
    /// step is guarded and the gradient is not finite; and waits for it. Norms and updates are
    /// computed from unscaled gradients. The gradients stay.
    ///
    /// A device asks for the step [as data](ParameterStep::updates), and refers each updated
    /// parameter to its new values in its [`Storage`](crate::learn::Storage). If it does not know
    /// the rule of some update, it [gives](Self::give) the gradients, and the host
    /// [takes](ParameterStep::take) the step.
    ///
    /// # Errors
    /// When memory does not suffice; nothing has changed then. When the device fails; the values
    /// that it held are lost then, and reading them fails.
    fn take(&mut self, step: &mut ParameterStep<'_, T>) -> Result<StepOutcome, EngineError>;

    /// Adds the gradients that are kept to others, unscaled.
    ///
    /// # Errors
    /// When the device fails.
    fn give(&mut self, gradients: &mut Gradients<T>) -> Result<(), EngineError>;
}

/// The losses and gradients of the minibatches of a step, on the host.
#[derive(Debug)]
pub(super) struct HostSums<T> {
    loss: f64,
    gradients: Gradients<T>,
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

    fn give(&mut self, gradients: &mut Gradients<T>) -> Result<(), EngineError> {
        Ok(gradients.add_all(self.sums.gradients.clone())?)
    }
}
