//! The gradient of a matrix as factors that are not multiplied out.
//!
//! Invariant: factors that are multiplied out have the same bits as a gradient that was summed, since they have
//! at most 256 terms, and a product sums this many terms without a break. Only their norm is added up in
//! another way, which depends on the model and the minibatch alone.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use smallvec::SmallVec;

use super::squares::plus_product;
use crate::parameters::Workers;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_kernels::isa::{Loop, dispatch};
use edb_kernels::memory::Memory;
use edb_kernels::operand::Operand;
use edb_kernels::panels::Panels;
use edb_kernels::product::{PIECE, left_of_columns, with_left_columns};
use edb_kernels::sums::{LANES, total};
use edb_kernels::tile::Left;

/// The gradient of a matrix `[m, n]` as the factors of a sum of few terms, `Σ_r y_r x_rᵀ`, one for
/// each vertex that used the matrix.
///
/// For a minibatch of few vertices the factors are much smaller than the matrix. Its norm follows
/// from them alone (`‖Σ_r y_r x_rᵀ‖² = Σ_rs ⟨y_r, y_s⟩ ⟨x_r, x_s⟩`: Goodfellow, 2015, "Efficient
/// per-example gradient computations"), and an optimiser multiplies them out a few rows at a time, so the rows
/// never leave the cache. Reading the [values](Self::values) multiplies them out once.
#[derive(Debug, Clone, Default)]
pub struct Factors<T> {
    terms: usize,
    size: [usize; 2],
    /// `[terms, m]` and `[terms, n]`.
    y: Vec<T>,
    x: Vec<T>,
    /// `x`, packed; below, `y` as the left side of a product with it, if both are in 16 bits.
    panels: Panels<T>,
    left: Memory<T>,
    values: OnceLock<Vec<T>>,
}

/// From this size of a matrix on, multiplying a gradient out takes less time than writing and reading it.
const MIN_MATRIX_BYTES: usize = 512 << 10;

impl<T: Element> Factors<T> {
    /// Whether to keep a gradient with this many terms as factors. Two conditions must hold. The products among
    /// the terms must be less work than reading the matrix; reading an element takes about as long as adding
    /// four products. And a [sum](edb_kernels::product::outer_sum) must add all terms without a break, as
    /// factors do, so that a gradient has the same bits either way.
    pub fn are_cheaper(terms: usize, [m, n]: [usize; 2]) -> bool {
        let products = terms.saturating_mul(terms).saturating_mul(m + n);
        let is_large = m * n * size_of::<T>() >= MIN_MATRIX_BYTES;
        (1..=PIECE).contains(&terms) && is_large && products <= 4 * m * n
    }

    /// Resets all factors to zero, for `terms` terms of a gradient with `size[0]` rows and `size[1]` columns.
    /// Write each with [`term_mut`](Self::term_mut), then [`finish`](Self::finish) them.
    pub fn reset(&mut self, terms: usize, size: [usize; 2]) {
        (self.terms, self.size) = (terms, size);
        for (factors, width) in [&mut self.y, &mut self.x].into_iter().zip(size) {
            factors.clear();
            factors.resize(terms * width, T::zero());
        }
        self.values = OnceLock::new();
    }

    /// The factors of a term, to be written: `y`, with an element for each row of the matrix, and `x`, with an
    /// element for each column.
    ///
    /// # Panics
    /// When there is no such term.
    pub fn term_mut(&mut self, term: usize) -> [&mut [T]; 2] {
        let [m, n] = self.size;
        [&mut self.y[term * m..][..m], &mut self.x[term * n..][..n]]
    }

    /// Packs the factors that were written, before they are multiplied out. If `paired`, they are packed in 16
    /// bits, and must have been rounded to 16 bits.
    pub fn finish(&mut self, paired: bool) {
        let [m, n] = self.size;
        let all = 0..self.terms;
        self.panels.pack_rows(all.clone(), &Operand::of_slice(&self.x, n), paired);
        if paired {
            let y = Operand::of_slice(&self.y, m);
            left_of_columns(&mut self.left, self.panels.inner(), all, 0..m, &y);
        }
    }

    /// The number of terms.
    pub(crate) fn terms(&self) -> usize {
        self.terms
    }

    /// How many rows and columns the matrix has.
    pub fn size(&self) -> [usize; 2] {
        self.size
    }

    /// The matrix, row-major.
    pub fn values(&self) -> &[T] {
        self.values.get_or_init(|| {
            let mut values = vec![T::zero(); self.size[0] * self.size[1]];
            self.multiply(0..self.size[0], &mut values);
            values
        })
    }

    /// Some rows of the matrix, row-major, as in [`values`](Self::values).
    pub(crate) fn rows(&self, rows: Range<usize>) -> Vec<T> {
        let mut values = vec![T::zero(); rows.len() * self.size[1]];
        self.multiply(rows, &mut values);
        values
    }

    /// Appends the terms of other factors of the same matrix.
    pub(crate) fn append(&mut self, other: &Self) {
        let paired = self.panels.is_paired();
        self.y.extend_from_slice(&other.y);
        self.x.extend_from_slice(&other.x);
        self.terms += other.terms;
        self.values = OnceLock::new();
        self.finish(paired);
    }

    /// `y` and `x`, and whether they are packed in 16 bits. [`of`](Self::of) makes factors from these parts.
    pub(crate) fn parts(&self) -> ([&[T]; 2], bool) {
        ([&self.y, &self.x], self.panels.is_paired())
    }

    /// Factors with this many terms of a matrix of this size.
    pub(crate) fn of(terms: usize, size: [usize; 2], [y, x]: [Vec<T>; 2], paired: bool) -> Self {
        let mut factors = Self { terms, size, y, x, ..Self::default() };
        factors.finish(paired);
        factors
    }

    /// Multiplies the factors out and returns the matrix, row-major.
    pub(crate) fn into_values(self) -> Vec<T> {
        self.values();
        self.values.into_inner().unwrap_or_default()
    }

    /// The sum of the squares of the matrix; `None` if an element might be out of the range of `T`, although
    /// its square is within the range of `f64`.
    pub(crate) fn sum_of_squares(&self, workers: &mut Workers<'_, T>) -> Option<f64> {
        let mut rows: SmallVec<[[AtomicU64; 2]; 64]> = SmallVec::new();
        rows.resize_with(self.terms, Default::default);
        workers.share(self.terms.div_ceil(TERMS_AT_ONCE), &|number, _| {
            let first = number * TERMS_AT_ONCE;
            let mut products = [[0.0; 2]; TERMS_AT_ONCE];
            dispatch(Products { factors: self, first, products: &mut products });
            for (to, product) in rows[first..].iter().zip(products) {
                to.iter().zip(product).for_each(|(to, product)| {
                    to.store(product.to_bits(), Ordering::Relaxed);
                });
            }
        });
        let rows = rows
            .iter()
            .map(|row| row.each_ref().map(|sum| f64::from_bits(sum.load(Ordering::Relaxed))));
        let [sum, bound] =
            rows.fold([0.0; 2], |[all, bound], [sum, square]| [all + sum, bound + square.sqrt()]);
        // No element, and no partial sum, is greater than the sum of the lengths of the terms.
        let in_range = sum.is_nan() || bound < T::max_value().as_f64();
        // Cancellation may leave slightly less than zero.
        in_range.then_some(if sum < 0.0 { 0.0 } else { sum })
    }
}

compiled_here! {
    impl Factors {
        /// Multiplies out some rows of the matrix. They have the same bits as when all rows are multiplied out
        /// at once.
        pub(crate) fn multiply(&self, rows: Range<usize>, out: &mut [T]) {
            let (m, count) = (self.size[0], rows.len());
            let mut multiply = |left: Left<'_, T>| self.panels.multiply_into(count, out, left);
            if self.panels.is_paired() {
                with_left_columns(&self.left, self.panels.inner(), m, rows, multiply);
            } else {
                multiply(Left::Columns { data: &self.y[rows.start..], stride: m });
            }
        }
    }
}

/// Compares the factors; equal matrices may have different ones.
impl<T: PartialEq> PartialEq for Factors<T> {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size && self.y == other.y && self.x == other.x
    }
}

/// This many terms are multiplied with several other terms at a time, so that an element is read and converted
/// once and used more than once. Below, the number of the other terms.
const TERMS_AT_ONCE: usize = 2;
const OTHER_TERMS_AT_ONCE: usize = 4;

/// `⟨y_r, y_s⟩ ⟨x_r, x_s⟩` for [`TERMS_AT_ONCE`] terms `r` from `first` on, in double precision: for each `r`,
/// the sum over all `s ≤ r`, in which products with `s < r` count twice, since each stands for both orders; and
/// the product for `s = r`.
struct Products<'a, T> {
    factors: &'a Factors<T>,
    first: usize,
    products: &'a mut [[f64; 2]; TERMS_AT_ONCE],
}

impl<T: Element> Loop for Products<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Factors { y, x, size: [m, n], terms, .. } = self.factors;
        // Terms after the last one are copies of it, which are not counted.
        let term = |number: usize| number.min(terms - 1);
        let own: [usize; TERMS_AT_ONCE] = [self.first, term(self.first + 1)];
        let mut other = 0;
        while other < *terms && other < self.first + TERMS_AT_ONCE {
            let others: [usize; OTHER_TERMS_AT_ONCE] =
                [other, term(other + 1), term(other + 2), term(other + 3)];
            let of_y = dots::<T, FMA>(y, *m, own, others);
            let of_x = dots::<T, FMA>(x, *n, own, others);
            for number in 0..TERMS_AT_ONCE {
                let [all, last] = &mut self.products[number];
                for place in 0..OTHER_TERMS_AT_ONCE {
                    let (own, other) = (self.first + number, other + place);
                    if other <= own && own < *terms {
                        *last = of_x[number][place] * of_y[number][place];
                        *all += if other < own { 2.0 * *last } else { *last };
                    }
                }
            }
            other += OTHER_TERMS_AT_ONCE;
        }
    }
}

/// How many lanes of a dot product are summed at a time.
const LANES_AT_ONCE: usize = 8;

/// `Σ a b` for each pair of rows with `width` elements, with the same bits on every machine.
#[inline(always)]
fn dots<T: Element, const FMA: bool>(
    rows: &[T],
    width: usize,
    own: [usize; TERMS_AT_ONCE],
    others: [usize; OTHER_TERMS_AT_ONCE],
) -> [[f64; OTHER_TERMS_AT_ONCE]; TERMS_AT_ONCE] {
    let own = [&rows[own[0] * width..][..width], &rows[own[1] * width..][..width]];
    let others = [
        &rows[others[0] * width..][..width],
        &rows[others[1] * width..][..width],
        &rows[others[2] * width..][..width],
        &rows[others[3] * width..][..width],
    ];
    let whole = width - width % LANES;
    let mut lanes = [[[0.0; LANES]; OTHER_TERMS_AT_ONCE]; TERMS_AT_ONCE];
    let mut part = 0;
    while part < LANES {
        let mut sums = [[[0.0_f64; LANES_AT_ONCE]; OTHER_TERMS_AT_ONCE]; TERMS_AT_ONCE];
        let mut at = part;
        while at < whole {
            let mut a = [[0.0; LANES_AT_ONCE]; TERMS_AT_ONCE];
            for number in 0..TERMS_AT_ONCE {
                for lane in 0..LANES_AT_ONCE {
                    a[number][lane] = own[number][at..at + LANES_AT_ONCE][lane].as_f64();
                }
            }
            for place in 0..OTHER_TERMS_AT_ONCE {
                let b = &others[place][at..at + LANES_AT_ONCE];
                for number in 0..TERMS_AT_ONCE {
                    for lane in 0..LANES_AT_ONCE {
                        let sum = sums[number][place][lane];
                        let (a, b) = (a[number][lane], b[lane].as_f64());
                        sums[number][place][lane] = plus_product::<T, FMA>(sum, a, b);
                    }
                }
            }
            at += LANES;
        }
        for number in 0..TERMS_AT_ONCE {
            for place in 0..OTHER_TERMS_AT_ONCE {
                lanes[number][place][part..part + LANES_AT_ONCE]
                    .copy_from_slice(&sums[number][place]);
            }
        }
        part += LANES_AT_ONCE;
    }
    let mut products = [[0.0; OTHER_TERMS_AT_ONCE]; TERMS_AT_ONCE];
    for number in 0..TERMS_AT_ONCE {
        for place in 0..OTHER_TERMS_AT_ONCE {
            let lanes = &mut lanes[number][place];
            for element in whole..width {
                let (a, b) = (own[number][element].as_f64(), others[place][element].as_f64());
                let lane = &mut lanes[element - whole];
                *lane = plus_product::<T, FMA>(*lane, a, b);
            }
            products[number][place] = total(*lanes);
        }
    }
    products
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    use super::*;
    use crate::gradients::gradient::Gradient;
    use edb_kernels::random::VertexKey;

    fn factors<T: Element>(terms: usize, size: [usize; 2], by: f64) -> Factors<T> {
        let key = VertexKey::new(1, 0, 0, 0, 0).site(0, 0);
        let mut factors = Factors::default();
        // The result must not depend on earlier contents.
        for terms in [terms + 1, terms] {
            factors.reset(terms, size);
            for term in 0..terms {
                for (axis, factor) in factors.term_mut(term).into_iter().enumerate() {
                    for (element, x) in factor.iter_mut().enumerate() {
                        *x =
                            T::from_f64(by * (key.uniform((element * 31 + term) * 2 + axis) - 0.5));
                    }
                }
            }
            factors.finish(false);
        }
        factors
    }

    fn check<T: Element>(terms: usize, size: [usize; 2], part: usize, tolerance: f64) {
        let factors = factors::<T>(terms, size, 1.0);
        let [m, n] = size;
        let values = factors.values();
        for (element, value) in values.iter().enumerate() {
            let terms_of = |factors: &[T], width: usize, column: usize| -> Vec<f64> {
                (0..terms).map(|term| factors[term * width + column].as_f64()).collect()
            };
            let (y, x) =
                (terms_of(&factors.y, m, element / n), terms_of(&factors.x, n, element % n));
            let exact: f64 = y.iter().zip(&x).map(|(y, x)| y * x).sum();
            assert_relative_eq!(value.as_f64(), exact, epsilon = tolerance);
        }
        // Multiplied out piece by piece, the matrix has the same bits.
        for first in (0..m).step_by(part) {
            let rows = first..m.min(first + part);
            let mut piece = vec![T::one(); rows.len() * n];
            factors.multiply(rows.clone(), &mut piece);
            assert_eq!(piece, values[rows.start * n..rows.end * n]);
        }
        let exact: f64 = values.iter().map(|x| x.as_f64() * x.as_f64()).sum();
        let sum = factors.sum_of_squares(&mut Workers::alone()).unwrap();
        assert_relative_eq!(sum, exact, epsilon = 10.0 * tolerance * exact);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

        #[test]
        fn factors_are_the_matrix(
            terms in 1usize..9, m in 1usize..70, n in 1usize..140, part in 1usize..20,
        ) {
            check::<f32>(terms, [m, n], part, 1e-6);
            check::<f64>(terms, [m, n], part, 1e-14);
        }
    }

    /// No norm is returned where elements may be out of range.
    #[test]
    fn what_exceeds_the_range_is_looked_at() {
        let large = factors::<f32>(3, [20, 30], 1e22);
        assert!(large.values().iter().any(|x| x.is_infinite()));
        assert_eq!(large.sum_of_squares(&mut Workers::alone()), None);
        // The norm is infinite, or NaN if infinities of both signs meet: without fused multiply-add, every
        // product has overflowed before the addition.
        assert!(!Gradient::Factors(large).sum_of_squares(&mut Workers::alone()).is_finite());
        let mut broken = factors::<f32>(2, [4, 5], 1.0);
        broken.term_mut(1)[0][3] = f32::NAN;
        assert!(broken.sum_of_squares(&mut Workers::alone()).unwrap().is_nan());
    }

    #[test]
    fn few_terms_are_factors() {
        assert!(!Factors::<f32>::are_cheaper(0, [512, 256]));
        assert!(Factors::<f32>::are_cheaper(26, [512, 256]));
        assert!(!Factors::<f32>::are_cheaper(27, [512, 256]));
        assert!(!Factors::<f32>::are_cheaper(usize::MAX, [512, 256]));
        assert!(!Factors::<f32>::are_cheaper(2, [255, 512]));
        assert!(Factors::<f64>::are_cheaper(2, [255, 512]));
        // More terms would be summed in pieces, and have other bits.
        assert!(Factors::<f32>::are_cheaper(PIECE, [1 << 16, 1 << 16]));
        assert!(!Factors::<f32>::are_cheaper(PIECE + 1, [1 << 16, 1 << 16]));
    }
}
