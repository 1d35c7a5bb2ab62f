//! Sums of squares in double precision, with the same bits on every machine.

use edb_kernels::element::Element;
use edb_kernels::isa::{Loop, dispatch};
use edb_kernels::sums::{LANES, total};

/// `sum + a b`, for two values of type `T`. Norms have the same bits on every machine: the product of two
/// 32-bit numbers is exact, so it does not matter whether it is fused with the addition; other products are not
/// fused.
#[inline(always)]
pub(super) fn plus_product<T: Element, const FMA: bool>(sum: f64, a: f64, b: f64) -> f64 {
    if FMA && size_of::<T>() == size_of::<f32>() { a.mul_add(b, sum) } else { sum + a * b }
}

/// Adds the square of each value to the lane of its index in the parameter, modulo [`LANES`]; the
/// first value has index `start`.
#[inline(always)]
pub(super) fn add_squares<T: Element, const FMA: bool>(
    lanes: &mut [f64; LANES],
    start: usize,
    values: &[T],
) {
    // A row need not begin at lane 0.
    let offset = start % LANES;
    let head = ((LANES - offset) % LANES).min(values.len());
    let (head, values) = values.split_at(head);
    for (lane, value) in lanes[offset..].iter_mut().zip(head) {
        *lane = plus_product::<T, FMA>(*lane, value.as_f64(), value.as_f64());
    }
    let (chunks, rest) = values.as_chunks::<LANES>();
    // A copy, since it stays in registers as long as none of its elements is indexed.
    let mut sums = *lanes;
    for chunk in chunks {
        for (sum, value) in sums.iter_mut().zip(chunk) {
            *sum = plus_product::<T, FMA>(*sum, value.as_f64(), value.as_f64());
        }
    }
    *lanes = sums;
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane = plus_product::<T, FMA>(*lane, value.as_f64(), value.as_f64());
    }
}

/// Adds the squares of the values of a stretch.
pub(super) struct AddSquares<'a, T> {
    pub(crate) lanes: &'a mut [f64; LANES],
    pub(crate) values: &'a [T],
}

impl<T: Element> Loop for AddSquares<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        add_squares::<T, FMA>(self.lanes, 0, self.values);
    }
}

/// A smaller sum of squares may be inexact: some squares may have been too small for `f64`, and have lost
/// digits or become zero.
const MIN_EXACT_SUM: f64 = 1e-260;

/// Whether this sum of squares of values of type `T` is exact up to rounding, that is, no square was too large
/// or too small for `f64`. Squares of 32-bit values never are.
pub(crate) fn in_range<T: Element>(sum: f64) -> bool {
    size_of::<T>() == size_of::<f32>() || (MIN_EXACT_SUM..f64::INFINITY).contains(&sum)
}

/// The 2-norm of values, also if their squares are too large or too small for `f64`. Its relative error is less
/// than `(values + 64) / 2^52`.
pub fn norm_of<T: Element>(values: &[T]) -> f64 {
    let mut lanes = [0.0; LANES];
    dispatch(AddSquares { lanes: &mut lanes, values });
    let sum = total(lanes);
    if in_range::<T>(sum) {
        return sum.sqrt();
    }
    let mut length = Length::default();
    values.iter().for_each(|value| length.add(value.as_f64()));
    length.get()
}

/// Computes a 2-norm in such a way that no square is too large or too small for `f64`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Length {
    most: f64,
    /// The sum of the squares, each divided by the square of `most`.
    sum: f64,
}

impl Length {
    /// Adds a value, or a vector of this norm.
    pub fn add(&mut self, value: f64) {
        let size = value.abs();
        if size > self.most {
            let ratio = self.most / size;
            *self = Self { most: size, sum: self.sum * (ratio * ratio) + 1.0 };
        } else if size == self.most {
            // This is also right for infinite values.
            self.sum += f64::from(u8::from(size > 0.0));
        } else {
            let ratio = size / self.most;
            self.sum += ratio * ratio;
        }
    }

    /// The norm. It is not finite if a value was not finite, or if the norm is too large for `f64`.
    pub fn get(self) -> f64 {
        self.most * self.sum.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fault A2, A3: squares overflowed from 1e154 on, and vanished below 1e-162.
    #[test]
    fn norms_have_the_range_of_their_values() {
        for scale in [1e-300, 1e-200, 1.0, 1e160, 1e300] {
            let found = norm_of(&[3.0 * scale, 0.0, -4.0 * scale]);
            assert!((found / (5.0 * scale) - 1.0).abs() < 1e-15, "{found} at {scale}");
        }
        assert_eq!(norm_of(&[0.0, -0.0]), 0.0);
        assert_eq!(norm_of(&[1e-40_f32, 0.0]), f64::from(1e-40_f32));
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(!norm_of(&[1.0, bad, 2.0]).is_finite());
            assert!(!norm_of(&[bad, bad]).is_finite());
        }
        let mut length = Length::default();
        [0.0, 3e200, f64::NAN, 4e200].into_iter().for_each(|value| length.add(value));
        assert!(length.get().is_nan());
    }
}
