//! Sums of the terms of products in a semiring, by their weights and by factors: what derivatives are made of.

use std::ops::Range;

use edb_ir::{Role, Semiring};

use super::pieces::{Piece, WIDTH, in_pieces, sum_of};
use super::powers::OfRows;
use super::product::Terms;
use crate::memory::scratch;
use crate::numbers::Element;
use crate::processor::{Loop, dispatch};
use crate::rows::sums::{CHAIN, in_halves};

/// What a weighted sum is made of: see [`SemiringContraction`](edb_ir::SemiringContraction).
#[derive(Clone, Copy, Debug)]
pub struct Weighted<'a, T> {
    /// What takes the place of a sum.
    pub semiring: Semiring,
    /// For which elements there are sums.
    pub role: Role,
    /// The operands and the result of the product.
    pub of: [&'a [T]; 3],
    /// The factors of the other two roles.
    pub factors: [&'a [T]; 2],
    /// A factor of all terms.
    pub scale: T,
    /// How many terms an element of the result has.
    pub inner: usize,
    /// What [`with_powers`](super::with_powers) gives of the right operand, if many products share it.
    pub powers: Option<&'a [T]>,
}

impl<T: Element> Weighted<'_, T> {
    /// How many rows the matrix of sums has.
    pub fn rows(&self) -> usize {
        match self.role {
            Role::Right => self.inner,
            Role::Left | Role::Result => self.of[0].len() / self.inner.max(1),
        }
    }

    /// Writes all sums.
    pub fn write(self, out: &mut [T]) {
        out.fill(T::zero());
        self.add_to(out, 0..self.rows());
    }

    /// Adds the sums to these rows of a matrix, of which `out` has no others.
    pub fn add_to(self, out: &mut [T], rows: Range<usize>) {
        if self.semiring == Semiring::Max {
            return self.add_terms::<false>(out, rows);
        }
        let [a, b, y] = self.of;
        let mut memory = scratch::take();
        let (of_a, of_y) = scratch::aligned(&mut memory, a.len() + y.len()).split_at_mut(a.len());
        let mut is_good = false;
        if let Some(of_b) = self.powers {
            let powers = [&mut *of_a, &mut *of_y];
            dispatch(OfRows { a, y, inner: self.inner, powers, is_good: &mut is_good });
            if is_good {
                Weighted { of: [of_a, of_b, of_y], ..self }.add_terms::<true>(out, rows.clone());
            }
        }
        if !is_good {
            // Beside `∞` in the place of `-∞`, all weights are 0.
            for (found, &y) in of_y.iter_mut().zip(y) {
                *found = if y == T::neg_infinity() { T::infinity() } else { y };
            }
            Weighted { of: [a, b, of_y], ..self }.add_terms::<false>(out, rows);
        }
        scratch::keep(memory);
    }

    /// With `POWERS`, the operands and the result are powers, whose products are weights.
    fn add_terms<const POWERS: bool>(self, out: &mut [T], rows: Range<usize>) {
        let columns = self.of[1].len() / self.inner.max(1);
        let terms = match self.role {
            // One term has a weight.
            Role::Result if self.semiring == Semiring::Max => {
                return dispatch(AddWeighted::<T, POWERS> {
                    out,
                    rows,
                    terms: 0..self.inner,
                    of: self,
                });
            }
            // Each element of it is summed in registers.
            Role::Left => {
                return dispatch(AddWeighted::<T, POWERS> {
                    out,
                    rows,
                    terms: 0..columns,
                    of: self,
                });
            }
            Role::Right => self.of[0].len() / self.inner.max(1),
            Role::Result => self.inner,
        };
        in_halves(0..terms, CHAIN, out, &mut |terms, out| {
            dispatch(AddWeighted::<T, POWERS> { out, rows: rows.clone(), terms, of: self });
        });
    }
}

/// A line of a part of weighted sums of [`Semiring::Log`]: `e^(a + b - y) f g` of each element, or, with `POWERS`,
/// `a b y f g`. `y` is the same for all elements if the result has one `COLUMN`, and `a` if it has more.
#[derive(Clone, Copy)]
struct Line<'a, T, const COLUMN: bool, const POWERS: bool> {
    /// Of `a` and `y`, the one that is the same for all.
    same: T,
    /// The other.
    other: &'a [T],
    b: &'a [T],
}

impl<T: Element, const COLUMN: bool, const POWERS: bool> Line<'_, T, COLUMN, POWERS> {
    /// The sum of all.
    #[inline(always)]
    fn sum<const FMA: bool>(self, f: &[T], g: &[T]) -> T {
        let (mut total, mut chain) = ([T::zero(); WIDTH], [T::zero(); WIDTH]);
        let mut pieces = 0;
        in_pieces!([32, 16], f.len(), first, |W| {
            let piece = Piece::at(first, f.len());
            let (f, g) = (piece.of(f), piece.of(g));
            let mut factors = [T::zero(); W];
            for x in 0..W {
                factors[x] = f[x] * g[x];
            }
            if let Some(block) = chain.first_chunk_mut::<W>() {
                self.add_piece::<FMA, W>(piece, factors, block);
            }
            pieces += 1;
            if pieces % CHAIN == 0 {
                for x in 0..WIDTH {
                    total[x] += chain[x];
                    chain[x] = T::zero();
                }
            }
        });
        for x in 0..WIDTH {
            total[x] += chain[x];
        }
        sum_of(total)
    }

    /// Adds each to an element; `f` is the same for all.
    #[inline(always)]
    fn add_to<const FMA: bool>(self, out: &mut [T], f: T, g: &[T]) {
        in_pieces!([32, 16], g.len(), first, |W| {
            let piece = Piece::<W>::at(first, g.len());
            let (mut block, mut factors) = (piece.of(out), piece.of(g));
            for x in 0..W {
                factors[x] = f * factors[x];
            }
            self.add_piece::<FMA, W>(piece, factors, &mut block);
            out[piece.range()].copy_from_slice(&block[..piece.lanes[1]]);
        });
    }

    /// Adds the elements of a piece; beside them, nothing.
    #[inline(always)]
    fn add_piece<const FMA: bool, const W: usize>(
        self,
        piece: Piece<W>,
        factors: [T; W],
        sums: &mut [T; W],
    ) {
        let (other, b) = (piece.of(self.other), piece.of(self.b));
        // One loop each, since sums stay in wide registers only if they are added to where the terms are computed.
        if piece.lanes == [0, W] {
            for x in 0..W {
                sums[x] += self.weight::<FMA>(other[x], b[x]) * factors[x];
            }
        } else {
            for x in 0..W {
                let part = self.weight::<FMA>(other[x], b[x]) * factors[x];
                sums[x] += if piece.has(x) { part } else { T::zero() };
            }
        }
    }

    /// The weight of a term.
    #[inline(always)]
    fn weight<const FMA: bool>(self, other: T, b: T) -> T {
        let (a, y) = if COLUMN { (other, self.same) } else { (self.same, other) };
        if POWERS { (a * y) * b } else { ((a + b) - y).exp_::<FMA>() }
    }
}

struct AddWeighted<'a, T, const POWERS: bool> {
    out: &'a mut [T],
    /// The rows of the matrix of sums.
    rows: Range<usize>,
    /// What is summed over.
    terms: Range<usize>,
    of: Weighted<'a, T>,
}

impl<T: Element, const POWERS: bool> Loop for AddWeighted<'_, T, POWERS> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        match self.of.semiring {
            Semiring::Log if self.of.of[1].len() == self.of.inner => self.along_rows::<FMA>(),
            Semiring::Log => self.along_columns::<FMA>(),
            Semiring::Max => self.greatest(),
        }
    }
}

impl<T: Element, const POWERS: bool> AddWeighted<'_, T, POWERS> {
    /// Over which rows of the left operand, and of the right one, it goes.
    #[inline(always)]
    fn ranges(&self) -> [Range<usize>; 2] {
        match self.of.role {
            Role::Left => [self.rows.clone(), 0..self.of.inner],
            Role::Right => [self.terms.clone(), self.rows.clone()],
            Role::Result => [self.rows.clone(), self.terms.clone()],
        }
    }

    /// The result has one column: lines go along the terms of an element.
    #[inline(always)]
    fn along_rows<const FMA: bool>(self) {
        let Weighted { role, of: [a, b, y], factors: [f, g], scale, inner, .. } = self.of;
        let [rows, own] = self.ranges();
        let first = self.rows.start;
        for i in rows {
            let row = i * inner + own.start..i * inner + own.end;
            let (other, b) = (&a[row.clone()], &b[own.clone()]);
            let line = Line::<T, true, POWERS> { same: y[i], other, b };
            let out = match role {
                Role::Left => &mut self.out[(i - first) * inner..][..inner],
                Role::Right => &mut *self.out,
                Role::Result => {
                    let sum = line.sum::<FMA>(&f[row], &g[own.clone()]);
                    self.out[i - first] += sum * scale;
                    continue;
                }
            };
            let f = if role == Role::Left { &f[own.clone()] } else { &f[row] };
            line.add_to::<FMA>(out, g[i] * scale, f);
        }
    }

    /// Lines go along rows of the result.
    #[inline(always)]
    fn along_columns<const FMA: bool>(self) {
        let Weighted { role, of: [a, b, y], factors: [f, g], scale, inner, .. } = self.of;
        let [rows, own] = self.ranges();
        let (first, columns) = (self.rows.start, b.len() / inner);
        for i in rows {
            let of_row = i * columns..(i + 1) * columns;
            let other = &y[of_row.clone()];
            for k in own.clone() {
                let of_inner = k * columns..(k + 1) * columns;
                let (same, b) = (a[i * inner + k], &b[of_inner.clone()]);
                let line = Line::<T, false, POWERS> { same, other, b };
                let (g, to) = match role {
                    Role::Left => {
                        let sum = line.sum::<FMA>(&f[of_inner], &g[of_row.clone()]);
                        self.out[(i - first) * inner + k] += sum * scale;
                        continue;
                    }
                    Role::Right => (&g[of_row.clone()], k),
                    Role::Result => (&g[of_inner], i),
                };
                let out = &mut self.out[(to - first) * columns..][..columns];
                line.add_to::<FMA>(out, f[i * inner + k] * scale, g);
            }
        }
    }

    /// One term of each element of the result has a weight.
    #[inline(always)]
    fn greatest(mut self) {
        let Weighted { of: [a, b, _], inner, .. } = self.of;
        let [rows, _] = self.ranges();
        let (terms, columns) = (Terms { a, b, inner }, b.len() / inner);
        for i in rows {
            if columns == 1 {
                self.add_term(i, terms.greatest_of_row(i).1, 0);
                continue;
            }
            in_pieces!(columns, first, |W| {
                let piece = Piece::<W>::at(first, columns);
                let (_, places) = terms.greatest(i, piece);
                for x in piece.lanes[0]..piece.lanes[1] {
                    self.add_term(i, places[x] as usize, piece.start + x);
                }
            });
        }
    }

    /// Adds the term `k` of element `[i, j]`, whose weight is 1.
    #[inline(always)]
    fn add_term(&mut self, i: usize, k: usize, j: usize) {
        let Weighted { role, of: [_, b, y], factors: [f, g], scale, inner, .. } = self.of;
        let (start, columns) = (self.rows.start, b.len() / inner);
        let at = [i * inner + k, k * columns + j, i * columns + j];
        if y[at[2]] == T::neg_infinity() || role == Role::Right && !self.rows.contains(&k) {
            return;
        }
        let [of_f, of_g] = role.others(at);
        let out = match role {
            Role::Left => at[0] - start * inner,
            Role::Right => at[1] - start * columns,
            Role::Result => at[2] - start * columns,
        };
        self.out[out] += f[of_f] * g[of_g] * scale;
    }
}
