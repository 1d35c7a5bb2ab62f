//! The interface for training steps. Each minibatch leaves its losses and gradients where the parameters are, on the
//! host or on a GPU. Then the parameters are updated there.

use super::frame::Frame;
use crate::engine::error::EngineError;
use edb_kernels::element::Element;
use edb_learn::learn::{Gradients, ParameterStep, Parameters, StepOutcome};

/// A stepper holds the parameters, their gradients and the state of the optimiser, and takes training steps. If a back
/// end implements it, only the loss and the norm of a step go through the host.
///
/// Calls come in this order. First [`begin_step`](Self::begin_step). Then for each minibatch: the forward phases of
/// [`Backend`](crate::backend::Backend), [`keep_losses`](Self::keep_losses), the backward phases, and
/// [`keep_gradients`](Self::keep_gradients) instead of [`accumulate`](crate::backend::Backend::accumulate). Then
/// [`take`](Self::take). If the step was not taken the first time, `take` may be called a second time.
pub trait Stepper<T: Element> {
    /// Forgets the losses and the gradients that were kept. `alone` says that the step has only one minibatch. Then
    /// gradients of few terms may be [factors](edb_learn::learn::Gradient::Factors) on the host.
    ///
    /// # Errors
    /// When the device fails.
    fn begin_step(&mut self, parameters: &Parameters<T>, alone: bool) -> Result<(), EngineError>;

    /// Adds the losses of all vertices of a minibatch to the losses that are kept. The minibatch has just run
    /// forward.
    ///
    /// # Errors
    /// When the device fails.
    fn keep_losses(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError>;

    /// Runs [`Phase::Accumulate`](edb_ir::Phase::Accumulate) of every function, and adds the
    /// parameters' gradients to the gradients that are kept.
    ///
    /// # Errors
    /// When the device fails.
    fn keep_gradients(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError>;

    /// Updates the parameters with the gradients that are kept, and waits until this is done. Does nothing if the
    /// loss is not finite, or if the step is guarded and the gradient is not finite. Norms and updates are computed
    /// from unscaled gradients. The gradients stay.
    ///
    /// A GPU asks for the step [as data](ParameterStep::updates). The new values are in its memory, so it
    /// refers each updated parameter to its [`Storage`](edb_learn::learn::Storage). If it does not know the rule of an
    /// update, it [gives](Self::give) the gradients to the host, which [takes](ParameterStep::take) the step.
    ///
    /// # Errors
    /// When memory does not suffice; then nothing has changed. When the device fails; then the values that it held are
    /// lost, and reading them fails.
    fn take(&mut self, step: &mut ParameterStep<'_, T>) -> Result<StepOutcome, EngineError>;

    /// Adds the gradients that are kept to `gradients`, unscaled. Returns the sum of the losses that are kept.
    ///
    /// # Errors
    /// When the device fails.
    fn give(&mut self, gradients: &mut Gradients<T>) -> Result<f64, EngineError>;
}
