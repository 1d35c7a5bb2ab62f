//! Products of stacks with matrices that are values, and products summed over all rows of a
//! minibatch. (Those with parameters are products with [panels](super::packed).)

use std::ops::Range;

use edb_ir::routine::ProductKind;
use smallvec::SmallVec;

use super::memory::{Memory, Shared};
use super::operand::{Operand, OperandMut, Rows};
use super::pairs::PairIsa;
use super::panels::{Panels, Part};
use super::sums::{self, CHAIN, Products, in_halves};
use super::tile::{Destination, Left};
use super::transpose::{CORNER, transpose};
use crate::element::Element;
use crate::model::stack::{BoundStack, ValueBlock};

/// `out[r] += Σ W[r] x[r]` for every row, or `Σ W[r]ᵀ x[r]`, block by block, where the matrices are
/// values of a step, vertex or edge.
pub(super) fn contract<T: Element>(
    rows: usize,
    out: &mut OperandMut<'_, T>,
    args: &Operand<'_, T>,
    stack: &BoundStack,
    blocks: &[ValueBlock],
    matrices: &[Operand<'_, T>],
) {
    for row in 0..rows {
        let (out, x) = (out.row_mut(row), args.row(row));
        if !stack.accumulate {
            out.fill(T::zero());
        }
        for (block, matrix) in blocks.iter().zip(matrices) {
            let out = &mut out[block.out.0..][..block.out.1];
            let x = &x[block.args.0..][..block.args.1];
            let matrix = matrix.row(row);
            let line = |row: usize, count: usize| {
                let start = (block.start[0] + row) * block.columns + block.start[1];
                &matrix[start..start + count]
            };
            if stack.kind == ProductKind::DotTransposed {
                in_halves(0..x.len(), CHAIN, out, &mut |rows, out| {
                    for row in rows {
                        let line = line(row, out.len());
                        out.iter_mut().zip(line).for_each(|(out, &w)| *out += w * x[row]);
                    }
                });
            } else {
                for (row, out) in out.iter_mut().enumerate() {
                    *out += sums::sum::<T, _, false>(Products(line(row, x.len()), x));
                }
            }
        }
    }
}

/// The most rows of a product of matrices that are computed before the next ones, so that little memory
/// is needed for [sums of many terms](super::sums).
const BLOCK_ROWS: usize = 192;

/// `A B` for each row of the operands, which holds a row-major matrix; either may be stored
/// transposed. `size` is the number of rows and columns of the result, `panels` working memory.
pub(super) fn matrix_product<T: Element>(
    panels: &mut Panels<T>,
    rows: usize,
    out: &mut OperandMut<'_, T>,
    a: &Operand<'_, T>,
    b: &Operand<'_, T>,
    size: [usize; 2],
    transposed: [bool; 2],
) {
    let [m, n] = size;
    let inner = a.width / m;
    let stored = if transposed[1] { [n, inner] } else { [inner, n] };
    for row in 0..rows {
        // A matrix that exists once a step is packed once.
        if row == 0 || !matches!(b.rows, Rows::One) {
            let matrix = b.row(row);
            panels.reset(inner, n);
            let part = Part {
                matrix,
                columns: stored[1],
                start: [0, 0],
                size: stored,
                transposed: transposed[1],
                line: 0,
                column: 0,
            };
            panels.pack(part, None);
        }
        let data = a.row(row);
        for (block, out) in out.row_mut(row).chunks_mut((BLOCK_ROWS * n).max(1)).enumerate() {
            let (first, count) = (block * BLOCK_ROWS, out.len() / n);
            if transposed[0] {
                let data = data.get(first..).unwrap_or_default();
                panels.multiply_into(count, out, Left::Columns { data, stride: m });
            } else {
                let left = Operand::of_slice(&data[first * inner..], inner);
                panels.multiply_into(count, out, Left::Rows(&left));
            }
        }
    }
}

/// Rows are summed in pieces of this many, which stay in cache. The sum of a piece is added to that
/// of the pieces before it, so sums of more rows are rounded differently from one sum over all of
/// them.
pub(crate) const PIECE: usize = 256;

/// The most rows whose pieces are added one after the other; more rows are summed [in
/// halves](super::sums). The sum of a half takes memory of the size of the matrix.
const MOST_PIECED: usize = 32 * PIECE;

/// The elements of working memory that a thread needs for sums of products of `rows` rows, in
/// `lines` rows of `columns` columns of the result.
pub(super) fn memory_of_halves(rows: usize, lines: usize, columns: usize) -> usize {
    let levels = rows.div_ceil(MOST_PIECED).max(1).next_power_of_two().ilog2() as usize;
    levels.saturating_mul(lines).saturating_mul(columns)
}

/// The working memory of a thread for products.
#[derive(Debug)]
pub(super) struct Workspace<T> {
    /// A matrix of values, packed.
    pub(super) panels: Panels<T>,
    /// The left side of a product in 16 bits.
    pub(super) left: Memory<T>,
    /// [Sums of halves](memory_of_halves).
    pub(super) halves: Memory<T>,
    /// Whether products with parameters, and sums of products, are in 16 bits.
    pub(super) paired: bool,
}

impl<T> Workspace<T> {
    pub(super) fn new(paired: bool) -> Self {
        Self {
            panels: Panels::default(),
            left: Memory::default(),
            halves: Memory::default(),
            paired,
        }
    }
}

/// The columns `columns` of some rows of an operand, as the left side of a product in 16 bits with
/// panels of so many lines: line by line, or one row for each column if the instructions want it
/// [transposed](PairIsa::transposes_left).
pub(crate) fn left_of_columns<'m, T: Element>(
    memory: &'m mut Memory<T>,
    lines: usize,
    rows: Range<usize>,
    columns: Range<usize>,
    x: &Operand<'_, T>,
) -> &'m [T] {
    let isa = PairIsa::best();
    let of_line = isa.terms() * columns.len();
    let size = lines * of_line;
    let some = if isa.transposes_left() { CORNER * of_line } else { 0 };
    memory.grow(size + some);
    let (left, some) = memory[..size + some].split_at_mut(size);
    let pack = |line: usize, out: &mut [T]| {
        let row = rows.start + 2 * line;
        let of = |row: usize| (row < rows.end).then(|| &x.row(row)[columns.clone()]);
        isa.left_lines([of(row), of(row + 1)], out);
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

/// Calls `work` with some columns of a left side that [`left_of_columns`] has made of `all`
/// columns, for panels of so many lines.
pub(crate) fn with_left_columns<T: Element>(
    left: &[T],
    lines: usize,
    all: usize,
    columns: Range<usize>,
    work: impl FnOnce(Left<'_, T>),
) {
    if PairIsa::best().transposes_left() {
        let rows = &left[columns.start * lines..columns.end * lines];
        work(Left::Rows(&Operand::of_slice(rows, lines)));
    } else {
        work(Left::Columns { data: left.get(columns.start..).unwrap_or_default(), stride: all });
    }
}

/// Where a matrix is summed: its first element, and whether sums are added to the present contents.
#[derive(Clone, Copy)]
pub(super) struct Sum<'a, T> {
    pub(super) memory: Shared<'a, T>,
    pub(super) start: usize,
    pub(super) added: bool,
}

/// Up to this many groups of rows of a sum that go to the same matrices need no allocation in a step.
const MOST_LANES: usize = 16;

/// Where some rows of a sum of products go: to a few matrices, side by side in the result.
type Destinations<'a, T> = SmallVec<[Destination<'a, T>; 4]>;

/// Computes rows `part` of `Σ_r y[r] x[r]ᵀ` over `rows` rows, where `y` is the stack's `out` and
/// `x` are its arguments, into the blocks of matrices; `place` returns where a block's matrix is. If
/// there are factors, each term counts as often as its factor says; then nothing is in 16 bits.
pub(super) fn outer_sum<'a, T: Element>(
    workspace: &mut Workspace<T>,
    rows: usize,
    part: Range<usize>,
    [y, x]: [&Operand<'_, T>; 2],
    factors: Option<&[T]>,
    blocks: &[ValueBlock],
    place: impl Fn(&ValueBlock) -> Sum<'a, T>,
) {
    // Each lane, the rows of the result that have the same blocks, and those rows of it that are
    // computed.
    let mut lanes: SmallVec<[(&[ValueBlock], Range<usize>); MOST_LANES]> = SmallVec::new();
    for of_lane in blocks.chunk_by(|one, next| one.out.0 == next.out.0) {
        let (lane, count) = of_lane[0].out;
        let own = part.start.max(lane)..part.end.min(lane + count);
        if !own.is_empty() {
            lanes.push((of_lane, own));
        }
    }
    let destinations = |(blocks, own): &(&[ValueBlock], Range<usize>)| {
        let mut out: Destinations<'a, T> = SmallVec::new();
        for block in *blocks {
            let Sum { memory, start, added } = place(block);
            let row = block.start[0] + own.start - block.out.0;
            let start = start + row * block.columns + block.start[1];
            let (first, width) = block.args;
            // SAFETY: blocks are disjoint, and so are the stripes of rows that threads have.
            let rows = unsafe { OperandMut::new(memory, start, block.columns, width) };
            let destination = Destination::new(first, rows, added);
            // Neighbouring blocks of one matrix are joined.
            if !out.last_mut().is_some_and(|before| before.takes(&destination)) {
                out.push(destination);
            }
        }
        out
    };
    let mut out: SmallVec<[_; MOST_LANES]> = lanes.iter().map(destinations).collect();
    let of_lanes: SmallVec<[Range<usize>; MOST_LANES]> =
        lanes.into_iter().map(|(_, own)| own).collect();
    // There may be no rows: a minibatch whose vertices have no children.
    let mut halves = std::mem::take(&mut workspace.halves);
    let mut sum = OuterSum { workspace, y, x, factors, lanes: &of_lanes };
    sum.run(0..rows, &mut out, &mut halves);
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
        if rows.len() <= MOST_PIECED {
            return self.pieces(rows, out);
        }
        let [first, second] = sums::halves(&rows, MOST_PIECED);
        self.run(first, out, halves);
        let width = self.x.width;
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

    /// The same for so few rows that their pieces are added one after the other.
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
                    multiply(Left::Columns { data, stride: y.stride });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use edb_ir::{Id, RecordId};

    use super::*;
    use crate::cpu::drawn::numbers;
    use crate::cpu::pairs;
    use crate::model::stack::Field;

    /// Sums of any number of rows, in 32 bits and in 16, in parts as threads compute them, and
    /// added to what is there.
    #[test]
    fn sums_of_products_are_sums() {
        for paired in [false, true] {
            let mut workspace = Workspace::new(paired);
            for rows in [0, 1, 2, 17, 255, 257, 511] {
                for [m, n] in [[1, 1], [5, 31], [40, 33], [33, 64]] {
                    check(&mut workspace, rows, [m, n]);
                }
            }
            for rows in [MOST_PIECED + 1, 5 * MOST_PIECED + 3] {
                check(&mut workspace, rows, [3, 5]);
            }
        }
    }

    fn check(workspace: &mut Workspace<f32>, rows: usize, [m, n]: [usize; 2]) {
        let (y, x) = (numbers(rows * m, 1), numbers(rows * n, 2));
        let [of_y, of_x] = [(&y, m), (&x, n)].map(|(data, width)| Operand::of_slice(data, width));
        let field = Field { record: RecordId::new(0), start: 0, width: m * n };
        let block =
            ValueBlock { matrix: field, columns: n, start: [0, 0], out: (0, m), args: (0, n) };
        let mut sums = vec![0.25; m * n];
        let memory = Shared::new(&mut sums);
        let cut = m / 2;
        workspace.halves.extend(memory_of_halves(rows, m, n)).unwrap();
        for part in [0..cut, cut..m] {
            outer_sum(workspace, rows, part, [&of_y, &of_x], None, &[block], |_| Sum {
                memory,
                start: 0,
                added: true,
            });
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
