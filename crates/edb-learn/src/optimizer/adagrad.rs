//! AdaGrad.

use super::rule::Pass;
use super::state::Clock;
use super::{Descent, Method, check_amount, check_epsilon};
use crate::error::LearnError;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;

/// AdaGrad (Duchi, Hazan and Singer, 2011, "Adaptive subgradient methods for online learning and
/// stochastic optimization"), in the form of PyTorch.
///
/// With learning rate `α` and its decay `η`, in step `t` from 1 on, a parameter `θ` of gradient `g`
/// and sum of squares `s`, which starts at a chosen number, becomes
///
/// ```text
/// s ← s + g²
/// θ ← θ - α / (1 + (t - 1) η) g / (√s + ε)
/// ```
pub type AdaGrad<T> = Descent<AdaGradMethod, T>;

/// The [`Method`] of [`AdaGrad`].
#[derive(Debug, Clone)]
pub struct AdaGradMethod {
    rate_decay: f64,
    initial: f64,
    epsilon: f64,
}

impl<T> AdaGrad<T> {
    /// AdaGrad without learning rate decay, with an initial sum of 0 and `ε` = 1e-10. The learning
    /// rate must be finite and not negative; PyTorch's default is 1e-2.
    pub fn new(learning_rate: f64) -> Self {
        let method = AdaGradMethod { rate_decay: 0.0, initial: 0.0, epsilon: 1e-10 };
        Self::with(method, learning_rate)
    }

    /// Sets the decay `η` of the learning rate: finite and not negative.
    pub fn rate_decay(mut self, decay: f64) -> Self {
        self.method.rate_decay = decay;
        self
    }

    /// Sets the initial sum of squares: finite and not negative. Call this before the first step.
    pub fn initial_sum(mut self, initial: f64) -> Self {
        self.method.initial = initial;
        self
    }

    /// Sets `ε`, which keeps the step finite where gradients vanish: positive in `T`.
    pub fn epsilon(mut self, epsilon: f64) -> Self {
        self.method.epsilon = epsilon;
        self
    }
}

#[inline(always)]
fn adagrad<T: Element>(
    [rate, epsilon]: [T; 2],
    value: T,
    gradient: T,
    [sum]: [T; 1],
) -> (T, [T; 1]) {
    let sum = sum + gradient * gradient;
    (value - rate * gradient / (sum.sqrt() + epsilon), [sum])
}

impl Method for AdaGradMethod {
    const NAME: &'static str = "AdaGrad";

    fn slots(&self) -> &'static [&'static str] {
        &["sum"]
    }

    fn initial(&self) -> f64 {
        self.initial
    }

    fn check<T: Element>(&self) -> Result<(), LearnError> {
        check_amount::<Self>("decay of the learning rate", self.rate_decay)?;
        check_amount::<Self>("initial sum", self.initial)?;
        check_epsilon::<Self, T>(self.epsilon)
    }

    fn step<T: Element>(&self, rate: f64, clock: &mut Clock, pass: Pass<'_, T>) {
        step(self, rate, clock, pass);
    }
}

compiled_here! {
    /// [`Method::step`]: its kernels are compiled here, for each set of instructions.
    fn step(method: &AdaGradMethod, rate: f64, clock: &mut Clock, pass: Pass<'_, T>) {
        let rate = rate / (1.0 + (clock.step - 1) as f64 * method.rate_decay);
        pass.run_formula("adagrad", [rate, method.epsilon], adagrad);
    }
}
