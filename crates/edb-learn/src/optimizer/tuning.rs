//! The settings of one parameter in one step.

use super::rule::Terms;
use edb_kernels::element::Element;

/// The settings of one parameter in one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tuning {
    /// The gradient is multiplied by this number, which makes it a mean and clips its norm.
    pub scale: f64,
    /// Then the values of the gradient are clipped to this magnitude, which must not be negative.
    pub bound: f64,
    /// The learning rate is multiplied by this.
    pub rate: f64,
    /// The weight decay; `None` for the weight decay of the optimiser.
    pub weight_decay: Option<f64>,
    /// Whether the parameter is frozen, that is, not updated.
    pub frozen: bool,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { scale: 1.0, bound: f64::INFINITY, rate: 1.0, weight_decay: None, frozen: false }
    }
}

impl Tuning {
    /// The operations on value and gradient before the rule.
    pub(super) fn terms<T: Element>(&self, Decay { coupled, keep }: Decay) -> Terms<T> {
        Terms {
            scale: T::from_f64(self.scale),
            bound: T::from_f64(self.bound),
            coupled: T::from_f64(coupled),
            keep: T::from_f64(keep),
        }
    }
}

/// The weight decay of a parameter in this step: see [`Terms`].
pub(super) struct Decay {
    pub(super) coupled: f64,
    pub(super) keep: f64,
}
