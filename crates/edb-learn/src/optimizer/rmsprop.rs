//! RMSProp.

use super::rule::Pass;
use super::state::Clock;
use super::{Descent, Method, averaged, check_epsilon, check_rate};
use crate::error::LearnError;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;

/// RMSProp (Tieleman and Hinton, 2012, lecture 6.5 of "Neural networks for machine learning"), also
/// centred and with momentum (Graves, 2013, "Generating sequences with recurrent neural networks",
/// section 2.1), in the form of PyTorch: `ε` is added outside the root.
///
/// With learning rate `α`, decay rate `ρ` and momentum `μ`, a parameter `θ` of gradient `g`, mean
/// square `s` and velocity `b`, which start at zero, becomes
///
/// ```text
/// s ← ρ s + (1 - ρ) g²
/// b ← μ b + g / (√s + ε)
/// θ ← θ - α b
/// ```
///
/// If centred, the variance `v` takes the place of `s`. It is not computed as the difference of `s` and the
/// square of the mean `m`, since rounding would destroy this difference when gradients hardly vary:
///
/// ```text
/// v ← ρ v + ρ (1 - ρ) (g - m)²
/// m ← ρ m + (1 - ρ) g
/// ```
pub type RmsProp<T> = Descent<RmsPropMethod, T>;

/// The [`Method`] of [`RmsProp`].
#[derive(Debug, Clone)]
pub struct RmsPropMethod {
    decay_rate: f64,
    momentum: f64,
    centred: bool,
    epsilon: f64,
}

impl<T> RmsProp<T> {
    /// RMSProp with `ρ` = 0.99 and `ε` = 1e-8. The learning rate must be finite and not negative;
    /// PyTorch's default is 1e-2.
    pub fn new(learning_rate: f64) -> Self {
        let method =
            RmsPropMethod { decay_rate: 0.99, momentum: 0.0, centred: false, epsilon: 1e-8 };
        Self::with(method, learning_rate)
    }

    /// Sets the decay rate `ρ`, in `[0, 1)`.
    pub fn decay_rate(mut self, rate: f64) -> Self {
        self.method.decay_rate = rate;
        self
    }

    /// Sets the momentum `μ`, in `[0, 1)`; 0 by default. For use before the first step.
    pub fn momentum(mut self, momentum: f64) -> Self {
        self.method.momentum = momentum;
        self
    }

    /// Divides by an estimate of the standard deviation instead of the root mean square. For use
    /// before the first step.
    pub fn centred(mut self) -> Self {
        self.method.centred = true;
        self
    }

    /// Sets `ε`, which keeps the step finite where gradients vanish: positive in `T`.
    pub fn epsilon(mut self, epsilon: f64) -> Self {
        self.method.epsilon = epsilon;
        self
    }
}

/// The learning rate, `ρ`, `1 - ρ`, `μ` and `ε`.
type Coefficients<T> = [T; 5];

/// The mean square after a gradient.
#[inline(always)]
fn mean_square<T: Element>([_, _, take, ..]: Coefficients<T>, square: T, gradient: T) -> T {
    averaged(square, gradient * gradient, take)
}

/// The variance and the mean after a gradient.
#[inline(always)]
fn moments<T: Element>(
    [_, keep, take, ..]: Coefficients<T>,
    [variance, mean]: [T; 2],
    gradient: T,
) -> [T; 2] {
    let apart = gradient - mean;
    let square = keep * (apart * apart);
    [averaged(variance, square, take), mean + take * apart]
}

/// The gradient divided by the root of a mean square or of a variance.
#[inline(always)]
fn scaled<T: Element>([.., epsilon]: Coefficients<T>, gradient: T, square: T) -> T {
    gradient / (square.sqrt() + epsilon)
}

#[inline(always)]
fn plain<T: Element>(
    numbers @ [rate, ..]: Coefficients<T>,
    value: T,
    gradient: T,
    [square]: [T; 1],
) -> (T, [T; 1]) {
    let square = mean_square(numbers, square, gradient);
    (value - rate * scaled(numbers, gradient, square), [square])
}

#[inline(always)]
fn with_momentum<T: Element>(
    numbers @ [rate, _, _, momentum, _]: Coefficients<T>,
    value: T,
    gradient: T,
    [square, velocity]: [T; 2],
) -> (T, [T; 2]) {
    let square = mean_square(numbers, square, gradient);
    let velocity = momentum * velocity + scaled(numbers, gradient, square);
    (value - rate * velocity, [square, velocity])
}

#[inline(always)]
fn centred<T: Element>(
    numbers @ [rate, ..]: Coefficients<T>,
    value: T,
    gradient: T,
    state: [T; 2],
) -> (T, [T; 2]) {
    let [variance, mean] = moments(numbers, state, gradient);
    (value - rate * scaled(numbers, gradient, variance), [variance, mean])
}

#[inline(always)]
fn centred_with_momentum<T: Element>(
    numbers @ [rate, _, _, momentum, _]: Coefficients<T>,
    value: T,
    gradient: T,
    [variance, mean, velocity]: [T; 3],
) -> (T, [T; 3]) {
    let [variance, mean] = moments(numbers, [variance, mean], gradient);
    let velocity = momentum * velocity + scaled(numbers, gradient, variance);
    (value - rate * velocity, [variance, mean, velocity])
}

impl Method for RmsPropMethod {
    const NAME: &'static str = "RmsProp";

    fn slots(&self) -> &'static [&'static str] {
        match (self.centred, self.momentum == 0.0) {
            (false, true) => &["square"],
            (false, false) => &["square", "velocity"],
            (true, true) => &["variance", "mean"],
            (true, false) => &["variance", "mean", "velocity"],
        }
    }

    fn check<T: Element>(&self) -> Result<(), LearnError> {
        check_rate::<Self>("decay rate", self.decay_rate)?;
        check_rate::<Self>("momentum", self.momentum)?;
        check_epsilon::<Self, T>(self.epsilon)
    }

    fn step<T: Element>(&self, rate: f64, _: &mut Clock, pass: Pass<'_, T>) {
        step(self, rate, pass);
    }
}

compiled_here! {
    /// [`Method::step`]: its kernels are compiled here, for each set of instructions.
    fn step(method: &RmsPropMethod, rate: f64, pass: Pass<'_, T>) {
        let RmsPropMethod { decay_rate, momentum, epsilon, .. } = *method;
        let numbers = [rate, decay_rate, 1.0 - decay_rate, momentum, epsilon];
        match (method.centred, momentum == 0.0) {
            (false, true) => pass.run_formula("rmsprop", numbers, plain),
            (false, false) => pass.run_formula("rmsprop_momentum", numbers, with_momentum),
            (true, true) => pass.run_formula("rmsprop_centred", numbers, centred),
            (true, false) => {
                pass.run_formula("rmsprop_centred_momentum", numbers, centred_with_momentum);
            }
        }
    }
}
