//! RMSProp.

use super::rule::{Formula, Pass, Rule};
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
    #[must_use]
    pub fn decay_rate(mut self, rate: f64) -> Self {
        self.method.decay_rate = rate;
        self
    }

    /// Sets the momentum `μ`, in `[0, 1)`; 0 by default. For use before the first step.
    #[must_use]
    pub fn momentum(mut self, momentum: f64) -> Self {
        self.method.momentum = momentum;
        self
    }

    /// Divides by an estimate of the standard deviation instead of the root mean square. For use
    /// before the first step.
    #[must_use]
    pub fn centred(mut self) -> Self {
        self.method.centred = true;
        self
    }

    /// Sets `ε`, which keeps the step finite where gradients vanish: positive in `T`.
    #[must_use]
    pub fn epsilon(mut self, epsilon: f64) -> Self {
        self.method.epsilon = epsilon;
        self
    }
}

#[derive(Clone, Copy)]
struct Coefficients<T> {
    rate: T,
    keep: T,
    take: T,
    momentum: T,
    epsilon: T,
}

impl<T: Element> Coefficients<T> {
    /// The formula of this name, with these coefficients.
    fn formula(self, name: &'static str) -> Formula<T> {
        let Self { rate, keep, take, momentum, epsilon } = self;
        Formula::new(name, &[rate, keep, take, momentum, epsilon])
    }

    /// The mean square after a gradient.
    #[inline(always)]
    fn square(self, square: T, gradient: T) -> T {
        averaged(square, gradient * gradient, self.take)
    }

    /// The variance and the mean after a gradient.
    #[inline(always)]
    fn moments(self, variance: T, mean: T, gradient: T) -> (T, T) {
        let apart = gradient - mean;
        let square = self.keep * (apart * apart);
        (averaged(variance, square, self.take), mean + self.take * apart)
    }

    /// The gradient divided by the root of a mean square or of a variance.
    #[inline(always)]
    fn scaled(self, gradient: T, square: T) -> T {
        gradient / (square.sqrt() + self.epsilon)
    }
}

#[derive(Clone, Copy)]
struct Plain<T>(Coefficients<T>);

impl<T: Element> Rule<T> for Plain<T> {
    type State = [T; 1];

    #[inline(always)]
    fn step(self, value: T, gradient: T, [square]: [T; 1]) -> (T, [T; 1]) {
        let square = self.0.square(square, gradient);
        (value - self.0.rate * self.0.scaled(gradient, square), [square])
    }

    fn formula(&self) -> Option<Formula<T>> {
        Some(self.0.formula("rmsprop"))
    }
}

#[derive(Clone, Copy)]
struct Momentum<T>(Coefficients<T>);

impl<T: Element> Rule<T> for Momentum<T> {
    type State = [T; 2];

    #[inline(always)]
    fn step(self, value: T, gradient: T, [square, velocity]: [T; 2]) -> (T, [T; 2]) {
        let square = self.0.square(square, gradient);
        let scaled = self.0.scaled(gradient, square);
        let velocity = self.0.momentum * velocity + scaled;
        (value - self.0.rate * velocity, [square, velocity])
    }

    fn formula(&self) -> Option<Formula<T>> {
        Some(self.0.formula("rmsprop_momentum"))
    }
}

#[derive(Clone, Copy)]
struct Centred<T>(Coefficients<T>);

impl<T: Element> Rule<T> for Centred<T> {
    type State = [T; 2];

    #[inline(always)]
    fn step(self, value: T, gradient: T, [variance, mean]: [T; 2]) -> (T, [T; 2]) {
        let (variance, mean) = self.0.moments(variance, mean, gradient);
        (value - self.0.rate * self.0.scaled(gradient, variance), [variance, mean])
    }

    fn formula(&self) -> Option<Formula<T>> {
        Some(self.0.formula("rmsprop_centred"))
    }
}

#[derive(Clone, Copy)]
struct CentredMomentum<T>(Coefficients<T>);

impl<T: Element> Rule<T> for CentredMomentum<T> {
    type State = [T; 3];

    #[inline(always)]
    fn step(self, value: T, gradient: T, [variance, mean, velocity]: [T; 3]) -> (T, [T; 3]) {
        let (variance, mean) = self.0.moments(variance, mean, gradient);
        let velocity = self.0.momentum * velocity + self.0.scaled(gradient, variance);
        (value - self.0.rate * velocity, [variance, mean, velocity])
    }

    fn formula(&self) -> Option<Formula<T>> {
        Some(self.0.formula("rmsprop_centred_momentum"))
    }
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
        let coefficients = Coefficients {
            rate: T::from_f64(rate),
            keep: T::from_f64(method.decay_rate),
            take: T::from_f64(1.0 - method.decay_rate),
            momentum: T::from_f64(method.momentum),
            epsilon: T::from_f64(method.epsilon),
        };
        match (method.centred, method.momentum == 0.0) {
            (false, true) => pass.run(Plain(coefficients)),
            (false, false) => pass.run(Momentum(coefficients)),
            (true, true) => pass.run(Centred(coefficients)),
            (true, false) => pass.run(CentredMomentum(coefficients)),
        }
    }
}
