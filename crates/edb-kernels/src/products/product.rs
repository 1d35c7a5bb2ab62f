//! Products of matrices, and products summed over many rows. (If all rows are multiplied with the same matrix,
//! this is a product with [panels](crate::panels).)

use std::ops::Range;

use smallvec::SmallVec;

use super::pairs::PairIsa;
use super::panels::Panels;
use super::tile::{Destination, Left};
use super::transpose::{CORNER, transpose};
use super::{narrow, unpacked};
use crate::memory::{Memory, Operand, OperandMut, RowLookup, behind, times};
use crate::numbers::Element;
use crate::rows::sums;

/// At most this many rows of a product of matrices are computed at a time, so that [sums of many
/// terms](crate::sums) need little memory.
const MAX_BLOCK_ROWS: usize = 192;

/// A matrix for all rows is packed if it has more elements.
const MOST_UNPACKED_ELEMENTS: usize = 1 << 12;

/// Computes `A B` for each row of the operands; a row holds a row-major matrix. Each of the two matrices may be
/// stored transposed. `size` is the number of rows and columns of the result, and `panels` is working memory.
pub fn matrix_product<T: Element>(
    panels: &mut Panels<T>,
    rows: usize,
    out: &mut OperandMut<'_, T>,
    a: &Operand<'_, T>,
    b: &Operand<'_, T>,
    size: [usize; 2],
    transposed: [bool; 2],
) {
    let [m, n] = size;
    let inner = a.width() / m;
    let sizes = [(a, [m, inner]), (b, [inner, n])];
    let whole =
        sizes.iter().all(|(of, [rows, columns])| rows.checked_mul(*columns) == Some(of.width()));
    let is_result = n > 0 && m.checked_mul(n) == Some(out.width());
    assert!(whole && is_result, "operands are matrices of this size");
    let is_shared = matches!(b.rows(), RowLookup::One);
    let pack = |panels: &mut Panels<T>, matrix: &[T]| match transposed[1] {
        false => panels.pack_lines(inner, n, matrix),
        true => panels.pack_columns(n, inner, matrix),
    };
    if is_shared && !transposed[0] && rows > 1 {
        // Rows of many vertices that are multiplied with one matrix are those of one product.
        if m == 1 {
            pack(panels, b.row(0));
            // SAFETY: the other operand for these rows is not used meanwhile.
            let all = unsafe { out.duplicate() };
            return panels.multiply(rows, all, Left::Rows(a));
        }
        if a.is_adjacent() && out.is_adjacent() {
            // SAFETY: as above.
            let mut all = unsafe { out.duplicate() };
            all.join(rows);
            let (all, data) = (all.row_mut(0), a.columns(0..rows, 0));
            let (mut all, data) =
                (OperandMut::of_slice(all, rows * m * n), Operand::of_slice(data, data.len()));
            return matrix_product(panels, 1, &mut all, &data, b, [rows * m, n], transposed);
        }
    }
    if narrow::is_narrow(size, inner, transposed[0]) {
        for row in 0..rows {
            narrow::multiply(out.row_mut(row), [a.row(row), b.row(row)], n, inner, transposed);
        }
        return;
    }
    // A matrix of each vertex is not worth packing, nor is a small one.
    if transposed == [false; 2]
        && unpacked::fits::<T>(n, inner)
        && (!is_shared || inner * n <= MOST_UNPACKED_ELEMENTS)
    {
        for row in 0..rows {
            unpacked::multiply(out.row_mut(row), a.row(row), b.row(row), n);
        }
        return;
    }
    for row in 0..rows {
        // A matrix that exists once per step is packed once.
        if row == 0 || !is_shared {
            pack(panels, b.row(row));
        }
        let (out, data) = (out.row_mut(row), a.row(row));
        for (block, out) in out.chunks_mut(MAX_BLOCK_ROWS * n).enumerate() {
            let (first, count) = (block * MAX_BLOCK_ROWS, out.len() / n);
            if transposed[0] {
                let data = data.get(first..).unwrap_or_default();
                panels.multiply_into(count, out, Left::Columns { data, stride: m });
            } else {
                panels.multiply_slice(count, out, &data[first * inner..][..count * inner]);
            }
        }
    }
}

/// Rows are summed in pieces of this many rows, which stay in cache. The sum of a piece is added to the sum of
/// the pieces before it, so a sum of more rows is rounded differently from a single sum over all rows.
pub const PIECE: usize = 256;

/// The pieces of up to this many rows are added one after the other; more rows are summed [in
/// halves](crate::sums). The sum of a half needs memory of the size of the matrix.
const MAX_CHAINED_ROWS: usize = 32 * PIECE;

/// How many elements of working memory a thread needs for sums of products over `rows` rows, if it computes
/// `lines` rows of the result with `columns` columns.
pub fn memory_of_halves(rows: usize, lines: usize, columns: usize) -> usize {
    let levels = rows.div_ceil(MAX_CHAINED_ROWS).max(1).next_power_of_two().ilog2() as usize;
    levels.saturating_mul(lines).saturating_mul(columns)
}

/// The working memory of a thread for products.
#[derive(Debug)]
pub struct Workspace<T> {
    /// A matrix of values, packed.
    pub panels: Panels<T>,
    /// The left side of a product in 16 bits.
    pub left: Memory<T>,
    /// [Sums of halves](memory_of_halves).
    pub halves: Memory<T>,
    /// Whether products with parameters, and sums of products, are in 16 bits.
    pub(crate) paired: bool,
}

impl<T> Workspace<T> {
    /// An empty workspace; for products in 16 bits if `paired`.
    pub fn new(paired: bool) -> Self {
        Self {
            panels: Panels::default(),
            left: Memory::default(),
            halves: Memory::default(),
            paired,
        }
    }
}

/// Makes the columns `columns` of some rows of an operand the left side of a product in 16 bits, with panels of
/// `lines` lines. It is stored line by line, or as one row for each column if the instructions need it
/// transposed.
pub fn left_of_columns<'m, T: Element>(
    memory: &'m mut Memory<T>,
    lines: usize,
    rows: Range<usize>,
    columns: Range<usize>,
    x: &Operand<'_, T>,
) -> &'m [T] {
    let isa = PairIsa::best();
    let of_line = times(isa.terms(), columns.len());
    let size = times(lines, of_line);
    let some = if isa.transposes_left() { times(CORNER, of_line) } else { 0 };
    memory.grow(behind(size, some));
    let (left, some) = memory[..size + some].split_at_mut(size);
    let pack = |line: usize, out: &mut [T]| {
        // There may be more lines than rows.
        let row = rows.start.saturating_add(2 * line);
        let of = |row: usize| (row < rows.end).then(|| &x.row(row)[columns.clone()]);
        isa.left_lines([of(row), of(row.saturating_add(1))], out);
    };
    if !isa.transposes_left() {
        left.chunks_exact_mut(of_line).enumerate().for_each(|(line, out)| pack(line, out));
        return left;
    }
    for first in (0..lines).step_by(CORNER) {
        for (number, out) in some.chunks_exact_mut(of_line).enumerate() {
            pack(first + number, out);
        }
        let mut of_corner = some.chunks_exact(of_line);
        let of_corner = [(); CORNER].map(|()| of_corner.next().unwrap_or_default());
        assert!(first + CORNER <= lines, "whole tiles");
        // SAFETY: there are as many rows of `lines` elements as columns, borrowed exclusively.
        unsafe { transpose(of_corner, left[first..].as_mut_ptr(), lines) };
    }
    left
}

/// Calls `work` with some columns of a left side that [`left_of_columns`] has made from `all` columns, for
/// panels of `lines` lines.
pub fn with_left_columns<T: Element>(
    left: &[T],
    lines: usize,
    all: usize,
    columns: Range<usize>,
    work: impl FnOnce(Left<'_, T>),
) {
    if PairIsa::best().transposes_left() {
        let [start, end] = [columns.start, columns.end].map(|column| times(column, lines));
        let rows = &left[start..end];
        work(Left::Rows(&Operand::of_slice(rows, lines)));
    } else {
        work(Left::Columns { data: left.get(columns.start..).unwrap_or_default(), stride: all });
    }
}

/// Up to this many lanes need no allocation in a step. A lane is a group of rows of a sum that go to the same
/// matrices.
pub const MOST_LANES: usize = 16;

/// Where some rows of a sum of products go: to a few matrices that are side by side in the result.
pub type Destinations<'a, T> = SmallVec<[Destination<'a, T>; 4]>;

/// Computes some rows of `Σ_r y[r] x[r]ᵀ` over `rows` rows. These rows are the ranges in `lanes`, which must
/// not be empty; each range goes to its destinations in `out`. If there are factors, each term is multiplied by
/// its factor, and no product is in 16 bits.
pub fn outer_sum<T: Element>(
    workspace: &mut Workspace<T>,
    rows: usize,
    [y, x]: [&Operand<'_, T>; 2],
    factors: Option<&[T]>,
    lanes: &[Range<usize>],
    out: &mut [Destinations<'_, T>],
) {
    let has = |lane: &Range<usize>| lane.start < lane.end && lane.end <= y.width();
    assert!(
        lanes.iter().all(has) && lanes.len() == out.len(),
        "columns of the left side, not none"
    );
    // There may be no rows, for example if no vertex of a minibatch has children.
    let mut halves = std::mem::take(&mut workspace.halves);
    let mut sum = OuterSum { workspace, y, x, factors, lanes };
    sum.run(0..rows, out, &mut halves);
    sum.workspace.halves = halves;
}

/// A sum of products on one thread.
struct OuterSum<'a, T> {
    workspace: &'a mut Workspace<T>,
    y: &'a Operand<'a, T>,
    x: &'a Operand<'a, T>,
    factors: Option<&'a [T]>,
    /// Rows of the result that have the same destinations.
    lanes: &'a [Range<usize>],
}

impl<T: Element> OuterSum<'_, T> {
    /// Sums some rows into the destinations of each lane.
    fn run<'o>(&mut self, rows: Range<usize>, out: &mut [Destinations<'o, T>], halves: &mut [T]) {
        if rows.len() <= MAX_CHAINED_ROWS {
            return self.pieces(rows, out);
        }
        let [first, second] = sums::halves(&rows, MAX_CHAINED_ROWS);
        self.run(first, out, halves);
        let width = self.x.width();
        let lines: usize = self.lanes.iter().map(Range::len).sum();
        let (own, halves) = halves.split_at_mut(lines * width);
        {
            let mut rest = &mut *own;
            let mut of_rest: SmallVec<[_; MOST_LANES]> = SmallVec::new();
            for lane in self.lanes {
                let (own, others) = rest.split_at_mut(lane.len() * width);
                rest = others;
                let own = Destination::new(0, OperandMut::of_slice(own, width), false);
                of_rest.push(SmallVec::from_iter([own]));
            }
            self.run(second, &mut of_rest, halves);
        }
        let mut sums = own.chunks_exact(width.max(1));
        for (lane, out) in self.lanes.iter().zip(out) {
            for (row, sums) in sums.by_ref().take(lane.len()).enumerate() {
                out.iter_mut().for_each(|out| out.put(row, 0, sums, true));
            }
        }
    }

    /// Does the same for so few rows that their pieces are added one after the other.
    fn pieces(&mut self, rows: Range<usize>, out: &mut [Destinations<'_, T>]) {
        let Self { workspace: Workspace { panels, left, paired, .. }, y, x, factors, lanes } = self;
        for begin in (rows.start..rows.end.max(rows.start + 1)).step_by(PIECE) {
            let piece = begin..rows.end.min(begin + PIECE);
            match factors {
                Some(factors) => panels.pack_weighted(piece.clone(), x, factors),
                None => panels.pack_rows(piece.clone(), x, *paired),
            }
            for (own, out) in lanes.iter().zip(&mut *out) {
                let add = begin > rows.start;
                let mut multiply =
                    |left: Left<'_, T>| panels.multiply_to(own.len(), out, left, add);
                if *paired {
                    let (lines, columns) = (panels.inner(), own.len());
                    let data = left_of_columns(left, lines, piece.clone(), own.clone(), y);
                    with_left_columns(data, lines, columns, 0..columns, multiply);
                } else {
                    let data = y.columns(piece.clone(), own.start);
                    multiply(Left::Columns { data, stride: y.stride() });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;
    use crate::numbers::numbers;
    use crate::products::pairs;

    /// Sums of any number of rows, in 32 bits and in 16 bits, computed in parts as by several threads, and
    /// added to the present contents.
    #[test]
    fn sums_of_products_are_sums() {
        for paired in [false, true] {
            let mut workspace = Workspace::new(paired);
            for rows in [0, 1, 2, 17, 255, 257, 511] {
                for [m, n] in [[1, 1], [5, 31], [40, 33], [33, 64]] {
                    check(&mut workspace, rows, [m, n]);
                }
            }
            for rows in [MAX_CHAINED_ROWS + 1, 5 * MAX_CHAINED_ROWS + 3] {
                check(&mut workspace, rows, [3, 5]);
            }
        }
    }

    fn check(workspace: &mut Workspace<f32>, rows: usize, [m, n]: [usize; 2]) {
        let (y, x) = (numbers(rows * m, 1), numbers(rows * n, 2));
        let [of_y, of_x] = [(&y, m), (&x, n)].map(|(data, width)| Operand::of_slice(data, width));
        let mut sums = vec![0.25; m * n];
        let cut = m / 2;
        workspace.halves.extend(memory_of_halves(rows, m, n)).unwrap();
        for part in [0..cut, cut..m].into_iter().filter(|part| !part.is_empty()) {
            let own = OperandMut::of_slice(&mut sums[part.start * n..part.end * n], n);
            let mut out = [SmallVec::from_iter([Destination::new(0, own, true)])];
            outer_sum(workspace, rows, [&of_y, &of_x], None, &[part], &mut out);
        }
        let [mut y, mut x] = [y.clone(), x.clone()];
        if workspace.paired {
            pairs::round(&mut y);
            pairs::round(&mut x);
        }
        for (element, sum) in sums.iter().enumerate() {
            let term = |row: usize| {
                f64::from(y[row * m + element / n]) * f64::from(x[row * n + element % n])
            };
            let exact: f64 = 0.25 + (0..rows).map(term).sum::<f64>();
            let most = 1e-5 * (rows as f64 / PIECE as f64).max(1.0).sqrt();
            assert_relative_eq!(f64::from(*sum), exact, epsilon = most);
        }
    }
}
