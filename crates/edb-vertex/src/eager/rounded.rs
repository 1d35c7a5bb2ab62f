//! Numbers with bounds on their rounding errors.
//!
//! Where large terms cancel, a result in lower precision may have no correct digits although no op
//! was computed wrongly. How far off it may be follows from the computation: this is a running
//! error analysis (Higham, 2002, "Accuracy and Stability of Numerical Algorithms", section 3.3),
//! with which compiled results are compared with the eager reference.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number, and a bound, to first order, for its error in a computation in which every operation is
/// off by at most `u` relative to its result: `error` times `u`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rounded {
    /// The number.
    pub value: f64,
    /// The bound for its error, in units of `u`.
    pub error: f64,
}

/// About how far off an operation in `f32` is, relative to its result: `u`, where the product of two
/// errors counts.
const UNIT: f64 = 1e-6;

impl Rounded {
    /// A number without error.
    pub(super) fn exact(value: f64) -> Self {
        Self { value, error: 0.0 }
    }

    /// The result of an operation, to whose error the errors of the arguments contribute `error`.
    fn result(value: f64, error: f64) -> Self {
        Self { value, error: error + value.abs() }
    }

    /// A function of the number, by its value and its slope here.
    pub(super) fn map(self, value: f64, slope: f64) -> Self {
        Self::result(value, times(slope.abs(), self.error))
    }

    /// The product of the number, which is zero, and a factor.
    pub(super) fn of_zero(self, factor: f64) -> Self {
        Self { value: 0.0, error: times(factor.abs(), self.error) }
    }

    /// A function of the number, by its value and as a function, whose slope is not known or does
    /// not exist here.
    pub(super) fn map_near(self, value: f64, f: impl Fn(f64) -> f64) -> Self {
        // About what a rounding to 24 bits changes: small, but large compared with roundings to
        // `f64`.
        const STEP: f64 = 1e-7;
        let changes = [-STEP, STEP].map(|step| (f(self.value + step * self.error) - value).abs());
        let changes = changes.into_iter().filter(|change| change.is_finite());
        Self::result(value, changes.fold(0.0, f64::max) / STEP)
    }
}

impl Add for Rounded {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::result(self.value + other.value, self.error + other.error)
    }
}

impl Sub for Rounded {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::result(self.value - other.value, self.error + other.error)
    }
}

impl Mul for Rounded {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let of_self = times(self.error, other.value.abs());
        let of_other = times(other.error, self.value.abs());
        // The first order vanishes at zero, as in the square of a difference that is one.
        let of_both = UNIT * times(self.error, other.error);
        Self::result(self.value * other.value, of_self + of_other + of_both)
    }
}

impl Div for Rounded {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        let error = self.error + times(other.error, value.abs());
        Self::result(value, error / other.value.abs())
    }
}

impl Neg for Rounded {
    type Output = Self;

    fn neg(self) -> Self {
        Self { value: -self.value, error: self.error }
    }
}

/// The product of two numbers that are not negative, where zero times infinity is zero: an exact
/// number stays exact after an infinite slope.
fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The errors of a computation in `f32` are within their bounds.
    #[test]
    fn errors_are_bounds() {
        let unit = f64::from(f32::EPSILON);
        let mut worst = 0.0_f64;
        for number in 1..500 {
            let [x, y] = [0.37, 0.61].map(|by| (f64::from(number) * by).sin() as f32);
            let exact = |x: f32| Rounded::exact(x.into());
            // Terms that nearly cancel, a quotient, a slope.
            let near = y + x * 1e-4;
            let found = ((x + y) - (x + near)) / (y * y + 0.01);
            let (a, b) = (exact(x) + exact(y), exact(x) + (exact(y) + exact(x) * exact(1e-4)));
            let bound = (a - b) / (exact(y) * exact(y) + exact(0.01));
            let difference = (f64::from(found) - bound.value).abs();
            assert!(difference <= 2.0 * unit * bound.error, "{x}, {y}: {found}, {bound:?}");
            worst = worst.max(difference / bound.value.abs());

            let (root, slope) = (bound.value.abs().sqrt(), 0.5 / bound.value.abs().sqrt());
            let of_root = Rounded { value: bound.value.abs(), ..bound }.map(root, slope);
            let difference = (f64::from(found.abs().sqrt()) - of_root.value).abs();
            assert!(difference <= 2.0 * unit * of_root.error, "{x}, {y}: {of_root:?}");
        }
        assert!(worst > 1e-4, "digits were lost: {worst}");
    }

    /// `|x|` and `max(x, 0)` have no slope at 0, and that of `√x` is infinite, but all are
    /// continuous.
    #[test]
    fn an_error_passes_a_kink() {
        use super::super::dual::{Dual, Real};
        // Exactly 0, from terms with errors.
        let zero =
            Dual::constant(0.1) * Dual::constant(3.0) - Dual::constant(0.1) * Dual::constant(3.0);
        let error = Rounded::of_value(zero).error;
        assert!(zero.value == 0.0 && error > 0.5);
        for f in [Dual::abs, Dual::relu] {
            let near = Rounded::of_value(f(zero));
            assert!(near.value == 0.0 && (near.error - error).abs() < 1e-6 * error);
        }
        let root = Rounded::of_value(zero.sqrt()).error;
        assert!(root.is_finite() && root > 1e3, "{root}");
        assert_eq!(Rounded::of_value((zero - Dual::constant(1.0)).relu()).error, 0.0);
    }

    #[test]
    fn an_unknown_slope_is_measured() {
        let x = Rounded { value: 0.8, error: 3.0 };
        let (known, measured) = (x.map(0.64, 1.6), x.map_near(0.64, |x| x * x));
        assert!((known.error - measured.error).abs() < 1e-5, "{known:?}, {measured:?}");
        assert_eq!(
            Rounded::exact(0.0) * Rounded { value: f64::INFINITY, error: 1.0 }.map(2.0, 0.0),
            Rounded::exact(0.0)
        );
    }
}
