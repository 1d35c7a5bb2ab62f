//! Sums of squares in double precision, the same bits on every machine.

use crate::cpu::isa::Loop;
use crate::cpu::sums::LANES;
use crate::element::Element;

/// `sum + a b`, for two values of type `T`. A norm is the same bits on every machine: the product of
/// two numbers of 32 bits is exact, so it does not matter whether it is fused with the addition;
/// other products are not fused.
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
    // A copy stays in registers as long as none of its elements is indexed.
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
    pub(super) lanes: &'a mut [f64; LANES],
    pub(super) values: &'a [T],
}

impl<T: Element> Loop for AddSquares<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        add_squares::<T, FMA>(self.lanes, 0, self.values);
    }
}
