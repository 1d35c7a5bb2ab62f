//! NAdam.

use super::adam::{Moments, moment_settings, next_moments};
use super::rule::Pass;
use super::state::Clock;
use super::{Descent, Method, check_amount};
use crate::error::LearnError;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;

/// NAdam: Adam with Nesterov momentum (Dozat, 2016, "Incorporating Nesterov momentum into Adam",
/// algorithm 2), with the momentum schedule of PyTorch.
///
/// With learning rate `α` and moments `m` and `v` as in [`Adam`](super::Adam), in step `t` from 1
/// on,
///
/// ```text
/// μₜ = β₁ (1 - ½ 0.96^(t ψ))             Πₜ = μ₁ μ₂ .. μₜ
/// v̂ = v / (1 - β₂ᵗ)
/// θ ← θ - α ((1 - μₜ) / (1 - Πₜ) g + μₜ₊₁ / (1 - Πₜ₊₁) m) / (√v̂ + ε)
/// ```
pub type NAdam<T> = Descent<NAdamMethod, T>;

/// The [`Method`] of [`NAdam`].
#[derive(Debug, Clone)]
pub struct NAdamMethod {
    moments: Moments,
    momentum_decay: f64,
}

impl<T> NAdam<T> {
    /// NAdam with `β₁` = 0.9, `β₂` = 0.999, `ε` = 1e-8 and `ψ` = 4e-3. The learning rate must be
    /// finite and not negative; PyTorch's default is 2e-3.
    pub fn new(learning_rate: f64) -> Self {
        let moments = Moments::default();
        Self::with(NAdamMethod { moments, momentum_decay: 4e-3 }, learning_rate)
    }

    /// Sets `ψ`, how fast the momentum grows to `β₁`: finite and not negative.
    pub fn momentum_decay(mut self, decay: f64) -> Self {
        self.method.momentum_decay = decay;
        self
    }
}

moment_settings!(NAdam);

/// The weights of the gradient and of the first moment have the learning rate included.
#[inline(always)]
fn nadam<T: Element>(
    [take_first, take_second, of_gradient, of_first, correction, epsilon]: [T; 6],
    value: T,
    gradient: T,
    state: [T; 2],
) -> (T, [T; 2]) {
    let [first, second] = next_moments([take_first, take_second], state, gradient);
    let step = of_gradient * gradient + of_first * first;
    (value - step / (second.sqrt() * correction + epsilon), [first, second])
}

impl NAdamMethod {
    /// `μₜ`.
    fn momentum(&self, step: u64) -> f64 {
        let power = libm::pow(0.96, step as f64 * self.momentum_decay);
        self.moments.betas.0 * (1.0 - 0.5 * power)
    }
}

impl Method for NAdamMethod {
    const NAME: &'static str = "NAdam";

    fn slots(&self) -> &'static [&'static str] {
        &["first", "second"]
    }

    fn check<T: Element>(&self) -> Result<(), LearnError> {
        check_amount::<Self>("momentum decay", self.momentum_decay)?;
        self.moments.check::<Self, T>()
    }

    fn step<T: Element>(&self, rate: f64, clock: &mut Clock, pass: Pass<'_, T>) {
        step(self, rate, clock, pass);
    }
}

compiled_here! {
    /// [`Method::step`]: its kernels are compiled here, for each set of instructions.
    fn step(method: &NAdamMethod, rate: f64, clock: &mut Clock, pass: Pass<'_, T>) {
        let (now, next) = (method.momentum(clock.step), method.momentum(clock.step + 1));
        clock.product *= now;
        let [take_first, take_second] = method.moments.takes();
        let (_, second) = method.moments.corrections(clock.step);
        let coefficients = [
            take_first,
            take_second,
            rate * (1.0 - now) / (1.0 - clock.product),
            rate * next / (1.0 - clock.product * next),
            second.sqrt().recip(),
            method.moments.epsilon,
        ];
        pass.run_formula("nadam", coefficients, nadam);
    }
}
