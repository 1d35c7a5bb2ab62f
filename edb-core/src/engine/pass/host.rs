//! Takes training steps on the host, for back ends that do not take them.

use super::losses;
use crate::engine::backend::{Backend, Frame, Stepper};
use crate::engine::error::EngineError;
use edb_kernels::element::Element;
use edb_learn::learn::gradients::{check_fits, set_factored};
use edb_learn::learn::{Gradients, ParameterStep, Parameters, StepOutcome, Workers};

/// The most minibatches whose gradients are added one after the other; a minibatch that runs in parts counts as
/// one. The gradients of more minibatches are summed [in halves](edb_kernels::sums).
const MAX_MINIBATCHES_PER_CHAIN: usize = 16;

/// The losses and gradients of the minibatches of a step, on the host.
#[derive(Debug)]
pub(crate) struct HostSums<T> {
    loss: f64,
    /// The gradients of the current chain of minibatches.
    gradients: Gradients<T>,
    /// How many minibatches have been counted in this step.
    count: usize,
    /// The sums of the earlier chains, the largest first. Each is the sum of 1, 2, 4, .. chains. There is one for each
    /// bit that is set in the number of earlier chains.
    before: Vec<Gradients<T>>,
    /// Gradients of zero, whose memory is reused.
    spare: Vec<Gradients<T>>,
}

impl<T: Element> HostSums<T> {
    /// Begins the sums of a step. `alone` says that the step has only one minibatch.
    fn begin(&mut self, parameters: &Parameters<T>, alone: bool) {
        (self.loss, self.count) = (0.0, 0);
        self.spare.append(&mut self.before);
        self.spare.retain(|gradients| gradients.fit(parameters));
        self.spare.iter_mut().for_each(Gradients::reset);
        match self.gradients.fit(parameters) {
            true => self.gradients.reset(),
            false => self.gradients = Gradients::new(parameters),
        }
        set_factored(&mut self.gradients, alone);
    }

    /// Adds the loss of a part of a minibatch.
    pub(crate) fn add_loss(&mut self, loss: f64) {
        self.loss += loss;
    }

    /// Returns the sum to which the caller adds the gradients of the next minibatch. Fails if the step has begun
    /// over other parameters.
    pub(crate) fn next(
        &mut self,
        parameters: &Parameters<T>,
        backend: &mut dyn Backend<T>,
    ) -> Result<&mut Gradients<T>, EngineError> {
        check_fits(&self.gradients, parameters)?;
        let chains = self.count / MAX_MINIBATCHES_PER_CHAIN;
        if self.count > 0 && self.count.is_multiple_of(MAX_MINIBATCHES_PER_CHAIN) {
            let mut workers = backend.workers();
            (0..chains.trailing_zeros()).for_each(|_| self.join(&mut workers));
            let fresh = self.spare.pop().unwrap_or_else(|| Gradients::new(parameters));
            self.before.push(std::mem::replace(&mut self.gradients, fresh));
        }
        self.count += 1;
        Ok(&mut self.gradients)
    }

    /// Adds the current sum to the last of the earlier sums, if there is one. The result is the current sum.
    fn join(&mut self, workers: &mut Workers<'_, T>) {
        let Some(mut sum) = self.before.pop() else { return };
        sum.absorb(&mut self.gradients, workers).expect("sums over the same parameters");
        self.spare.push(std::mem::replace(&mut self.gradients, sum));
    }

    /// The sum of all losses, and the sum of all gradients. The caller may replace the gradients by others of the
    /// same parameters; the next step then reuses the memory of those.
    pub(crate) fn total(&mut self, backend: &mut dyn Backend<T>) -> (f64, &mut Gradients<T>) {
        if !self.before.is_empty() {
            let mut workers = backend.workers();
            (0..self.before.len()).for_each(|_| self.join(&mut workers));
        }
        (self.loss, &mut self.gradients)
    }
}

impl<T: Element> Default for HostSums<T> {
    fn default() -> Self {
        let gradients = Gradients::new(&Parameters::new());
        Self { loss: 0.0, gradients, count: 0, before: Vec::new(), spare: Vec::new() }
    }
}

/// Takes steps on the host, with the threads of a back end that does not take them.
struct OnHost<'a, T> {
    backend: &'a mut dyn Backend<T>,
    sums: &'a mut HostSums<T>,
}

/// Whether the engine waits until the back end has executed its calls. It does not wait for a device that takes
/// steps, since nothing is read before the step is taken.
pub(crate) fn is_waited_for<T: Element>(backend: &mut dyn Backend<T>) -> bool {
    backend.stepper().is_none()
}

/// Calls `work` with the [`Stepper`] of a back end. If it has none, calls `work` with the stepper of the host.
pub(crate) fn with_stepper<T: Element, R>(
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
        self.sums.begin(parameters, alone);
        Ok(())
    }

    fn keep_losses(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        self.sums.loss += losses::sum(self.backend, frame)?;
        Ok(())
    }

    fn keep_gradients(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        let sum = self.sums.next(frame.parameters, self.backend)?;
        self.backend.accumulate(frame, sum)
    }

    fn take(&mut self, step: &mut ParameterStep<'_, T>) -> Result<StepOutcome, EngineError> {
        let (loss, gradients) = self.sums.total(self.backend);
        Ok(step.take(loss, gradients, &mut self.backend.workers())?)
    }

    fn give(&mut self, gradients: &mut Gradients<T>) -> Result<f64, EngineError> {
        let (loss, sum) = self.sums.total(self.backend);
        gradients.add_all(sum.clone())?;
        Ok(loss)
    }
}
