//! Stochastic gradient descent, plain or with momentum.

use super::error::LearnError;
use super::gradients::Gradients;
use super::optimizer::{Optimizer, OptimizerState, check_learning_rate, check_setting};
use super::parameter::Parameters;
use crate::cpu::level::{Kernel, dispatch};
use crate::element::Element;

/// Stochastic gradient descent (Robbins and Monro, 1951), plain or with momentum (Polyak, 1964).
///
/// With learning rate `α` and momentum `μ`, a parameter `θ` of gradient `g` and velocity `v`,
/// which starts at zero, becomes
///
/// ```text
/// v ← μ v + g
/// θ ← θ - α v
/// ```
///
/// This is the form of PyTorch: the learning rate is not part of the velocity, so a change of it
/// acts at once. Without momentum `v` is `g`, and no velocity is kept.
///
/// Momentum is lazy where a gradient has only some rows: the velocity of the other rows neither
/// decays nor moves them.
///
/// ```
/// # use edb_core::learn::{Gradient, Gradients, Optimizer, Parameter, Parameters, Sgd};
/// # let mut parameters = Parameters::new();
/// # let b = parameters.push(Parameter::new("word.b", &[1], vec![1.0])?)?;
/// # let mut gradients = Gradients::new(&parameters);
/// # gradients.add(b, Gradient::Dense(vec![2.0]))?;
/// let mut optimizer = Sgd::new(0.25).momentum(0.9);
/// optimizer.update(&mut parameters, &gradients)?;
/// assert_eq!(parameters.get(b).values(), [0.5]);
/// # Ok::<(), edb_core::learn::LearnError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Sgd<T> {
    learning_rate: f64,
    momentum: f64,
    velocity: OptimizerState<T, 1>,
}

impl<T> Sgd<T> {
    /// Plain gradient descent; the learning rate must be finite and not negative.
    pub fn new(learning_rate: f64) -> Self {
        Self { learning_rate, momentum: 0.0, velocity: OptimizerState::default() }
    }

    /// Sets the momentum `μ`, in `[0, 1)`; it is 0 by default.
    #[must_use]
    pub fn momentum(mut self, momentum: f64) -> Self {
        self.momentum = momentum;
        self
    }
}

/// A plain step. Not fused, here and below: it is the same bits on every machine.
struct Plain<'a, T> {
    values: &'a mut [T],
    gradient: &'a [T],
    rate: T,
}

impl<T: Element> Kernel for Plain<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for (value, &gradient) in self.values.iter_mut().zip(self.gradient) {
            *value -= self.rate * gradient;
        }
    }
}

/// A step with momentum.
struct Momentum<'a, T> {
    values: &'a mut [T],
    velocity: &'a mut [T],
    gradient: &'a [T],
    rate: T,
    momentum: T,
}

impl<T: Element> Kernel for Momentum<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { rate, momentum, .. } = self;
        let state = self.values.iter_mut().zip(self.velocity);
        for ((value, velocity), &gradient) in state.zip(self.gradient) {
            *velocity = momentum * *velocity + gradient;
            *value -= rate * *velocity;
        }
    }
}

impl<T: Element> Optimizer<T> for Sgd<T> {
    fn update(
        &mut self,
        parameters: &mut Parameters<T>,
        gradients: &Gradients<T>,
    ) -> Result<(), LearnError> {
        check_learning_rate("the learning rate of Sgd", self.learning_rate)?;
        let in_range = (0.0..1.0).contains(&self.momentum);
        check_setting("the momentum of Sgd", self.momentum, "in [0, 1)", in_range)?;
        let rate = T::from_f64(self.learning_rate);
        let momentum = T::from_f64(self.momentum);

        if self.momentum == 0.0 {
            let mut stateless = OptimizerState::default();
            return stateless.apply(parameters, gradients, |values, [], gradient| {
                dispatch(Plain { values, gradient, rate });
            });
        }
        self.velocity.apply(parameters, gradients, |values, [velocity], gradient| {
            dispatch(Momentum { values, velocity, gradient, rate, momentum });
        })
    }

    fn learning_rate(&self) -> f64 {
        self.learning_rate
    }

    fn set_learning_rate(&mut self, learning_rate: f64) {
        self.learning_rate = learning_rate;
    }
}
