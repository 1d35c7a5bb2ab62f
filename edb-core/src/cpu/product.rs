//! Products of stacks: with matrices that are values themselves, and summed over all rows of a
//! minibatch. (Those with parameters are products with [panels](super::packed).)

use std::ops::Range;

use edb_ir::batching::Kind;
use smallvec::SmallVec;

use super::memory::Shared;
use super::operand::{Operand, Rows};
use super::packed::{Panels, Part};
use super::tile::{Columns, Target, put};
use crate::element::Element;
use crate::model::routine::{BoundStack, ValueBlock};

/// `out[r] += Σ W[r] x[r]` for every row, or `Σ W[r]ᵀ x[r]`, block by block: matrices that are
/// values, of step, vertex or edge.
pub(super) fn contract<T: Element>(
    rows: usize,
    out: &mut Operand<'_, T>,
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
            if stack.kind == Kind::DotTransposed {
                for (row, &x) in x.iter().enumerate() {
                    let line = line(row, out.len());
                    out.iter_mut().zip(line).for_each(|(out, &w)| *out += w * x);
                }
            } else {
                for (row, out) in out.iter_mut().enumerate() {
                    *out += dot(line(row, x.len()), x);
                }
            }
        }
    }
}

/// A matrix of a vertex that a product of two matrices goes to: its elements and its columns.
pub(super) struct MatrixTarget<'a, T>(pub(super) &'a mut [T], pub(super) usize);

impl<T: Element> Target<T> for MatrixTarget<'_, T> {
    #[inline(always)]
    fn whole(&mut self, row: usize, first: usize, count: usize) -> Option<(&mut [T], bool)> {
        Some((&mut self.0[row * self.1 + first..][..count], false))
    }

    #[inline(always)]
    fn put(&mut self, row: usize, first: usize, sums: &[T], add: bool) {
        put(&mut self.0[row * self.1 + first..][..sums.len()], sums, add);
    }
}

/// `A B` for each row of the operands, which are matrices row by row; either may be stored
/// transposed, and `size` are the rows and columns of the result. `panels` is memory to work in.
pub(super) fn matrix_product<T: Element>(
    panels: &mut Panels<T>,
    rows: usize,
    out: &mut Operand<'_, T>,
    (a, b): (&Operand<'_, T>, &Operand<'_, T>),
    size: [usize; 2],
    transposed: [bool; 2],
) {
    let [m, n] = size;
    let inner = a.width / m;
    let stored = if transposed[1] { [n, inner] } else { [inner, n] };
    for row in 0..rows {
        // What exists once a step is packed once.
        if row == 0 || !matches!(b.rows, Rows::One) {
            let matrix = b.row(row);
            panels.reset(inner, n);
            let part = Part { matrix, columns: stored[1], start: [0, 0], size: stored };
            panels.pack(part, (0, 0), transposed[1], None);
        }
        let mut target = MatrixTarget(out.row_mut(row), n);
        let data = a.row(row);
        match transposed[0] {
            false => {
                // SAFETY: it is only read, and nobody writes it meanwhile.
                let lines =
                    unsafe { Operand::new(Shared::of(data), 0, (inner, inner), Rows::Each) };
                panels.multiply(m, &mut target, &lines);
            }
            true => {
                panels.multiply_columns(m, &mut target, &Columns { data, stride: m }, false);
            }
        }
    }
}

/// A sum in sixteen parts, so that it vectorises; in one order, whatever the level.
fn dot<T: Element>(a: &[T], b: &[T]) -> T {
    const PARTS: usize = 16;
    let mut sums = [T::zero(); PARTS];
    let (a, b) = (a.chunks(PARTS), b.chunks(PARTS));
    for (a, b) in a.zip(b) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (&a, &b))| *sum += a * b);
    }
    sums.iter().fold(T::zero(), |sum, &part| sum + part)
}

/// Rows are summed in pieces of this many, which stay in cache. What comes of a piece is added to what
/// came before, so that sums of more rows are rounded in another way than one sum over all of them.
pub(super) const PIECE: usize = 256;

/// Where a matrix is summed: the element that it begins at, and whether there is something to be
/// added to.
#[derive(Clone, Copy)]
pub(super) struct Sum<'a, T> {
    pub(super) memory: Shared<'a, T>,
    pub(super) start: usize,
    pub(super) added: bool,
}

/// A block of the matrix that a product sums: its columns among those of the product, where it is,
/// and how far its rows are apart.
struct SumBlock<'a, T> {
    columns: Range<usize>,
    sum: Sum<'a, T>,
    stride: usize,
}

/// Rows of a product that is one block of a matrix: what most are.
impl<T: Element> Target<T> for SumBlock<'_, T> {
    #[inline(always)]
    fn whole(&mut self, row: usize, first: usize, count: usize) -> Option<(&mut [T], bool)> {
        let start = self.sum.start + row * self.stride + first;
        // SAFETY: blocks are disjoint, and so are the stripes of rows that threads have.
        Some((unsafe { self.sum.memory.write(start..start + count) }, self.sum.added))
    }

    #[inline(always)]
    fn put(&mut self, row: usize, first: usize, sums: &[T], add: bool) {
        if let Some((out, added)) = self.whole(row, first, sums.len()) {
            put(out, sums, add || added);
        }
    }
}

/// Rows of a product whose blocks are in several matrices, or apart in one.
struct SumRows<'a, T>(SmallVec<[SumBlock<'a, T>; 4]>);

impl<T: Element> Target<T> for SumRows<'_, T> {
    #[inline(always)]
    fn whole(&mut self, row: usize, first: usize, count: usize) -> Option<(&mut [T], bool)> {
        let holds = |block: &&mut SumBlock<'_, T>| {
            block.columns.start <= first && first + count <= block.columns.end
        };
        let block = self.0.iter_mut().find(holds)?;
        block.whole(row, first - block.columns.start, count)
    }

    #[inline(always)]
    fn put(&mut self, row: usize, first: usize, sums: &[T], add: bool) {
        for block in &mut self.0 {
            let from = block.columns.start.max(first);
            let to = block.columns.end.min(first + sums.len());
            if from < to {
                block.put(row, from - block.columns.start, &sums[from - first..to - first], add);
            }
        }
    }
}

/// Rows `part` of `Σ_r y[r] x[r]ᵀ` over `rows` rows, where `y` is the stack's `out` and `x` are its
/// arguments, into the blocks of matrices; `place` says where these are. `panels` is memory to work
/// in.
pub(super) fn outer_sum<'a, T: Element>(
    panels: &mut Panels<T>,
    rows: usize,
    part: Range<usize>,
    (y, x): (&Operand<'_, T>, &Operand<'_, T>),
    blocks: &[ValueBlock],
    place: impl Fn(&ValueBlock) -> Sum<'a, T>,
) {
    for begin in (0..rows.max(1)).step_by(PIECE) {
        let piece = begin..rows.min(begin + PIECE);
        // There may be no rows: a minibatch whose vertices have no children.
        panels.pack_rows(piece.clone(), x);
        let mut rest = blocks;
        while let Some(first) = rest.first() {
            let (lane, count) = first.out;
            let of_lane = rest.iter().take_while(|block| block.out.0 == lane).count();
            let (of_lane, others) = rest.split_at(of_lane);
            rest = others;
            let own = part.start.max(lane)..part.end.min(lane + count);
            if own.is_empty() {
                continue;
            }
            let mut target = SumRows(SmallVec::new());
            for block in of_lane {
                let mut sum = place(block);
                let row = block.start[0] + own.start - lane;
                sum.start += row * block.columns + block.start[1];
                let columns = block.args.0..block.args.0 + block.args.1;
                match target.0.last_mut() {
                    // Blocks of one matrix that are neighbours in it are one.
                    Some(before)
                        if before.columns.end == columns.start
                            && before.stride == block.columns
                            && before.sum.memory.is(&sum.memory)
                            && before.sum.start + before.columns.len() == sum.start =>
                    {
                        before.columns.end = columns.end;
                    }
                    _ => target.0.push(SumBlock { columns, sum, stride: block.columns }),
                }
            }
            let data = y.columns(piece.clone(), own.start);
            let source = Columns { data, stride: y.stride };
            match &mut target.0[..] {
                [one] if one.columns.len() == x.width => {
                    panels.multiply_columns(own.len(), one, &source, begin > 0);
                }
                _ => panels.multiply_columns(own.len(), &mut target, &source, begin > 0),
            }
        }
    }
}
