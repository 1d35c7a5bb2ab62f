//! The loss scale: the factor of the backward pass on devices whose numbers have a small range.
//!
//! A backward pass is linear in the gradients with which it begins: the loss scale at losses, and
//! the gradients that the caller gives. Invariant: everything that leaves the back end is unscaled.
//! The scale is 1 for all back ends but one that keeps `f16`; passes of the compiler do not know
//! its value, and kernels of the processor are compiled with 1.

use serde::{Deserialize, Serialize};

/// The factor of gradients within a device that keeps them in `f16`, so that small ones are not
/// lost (Micikevicius et al., 2018, "Mixed precision training", section 3.2). Gradients are always
/// read unscaled. Only the gradients of parameters are checked for overflow: that of a pulled
/// tensor can overflow unnoticed.
///
/// It is a power of two, so that multiplication with it does not round, and is adapted in training,
/// as by PyTorch's `GradScaler`: halved when a gradient is not finite, doubled after
/// [2000](Self::PATIENCE) passes in which all are. It begins with 2^15 rather than 2^16, which
/// overflows `f16`: a gradient that is as large as the scale itself, as that of a cross-entropy can
/// be, then does not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LossScale {
    factor: f64,
    /// The passes since it was changed, all with finite gradients.
    passes: u32,
}

impl Default for LossScale {
    fn default() -> Self {
        Self::new(32768.0)
    }
}

impl LossScale {
    /// The number of passes without an overflow after which it is doubled.
    pub const PATIENCE: u32 = 2000;

    /// The greatest factor, 2^64: it leaves half of the exponent range of `f32`, in which gradients
    /// are summed.
    const MOST: f64 = 18_446_744_073_709_551_616.0;

    /// The greatest power of two that is at most `factor`, from 1 to 2^64.
    pub fn new(factor: f64) -> Self {
        let within = if factor.is_nan() { 1.0 } else { factor.clamp(1.0, Self::MOST) };
        // The exponent bits alone are the power of two.
        Self { factor: f64::from_bits(within.to_bits() & f64::INFINITY.to_bits()), passes: 0 }
    }

    /// The same with a valid factor, since it may come from any file.
    pub(crate) fn checked(self) -> Self {
        Self { passes: self.passes, ..Self::new(self.factor) }
    }

    /// The factor of gradients.
    pub fn factor(self) -> f64 {
        self.factor
    }

    /// Updates the scale after a pass, given whether all of its gradients were finite. If they were
    /// not, the scale is halved, and the result is whether it can be the cause: a scale of 1
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
            (f64::INFINITY, LossScale::MOST),
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
        assert_eq!(scale.factor(), LossScale::MOST);
    }
}
