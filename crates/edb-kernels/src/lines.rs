//! Products of few rows with a matrix that lies row by row in memory, as parameters do.
//!
//! Packing a matrix moves all of it once more, which pays off when many rows are multiplied with
//! it. A product of few rows reads the matrix where it is instead, a few lines at a time; its sums
//! are in the level-1 cache, and each line is added to them. Its sums have the order of those of a
//! product with [panels](crate::panels), so both have the same bits.

use std::ops::Range;

use smallvec::SmallVec;

use crate::element::{Each, Element, Family};
use crate::isa::{Isa, TALL_REGISTERS};
use crate::operand::{Operand, OperandMut};
use crate::registers::{VectorLoop, run_on};
use crate::scratch;
use crate::square::Square;
use crate::stored::StoredBlock;
use crate::terms::{PRODUCT_CHAIN, product_in_halves};
use crate::tile::{Destination, Left};
use crate::vector::Vector;

/// Lines are added to the sums of up to so many rows; for more rows, the matrix is read again.
pub const MOST_ROWS: usize = 16;

/// The lines that are added at a time.
const TOGETHER: usize = 4;

/// Elements between rows of sums, if there are more than [`CLOSE`] rows: where rows are as long as a
/// page, these and the lines would be in one set of the level-1 cache, which has eight ways or a
/// few more.
const ROOM: usize = 64;

/// The most rows of sums without [`ROOM`] between them.
const CLOSE: usize = 4;

/// Rows of parameters, one below the other: the matrix of a product `Y W`.
#[derive(Debug)]
pub struct Lines<'a, T> {
    parts: SmallVec<[Part<'a, T>; 4]>,
    width: usize,
}

/// Some lines of a matrix.
#[derive(Clone, Copy, Debug)]
struct Part<'a, T> {
    /// From the first element of the first line to the last one of the last line.
    data: &'a [T],
    stride: usize,
    count: usize,
}

impl<'a, T: Element> Lines<'a, T> {
    /// A matrix of so many columns, from blocks that have all of them, from its first row on.
    pub fn new(blocks: impl Iterator<Item = StoredBlock<'a, T>>, width: usize) -> Self {
        let part = |StoredBlock { data, stride, size, .. }| Part { data, stride, count: size[0] };
        Self { parts: blocks.map(part).collect(), width }
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// `out = Y W`, or `out += Y W`, for `rows` rows of `Y` and some columns of `W`; `out` has these
    /// only. The machine must have the instruction set.
    pub fn multiply(
        &self,
        isa: Isa,
        columns: Range<usize>,
        rows: usize,
        out: OperandMut<'_, T>,
        left: Left<'_, T>,
        add: bool,
    ) {
        assert!(columns.end <= self.width, "columns of the matrix");
        let Left::Rows(left) = left else {
            unreachable!("the left side of a product with parameters is rows")
        };
        let inner = self.parts.iter().map(|part| part.count).sum::<usize>();
        let (size, mut out) = ([rows, columns.len()], [Destination::new(0, out, false)]);
        product_in_halves(0..inner, PRODUCT_CHAIN, size, &mut out, add, &|terms, out, add| {
            let [out] = out else { unreachable!("the product has one destination") };
            self.chain(isa, &columns, terms, rows, out, left, add);
        });
    }

    /// A product over some terms, each element of which is one chain.
    #[expect(clippy::too_many_arguments, reason = "what a product is of, and where it goes")]
    fn chain(
        &self,
        isa: Isa,
        columns: &Range<usize>,
        terms: Range<usize>,
        rows: usize,
        out: &mut Destination<'_, T>,
        left: &Operand<'_, T>,
        add: bool,
    ) {
        let parts = rows.div_ceil(MOST_ROWS);
        let mut memory = scratch::take();
        for part in 0..parts {
            // Of about the same number of rows each.
            let some = part * rows / parts..(part + 1) * rows / parts;
            let stride = columns.len() + if some.len() > CLOSE { ROOM } else { 0 };
            let sums = scratch::aligned(&mut memory, some.len() * stride);
            sums.fill(T::zero());
            let left = some.clone().map(|row| left.row(row)[..terms.end].as_ptr()).collect();
            let (columns, terms) = (columns.clone(), terms.clone());
            let count = columns.len();
            ADD.of::<T>()(isa, Sums { parts: &self.parts, columns, terms, left, sums, stride });
            for (row, sums) in some.zip(sums.chunks_exact(stride)) {
                out.put(row, 0, &sums[..count], add);
            }
        }
        scratch::keep(memory);
    }
}

/// [`add`] for each element type.
struct Add;

impl Family for Add {
    type Member<T: Element> = fn(Isa, Sums<'_, T>);
}

static ADD: Each<Add> = Each { f32: add, f64: add };

/// Adds terms with an instruction set that this machine has.
fn add<T: Element>(isa: Isa, sums: Sums<'_, T>) {
    run_on(isa, sums);
}

/// The terms of a product, and its sums.
struct Sums<'a, T> {
    parts: &'a [Part<'a, T>],
    columns: Range<usize>,
    /// Which lines are added.
    terms: Range<usize>,
    /// The first elements of the rows of the left side, each of which has one for each line.
    left: SmallVec<[*const T; MOST_ROWS]>,
    /// A row of sums, one for each column, `stride` apart, for each row of the left side.
    sums: &'a mut [T],
    stride: usize,
}

impl<T: Element> VectorLoop<T> for Sums<'_, T> {
    #[inline(always)]
    unsafe fn run<V: Square<T>, const FMA: bool>(mut self) {
        let mut first = 0;
        for number in 0..self.parts.len() {
            let Part { data, stride, count } = self.parts[number];
            let mut line = self.terms.start.clamp(first, first + count) - first;
            let end = self.terms.end.clamp(first, first + count) - first;
            // SAFETY: the caller guarantees that the machine has the registers.
            unsafe {
                while line + TOGETHER <= end {
                    self.add::<V, FMA, TOGETHER>(&data[line * stride..], stride, first + line);
                    line += TOGETHER;
                }
                while line < end {
                    self.add::<V, FMA, 1>(&data[line * stride..], stride, first + line);
                    line += 1;
                }
            }
            first += count;
        }
    }
}

impl<T: Element> Sums<'_, T> {
    /// Adds `N` lines, which begin in `data`, times the left side's elements from number `term` on.
    ///
    /// # Safety
    /// The machine must have the registers `V`.
    #[inline(always)]
    unsafe fn add<V: Vector<T>, const FMA: bool, const N: usize>(
        &mut self,
        data: &[T],
        stride: usize,
        term: usize,
    ) {
        let columns = &self.columns;
        let lines = &data[columns.start..(N - 1) * stride + columns.end];
        let from = lines.as_ptr();
        let count = columns.len();
        let mut column = 0;
        // SAFETY: the lines have these columns; the caller guarantees the registers.
        unsafe {
            if const { V::COUNT < TALL_REGISTERS } {
                while column + 2 * V::LANES <= count {
                    self.tile::<V, FMA, N, 2>(from, stride, term, column);
                    column += 2 * V::LANES;
                }
            } else {
                while column + 4 * V::LANES <= count {
                    self.tile::<V, FMA, N, 4>(from, stride, term, column);
                    column += 4 * V::LANES;
                }
            }
            while column + V::LANES <= count {
                self.tile::<V, FMA, N, 1>(from, stride, term, column);
                column += V::LANES;
            }
        }
        for column in column..count {
            for row in 0..self.left.len() {
                let sum = &mut self.sums[row * self.stride + column];
                for line in 0..N {
                    // SAFETY: a row of the left side has an element for each line.
                    let a = unsafe { *self.left[row].add(term + line) };
                    *sum = a.fma::<FMA>(lines[line * stride + column], *sum);
                }
            }
        }
    }

    /// The same in `P` registers of columns from `column` on.
    ///
    /// # Safety
    /// From `from` on there must be `N` lines, `stride` apart, with these columns, and the machine
    /// must have the registers `V`.
    #[inline(always)]
    unsafe fn tile<V: Vector<T>, const FMA: bool, const N: usize, const P: usize>(
        &mut self,
        from: *const T,
        stride: usize,
        term: usize,
        column: usize,
    ) {
        let Sums { left, sums, stride: step, .. } = self;
        let rows = left.len();
        let sums = &mut sums[column..(rows - 1) * *step + column + P * V::LANES];
        // SAFETY: guaranteed by the caller; the sums have these columns for each row; a row of the
        // left side has an element for each line.
        unsafe {
            let mut lines = [[V::zero(); P]; N];
            for n in 0..N {
                for p in 0..P {
                    lines[n][p] = V::load(from.add(n * stride + column + p * V::LANES));
                }
            }
            for row in 0..rows {
                let to = sums.as_mut_ptr().add(row * *step);
                let mut sum = [V::zero(); P];
                for p in 0..P {
                    sum[p] = V::load(to.add(p * V::LANES));
                }
                let of_row = left.as_ptr().add(row).read().add(term);
                for n in 0..N {
                    for p in 0..P {
                        sum[p] = sum[p].plus_product::<FMA>(*of_row.add(n), lines[n][p]);
                    }
                }
                for p in 0..P {
                    sum[p].store(to.add(p * V::LANES));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::drawn::{chain, numbers};
    use crate::panels::Panels;
    use crate::stored::tests::Cut;

    /// Every element is one chain of multiply-adds, from the first term to the last.
    fn check<T: Element>(rows: usize, counts: [usize; 2], width: usize, add: bool, cut: usize) {
        let inner = counts[0] + counts[1];
        let cut_matrix = Cut::<T>::new([inner, width], [counts[0], width]);
        let (lines, matrix) = (Lines::new(cut_matrix.blocks(), width), cut_matrix.matrix());
        let left = numbers::<T>(rows * inner, 7);
        let of_left = Operand::of_slice(&left, inner);
        let cut = cut.min(width);
        for isa in Isa::all() {
            let mut out = vec![T::from_f64(0.25); rows * width];
            for own in [0..cut, cut..width] {
                if own.is_empty() {
                    continue;
                }
                let to = OperandMut::of_slice(&mut out, width).narrowed(own.clone());
                lines.multiply(isa, own, rows, to, Left::Rows(&of_left), add);
            }
            for (element, found) in out.iter().enumerate() {
                let (row, column) = (element / width, element % width);
                let of = |term| (left[row * inner + term], matrix[term * width + column]);
                let sum = chain(isa, (0..inner).map(of));
                let sum = if add { T::from_f64(0.25) + sum } else { sum };
                assert_eq!(*found, sum, "{isa:?}, row {row}, column {column}");
            }
        }
    }

    /// Fault B1: a sum of many terms was one chain. It is cut where that of a product with panels is,
    /// and each line is read once.
    #[test]
    fn long_sums_have_the_bits_of_a_product_with_panels() {
        let [rows, width, inner] = [3, 37, 2 * PRODUCT_CHAIN + 70];
        let cut = PRODUCT_CHAIN - 9;
        let blocks = Cut::<f32>::new([inner, width], [cut, width]);
        let left = numbers::<f32>(rows * inner, 7);
        let left = Operand::of_slice(&left, inner);
        let [mut out, mut same] = [(); 2].map(|()| vec![0.25; rows * width]);
        let lines = Lines::new(blocks.blocks(), width);
        let to = OperandMut::of_slice(&mut out, width);
        lines.multiply(Isa::best(), 0..width, rows, to, Left::Rows(&left), true);
        let mut panels = Panels::default();
        panels.pack_lines(inner, width, &blocks.matrix());
        let (all, to) = (0..panels.panels().0, OperandMut::of_slice(&mut same, width));
        panels.multiply_panels(all, rows, to, Left::Rows(&left), true);
        assert_eq!(out, same);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() })]

        #[test]
        fn products_with_lines_are_products(
            rows in 1..=2 * MOST_ROWS + 1, first in 0usize..12, second in 1usize..12,
            width in 1usize..200, add: bool, cut in 0usize..200,
        ) {
            check::<f32>(rows, [first, second], width, add, cut);
            check::<f64>(rows, [first, second], width, add, cut);
        }
    }
}
