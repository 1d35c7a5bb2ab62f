//! Adam.

use super::error::LearnError;
use super::gradients::Gradients;
use super::optimizer::{Optimizer, OptimizerState, check_learning_rate, check_setting};
use super::parameter::Parameters;
use crate::element::Element;

/// Adam (Kingma and Ba, 2015, "Adam: a method for stochastic optimization", algorithm 1).
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
/// The step count `t` is global: it counts calls of [`update`](Optimizer::update), whichever
/// parameters or rows had a gradient. Where a gradient has only some rows, Adam is lazy: the
/// moments of the other rows do not decay, and these rows do not move. Both are as in PyTorch's
/// `SparseAdam`; so an embedding trained by rows differs from one whose gradient is made dense,
/// once a row has been left out of a step.
#[derive(Debug, Clone)]
pub struct Adam<T> {
    learning_rate: f64,
    betas: (f64, f64),
    epsilon: f64,
    /// `β₁ᵗ` and `β₂ᵗ`: kept as running products, since the precision of `powf` depends on the
    /// platform.
    powers: (f64, f64),
    moments: OptimizerState<T, 2>,
}

impl<T> Adam<T> {
    /// Adam with the paper's `β₁` = 0.9, `β₂` = 0.999 and `ε` = 1e-8; the learning rate must be
    /// finite and not negative. The paper suggests 1e-3.
    pub fn new(learning_rate: f64) -> Self {
        Self {
            learning_rate,
            betas: (0.9, 0.999),
            epsilon: 1e-8,
            powers: (1.0, 1.0),
            moments: OptimizerState::default(),
        }
    }

    /// Sets the decay rates of the first and second moment, each in `[0, 1)`. For use before the
    /// first step.
    #[must_use]
    pub fn betas(mut self, first: f64, second: f64) -> Self {
        self.betas = (first, second);
        self
    }

    /// Sets `ε`, which keeps the step finite where gradients vanish. It must be positive in `T`:
    /// for `f32` at least 1e-45.
    #[must_use]
    pub fn epsilon(mut self, epsilon: f64) -> Self {
        self.epsilon = epsilon;
        self
    }
}

impl<T: Element> Adam<T> {
    fn check(&self) -> Result<(), LearnError> {
        check_learning_rate("the learning rate of Adam", self.learning_rate)?;
        let (first, second) = self.betas;
        let range = 0.0..1.0;
        check_setting("the first beta of Adam", first, "in [0, 1)", range.contains(&first))?;
        check_setting("the second beta of Adam", second, "in [0, 1)", range.contains(&second))?;
        let epsilon = T::from_f64(self.epsilon);
        let positive = epsilon.is_finite() && epsilon > T::zero();
        check_setting("the epsilon of Adam", self.epsilon, "finite and positive", positive)
    }
}

impl<T: Element> Optimizer<T> for Adam<T> {
    fn update(
        &mut self,
        parameters: &mut Parameters<T>,
        gradients: &Gradients<T>,
    ) -> Result<(), LearnError> {
        self.check()?;
        let powers = (self.powers.0 * self.betas.0, self.powers.1 * self.betas.1);

        // The corrections do not depend on the value, so they are applied as
        // θ - (α / (1 - β₁ᵗ)) m / (√v / √(1 - β₂ᵗ) + ε).
        let rate = T::from_f64(self.learning_rate / (1.0 - powers.0));
        let correction = T::from_f64((1.0 - powers.1).sqrt().recip());
        let epsilon = T::from_f64(self.epsilon);
        let (keep1, keep2) = (T::from_f64(self.betas.0), T::from_f64(self.betas.1));
        let (take1, take2) = (T::from_f64(1.0 - self.betas.0), T::from_f64(1.0 - self.betas.1));

        self.moments.apply(parameters, gradients, |values, [first, second], gradient| {
            let moments = first.iter_mut().zip(second);
            for ((value, (m, v)), &g) in values.iter_mut().zip(moments).zip(gradient) {
                *m = keep1 * *m + take1 * g;
                *v = keep2 * *v + take2 * g * g;
                *value -= rate * *m / (v.sqrt() * correction + epsilon);
            }
        })?;
        self.powers = powers;
        Ok(())
    }

    fn learning_rate(&self) -> f64 {
        self.learning_rate
    }

    fn set_learning_rate(&mut self, learning_rate: f64) {
        self.learning_rate = learning_rate;
    }
}
