//! Stochastic gradient descent, plain or with momentum.

use super::rule::Pass;
use super::state::Clock;
use super::{Descent, Method, check_rate};
use crate::error::LearnError;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;

/// Stochastic gradient descent (Robbins and Monro, 1951), plain or with momentum (Polyak, 1964),
/// also in Nesterov's form (Sutskever et al., 2013, "On the importance of initialization and
/// momentum in deep learning").
///
/// With learning rate `α` and momentum `μ`, a parameter `θ` of gradient `g` and velocity `v`,
/// which starts at zero, becomes
///
/// ```text
/// v ← μ v + g
/// θ ← θ - α v            or, with Nesterov momentum,  θ ← θ - α (g + μ v)
/// ```
///
/// This is the form of PyTorch: the learning rate is not part of the velocity, so a change of the learning rate
/// acts at once. Without momentum, `v` is `g`, and no velocity is kept.
///
/// If a gradient has only some rows, momentum is lazy: the velocity of the other rows does not decay, and does
/// not move them.
///
/// ```
/// # extern crate edb_learn as edb;
/// # use edb::learn::{Gradient, Gradients, Optimizer, Parameter, Parameters, Sgd};
/// # let mut parameters = Parameters::new();
/// # let b = parameters.push(Parameter::new("word.b", &[1], vec![1.0])?)?;
/// # let mut gradients = Gradients::new(&parameters);
/// # gradients.add(b, Gradient::Dense(vec![2.0]))?;
/// let mut optimizer = Sgd::new(0.25).momentum(0.9);
/// optimizer.update(&mut parameters, &gradients)?;
/// assert_eq!(parameters.get(b).values()?, [0.5]);
/// # Ok::<(), edb::learn::LearnError>(())
/// ```
pub type Sgd<T> = Descent<SgdMethod, T>;

/// The [`Method`] of [`Sgd`].
#[derive(Debug, Clone)]
pub struct SgdMethod {
    momentum: f64,
    nesterov: bool,
}

impl<T> Sgd<T> {
    /// Plain gradient descent; the learning rate must be finite and not negative.
    pub fn new(learning_rate: f64) -> Self {
        Self::with(SgdMethod { momentum: 0.0, nesterov: false }, learning_rate)
    }

    /// Sets the momentum `μ`, in `[0, 1)`; it is 0 by default. Call this before the first step.
    pub fn momentum(mut self, momentum: f64) -> Self {
        self.method.momentum = momentum;
        self
    }

    /// Uses Nesterov momentum. It changes nothing if the momentum is 0.
    pub fn nesterov(mut self) -> Self {
        self.method.nesterov = true;
        self
    }
}

#[inline(always)]
fn plain<T: Element>([rate]: [T; 1], value: T, gradient: T, _: [T; 0]) -> (T, [T; 0]) {
    (value - rate * gradient, [])
}

#[inline(always)]
fn momentum<T: Element>(
    [rate, momentum]: [T; 2],
    value: T,
    gradient: T,
    [velocity]: [T; 1],
) -> (T, [T; 1]) {
    let velocity = momentum * velocity + gradient;
    (value - rate * velocity, [velocity])
}

#[inline(always)]
fn nesterov<T: Element>(
    [rate, momentum]: [T; 2],
    value: T,
    gradient: T,
    [velocity]: [T; 1],
) -> (T, [T; 1]) {
    let velocity = momentum * velocity + gradient;
    (value - rate * (gradient + momentum * velocity), [velocity])
}

impl Method for SgdMethod {
    const NAME: &'static str = "Sgd";

    fn slots(&self) -> &'static [&'static str] {
        if self.momentum == 0.0 { &[] } else { &["velocity"] }
    }

    fn check<T: Element>(&self) -> Result<(), LearnError> {
        check_rate::<Self>("momentum", self.momentum)
    }

    fn step<T: Element>(&self, rate: f64, _: &mut Clock, pass: Pass<'_, T>) {
        step(self, rate, pass);
    }
}

compiled_here! {
    /// [`Method::step`]: its kernels are compiled here, for each set of instructions.
    fn step(method: &SgdMethod, rate: f64, pass: Pass<'_, T>) {
        match (method.momentum == 0.0, method.nesterov) {
            (true, _) => pass.run_formula("sgd", [rate], plain),
            (false, false) => pass.run_formula("momentum", [rate, method.momentum], momentum),
            (false, true) => pass.run_formula("nesterov", [rate, method.momentum], nesterov),
        }
    }
}
