//! Products of matrices in a semiring.

use edb_ir::Semiring;

use super::pieces::{Piece, WIDTH, in_pieces, sum_of};
use crate::math::exceeds;
use crate::numbers::Element;
use crate::processor::{Loop, dispatch};
use crate::rows::sums::CHAIN;

/// `out = a · b` of row-major matrices with `inner` columns and rows.
pub fn product<T: Element>(semiring: Semiring, out: &mut [T], a: &[T], b: &[T], inner: usize) {
    dispatch(Product { semiring, out, terms: Terms { a, b, inner } });
}

/// The terms of a product.
#[derive(Clone, Copy)]
pub(super) struct Terms<'a, T> {
    pub(super) a: &'a [T],
    pub(super) b: &'a [T],
    pub(super) inner: usize,
}

impl<'a, T: Element> Terms<'a, T> {
    #[inline(always)]
    fn columns(self) -> usize {
        self.b.len() / self.inner
    }

    /// A row of the left operand.
    #[inline(always)]
    fn row(self, i: usize) -> &'a [T] {
        &self.a[i * self.inner..][..self.inner]
    }

    /// A row of the right operand.
    #[inline(always)]
    fn of_inner(self, k: usize) -> &'a [T] {
        let columns = self.columns();
        &self.b[k * columns..][..columns]
    }

    /// The first greatest of the terms of some elements of row `i`, and which they are.
    #[inline(always)]
    pub(super) fn greatest<const W: usize>(self, i: usize, piece: Piece<W>) -> ([T; W], [u32; W]) {
        let a = self.row(i);
        let (mut best, mut place) = ([T::neg_infinity(); W], [0; W]);
        for k in 0..self.inner {
            let b = piece.of(self.of_inner(k));
            for x in 0..W {
                let term = a[k] + b[x];
                let better = (k == 0) | exceeds(term, best[x]);
                best[x] = if better { term } else { best[x] };
                place[x] = if better { k as u32 } else { place[x] };
            }
        }
        (best, place)
    }

    /// The same for row `i` of a result with one column.
    #[inline(always)]
    pub(super) fn greatest_of_row(self, i: usize) -> (T, usize) {
        let a = self.row(i);
        let (mut best, mut place) = (a[0] + self.b[0], 0);
        for k in 1..self.inner {
            let term = a[k] + self.b[k];
            let better = exceeds(term, best);
            best = if better { term } else { best };
            place = if better { k } else { place };
        }
        (best, place)
    }

    /// Elements of a row of the right operand: a piece, or the whole row, [`folded`].
    #[inline(always)]
    fn right<const W: usize, const FOLDED: bool>(self, k: usize, piece: Piece<W>) -> [T; W] {
        let row = self.of_inner(k);
        if FOLDED { folded(row) } else { piece.of(row) }
    }

    /// `ln Σ e^x` of the terms of some elements of row `i`, along the columns: of a piece, or, if it is folded, of all
    /// columns.
    #[inline(always)]
    fn log_sums<const FMA: bool, const W: usize, const FOLDED: bool>(
        self,
        i: usize,
        piece: Piece<W>,
    ) -> [T; W] {
        let a = self.row(i);
        let mut greatest = [T::neg_infinity(); W];
        for k in 0..self.inner {
            let b = self.right::<W, FOLDED>(k, piece);
            for x in 0..W {
                greatest[x] = greater(greatest[x], a[k] + b[x]);
            }
        }
        let mut shift = greatest;
        for x in 0..W {
            shift[x] = finite(greatest[x]);
        }
        let mut total = Total::<T, W>::default();
        let mut k = 0;
        while k < self.inner {
            let mut chain = Total::<T, W>::default();
            let end = self.inner.min(k + CHAIN);
            while k < end {
                let b = self.right::<W, FOLDED>(k, piece);
                for x in 0..W {
                    chain.add::<FMA>(x, (a[k] + b[x]) - shift[x]);
                }
                k += 1;
            }
            total.join(&chain);
        }
        let logs = total.logs::<FMA>();
        for x in 0..W {
            shift[x] += logs[x];
        }
        shift
    }

    /// `ln Σ e^x` of all terms of row `i`, whose result has one column: along the row.
    #[inline(always)]
    fn log_sum<const FMA: bool>(self, i: usize) -> T {
        let (a, b) = (self.row(i), self.b);
        let mut greatest = [T::neg_infinity(); WIDTH];
        let mut first = 0;
        while first < self.inner {
            let piece = Piece::<WIDTH>::at(first, self.inner);
            let (a, b) = (piece.of(a), piece.of(b));
            for x in 0..WIDTH {
                let better = greater(greatest[x], a[x] + b[x]);
                greatest[x] = if piece.has(x) { better } else { greatest[x] };
            }
            first += WIDTH;
        }
        let mut best = greatest[0];
        for x in 1..WIDTH {
            best = greater(best, greatest[x]);
        }
        let shift = finite(best);
        let mut total = Total::default();
        let mut first = 0;
        while first < self.inner {
            let mut chain = Total::default();
            let end = self.inner.min(first + WIDTH * CHAIN);
            while first < end {
                let piece = Piece::<WIDTH>::at(first, self.inner);
                let (a, b) = (piece.of(a), piece.of(b));
                for x in 0..WIDTH {
                    let term = (a[x] + b[x]) - shift;
                    chain.add::<FMA>(x, if piece.has(x) { term } else { T::neg_infinity() });
                }
                first += WIDTH;
            }
            total.join(&chain);
        }
        let whole = Total { equal: [sum_of(total.equal)], others: [sum_of(total.others)] };
        shift + whole.logs::<FMA>()[0]
    }
}

/// Sums of powers of `e`. Terms that are the greatest are counted apart, so that the small sum of the others is
/// not lost beside 1.
struct Total<T, const W: usize> {
    equal: [T; W],
    others: [T; W],
}

impl<T: Element, const W: usize> Default for Total<T, W> {
    #[inline(always)]
    fn default() -> Self {
        Self { equal: [T::zero(); W], others: [T::zero(); W] }
    }
}

impl<T: Element, const W: usize> Total<T, W> {
    #[inline(always)]
    fn add<const FMA: bool>(&mut self, x: usize, term: T) {
        // Beside the greatest term, what is not a normal number is nothing.
        let (is_greatest, power) = (term == T::zero(), term.exp_flushed::<FMA>());
        self.equal[x] += if is_greatest { T::one() } else { T::zero() };
        self.others[x] += if is_greatest { T::zero() } else { power };
    }

    #[inline(always)]
    fn join(&mut self, other: &Self) {
        for x in 0..W {
            self.equal[x] += other.equal[x];
            self.others[x] += other.others[x];
        }
    }

    /// The logarithms, of 1 and what is above it: as `ln_1p` of [`kernels`](super::kernels), without branches.
    #[inline(always)]
    fn logs<const FMA: bool>(&self) -> [T; W] {
        let mut logs = [T::zero(); W];
        for x in 0..W {
            let above = (self.equal[x] - T::one()) + self.others[x];
            let sum = T::one() + above;
            let log = sum.ln_::<FMA>() * (above / (sum - T::one()));
            let log = if sum == T::one() { above } else { log };
            logs[x] = if sum == T::infinity() { sum } else { log };
        }
        logs
    }
}

/// The first and the last half of a piece that is longer than a row.
#[inline(always)]
fn folded<T: Element, const W: usize>(x: &[T]) -> [T; W] {
    let mut block = [T::zero(); W];
    block[..W / 2].copy_from_slice(&x[..W / 2]);
    block[W / 2..].copy_from_slice(&x[x.len() - W / 2..]);
    block
}

/// The greater of two; not NaN if there is a number, since NaN reaches the result through the sum.
#[inline(always)]
fn greater<T: Element>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

/// A number to shift by: the difference of two infinities would be NaN.
#[inline(always)]
fn finite<T: Element>(x: T) -> T {
    if x.is_finite() { x } else { T::zero() }
}

pub(super) struct Product<'a, T> {
    pub(super) semiring: Semiring,
    pub(super) out: &'a mut [T],
    pub(super) terms: Terms<'a, T>,
}

impl<T: Element> Loop for Product<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { semiring, out, terms } = self;
        let columns = terms.columns();
        for i in 0..out.len() / columns {
            let out = &mut out[i * columns..][..columns];
            if columns == 1 {
                out[0] = match semiring {
                    Semiring::Log => terms.log_sum::<FMA>(i),
                    Semiring::Max => terms.greatest_of_row(i).0,
                };
                continue;
            }
            if semiring == Semiring::Log && columns > 16 && columns < 32 {
                let block = terms.log_sums::<FMA, 32, true>(i, Piece::at(0, columns));
                out[..16].copy_from_slice(&block[..16]);
                out[columns - 16..].copy_from_slice(&block[16..]);
                continue;
            }
            in_pieces!(columns, first, |W| {
                let piece = Piece::<W>::at(first, columns);
                let block = match semiring {
                    Semiring::Log => terms.log_sums::<FMA, W, false>(i, piece),
                    Semiring::Max => terms.greatest(i, piece).0,
                };
                out[piece.range()].copy_from_slice(&block[..piece.lanes[1]]);
            });
        }
    }
}
