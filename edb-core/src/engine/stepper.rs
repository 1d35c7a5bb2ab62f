//! Training steps that a back end takes itself, on parameters that it holds.

use super::EngineError;
use super::frame::Frame;
use crate::element::Element;
use crate::learn::{Averages, Gradients, ParameterId, ParameterUpdate};

/// The interface of a back end that holds parameters, their gradients and the state of optimisers:
/// in a step, only the loss and the norm go through the host.
///
/// Calls come in this order: [`begin_step`](Self::begin_step); for each minibatch, the forward
/// phases of [`Backend`](crate::backend::Backend) without its `finish`,
/// [`keep_losses`](Self::keep_losses), the backward phases,
/// [`keep_gradients`](Self::keep_gradients) in place of `accumulate`; then [`take`](Self::take), or
/// [`loss`](Self::loss) and [`give`](Self::give) where the host takes the step.
pub trait Stepper<T: Element> {
    /// Forgets the losses and the gradients that were kept.
    ///
    /// # Errors
    /// When the device fails.
    fn begin_step(&mut self) -> Result<(), EngineError>;

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

    /// Whether a gradient is kept for a parameter.
    fn has_gradient(&self, id: ParameterId) -> bool;

    /// Whether [`take`](Self::take) implements the rule of an update.
    fn knows(&self, one: &ParameterUpdate<'_, T>) -> bool;

    /// Updates parameters by the gradients that are kept, unless the loss is not finite, or the
    /// step is guarded and the gradient is not finite; and waits for it. Norms and updates are
    /// computed from unscaled gradients. Each updated parameter then refers to its new values in
    /// its [`Storage`](crate::learn::Storage). The gradients stay.
    ///
    /// # Errors
    /// When memory does not suffice; nothing has changed then. When the device fails; the values
    /// that it held are lost then, and reading them fails.
    fn take(&mut self, updates: &mut Updates<'_, T>) -> Result<StepOutcome, EngineError>;

    /// The sum of the losses that are kept.
    ///
    /// # Errors
    /// When the device fails.
    fn loss(&mut self) -> Result<f64, EngineError>;

    /// Adds the gradients that are kept to those of the host, unscaled.
    ///
    /// # Errors
    /// When the device fails.
    fn give(&mut self, gradients: &mut Gradients<T>) -> Result<(), EngineError>;
}

/// The updates of a step.
#[derive(Debug)]
pub struct Updates<'a, T> {
    /// The step, counted from 0.
    pub step: u64,
    /// The updates of parameters.
    pub moves: Vec<ParameterUpdate<'a, T>>,
    /// The moving averages, which are updated with all parameters after these have been updated.
    pub averages: Option<Averages<'a, T>>,
    /// The factors of the gradients.
    pub scaling: Scaling<'a>,
}

/// The factors by which the gradients of a step are multiplied: `mean`, and a factor for each norm
/// that clips it to its maximum.
#[derive(Clone, Copy, Debug)]
pub struct Scaling<'a> {
    /// The factor that makes a sum the mean of its terms.
    pub mean: f64,
    /// For each parameter the number of the norm that includes it; `None` for one that is frozen.
    pub norm_of: &'a [Option<usize>],
    /// For each norm, the maximum of the 2-norm of the gradient of the mean; `None` where it is not
    /// clipped.
    pub most: &'a [Option<f64>],
    /// Whether to skip the step if the norm of the gradient is not finite.
    pub guarded: bool,
}

impl Scaling<'_> {
    /// Whether the norm is needed.
    pub fn measures(&self) -> bool {
        self.guarded || self.most.iter().any(Option::is_some)
    }
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepOutcome {
    /// The sum of the losses.
    pub loss: f64,
    /// The 2-norm of the gradient of the mean, before it is clipped, if it was needed.
    pub norm: Option<f64>,
    /// Whether the step was taken.
    pub taken: bool,
}
