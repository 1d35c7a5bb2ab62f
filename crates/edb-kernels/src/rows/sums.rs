//! Sums whose errors grow with the logarithm of the number of terms.
//!
//! A chain of additions, from the first term to the last, can accumulate as many rounding errors as it has
//! terms: adding 0.1 a million times gives 100,958 in `f32`. So a long sum is the sum of its two halves, and
//! only sums of few terms are chains (pairwise summation: Higham, 1993, "The accuracy of floating point
//! summation"). Where a sum is cut depends only on the number of its terms. So its bits do not depend on other
//! computations, on the number of threads, or on the instructions.

use std::ops::{Add, Range};

use num_traits::Float;

use crate::memory::scratch;
use crate::numbers::Element;

/// The most terms of a chain of rows.
pub const CHAIN: usize = 128;

/// The halves of a sum with more terms than a chain. All chains except the last have the full length.
pub fn halves(terms: &Range<usize>, chain: usize) -> [Range<usize>; 2] {
    let middle = terms.start + terms.len().div_ceil(chain) / 2 * chain;
    [terms.start..middle, middle..terms.end]
}

/// Adds terms to `out`; a term is a row, or has several elements in another way. `chain` adds some terms, at
/// most `longest`, to the elements that it gets.
pub fn in_halves<T: Element>(
    terms: Range<usize>,
    longest: usize,
    out: &mut [T],
    chain: &mut impl FnMut(Range<usize>, &mut [T]),
) {
    if terms.len() <= longest {
        return chain(terms, out);
    }
    let [first, second] = halves(&terms, longest);
    in_halves(first, longest, out, chain);
    scratch::with_half(out.len(), |rest| {
        rest.fill(T::zero());
        in_halves(second, longest, rest, chain);
        out.iter_mut().zip(&*rest).for_each(|(out, &rest)| *out += rest);
    });
}

/// The number of independent partial sums of the elements of a row. The compiler keeps them in vector
/// registers, and they are so many that no addition waits for the one before.
pub const LANES: usize = 32;

/// The partial sums of up to this many elements of a row are chains.
const MAX_BLOCK_ELEMENTS: usize = 16 * LANES;

/// How many sums of two halves are nested at most, in the longest row.
const MAX_LEVELS: usize = (usize::BITS - MAX_BLOCK_ELEMENTS.ilog2()) as usize;

/// The sum of the lanes: one half is added to the other until one lane is left.
#[inline(always)]
pub fn total<T: Copy + Add<Output = T>>(lanes: [T; LANES]) -> T {
    let mut sums = lanes;
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            sums[lane] = sums[lane] + sums[lane + width];
        }
        width /= 2;
    }
    sums[0]
}

/// The terms of a sum over the elements of a row, or of several. It is a type and not a closure, since only
/// code that is certainly inlined is compiled with the instructions of an instruction set.
pub trait Terms<T>: Copy {
    /// The number of terms.
    fn count(self) -> usize;
    /// The term of this element.
    fn term<const FMA: bool>(self, element: usize) -> T;
    /// The terms of the [`LANES`] elements from this one on.
    fn lanes<const FMA: bool>(self, first: usize) -> [T; LANES];
}

/// The elements themselves.
#[derive(Clone, Copy)]
pub(crate) struct Elements<'a, T>(pub(crate) &'a [T]);

/// Compares each element with a shift. If `POWERS`, the term is `e^(x - shift)`, but 0 for elements that are
/// equal to the shift. Otherwise it is 1 for elements that are equal to the shift, and 0 for all others.
#[derive(Clone, Copy)]
pub(crate) struct Shifted<'a, T, const POWERS: bool> {
    pub(crate) x: &'a [T],
    pub(crate) shift: T,
}

/// The products of the elements of two rows of equal length.
#[derive(Clone, Copy)]
pub struct Products<'a, T>(pub &'a [T], pub &'a [T]);

impl<T: Element> Terms<T> for Elements<'_, T> {
    #[inline(always)]
    fn count(self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn term<const FMA: bool>(self, element: usize) -> T {
        self.0[element]
    }

    #[inline(always)]
    fn lanes<const FMA: bool>(self, first: usize) -> [T; LANES] {
        let mut terms = [T::zero(); LANES];
        terms.copy_from_slice(&self.0[first..first + LANES]);
        terms
    }
}

/// If `POWERS`, `e^x`, but 0 if `x` is 0; otherwise 1 if `x` is 0, and else 0. (The difference of two
/// infinities is not 0.)
#[inline(always)]
fn of_difference<T: Element, const FMA: bool, const POWERS: bool>(x: T) -> T {
    let (of_zero, other) = match POWERS {
        true => (T::zero(), x.exp_::<FMA>()),
        false => (T::one(), T::zero()),
    };
    if x == T::zero() { of_zero } else { other }
}

impl<T: Element, const POWERS: bool> Terms<T> for Shifted<'_, T, POWERS> {
    #[inline(always)]
    fn count(self) -> usize {
        self.x.len()
    }

    #[inline(always)]
    fn term<const FMA: bool>(self, element: usize) -> T {
        of_difference::<T, FMA, POWERS>(self.x[element] - self.shift)
    }

    #[inline(always)]
    fn lanes<const FMA: bool>(self, first: usize) -> [T; LANES] {
        let x = &self.x[first..first + LANES];
        let mut terms = [T::zero(); LANES];
        for lane in 0..LANES {
            terms[lane] = of_difference::<T, FMA, POWERS>(x[lane] - self.shift);
        }
        terms
    }
}

impl<T: Element> Terms<T> for Products<'_, T> {
    #[inline(always)]
    fn count(self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn term<const FMA: bool>(self, element: usize) -> T {
        self.0[element] * self.1[element]
    }

    #[inline(always)]
    fn lanes<const FMA: bool>(self, first: usize) -> [T; LANES] {
        let (a, b) = (&self.0[first..first + LANES], &self.1[first..first + LANES]);
        let mut terms = [T::zero(); LANES];
        for lane in 0..LANES {
            terms[lane] = a[lane] * b[lane];
        }
        terms
    }
}

/// The sum of all terms.
#[inline(always)]
pub fn sum<T: Element, X: Terms<T>, const FMA: bool>(terms: X) -> T {
    let count = terms.count();
    if count < LANES {
        let mut sum = T::zero();
        for element in 0..count {
            sum += terms.term::<FMA>(element);
        }
        return sum;
    }
    if count <= MAX_BLOCK_ELEMENTS {
        return block::<T, X, FMA>(terms, 0, count);
    }
    // Level `l` holds the sum of 2^l blocks, if bit `l` of the number of blocks so far is set.
    let mut levels = [T::zero(); MAX_LEVELS];
    let blocks = count.div_ceil(MAX_BLOCK_ELEMENTS);
    for number in 0..blocks {
        let first = number * MAX_BLOCK_ELEMENTS;
        let mut sum = block::<T, X, FMA>(terms, first, count.min(first + MAX_BLOCK_ELEMENTS));
        let mut level = 0;
        while number >> level & 1 == 1 {
            sum = levels[level] + sum;
            level += 1;
        }
        levels[level] = sum;
    }
    let mut level = blocks.trailing_zeros() as usize;
    let mut sum = levels[level];
    level += 1;
    while level < MAX_LEVELS {
        if blocks >> level & 1 == 1 {
            sum = levels[level] + sum;
        }
        level += 1;
    }
    sum
}

/// The sum of some terms, computed as the sum of chains that lie side by side.
#[inline(always)]
fn block<T: Element, X: Terms<T>, const FMA: bool>(terms: X, first: usize, end: usize) -> T {
    let whole = first + (end - first) / LANES * LANES;
    let mut sums = [T::zero(); LANES];
    let mut at = first;
    while at < whole {
        let more = terms.lanes::<FMA>(at);
        for lane in 0..LANES {
            sums[lane] += more[lane];
        }
        at += LANES;
    }
    // A copy, since the sums stay in registers only as long as none of them is indexed.
    let mut lanes = sums;
    for element in whole..end {
        lanes[element - whole] += terms.term::<FMA>(element);
    }
    total(lanes)
}

/// A sum that is read after each of its terms. It has twice the digits of `T`: it consists of a number and its
/// rounding error (the error is computed as by Knuth, or as by Dekker if one number is known to be the greater:
/// Ogita, Rump and Oishi, 2005, "Accurate sum and dot product").
#[derive(Clone, Copy)]
pub struct RunningSum<T> {
    sum: T,
    lost: T,
}

impl<T: Float> Default for RunningSum<T> {
    #[inline(always)]
    fn default() -> Self {
        Self { sum: T::zero(), lost: T::zero() }
    }
}

impl<T: Float> RunningSum<T> {
    /// Adds a term, and returns the sum.
    #[inline(always)]
    pub fn add(&mut self, x: T) -> T {
        let sum = self.sum + x;
        let of_x = sum - self.sum;
        let lost = self.lost + ((self.sum - (sum - of_x)) + (x - of_x));
        self.sum = sum + lost;
        self.lost = lost - (self.sum - sum);
        // The difference of two infinities is NaN, which is not a rounding error.
        if !sum.is_finite() {
            *self = Self { sum, lost: T::zero() };
        }
        self.sum
    }

    /// The sum so far.
    #[inline(always)]
    pub fn value(&self) -> T {
        self.sum
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::numbers::numbers;
    use crate::processor::{Isa, Loop, dispatch_on};

    struct Sum<'a, T>(&'a [T], &'a mut T);

    impl<T: Element> Loop for Sum<'_, T> {
        fn run<const FMA: bool>(self) {
            *self.1 = sum::<T, _, FMA>(Elements(self.0));
        }
    }

    /// Fault B1: the sum of a chain of a million terms was wrong by one part in a hundred.
    #[test]
    fn long_sums_do_not_drift() {
        for count in [1, 31, 32, 33, 511, 512, 513, 1024, 4097, 1 << 20, 1_000_000] {
            let terms = vec![0.1_f32; count];
            let exact = f64::from(0.1_f32) * count as f64;
            for isa in Isa::all() {
                let mut found = 0.0;
                dispatch_on(isa, Sum(&terms, &mut found));
                let bound = 16.0 + 5.0 + (count as f64).log2();
                let error =
                    (f64::from(found) - exact).abs() / (exact * f64::from(f32::EPSILON) / 2.0);
                assert!(error <= bound, "{count} terms: {found} for {exact}, {error} roundings");
            }
        }
    }

    /// The same for rows, for products, and for sums that are read after each term.
    #[test]
    fn long_sums_of_rows_do_not_drift() {
        let mut out = [0.0_f32; 3];
        in_halves(0..1_000_000, CHAIN, &mut out, &mut |terms, out| {
            terms.for_each(|_| out.iter_mut().for_each(|out| *out += 0.1));
        });
        let mut running = RunningSum::default();
        let last = (0..1_000_000).map(|_| running.add(0.1_f32)).last();
        for found in out.into_iter().chain(last) {
            assert!((found - 100_000.0).abs() < 0.2, "{found}");
        }
        assert_eq!(RunningSum::default().add(f32::INFINITY), f32::INFINITY);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

        /// Every term is added once, and the bits are the same with every instruction set.
        #[test]
        fn sums_are_sums(count in 0usize..3000) {
            let terms = numbers::<f64>(count, 3);
            let exact: f64 = terms.iter().sum();
            let mut first = None;
            for isa in Isa::all() {
                let mut found = 0.0;
                dispatch_on(isa, Sum(&terms, &mut found));
                prop_assert!((found - exact).abs() < 1e-11);
                prop_assert_eq!(*first.get_or_insert(found), found);
            }
            let mut out = [0.0];
            in_halves(0..count, 7, &mut out, &mut |range, out| {
                out[0] += terms[range].iter().sum::<f64>();
            });
            prop_assert!((out[0] - exact).abs() < 1e-11);
        }
    }
}
