//! AdaDelta.

use super::rule::Pass;
use super::state::Clock;
use super::{Descent, Method, averaged, check_epsilon, check_rate};
use crate::error::LearnError;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;

/// AdaDelta (Zeiler, 2012, "ADADELTA: an adaptive learning rate method", algorithm 1), with a learning rate.
/// The paper has no learning rate, which is the same as a learning rate of 1.
///
/// With learning rate `α` and decay rate `ρ`, a parameter `θ` of gradient `g` and mean squares `s`
/// of gradients and `d` of steps, which start at zero, becomes
///
/// ```text
/// s ← ρ s + (1 - ρ) g²
/// δ = √(d + ε) / √(s + ε) g
/// d ← ρ d + (1 - ρ) δ²
/// θ ← θ - α δ
/// ```
pub type AdaDelta<T> = Descent<AdaDeltaMethod, T>;

/// The [`Method`] of [`AdaDelta`].
#[derive(Debug, Clone)]
pub struct AdaDeltaMethod {
    decay_rate: f64,
    epsilon: f64,
}

impl<T> AdaDelta<T> {
    /// AdaDelta with `ρ` = 0.9 and `ε` = 1e-6, as in PyTorch (the paper has 0.95). The learning
    /// rate must be finite and not negative.
    pub fn new(learning_rate: f64) -> Self {
        Self::with(AdaDeltaMethod { decay_rate: 0.9, epsilon: 1e-6 }, learning_rate)
    }

    /// Sets the decay rate `ρ`, in `[0, 1)`.
    pub fn decay_rate(mut self, rate: f64) -> Self {
        self.method.decay_rate = rate;
        self
    }

    /// Sets `ε`, which determines the size of the first steps: positive in `T`.
    pub fn epsilon(mut self, epsilon: f64) -> Self {
        self.method.epsilon = epsilon;
        self
    }
}

#[inline(always)]
fn adadelta<T: Element>(
    [rate, take, epsilon]: [T; 3],
    value: T,
    gradient: T,
    [square, steps]: [T; 2],
) -> (T, [T; 2]) {
    let square = averaged(square, gradient * gradient, take);
    let step = (steps + epsilon).sqrt() / (square + epsilon).sqrt() * gradient;
    (value - rate * step, [square, averaged(steps, step * step, take)])
}

impl Method for AdaDeltaMethod {
    const NAME: &'static str = "AdaDelta";

    fn slots(&self) -> &'static [&'static str] {
        &["square", "steps"]
    }

    fn check<T: Element>(&self) -> Result<(), LearnError> {
        check_rate::<Self>("decay rate", self.decay_rate)?;
        check_epsilon::<Self, T>(self.epsilon)
    }

    fn step<T: Element>(&self, rate: f64, _: &mut Clock, pass: Pass<'_, T>) {
        step(self, rate, pass);
    }
}

compiled_here! {
    /// [`Method::step`]: its kernels are compiled here, for each set of instructions.
    fn step(method: &AdaDeltaMethod, rate: f64, pass: Pass<'_, T>) {
        pass.run_formula("adadelta", [rate, 1.0 - method.decay_rate, method.epsilon], adadelta);
    }
}
