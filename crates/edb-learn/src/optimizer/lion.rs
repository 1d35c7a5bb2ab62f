//! Lion.

use super::rule::Pass;
use super::state::Clock;
use super::{Descent, Method, averaged, check_rate};
use crate::error::LearnError;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;

/// Lion (Chen et al., 2023, "Symbolic discovery of optimization algorithms", algorithm 2).
///
/// With learning rate `α` and decay rates `β₁` and `β₂`, a parameter `θ` of gradient `g` and
/// momentum `m`, which starts at zero, becomes
///
/// ```text
/// θ ← θ - α sign(β₁ m + (1 - β₁) g)
/// m ← β₂ m + (1 - β₂) g
/// ```
///
/// where the sign of zero is zero. The weight decay of the paper is
/// [decoupled](Descent::decoupled_weight_decay).
pub type Lion<T> = Descent<LionMethod, T>;

/// The [`Method`] of [`Lion`].
#[derive(Debug, Clone)]
pub struct LionMethod {
    betas: (f64, f64),
}

impl<T> Lion<T> {
    /// Lion with the paper's `β₁` = 0.9 and `β₂` = 0.99. The learning rate must be finite and not
    /// negative; the paper's is a third to a tenth of AdamW's.
    pub fn new(learning_rate: f64) -> Self {
        Self::with(LionMethod { betas: (0.9, 0.99) }, learning_rate).decoupled_weight_decay(0.0)
    }

    /// Sets the decay rates, each in `[0, 1)`.
    pub fn betas(mut self, first: f64, second: f64) -> Self {
        self.method.betas = (first, second);
        self
    }
}

#[inline(always)]
fn lion<T: Element>(
    [rate, take_first, take_second]: [T; 3],
    value: T,
    gradient: T,
    [momentum]: [T; 1],
) -> (T, [T; 1]) {
    let direction = averaged(momentum, gradient, take_first);
    // Not `signum`, which is 1 at zero. Zero and NaN fall through unchanged.
    let above = if direction > T::zero() { rate } else { direction };
    let step = if direction < T::zero() { -rate } else { above };
    (value - step, [averaged(momentum, gradient, take_second)])
}

impl Method for LionMethod {
    const NAME: &'static str = "Lion";

    fn slots(&self) -> &'static [&'static str] {
        &["momentum"]
    }

    fn check<T: Element>(&self) -> Result<(), LearnError> {
        check_rate::<Self>("first beta", self.betas.0)?;
        check_rate::<Self>("second beta", self.betas.1)
    }

    fn step<T: Element>(&self, rate: f64, _: &mut Clock, pass: Pass<'_, T>) {
        step(self, rate, pass);
    }
}

compiled_here! {
    /// [`Method::step`]: its kernels are compiled here, for each set of instructions.
    fn step(method: &LionMethod, rate: f64, pass: Pass<'_, T>) {
        let (first, second) = method.betas;
        pass.run_formula("lion", [rate, 1.0 - first, 1.0 - second], lion);
    }
}
