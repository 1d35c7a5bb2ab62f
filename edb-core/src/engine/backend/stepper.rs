//! The interface for training steps: each minibatch leaves its losses and gradients where the
//! parameters are, on the host or on a device, and then the parameters move there.

use super::frame::Frame;
use crate::engine::error::EngineError;
use edb_kernels::element::Element;
use edb_learn::learn::{Gradients, ParameterStep, Parameters, StepOutcome};

/// The interface of what holds parameters, their gradients and the state of optimisers. Where a
/// back end implements it, only the loss and the norm of a step go through the host.
///
/// Calls come in this order: [`begin_step`](Self::begin_step); for each minibatch, the forward
/// phases of [`Backend`](crate::backend::Backend), [`keep_losses`](Self::keep_losses), the backward
/// phases, [`keep_gradients`](Self::keep_gradients) in place of
/// [`accumulate`](crate::backend::Backend::accumulate); then [`take`](Self::take), once, or a
/// second time if it was not taken the first time.
pub trait Stepper<T: Element> {
    /// Forgets the losses and the gradients that were kept. `alone` says that the step has one
    /// minibatch only: on the host, gradients of few terms may then be
    /// [factors](edb_learn::learn::Gradient::Factors).
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
    /// parameter to its new values in its [`Storage`](edb_learn::learn::Storage). If it does not know
    /// the rule of some update, it [gives](Self::give) the gradients, and the host
    /// [takes](ParameterStep::take) the step.
    ///
    /// # Errors
    /// When memory does not suffice; nothing has changed then. When the device fails; the values
    /// that it held are lost then, and reading them fails.
    fn take(&mut self, step: &mut ParameterStep<'_, T>) -> Result<StepOutcome, EngineError>;

    /// Adds the gradients that are kept to others, unscaled; returns the sum of the losses that are
    /// kept.
    ///
    /// # Errors
    /// When the device fails.
    fn give(&mut self, gradients: &mut Gradients<T>) -> Result<f64, EngineError>;
}
