//! Products of matrices in a semiring, and the weighted sums of their terms.
//!
//! No term is kept: each is computed where it is needed, in registers, along the columns of the result, or along
//! the rows of the left operand where the result has one column. A vertex's values do not depend on other rows.

use std::ops::Range;

use edb_ir::{Role, Semiring};

use super::sums::{CHAIN, in_halves};
use crate::math::exceeds;
use crate::memory::scratch;
use crate::numbers::Element;
use crate::processor::{Loop, dispatch};

/// So many elements of a sum are computed together.
const WIDTH: usize = 32;

/// `out = a · b` of row-major matrices with `inner` columns and rows.
pub fn product<T: Element>(semiring: Semiring, out: &mut [T], a: &[T], b: &[T], inner: usize) {
    dispatch(Product { semiring, out, terms: Terms { a, b, inner } });
}

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
            return self.add_terms(out, rows);
        }
        // Beside `∞` in the place of `-∞`, all weights are 0.
        let mut memory = scratch::take();
        let found = scratch::aligned(&mut memory, self.of[2].len());
        for (found, &y) in found.iter_mut().zip(self.of[2]) {
            *found = if y == T::neg_infinity() { T::infinity() } else { y };
        }
        let of = [self.of[0], self.of[1], &*found];
        Weighted { of, ..self }.add_terms(out, rows);
        scratch::keep(memory);
    }

    fn add_terms(self, out: &mut [T], rows: Range<usize>) {
        let columns = self.of[1].len() / self.inner.max(1);
        let terms = match self.role {
            // Each element of it is summed in registers.
            Role::Left => return dispatch(AddWeighted { out, rows, terms: 0..columns, of: self }),
            Role::Right => self.of[0].len() / self.inner.max(1),
            Role::Result => self.inner,
        };
        in_halves(0..terms, CHAIN, out, &mut |terms, out| {
            dispatch(AddWeighted { out, rows: rows.clone(), terms, of: self });
        });
    }
}

/// `W` of the elements of a run, computed together.
#[derive(Clone, Copy)]
struct Piece<const W: usize> {
    /// The first of the elements that are read.
    start: usize,
    /// Which of them are meant. The last piece of a run begins within the one before, so that all are whole; a run
    /// that is shorter than a piece is one that is not.
    lanes: [usize; 2],
}

impl<const W: usize> Piece<W> {
    /// The piece with the elements from `first` on, in a run of `length`.
    #[inline(always)]
    fn at(first: usize, length: usize) -> Self {
        if first + W <= length {
            Self { start: first, lanes: [0, W] }
        } else if length >= W {
            Self { start: length - W, lanes: [first + W - length, W] }
        } else {
            Self { start: 0, lanes: [0, length] }
        }
    }

    #[inline(always)]
    fn has(self, lane: usize) -> bool {
        (lane >= self.lanes[0]) & (lane < self.lanes[1])
    }

    /// The elements that it reads and writes.
    #[inline(always)]
    fn range(self) -> Range<usize> {
        self.start..self.start + self.lanes[1]
    }
}

/// Goes through a run of elements that do not depend on each other, in pieces of the widths that waste least.
macro_rules! in_pieces {
    ($length:expr, $first:ident, |$width:ident| $work:expr) => {
        let length = $length;
        let mut $first = 0;
        while $first < length {
            in_pieces!(@widths length, $first, $width, $work; 32, 16, 8; 4);
        }
    };
    (@widths $length:ident, $first:ident, $width:ident, $work:expr; $($w:literal),+; $least:literal) => {
        let left = $length - $first;
        if false {
        } $(else if left > $w / 2 && $length >= $w {
            const $width: usize = $w;
            $work
            $first += $w;
        })+ else {
            const $width: usize = $least;
            $work
            $first += $least;
        }
    };
}

/// The terms of a product.
#[derive(Clone, Copy)]
struct Terms<'a, T> {
    a: &'a [T],
    b: &'a [T],
    inner: usize,
}

/// Numbers along which an operation goes: one for each element, or the same for all.
#[derive(Clone, Copy)]
enum Run<'a, T> {
    Each(&'a [T]),
    Same(T),
}

impl<T: Element> Run<'_, T> {
    /// The numbers of a piece; what is behind them is of no use.
    #[inline(always)]
    fn block<const W: usize>(self, piece: Piece<W>) -> [T; W] {
        match self {
            Run::Same(x) => [x; W],
            Run::Each(x) => match x[piece.start..].first_chunk() {
                Some(block) => *block,
                None => {
                    let (mut block, x) = ([T::zero(); W], &x[piece.range()]);
                    block[..x.len()].copy_from_slice(x);
                    block
                }
            },
        }
    }
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
    fn greatest<const W: usize>(self, i: usize, piece: Piece<W>) -> ([T; W], [u32; W]) {
        let a = self.row(i);
        let (mut best, mut place) = ([T::neg_infinity(); W], [0; W]);
        for k in 0..self.inner {
            let b = Run::Each(self.of_inner(k)).block(piece);
            for x in 0..W {
                let term = a[k] + b[x];
                let better = (k == 0) | exceeds(term, best[x]);
                best[x] = if better { term } else { best[x] };
                place[x] = if better { k as u32 } else { place[x] };
            }
        }
        (best, place)
    }

    /// Elements of a row of the right operand: a piece, or the whole row, [`folded`].
    #[inline(always)]
    fn right<const W: usize, const FOLDED: bool>(self, k: usize, piece: Piece<W>) -> [T; W] {
        let row = self.of_inner(k);
        if FOLDED { folded(row) } else { Run::Each(row).block(piece) }
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
        let (a, b) = (Run::Each(self.row(i)), Run::Each(self.b));
        let mut greatest = [T::neg_infinity(); WIDTH];
        let mut first = 0;
        while first < self.inner {
            let piece = Piece::<WIDTH>::at(first, self.inner);
            let (a, b) = (a.block(piece), b.block(piece));
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
                let (a, b) = (a.block(piece), b.block(piece));
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

/// The sum of a block: one half is added to the other until one element is left.
#[inline(always)]
fn sum_of<T: Element>(block: [T; WIDTH]) -> T {
    let (mut sums, mut width) = (block, WIDTH / 2);
    while width > 0 {
        for x in 0..width {
            sums[x] += sums[x + width];
        }
        width /= 2;
    }
    sums[0]
}

struct Product<'a, T> {
    semiring: Semiring,
    out: &'a mut [T],
    terms: Terms<'a, T>,
}

impl<T: Element> Loop for Product<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { semiring, out, terms } = self;
        let columns = terms.columns();
        for i in 0..out.len() / columns {
            let out = &mut out[i * columns..][..columns];
            if semiring == Semiring::Log && columns == 1 {
                out[0] = terms.log_sum::<FMA>(i);
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

/// A part of weighted sums of [`Semiring::Log`]: `e^(a + b - y) f g` along a run of elements.
#[derive(Clone, Copy)]
struct Along<'a, T> {
    a: Run<'a, T>,
    b: Run<'a, T>,
    y: Run<'a, T>,
    f: Run<'a, T>,
    g: Run<'a, T>,
}

impl<T: Element> Along<'_, T> {
    /// The sum of all.
    #[inline(always)]
    fn sum<const FMA: bool>(self, length: usize) -> T {
        let (mut total, mut chain) = ([T::zero(); WIDTH], [T::zero(); WIDTH]);
        let mut pieces = 0;
        in_pieces!(length, first, |W| {
            if let Some(block) = chain.first_chunk_mut::<W>() {
                self.add_piece::<FMA, W>(Piece::at(first, length), block);
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

    /// Adds each to an element.
    #[inline(always)]
    fn add_to<const FMA: bool>(self, out: &mut [T]) {
        in_pieces!(out.len(), first, |W| {
            let piece = Piece::<W>::at(first, out.len());
            let out = &mut out[piece.range()];
            if let Some(block) = out.first_chunk_mut::<W>() {
                self.add_piece::<FMA, W>(piece, block);
            } else {
                let mut block = [T::zero(); W];
                self.add_piece::<FMA, W>(piece, &mut block);
                for x in 0..out.len() {
                    out[x] += block[x];
                }
            }
        });
    }

    /// Adds the elements of a piece; beside them, nothing.
    #[inline(always)]
    fn add_piece<const FMA: bool, const W: usize>(self, piece: Piece<W>, sums: &mut [T; W]) {
        let (a, b, y) = (self.a.block(piece), self.b.block(piece), self.y.block(piece));
        let (f, g) = (self.f.block(piece), self.g.block(piece));
        // One loop each, since sums stay in wide registers only if they are added to where the terms are computed.
        if piece.lanes == [0, W] {
            for x in 0..W {
                let weight = ((a[x] + b[x]) - y[x]).exp_::<FMA>();
                sums[x] += weight * (f[x] * g[x]);
            }
        } else {
            for x in 0..W {
                let weight = ((a[x] + b[x]) - y[x]).exp_::<FMA>();
                let part = weight * (f[x] * g[x]);
                sums[x] += if piece.has(x) { part } else { T::zero() };
            }
        }
    }
}

struct AddWeighted<'a, T> {
    out: &'a mut [T],
    /// The rows of the matrix of sums.
    rows: Range<usize>,
    /// What is summed over.
    terms: Range<usize>,
    of: Weighted<'a, T>,
}

impl<T: Element> Loop for AddWeighted<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        match self.of.semiring {
            Semiring::Log if self.of.of[1].len() == self.of.inner => self.along_rows::<FMA>(),
            Semiring::Log => self.along_columns::<FMA>(),
            Semiring::Max => self.greatest(),
        }
    }
}

impl<T: Element> AddWeighted<'_, T> {
    /// Over which rows of the left operand, and of the right one, it goes.
    #[inline(always)]
    fn ranges(&self) -> [Range<usize>; 2] {
        match self.of.role {
            Role::Left => [self.rows.clone(), 0..self.of.inner],
            Role::Right => [self.terms.clone(), self.rows.clone()],
            Role::Result => [self.rows.clone(), self.terms.clone()],
        }
    }

    /// The result has one column.
    #[inline(always)]
    fn along_rows<const FMA: bool>(self) {
        let Weighted { role, of: [a, b, y], factors: [f, g], scale, inner, .. } = self.of;
        let [rows, own] = self.ranges();
        let first = self.rows.start;
        for i in rows {
            let row = i * inner + own.start..i * inner + own.end;
            let (a, b, y) =
                (Run::Each(&a[row.clone()]), Run::Each(&b[own.clone()]), Run::Same(y[i]));
            match role {
                Role::Left => {
                    let (f, g) = (Run::Each(f), Run::Same(g[i] * scale));
                    let out = &mut self.out[(i - first) * inner..][..inner];
                    Along { a, b, y, f, g }.add_to::<FMA>(out);
                }
                Role::Right => {
                    let (f, g) = (Run::Each(&f[row]), Run::Same(g[i] * scale));
                    Along { a, b, y, f, g }.add_to::<FMA>(self.out);
                }
                Role::Result => {
                    let (f, g) = (Run::Each(&f[row]), Run::Each(&g[own.clone()]));
                    let sum = Along { a, b, y, f, g }.sum::<FMA>(own.len());
                    self.out[i - first] += sum * scale;
                }
            }
        }
    }

    #[inline(always)]
    fn along_columns<const FMA: bool>(self) {
        let Weighted { role, of: [a, b, y], factors: [f, g], scale, inner, .. } = self.of;
        let [rows, own] = self.ranges();
        let (first, columns) = (self.rows.start, b.len() / inner);
        for i in rows {
            let of_row = i * columns..(i + 1) * columns;
            let y = Run::Each(&y[of_row.clone()]);
            for k in own.clone() {
                let of_inner = k * columns..(k + 1) * columns;
                let (a, b) = (Run::Same(a[i * inner + k]), Run::Each(&b[of_inner.clone()]));
                match role {
                    Role::Left => {
                        let (f, g) = (Run::Each(&f[of_inner]), Run::Each(&g[of_row.clone()]));
                        let sum = Along { a, b, y, f, g }.sum::<FMA>(columns);
                        self.out[(i - first) * inner + k] += sum * scale;
                    }
                    Role::Right => {
                        let f = Run::Same(f[i * inner + k] * scale);
                        let g = Run::Each(&g[of_row.clone()]);
                        let out = &mut self.out[(k - first) * columns..][..columns];
                        Along { a, b, y, f, g }.add_to::<FMA>(out);
                    }
                    Role::Result => {
                        let f = Run::Same(f[i * inner + k] * scale);
                        let g = Run::Each(&g[of_inner]);
                        let out = &mut self.out[(i - first) * columns..][..columns];
                        Along { a, b, y, f, g }.add_to::<FMA>(out);
                    }
                }
            }
        }
    }

    /// One term of each element of the result has a weight.
    #[inline(always)]
    fn greatest(self) {
        let Weighted { role, of: [a, b, y], factors: [f, g], scale, inner, .. } = self.of;
        let [rows, own] = self.ranges();
        let (start, columns) = (self.rows.start, b.len() / inner);
        for i in rows {
            let mut first = 0;
            while first < columns {
                let piece = Piece::<WIDTH>::at(first, columns);
                let (_, places) = Terms { a, b, inner }.greatest(i, piece);
                for x in piece.lanes[0]..piece.lanes[1] {
                    let (j, k) = (piece.start + x, places[x] as usize);
                    let at = [i * inner + k, k * columns + j, i * columns + j];
                    if y[at[2]] == T::neg_infinity() || !own.contains(&k) {
                        continue;
                    }
                    let [of_f, of_g] = role.others(at);
                    let out = match role {
                        Role::Right => at[1] - start * columns,
                        Role::Left => at[0] - start * inner,
                        Role::Result => at[2] - start * columns,
                    };
                    self.out[out] += f[of_f] * g[of_g] * scale;
                }
                first += WIDTH;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::numbers;
    use crate::processor::{Isa, dispatch_on};

    /// One term after the other, in `f64`.
    struct Plain {
        a: Vec<f64>,
        b: Vec<f64>,
        inner: usize,
    }

    impl Plain {
        fn sizes(&self) -> [usize; 3] {
            [self.a.len() / self.inner, self.inner, self.b.len() / self.inner]
        }

        fn terms(&self, i: usize, j: usize) -> Vec<f64> {
            let [_, inner, columns] = self.sizes();
            (0..inner).map(|k| self.a[i * inner + k] + self.b[k * columns + j]).collect()
        }

        fn product(&self, semiring: Semiring) -> Vec<f64> {
            let [m, _, n] = self.sizes();
            let value = |at: usize| {
                let terms = self.terms(at / n, at % n);
                let best = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                match semiring {
                    Semiring::Max => best,
                    Semiring::Log if best.is_infinite() => best,
                    Semiring::Log => {
                        best + terms.iter().map(|term| (term - best).exp()).sum::<f64>().ln()
                    }
                }
            };
            (0..m * n).map(value).collect()
        }

        fn weighted(
            &self,
            semiring: Semiring,
            role: Role,
            y: &[f64],
            [f, g]: [&[f64]; 2],
        ) -> Vec<f64> {
            let [m, inner, n] = self.sizes();
            let length = [m * inner, inner * n, m * n][role as usize];
            let mut sums = vec![0.0; length];
            for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let (terms, y) = (self.terms(i, j), y[i * n + j]);
                for k in (0..inner).filter(|_| y != f64::NEG_INFINITY) {
                    let best = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    let first = terms.iter().position(|term| *term == best);
                    let weight = match semiring {
                        Semiring::Log => (terms[k] - y).exp(),
                        Semiring::Max => f64::from(u8::from(first == Some(k))),
                    };
                    let places = [i * inner + k, k * n + j, i * n + j];
                    let [of_f, of_g] = role.others(places);
                    sums[places[role as usize]] += weight * f[of_f] * g[of_g];
                }
            }
            sums
        }
    }

    /// `a[0, ..]` is `-∞`, and so are some others.
    fn operand<T: Element>(count: usize, empty: usize, seed: u64) -> Vec<T> {
        let mut x: Vec<T> = numbers(count, seed);
        for (at, x) in x.iter_mut().enumerate() {
            *x = if at < empty || at % 7 == 3 { T::neg_infinity() } else { *x * T::from_f64(9.0) };
        }
        x
    }

    fn check<T: Element>([m, inner, n]: [usize; 3], semiring: Semiring) {
        let what = format!("{semiring:?} {m} {inner} {n}");
        let (a, b) = (operand::<T>(m * inner, inner, 1), operand::<T>(inner * n, 0, 2));
        let wide = |x: &[T]| -> Vec<f64> { x.iter().map(|x| x.as_f64()).collect() };
        let plain = Plain { a: wide(&a), b: wide(&b), inner };
        let close = |found: &[T], expected: &[f64], of: &str| {
            for (found, expected) in found.iter().zip(expected) {
                let found = found.as_f64();
                let near = (found - expected).abs() <= 1e-4 * (1.0 + expected.abs());
                assert!(found == *expected || near, "{what}, {of}: {found} and {expected}");
            }
        };
        let mut y = vec![T::zero(); m * n];
        for isa in Isa::all() {
            y.fill(T::nan());
            let terms = Terms { a: &a, b: &b, inner };
            dispatch_on(isa, Product { semiring, out: &mut y, terms });
            close(&y, &plain.product(semiring), &format!("{isa:?}"));
        }
        let lengths = [m * inner, inner * n, m * n];
        let factors = [0, 1, 2].map(|role| numbers::<T>(lengths[role], 3 + role as u64));
        for role in Role::ALL {
            let [f, g] = role.others([0, 1, 2]).map(|other| &factors[other][..]);
            let expected = plain.weighted(semiring, role, &wide(&y), [&wide(f), &wide(g)]);
            let (of, scale) = ([&a[..], &b[..], &y[..]], T::from_f64(0.5));
            let weighted = Weighted { semiring, role, of, factors: [f, g], scale, inner };
            let mut whole = vec![T::nan(); lengths[role as usize]];
            weighted.write(&mut whole);
            let half: Vec<f64> = expected.iter().map(|x| x / 2.0).collect();
            close(&whole, &half, &format!("{role:?}"));
            // The same bits in parts.
            let rows = weighted.rows();
            let (cut, columns) = (rows / 2, whole.len() / rows);
            let mut parts = vec![T::zero(); whole.len()];
            let (above, below) = parts.split_at_mut(cut * columns);
            weighted.add_to(above, 0..cut);
            weighted.add_to(below, cut..rows);
            assert_eq!(parts, whole, "{what}, {role:?}");
        }
    }

    #[test]
    fn products_are_sums_of_terms() {
        for sizes in [[1, 1, 1], [1, 5, 3], [3, 4, 1], [2, 17, 17], [1, 130, 33], [5, 300, 1]] {
            for semiring in [Semiring::Log, Semiring::Max] {
                check::<f32>(sizes, semiring);
                check::<f64>(sizes, semiring);
            }
        }
    }

    /// NaN is not lost, and infinities are what they are.
    #[test]
    fn exceptional_terms() {
        let nan = f32::NAN;
        for [x, expected] in [[nan, nan], [f32::INFINITY, f32::INFINITY], [3e38, 3e38]] {
            for (a, b) in [([x, 1.0, 2.0], [0.0; 3]), ([1.0, 0.0, 2.0], [0.0, x, 0.0])] {
                for semiring in [Semiring::Log, Semiring::Max] {
                    let mut y = [0.0];
                    product(semiring, &mut y, &a, &b, 3);
                    assert!(y[0] == expected || y[0].is_nan() && expected.is_nan(), "{y:?}");
                }
            }
        }
    }
}
