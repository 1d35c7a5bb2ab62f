//! Adam, AdamW and AMSGrad; the moments that NAdam and RAdam share with them.

use super::rule::{Formula, Pass, Rule};
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
    #[must_use]
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

    pub(super) fn decay<T: Element>(&self) -> MomentDecay<T> {
        let (first, second) = self.betas;
        MomentDecay { take: [T::from_f64(1.0 - first), T::from_f64(1.0 - second)] }
    }
}

/// How the moments are updated with a gradient.
#[derive(Clone, Copy)]
pub(super) struct MomentDecay<T> {
    take: [T; 2],
}

impl<T: Element> MomentDecay<T> {
    /// A formula; its coefficients begin with these two, followed by `rest`.
    pub(super) fn formula(self, name: &'static str, rest: &[T]) -> Formula<T> {
        let mut formula = Formula::new(name, &self.take);
        formula.coefficients.extend_from_slice(rest);
        formula
    }

    /// Both moments after a gradient.
    #[inline(always)]
    pub(super) fn next(self, first: T, second: T, gradient: T) -> (T, T) {
        let [take_first, take_second] = self.take;
        (averaged(first, gradient, take_first), averaged(second, gradient * gradient, take_second))
    }
}

/// The setters of `β₁`, `β₂` and `ε` for each method that has [`Moments`].
macro_rules! moment_settings {
    ($optimizer:ident) => {
        impl<T> $optimizer<T> {
            /// Sets the decay rates of the first and second moment, each in `[0, 1)`. For use
            /// before the first step.
            #[must_use]
            pub fn betas(mut self, first: f64, second: f64) -> Self {
                self.method.moments.betas = (first, second);
                self
            }

            /// Sets `ε`, which keeps the step finite where gradients vanish. It must be positive in
            /// `T`: for `f32` at least 1e-45.
            #[must_use]
            pub fn epsilon(mut self, epsilon: f64) -> Self {
                self.method.moments.epsilon = epsilon;
                self
            }
        }
    };
}
pub(super) use moment_settings;

moment_settings!(Adam);

/// The rule of Adam. The bias corrections do not depend on the value, so they are applied as `θ - (α / (1 -
/// β₁ᵗ)) m / (√v / √(1 - β₂ᵗ) + ε)`.
#[derive(Clone, Copy)]
pub(super) struct Update<T> {
    decay: MomentDecay<T>,
    rate: T,
    correction: T,
    epsilon: T,
}

impl<T: Element> Update<T> {
    /// The rule of step `step`, counted from 1.
    pub(super) fn new(moments: &Moments, rate: f64, step: u64) -> Self {
        let (first, second) = moments.corrections(step);
        Self {
            decay: moments.decay(),
            rate: T::from_f64(rate / first),
            correction: T::from_f64(second.sqrt().recip()),
            epsilon: T::from_f64(moments.epsilon),
        }
    }

    fn named(self, name: &'static str) -> Formula<T> {
        self.decay.formula(name, &[self.rate, self.correction, self.epsilon])
    }

    #[inline(always)]
    fn moved(self, value: T, first: T, second: T) -> T {
        value - self.rate * first / (second.sqrt() * self.correction + self.epsilon)
    }
}

impl<T: Element> Rule<T> for Update<T> {
    type State = [T; 2];

    #[inline(always)]
    fn step(self, value: T, gradient: T, [first, second]: [T; 2]) -> (T, [T; 2]) {
        let (first, second) = self.decay.next(first, second, gradient);
        (self.moved(value, first, second), [first, second])
    }

    fn formula(&self) -> Option<Formula<T>> {
        Some(self.named("adam"))
    }
}

#[derive(Clone, Copy)]
struct AmsGrad<T>(Update<T>);

impl<T: Element> Rule<T> for AmsGrad<T> {
    type State = [T; 3];

    #[inline(always)]
    fn step(self, value: T, gradient: T, [first, second, greatest]: [T; 3]) -> (T, [T; 3]) {
        let (first, second) = self.0.decay.next(first, second, gradient);
        let greatest = greater_of(greatest, second);
        (self.0.moved(value, first, greatest), [first, second, greatest])
    }

    fn formula(&self) -> Option<Formula<T>> {
        Some(self.0.named("amsgrad"))
    }
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
        let step = Update::new(&method.moments, rate, clock.step);
        match method.amsgrad {
            false => pass.run(step),
            true => pass.run(AmsGrad(step)),
        }
    }
}
