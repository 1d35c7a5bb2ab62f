//! The optimiser interface, and the state that optimisers keep.
//!
//! An optimiser is one small file: its settings, and a rule that moves one contiguous piece of a
//! parameter, its state and its gradient. [`OptimizerState::apply`] checks the shapes and finds
//! the pieces. [`Sgd`](super::Sgd) and [`Adam`](super::Adam) are written so, and an optimiser
//! outside this crate can be.

use std::array;
use std::fmt::Debug;

use super::error::LearnError;
use super::gradient::Gradient;
use super::gradients::Gradients;
use super::parameter::{Parameter, ParameterId, Parameters, Shape};
use crate::element::Element;

/// A rule that moves parameters against their gradients.
pub trait Optimizer<T: Element>: Debug + Send {
    /// Takes one step.
    ///
    /// A parameter whose gradient is [`Gradient::Zero`] stays as it is, with its state; so do the
    /// rows that a [`Gradient::Rows`] lacks.
    ///
    /// # Errors
    ///
    /// [`LearnError::Setting`] if a setting is out of range; [`LearnError::GradientCount`] or
    /// [`LearnError::GradientShape`] if the gradients are of other parameters;
    /// [`LearnError::StateShape`] if the steps before were. Nothing has changed then, neither a
    /// parameter nor the optimiser.
    fn update(
        &mut self,
        parameters: &mut Parameters<T>,
        gradients: &Gradients<T>,
    ) -> Result<(), LearnError>;

    /// The learning rate: how far a step goes.
    fn learning_rate(&self) -> f64;

    /// Changes the learning rate, from the next step on. [`update`](Self::update) checks it.
    fn set_learning_rate(&mut self, learning_rate: f64);
}

/// What an optimiser remembers between steps: for each parameter `N` tensors of its shape.
///
/// They are made, of zeros, when the parameter gets its first gradient, so a parameter that is
/// never trained costs nothing.
#[derive(Debug, Clone)]
pub struct OptimizerState<T, const N: usize> {
    // By parameter. `None` before the first gradient.
    tensors: Vec<Option<Tensors<T, N>>>,
}

#[derive(Debug, Clone)]
struct Tensors<T, const N: usize> {
    shape: Shape,
    values: [Vec<T>; N],
}

impl<T, const N: usize> Default for OptimizerState<T, N> {
    fn default() -> Self {
        Self { tensors: Vec::new() }
    }
}

impl<T: Element, const N: usize> OptimizerState<T, N> {
    /// The `N` tensors of a parameter, row-major; `None` before its first gradient.
    pub fn get(&self, id: ParameterId) -> Option<&[Vec<T>; N]> {
        self.tensors.get(id.index())?.as_ref().map(|tensors| &tensors.values)
    }

    /// Applies a rule to each piece of each gradient, in the order of the parameters.
    ///
    /// The rule is given a piece of the parameter, of its `N` state tensors and of its gradient,
    /// all of one length: the whole if the gradient is dense, else a row. Rows that have no
    /// gradient are not visited.
    ///
    /// # Errors
    ///
    /// [`LearnError::GradientCount`], [`LearnError::GradientShape`] and
    /// [`LearnError::StateShape`], before the rule is applied for the first time.
    pub fn apply(
        &mut self,
        parameters: &mut Parameters<T>,
        gradients: &Gradients<T>,
        mut rule: impl FnMut(&mut [T], [&mut [T]; N], &[T]),
    ) -> Result<(), LearnError> {
        gradients.check_shapes(parameters.iter().map(|(_, p)| (p.name(), p.shape())))?;
        self.check(parameters)?;
        if self.tensors.len() < parameters.len() {
            self.tensors.resize_with(parameters.len(), || None);
        }
        for ((id, parameter), state) in parameters.iter_mut().zip(&mut self.tensors) {
            let gradient = gradients.get(id);
            if matches!(gradient, Gradient::Zero) {
                continue;
            }
            let state = state.get_or_insert_with(|| Tensors::zeros(parameter));
            let values = parameter.values_mut();
            for (start, piece) in gradient.pieces() {
                let range = start..start + piece.len();
                let state = state.values.each_mut().map(|values| &mut values[range.clone()]);
                rule(&mut values[range], state, piece);
            }
        }
        Ok(())
    }

    fn check(&self, parameters: &Parameters<T>) -> Result<(), LearnError> {
        for ((_, parameter), state) in parameters.iter().zip(&self.tensors) {
            if let Some(state) = state
                && parameter.shape() != &state.shape[..]
            {
                return Err(LearnError::StateShape {
                    parameter: parameter.name().to_owned(),
                    shape: parameter.shape().to_vec(),
                    state: state.shape.to_vec(),
                });
            }
        }
        Ok(())
    }
}

impl<T: Element, const N: usize> Tensors<T, N> {
    fn zeros(parameter: &Parameter<T>) -> Self {
        Self {
            shape: parameter.shape().into(),
            values: array::from_fn(|_| vec![T::zero(); parameter.values().len()]),
        }
    }
}

/// Fails unless a setting satisfies `valid`, which `range` says in words.
pub(super) fn check_setting(
    setting: &'static str,
    value: f64,
    range: &'static str,
    valid: bool,
) -> Result<(), LearnError> {
    if valid { Ok(()) } else { Err(LearnError::Setting { setting, value, range }) }
}

/// Fails unless `value` is a learning rate: finite, and not negative.
pub(super) fn check_learning_rate(setting: &'static str, value: f64) -> Result<(), LearnError> {
    check_setting(setting, value, "finite and not negative", value.is_finite() && value >= 0.0)
}
