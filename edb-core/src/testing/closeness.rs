//! How close a compiled result must be to its reference.

use edb_kernels::element::Element;
use edb_vertex::eager::dual::Dual;
use edb_vertex::eager::rounded::Rounded;

/// The share of the tolerance by which a single operation may be off, relative to its result: 1e-6
/// for the default tolerance of `f32`, eight units in the last place, since sums are in another
/// order and the kernels of `exp` and its like are not exact to the last one.
const OF_AN_OPERATION: f64 = 0.01;

/// How much results of type `T` may differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tolerance {
    relative: f64,
    /// Numbers below the least normal number of `T` are as good as zero.
    least: f64,
}

impl Tolerance {
    /// With this relative tolerance, or the default for the type.
    pub(super) fn new<T: Element>(relative: Option<f64>) -> Self {
        let default = if T::epsilon().as_f64() > 1e-10 { 1e-4 } else { 1e-10 };
        let relative = relative.unwrap_or(default);
        Self { relative, least: T::min_positive_value().as_f64() }
    }

    /// Whether rounding may decide which of two scalars is greater.
    pub(super) fn is_open(self, [a, b]: [Dual; 2]) -> bool {
        let [a, b] = [a, b].map(Rounded::of_value);
        let exact = a.error == 0.0 && b.error == 0.0;
        let scale = a.value.abs().max(b.value.abs());
        // No number is greater than none, and infinities stay what they are.
        let finite = a.value.is_finite() && b.value.is_finite();
        let close = self.holds(a.value, b, scale) || self.holds(b.value, a, scale);
        finite && close && !(exact && a.value == b.value)
    }

    /// Whether a result is close enough to the expected one: relative to `scale`, the size of the
    /// tensor that it belongs to, or as close as it can be if every operation on the way is only
    /// exact to [`OF_AN_OPERATION`] of the tolerance, relative to its own result.
    ///
    /// So a small tensor is compared relative to its own size, and a small difference of large
    /// numbers relative to theirs. Infinite and NaN values must be the same.
    pub(super) fn holds(self, found: f64, expected: Rounded, scale: f64) -> bool {
        let Rounded { value, error } = expected;
        if self.relative == f64::INFINITY {
            // An infinite tolerance only tests that it runs.
            return true;
        }
        if !(found.is_finite() && value.is_finite()) {
            return found == value || (found.is_nan() && value.is_nan());
        }
        // An unbounded error is no reason to allow a difference.
        let error = if error.is_finite() { OF_AN_OPERATION * error } else { 0.0 };
        let allowed = self.relative * scale.max(value.abs()).max(error) + self.least;
        (found - value).abs() <= allowed
    }
}

/// The size of a tensor: its largest element that is finite.
pub(super) fn size(values: impl IntoIterator<Item = f64>) -> f64 {
    let magnitudes = values.into_iter().map(f64::abs).filter(|x| x.is_finite());
    magnitudes.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(value: f64) -> Rounded {
        Rounded { value, error: 0.0 }
    }

    #[test]
    fn an_infinite_tolerance_asks_for_nothing() {
        let any = Tolerance::new::<f32>(Some(f64::INFINITY));
        assert!(any.holds(1.0, exact(0.0), 0.0) && any.holds(f64::NAN, exact(2.0), 2.0));
    }

    #[test]
    fn small_numbers_are_held_to_their_own_size() {
        let tolerance = Tolerance::new::<f32>(None);
        assert!(!tolerance.holds(3e-5, exact(2e-5), 2e-5), "less than the tolerance apart");
        assert!(tolerance.holds(2.000_1e-5, exact(2e-5), 2e-5));
        // As an element of a tensor with larger ones.
        assert!(
            tolerance.holds(3e-5, exact(2e-5), 1.0) && !tolerance.holds(3e-4, exact(2e-5), 1.0)
        );
        assert!(tolerance.holds(1e-41, exact(0.0), 0.0), "not a normal number");
        assert!(!Tolerance::new::<f64>(None).holds(1e-41, exact(0.0), 0.0));
        assert!(!Tolerance::new::<f64>(None).holds(1.0 + 1e-9, exact(1.0), 0.0));
        assert!(Tolerance::new::<f64>(Some(1e-8)).holds(1.0 + 1e-9, exact(1.0), 0.0));
    }

    #[test]
    fn what_cancels_is_held_to_what_it_is_a_difference_of() {
        let tolerance = Tolerance::new::<f32>(None);
        let difference = Rounded { value: 1e-6, error: 20.0 };
        assert!(tolerance.holds(2e-6, difference, 1e-6));
        assert!(!tolerance.holds(1e-4, difference, 1e-6));
        let unbounded = Rounded { value: 1e-6, error: f64::INFINITY };
        assert!(!tolerance.holds(2e-6, unbounded, 1e-6));
    }

    #[test]
    fn infinities_and_what_is_not_a_number_must_be_the_same() {
        let tolerance = Tolerance::new::<f64>(None);
        let (infinite, nan) = (f64::INFINITY, f64::NAN);
        let numbers = [1.0, 0.0, infinite, -infinite, nan];
        for (number, &a) in numbers.iter().enumerate() {
            for (other, &b) in numbers.iter().enumerate() {
                assert_eq!(tolerance.holds(a, exact(b), 0.0), number == other, "{a}, {b}");
            }
        }
        assert_eq!(size([1.0, -3.0, infinite, nan]), 3.0);
        assert_eq!(size([]), 0.0);
    }
}
