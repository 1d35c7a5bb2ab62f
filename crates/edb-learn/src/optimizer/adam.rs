//! Adam, AdamW and AMSGrad; the moments that NAdam and RAdam share with them.

use super::rule::Pass;
use super::state::Clock;
use super::{Descent, Method, averaged, check_epsilon, check_rate, power};
use crate::error::LearnError;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_kernels::math::greater_of;

/// Adam (Kingma and Ba, 2015, "Adam: a method for stochastic optimization", algorithm 1); with
/// [`decoupled_weight_decay`](Descent::decoupled_weight_decay) it is AdamW (Loshchilov and Hutter,
/// 2019, algorithm 2), with [`amsgrad`](Self::amsgrad) AMSGrad (Reddi, Kale and Kumar, 2018, "On
/// the convergence of Adam and beyond", algorithm 2).
///
/// With learning rate `α`, decay rates `β₁` and `β₂`, in step `t` from 1 on, a parameter `θ` of
/// gradient `g` and moments `m` and `v`, which start at zero, becomes
///
/// ```text
/// m ← β₁ m + (1 - β₁) g
/// v ← β₂ v + (1 - β₂) g²
/// θ ← θ - α (m / (1 - β₁ᵗ)) / (√(v / (1 - β₂ᵗ)) + ε)
/// ```
///
/// AMSGrad uses the greatest `v` so far in place of `v` in the last line.
///
/// The step count `t` is per parameter: it counts the steps in which any row had a gradient. Where
/// a gradient has only some rows, Adam is lazy: the moments of the other rows do not decay, and
/// these rows do not move. Both are as in PyTorch's `SparseAdam`; so an embedding trained with row
/// gradients differs from one trained with dense gradients, once a step has left out a row.
#[doc(alias = "AdamW")]
#[doc(alias = "AMSGrad")]
pub type Adam<T> = Descent<AdamMethod, T>;

/// The [`Method`] of [`Adam`].
#[derive(Debug, Clone)]
pub struct AdamMethod {
    moments: Moments,
    amsgrad: bool,
}

impl<T> Adam<T> {
    /// Adam with the paper's `β₁` = 0.9, `β₂` = 0.999 and `ε` = 1e-8; the learning rate must be
    /// finite and not negative. The paper suggests 1e-3.
    pub fn new(learning_rate: f64) -> Self {
        Self::with(AdamMethod { moments: Moments::default(), amsgrad: false }, learning_rate)
    }

    /// Divides by the greatest second moment so far: AMSGrad. Call this before the first step.
    pub fn amsgrad(mut self) -> Self {
        self.method.amsgrad = true;
        self
    }
}

/// The settings of methods with two moments.
#[derive(Debug, Clone)]
pub(super) struct Moments {
    pub(super) betas: (f64, f64),
    pub(super) epsilon: f64,
}

impl Default for Moments {
    fn default() -> Self {
        Self { betas: (0.9, 0.999), epsilon: 1e-8 }
    }
}

impl Moments {
    pub(super) fn check<M: Method, T: Element>(&self) -> Result<(), LearnError> {
        check_rate::<M>("first beta", self.betas.0)?;
        check_rate::<M>("second beta", self.betas.1)?;
        check_epsilon::<M, T>(self.epsilon)
    }

    /// `1 - β₁ᵗ` and `1 - β₂ᵗ`: the bias corrections of moments that start at zero.
    pub(super) fn corrections(&self, step: u64) -> (f64, f64) {
        (1.0 - power(self.betas.0, step), 1.0 - power(self.betas.1, step))
    }

    /// `1 - β₁` and `1 - β₂`.
    pub(super) fn takes(&self) -> [f64; 2] {
        [1.0 - self.betas.0, 1.0 - self.betas.1]
    }

    /// The coefficients of Adam in step `step`, counted from 1.
    ///
    /// The rule of Adam. The bias corrections do not depend on the value, so they are applied as `θ - (α / (1 -
    /// β₁ᵗ)) m / (√v / √(1 - β₂ᵗ) + ε)`.
    pub(super) fn coefficients(&self, rate: f64, step: u64) -> [f64; 5] {
        let ([take_first, take_second], (first, second)) = (self.takes(), self.corrections(step));
        [take_first, take_second, rate / first, second.sqrt().recip(), self.epsilon]
    }
}

/// Both moments after a gradient.
#[inline(always)]
pub(super) fn next_moments<T: Element>(
    [take_first, take_second]: [T; 2],
    [first, second]: [T; 2],
    gradient: T,
) -> [T; 2] {
    [averaged(first, gradient, take_first), averaged(second, gradient * gradient, take_second)]
}

/// The setters of `β₁`, `β₂` and `ε` for each method that has [`Moments`].
macro_rules! moment_settings {
    ($optimizer:ident) => {
        impl<T> $optimizer<T> {
            /// Sets the decay rates of the first and second moment, each in `[0, 1)`. For use
            /// before the first step.
            pub fn betas(mut self, first: f64, second: f64) -> Self {
                self.method.moments.betas = (first, second);
                self
            }

            /// Sets `ε`, which keeps the step finite where gradients vanish. It must be positive in
            /// `T`: for `f32` at least 1e-45.
            pub fn epsilon(mut self, epsilon: f64) -> Self {
                self.method.moments.epsilon = epsilon;
                self
            }
        }
    };
}
pub(super) use moment_settings;

moment_settings!(Adam);

#[inline(always)]
pub(super) fn adam<T: Element>(
    [take_first, take_second, rate, correction, epsilon]: [T; 5],
    value: T,
    gradient: T,
    state: [T; 2],
) -> (T, [T; 2]) {
    let [first, second] = next_moments([take_first, take_second], state, gradient);
    (value - rate * first / (second.sqrt() * correction + epsilon), [first, second])
}

#[inline(always)]
fn amsgrad<T: Element>(
    [take_first, take_second, rate, correction, epsilon]: [T; 5],
    value: T,
    gradient: T,
    [first, second, greatest]: [T; 3],
) -> (T, [T; 3]) {
    let [first, second] = next_moments([take_first, take_second], [first, second], gradient);
    let greatest = greater_of(greatest, second);
    let step = rate * first / (greatest.sqrt() * correction + epsilon);
    (value - step, [first, second, greatest])
}

impl Method for AdamMethod {
    const NAME: &'static str = "Adam";

    fn slots(&self) -> &'static [&'static str] {
        if self.amsgrad { &["first", "second", "greatest"] } else { &["first", "second"] }
    }

    fn check<T: Element>(&self) -> Result<(), LearnError> {
        self.moments.check::<Self, T>()
    }

    fn step<T: Element>(&self, rate: f64, clock: &mut Clock, pass: Pass<'_, T>) {
        step(self, rate, clock, pass);
    }
}

compiled_here! {
    /// [`Method::step`]: its kernels are compiled here, for each set of instructions.
    fn step(method: &AdamMethod, rate: f64, clock: &mut Clock, pass: Pass<'_, T>) {
        let coefficients = method.moments.coefficients(rate, clock.step);
        match method.amsgrad {
            false => pass.run_formula("adam", coefficients, adam),
            true => pass.run_formula("amsgrad", coefficients, amsgrad),
        }
    }
}
