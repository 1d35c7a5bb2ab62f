//! RAdam.

use super::adam::{Moments, moment_settings, next_moments};
use super::rule::Pass;
use super::state::Clock;
use super::{Descent, Method, power};
use crate::error::LearnError;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;

/// RAdam: rectified Adam (Liu et al., 2020, "On the variance of the adaptive learning rate and
/// beyond", algorithm 2), as in PyTorch.
///
/// With learning rate `α` and moments `m` and `v` as in [`Adam`](super::Adam), in step `t` from 1
/// on,
///
/// ```text
/// m̂ = m / (1 - β₁ᵗ)
/// ρ∞ = 2 / (1 - β₂) - 1          ρₜ = ρ∞ - 2 t β₂ᵗ / (1 - β₂ᵗ)
/// if ρₜ > 5:  r = √((ρₜ - 4) (ρₜ - 2) ρ∞ / ((ρ∞ - 4) (ρ∞ - 2) ρₜ))
///             θ ← θ - α r m̂ √(1 - β₂ᵗ) / (√v + ε)
/// else:       θ ← θ - α m̂
/// ```
///
/// While the second moment averages too few gradients, the step uses momentum alone.
pub type RAdam<T> = Descent<RAdamMethod, T>;

/// The [`Method`] of [`RAdam`].
#[derive(Debug, Clone)]
pub struct RAdamMethod {
    moments: Moments,
}

impl<T> RAdam<T> {
    /// RAdam with `β₁` = 0.9, `β₂` = 0.999 and `ε` = 1e-8. The learning rate must be finite and not
    /// negative; PyTorch's default is 1e-3.
    pub fn new(learning_rate: f64) -> Self {
        Self::with(RAdamMethod { moments: Moments::default() }, learning_rate)
    }
}

moment_settings!(RAdam);

#[inline(always)]
fn rectified<T: Element>(
    [take_first, take_second, rate, epsilon]: [T; 4],
    value: T,
    gradient: T,
    state: [T; 2],
) -> (T, [T; 2]) {
    let [first, second] = next_moments([take_first, take_second], state, gradient);
    (value - rate * first / (second.sqrt() + epsilon), [first, second])
}

#[inline(always)]
fn unadapted<T: Element>(
    [take_first, take_second, rate]: [T; 3],
    value: T,
    gradient: T,
    state: [T; 2],
) -> (T, [T; 2]) {
    let [first, second] = next_moments([take_first, take_second], state, gradient);
    (value - rate * first, [first, second])
}

impl Method for RAdamMethod {
    const NAME: &'static str = "RAdam";

    fn slots(&self) -> &'static [&'static str] {
        &["first", "second"]
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
    fn step(method: &RAdamMethod, rate: f64, clock: &mut Clock, pass: Pass<'_, T>) {
        let (first, second) = method.moments.corrections(clock.step);
        let [take_first, take_second] = method.moments.takes();
        let limit = 2.0 / (1.0 - method.moments.betas.1) - 1.0;
        let gone = power(method.moments.betas.1, clock.step);
        let length = limit - 2.0 * clock.step as f64 * gone / second;
        if length <= 5.0 {
            let coefficients = [take_first, take_second, rate / first];
            return pass.run_formula("radam_unadapted", coefficients, unadapted);
        }
        let now = (length - 4.0) * (length - 2.0) * limit;
        let rectification = (now / ((limit - 4.0) * (limit - 2.0) * length)).sqrt();
        let rate = rate * rectification * second.sqrt() / first;
        let coefficients = [take_first, take_second, rate, method.moments.epsilon];
        pass.run_formula("radam", coefficients, rectified);
    }
}
