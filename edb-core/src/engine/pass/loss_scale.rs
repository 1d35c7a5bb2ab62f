//! The loss scale: a factor by which the backward pass is scaled on devices whose numbers have a small range.
//!
//! A backward pass is linear in the gradients with which it begins. These are the loss scale at each loss, and
//! the gradients that the caller gives, times the loss scale. Invariant: everything that leaves the back end is
//! unscaled. The scale is 1 for all back ends except those that keep values in `f16`. Passes of the compiler do
//! not know its value, and kernels of the processor are compiled with 1.

use serde::{Deserialize, Serialize};

/// The factor by which gradients are scaled inside a device that keeps them in `f16`, so that small
/// gradients are not lost (Micikevicius et al., 2018, "Mixed precision training", section 3.2). Gradients are
/// always read unscaled. Only the gradients of parameters are checked for overflow: the gradient of a pulled
/// tensor can overflow unnoticed.
///
/// The factor is a power of two, so that a multiplication by it does not round. It is adapted in training, as
/// PyTorch's `GradScaler` does: it is halved when a gradient is not finite, and doubled after
/// [2000](Self::PATIENCE) passes in which all gradients are finite. It begins with 2^15, since 2^16 overflows
/// `f16`: a gradient can be as large as the scale itself, for example that of a cross-entropy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LossScale {
    factor: f64,
    /// How many passes there were since the factor was changed. All of them had finite gradients.
    passes: u32,
}

impl Default for LossScale {
    fn default() -> Self {
        Self::new(32768.0)
    }
}

impl LossScale {
    /// The number of passes without an overflow after which the factor is doubled.
    pub const PATIENCE: u32 = 2000;

    /// The greatest factor, 2^64. Gradients are summed in `f32`, and this factor leaves them half of its exponent
    /// range.
    const MAX_FACTOR: f64 = 18_446_744_073_709_551_616.0;

    /// A scale with the greatest power of two that is at most `factor`. The result is from 1 to 2^64; NaN gives 1.
    pub fn new(factor: f64) -> Self {
        let within = if factor.is_nan() { 1.0 } else { factor.clamp(1.0, Self::MAX_FACTOR) };
        // With a mantissa of zero, the exponent bits are the power of two.
        Self { factor: f64::from_bits(within.to_bits() & f64::INFINITY.to_bits()), passes: 0 }
    }

    /// Returns this scale with a valid factor. The scale may come from a file, where any number can stand.
    pub(crate) fn checked(self) -> Self {
        Self { passes: self.passes, ..Self::new(self.factor) }
    }

    /// The factor by which gradients are scaled.
    pub fn factor(self) -> f64 {
        self.factor
    }

    /// Updates the scale after a pass; `finite` says whether all gradients of the pass were finite. If they
    /// were not, the scale is halved. Returns whether the scale can be the cause of an overflow: a scale of 1
    /// cannot.
    pub(crate) fn overflows(&mut self, finite: bool) -> bool {
        if !finite {
            let blamed = self.factor > 1.0;
            *self = Self::new(self.factor / 2.0);
            return blamed;
        }
        self.passes = self.passes.saturating_add(1);
        if self.passes >= Self::PATIENCE {
            *self = Self::new(self.factor * 2.0);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_power_of_two() {
        let cases = [
            (f64::NAN, 1.0),
            (-3.0, 1.0),
            (0.7, 1.0),
            (1.0, 1.0),
            (1000.0, 512.0),
            (65_536.0, 65_536.0),
            (f64::INFINITY, LossScale::MAX_FACTOR),
        ];
        for (factor, expected) in cases {
            assert_eq!(LossScale::new(factor).factor(), expected, "{factor}");
        }
    }

    #[test]
    fn it_halves_at_once_and_doubles_with_patience() {
        let mut scale = LossScale::default();
        assert_eq!(scale.factor(), 32_768.0);
        assert!(scale.overflows(false));
        for pass in 1..LossScale::PATIENCE {
            assert!(!scale.overflows(true));
            assert_eq!(scale.factor(), 16_384.0, "pass {pass}");
        }
        // The passes must be consecutive.
        assert!(scale.overflows(false));
        for _ in 0..LossScale::PATIENCE {
            assert_eq!(scale.factor(), 8192.0);
            assert!(!scale.overflows(true));
        }
        assert_eq!(scale.factor(), 16_384.0);
        for halved in (0..14).rev() {
            assert!(scale.overflows(false));
            assert_eq!(scale.factor(), 2.0_f64.powi(halved));
        }
        assert!(!scale.overflows(false), "a scale of 1 is not to blame");
        assert_eq!(scale.factor(), 1.0);
    }

    #[test]
    fn it_ends_somewhere() {
        let mut scale = LossScale::new(f64::INFINITY);
        (0..LossScale::PATIENCE).for_each(|_| assert!(!scale.overflows(true)));
        assert_eq!(scale.factor(), LossScale::MAX_FACTOR);
    }
}
