//! Products with a matrix that lies row by row. The matrix is read a few lines at a time, and each line is
//! added to sums that stay in the level-1 cache.

use super::Chains;
use super::stored::StoredBlock;
use crate::memory::scratch;
use crate::numbers::Element;
use crate::processor::{Square, TALL_REGISTERS, Vector};

/// How many lines are added at a time.
const LINES_AT_ONCE: usize = 4;

/// How many elements lie between rows of sums, if there are more than [`MAX_UNPADDED_ROWS`] rows. Without this
/// padding, if rows are as long as a page, all rows of sums and the lines would be in one set of the level-1
/// cache, and a set has only eight ways or a few more.
const PADDING_ELEMENTS: usize = 64;

/// Up to this many rows of sums have no [padding](PADDING_ELEMENTS) between them.
const MAX_UNPADDED_ROWS: usize = 4;

impl<T: Element> Chains<'_, T> {
    /// Computes the sums of a matrix that lies line by line.
    ///
    /// # Safety
    /// The machine must have the registers `V`.
    #[inline(always)]
    pub(super) unsafe fn by_lines<V: Square<T>, const FMA: bool>(&self) {
        let (rows, count) = (self.left.len(), self.columns.len());
        let stride = count + if rows > MAX_UNPADDED_ROWS { PADDING_ELEMENTS } else { 0 };
        let mut memory = scratch::take();
        let values = scratch::aligned(&mut memory, rows * stride);
        values.fill(T::zero());
        let mut sums = LineSums { chains: self, values, stride };
        for StoredBlock { data, stride, place, size } in self.blocks {
            let [first, lines] = [place[0], size[0]];
            let [mut line, end] = [self.terms.start, self.terms.end]
                .map(|term| term.clamp(first, first + lines) - first);
            // SAFETY: the caller guarantees that the machine has the registers.
            unsafe {
                while line + LINES_AT_ONCE <= end {
                    sums.add::<V, FMA, LINES_AT_ONCE>(
                        &data[line * stride..],
                        *stride,
                        first + line,
                    );
                    line += LINES_AT_ONCE;
                }
                while line < end {
                    sums.add::<V, FMA, 1>(&data[line * stride..], *stride, first + line);
                    line += 1;
                }
            }
        }
        for row in 0..rows {
            let values = &sums.values[row * stride..][..count];
            // SAFETY: a row of the result has an element for each column, and no other operand has it.
            let out = unsafe { std::slice::from_raw_parts_mut(self.out[row], count) };
            match self.add {
                true => out.iter_mut().zip(values).for_each(|(out, &sum)| *out += sum),
                false => out.copy_from_slice(values),
            }
        }
        scratch::keep(memory);
    }
}

/// The sums to which lines are added.
struct LineSums<'a, T> {
    chains: &'a Chains<'a, T>,
    /// For each row of the left side, a row of sums, with a sum for each column. The rows lie `stride` elements
    /// apart.
    values: &'a mut [T],
    stride: usize,
}

impl<T: Element> LineSums<'_, T> {
    /// Adds `N` lines, which begin in `data`, multiplied by the left side's elements from `term` on.
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
        let Chains { columns, left, .. } = self.chains;
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
            for row in 0..left.len() {
                let sum = &mut self.values[row * self.stride + column];
                for line in 0..N {
                    // SAFETY: a row of the left side has an element for each line.
                    let a = unsafe { *left[row].add(term + line) };
                    *sum = a.fma::<FMA>(lines[line * stride + column], *sum);
                }
            }
        }
    }

    /// Adds lines, as [`add`](Self::add) does, in `P` registers of columns from `column` on.
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
        let LineSums { chains: Chains { left, .. }, values, stride: step } = self;
        let rows = left.len();
        let sums = &mut values[column..(rows - 1) * *step + column + P * V::LANES];
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
