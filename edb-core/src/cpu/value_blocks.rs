//! Products with matrices that are values, and sums of products into matrices that are values. This says which
//! block of a stack goes where.

use std::ops::Range;

use edb_ir::routine::ProductKind;
use edb_kernels::element::Element;
use edb_kernels::isa::{Loop, dispatch};
use edb_kernels::memory::Shared;
use edb_kernels::operand::{Operand, OperandMut};
use edb_kernels::product::{self, Destinations, MOST_LANES, Workspace};
use edb_kernels::sums::{self, CHAIN, Products, in_halves};
use edb_kernels::tile::Destination;
use smallvec::SmallVec;

use edb_model::model::stack::{BoundStack, ValueBlock};

/// Computes `out[r] += Σ W[r] x[r]` or `out[r] += Σ W[r]ᵀ x[r]` for every row, block by block. The matrices are
/// values of a step, vertex or edge.
pub(crate) fn contract<T: Element>(
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
            let first = block.start[0] * block.columns + block.start[1];
            let (matrix, columns) = (&matrix.row(row)[first..], block.columns);
            if stack.kind == ProductKind::DotTransposed {
                in_halves(0..x.len(), CHAIN, out, &mut |rows, out| {
                    dispatch(AddLines { out, matrix, columns, x, rows });
                });
            } else {
                dispatch(AddProducts { out, matrix, columns, x });
            }
        }
    }
}

/// `out += W x`, line by line of a matrix whose lines are `columns` apart.
struct AddProducts<'a, T> {
    out: &'a mut [T],
    matrix: &'a [T],
    columns: usize,
    x: &'a [T],
}

impl<T: Element> Loop for AddProducts<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { out, matrix, columns, x } = self;
        for row in 0..out.len() {
            let line = &matrix[row * columns..][..x.len()];
            out[row] += sums::sum::<T, _, FMA>(Products(line, x));
        }
    }
}

/// `out += Wᵀ x`, for some lines of the matrix.
struct AddLines<'a, T> {
    out: &'a mut [T],
    matrix: &'a [T],
    columns: usize,
    x: &'a [T],
    rows: Range<usize>,
}

impl<T: Element> Loop for AddLines<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { out, matrix, columns, x, rows } = self;
        for row in rows.start..rows.end {
            let line = &matrix[row * columns..][..out.len()];
            for column in 0..out.len() {
                out[column] += line[column] * x[row];
            }
        }
    }
}

/// Where a matrix is summed: its memory, its first element, and whether sums are added to the present contents.
#[derive(Clone, Copy)]
pub(crate) struct SumPlace<'a, T> {
    pub(crate) memory: Shared<'a, T>,
    pub(crate) start: usize,
    pub(crate) added: bool,
}

/// Computes the rows `part` of `Σ_r y[r] x[r]ᵀ` over `rows` rows into the blocks of matrices; `y` is the
/// stack's `out`, and `x` are its arguments. `place` returns where a block's matrix is. If there are factors,
/// each term is multiplied by its factor, and no product is in 16 bits.
pub(crate) fn outer_sum<'a, T: Element>(
    workspace: &mut Workspace<T>,
    rows: usize,
    part: Range<usize>,
    operands: [&Operand<'_, T>; 2],
    factors: Option<&[T]>,
    blocks: &[ValueBlock],
    place: impl Fn(&ValueBlock) -> SumPlace<'a, T>,
) {
    // A lane is a range of rows of the result that have the same blocks. For each lane, its blocks, and those
    // of its rows that are computed.
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
            let SumPlace { memory, start, added } = place(block);
            let row = block.start[0] + own.start - block.out.0;
            let start = start + row * block.columns + block.start[1];
            let (first, width) = block.args;
            // SAFETY: blocks are disjoint, and so are the stripes of rows of different threads.
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
    product::outer_sum(workspace, rows, operands, factors, &of_lanes, &mut out);
}
