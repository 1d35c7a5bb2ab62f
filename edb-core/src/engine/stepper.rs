//! Steps of training that a back end takes where the parameters are.

use super::EngineError;
use super::frame::Frame;
use crate::element::Element;
use crate::learn::{Averages, Gradients, Move, ParameterId};

/// What a back end offers that holds parameters, their gradients and the state of optimisers: a step
/// in which nothing goes through the host but the loss and the norm.
///
/// Calls come in this order: [`begin_step`](Self::begin_step); for each minibatch, the forward phases
/// of [`Backend`](crate::backend::Backend) without its `finish`, [`keep_losses`](Self::keep_losses),
/// the backward phases, [`keep_gradients`](Self::keep_gradients) in place of `accumulate`; then
/// [`take`](Self::take), or [`loss`](Self::loss) and [`give`](Self::give) where the host has to go on.
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

    /// Runs [`Phase::Accumulate`](edb_ir::Phase::Accumulate) of every function, and adds what the
    /// parameters' gradients come to to those kept.
    ///
    /// # Errors
    /// When the device fails.
    fn keep_gradients(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError>;

    /// Whether a gradient is kept for a parameter.
    fn has_gradient(&self, id: ParameterId) -> bool;

    /// Whether [`take`](Self::take) can follow a rule.
    fn knows(&self, one: &Move<'_, T>) -> bool;

    /// Moves parameters along the gradients that are kept, unless the loss is not finite, or the step
    /// is guarded and the gradient is not; and waits for it. Neither norms nor moves see the loss scale.
    /// What was moved is then noted in its [`Storage`](crate::learn::Storage). The gradients stay.
    ///
    /// # Errors
    /// When memory does not suffice: nothing has changed then. When the device fails: what it had is
    /// lost then, and says so when it is read.
    fn take(&mut self, updates: &mut Updates<'_, T>) -> Result<Moved, EngineError>;

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

/// What moves in a step.
#[derive(Debug)]
pub struct Updates<'a, T> {
    /// The step, counted from 0.
    pub step: u64,
    /// The parameters that move.
    pub moves: Vec<Move<'a, T>>,
    /// The moving averages, which take in all parameters after they have moved.
    pub averages: Option<Averages<'a, T>>,
    /// By what gradients are multiplied.
    pub scaling: Scaling<'a>,
}

/// By what the gradients of a step are multiplied: `mean`, and a factor for each norm that brings it
/// to at most its greatest.
#[derive(Clone, Copy, Debug)]
pub struct Scaling<'a> {
    /// What makes a sum the mean of its terms.
    pub mean: f64,
    /// For each parameter the norm that it counts in; `None` for one that is frozen.
    pub norm_of: &'a [Option<usize>],
    /// The greatest 2-norm of each, of the gradient of the mean; `None` where it is not clipped.
    pub most: &'a [Option<f64>],
    /// Whether no step is taken along a gradient whose norm is not finite.
    pub guarded: bool,
}

impl Scaling<'_> {
    /// Whether the norm is needed.
    pub fn measures(&self) -> bool {
        self.guarded || self.most.iter().any(Option::is_some)
    }
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// The sum of the losses.
    pub loss: f64,
    /// The 2-norm of the gradient of the mean, before it is clipped, if it was needed.
    pub norm: Option<f64>,
    /// Whether the step was taken.
    pub taken: bool,
}
