//! Products of few rows with a matrix that lies row by row in memory, as parameters do.
//!
//! Packing a matrix moves all of it once more, which pays off when many rows are multiplied with
//! it. A product of few rows reads the matrix where it is instead, a few lines at a time; its sums
//! are in the level-1 cache, and each line is added to them. As in a product with
//! [panels](super::panels), every element is one sum, from its first term to its last, so both have
//! the same bits.

use std::marker::PhantomData;
use std::ops::Range;

use smallvec::SmallVec;

use super::isa::{Isa, Loop, TALL_REGISTERS, portable};
#[cfg(target_arch = "x86_64")]
use super::isa::{avx2, avx512};
use super::operand::OperandMut;
use super::scratch;
use super::tile::Left;
use super::vector::Vector;
use crate::element::{Each, Element, Family};
use crate::learn::Parameters;
use crate::model::stack::Weights;

/// Lines are added to the sums of up to so many rows; for more rows, the matrix is read again.
pub(super) const MOST_ROWS: usize = 16;

/// Threads share a product in units of so many columns.
const UNIT: usize = 64;

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
pub(super) struct Lines<'a, T> {
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
    /// Whether a stacked matrix is the right-hand side of a product as it lies in memory: whether it
    /// is transposed, and each of its blocks has all of its columns.
    pub(super) fn can_be(weights: &Weights) -> bool {
        let mut row = 0;
        weights.transposed
            && weights.blocks.iter().all(|block| {
                let follows = block.place == [row, 0] && block.size[1] == weights.size[1];
                row += block.size[0];
                follows
            })
    }

    /// The lines of a stacked matrix that [can be](Self::can_be) read so.
    pub(super) fn of(weights: &Weights, parameters: &'a Parameters<T>) -> Self {
        let width = weights.size[1];
        let parts = weights.blocks.iter().map(|block| {
            let parameter = parameters.get(block.param);
            let stride = parameter.shape()[1];
            let first = block.start[0] * stride + block.start[1];
            let count = block.size[0];
            let length = count.checked_sub(1).map_or(0, |before| before * stride + width);
            Part { data: &parameter.fetched()[first..first + length], stride, count }
        });
        Self { parts: parts.collect(), width }
    }

    /// How many units of columns there are.
    pub(super) fn units(&self) -> usize {
        self.width.div_ceil(UNIT)
    }

    /// The columns of some units.
    pub(super) fn columns(&self, units: &Range<usize>) -> Range<usize> {
        units.start * UNIT..self.width.min(units.end * UNIT)
    }

    /// `out = Y W`, or `out += Y W`, for `rows` rows of `Y` and some units of `W`; `out` has their
    /// columns only.
    pub(super) fn multiply(
        &self,
        units: Range<usize>,
        rows: usize,
        out: OperandMut<'_, T>,
        left: Left<'_, T>,
        add: bool,
    ) {
        self.multiply_on(Isa::best(), units, rows, out, left, add);
    }

    /// The same with an instruction set that this machine has.
    fn multiply_on(
        &self,
        isa: Isa,
        units: Range<usize>,
        rows: usize,
        mut out: OperandMut<'_, T>,
        left: Left<'_, T>,
        add: bool,
    ) {
        let Left::Rows(left) = left else {
            unreachable!("the left side of a product with parameters is rows")
        };
        let columns = self.columns(&units);
        let inner = self.parts.iter().map(|part| part.count).sum::<usize>();
        let parts = rows.div_ceil(MOST_ROWS);
        let mut memory = scratch::take();
        for part in 0..parts {
            // Of about the same number of rows each.
            let some = part * rows / parts..(part + 1) * rows / parts;
            let stride = columns.len() + if some.len() > CLOSE { ROOM } else { 0 };
            let sums = scratch::aligned(&mut memory, some.len() * stride);
            sums.fill(T::zero());
            let left = some.clone().map(|row| left.row(row)[..inner].as_ptr()).collect();
            let columns = columns.clone();
            ADD.of::<T>()(isa, Terms { parts: &self.parts, columns, left, sums, stride });
            for (row, sums) in some.zip(sums.chunks_exact(stride)) {
                let out = out.row_mut(row);
                let sums = &sums[..out.len()];
                if add {
                    out.iter_mut().zip(sums).for_each(|(out, &sum)| *out += sum);
                } else {
                    out.copy_from_slice(sums);
                }
            }
        }
        scratch::keep(memory);
    }
}

/// [`add`] for each element type.
struct Add;

impl Family for Add {
    type Member<T: Element> = fn(Isa, Terms<'_, T>);
}

static ADD: Each<Add> = Each { f32: add, f64: add };

/// Adds terms with an instruction set that this machine has.
fn add<T: Element>(isa: Isa, terms: Terms<'_, T>) {
    match isa {
        Isa::Portable => portable(AddLines::<_, T::Portable>(terms, PhantomData)),
        // SAFETY: instruction sets come from `Isa::all`, which lists what this machine has.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { avx2(AddLines::<_, T::Avx2>(terms, PhantomData)) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { avx512(AddLines::<_, T::Avx512>(terms, PhantomData)) },
    }
}

/// The terms of a product, and its sums.
struct Terms<'a, T> {
    parts: &'a [Part<'a, T>],
    columns: Range<usize>,
    /// The first elements of the rows of the left side, each of which has one for each line.
    left: SmallVec<[*const T; MOST_ROWS]>,
    /// A row of sums, one for each column, `stride` apart, for each row of the left side.
    sums: &'a mut [T],
    stride: usize,
}

struct AddLines<'a, T, V>(Terms<'a, T>, PhantomData<V>);

impl<T: Element, V: Vector<T>> Loop for AddLines<'_, T, V> {
    #[inline(always)]
    fn run<const FMA: bool>(mut self) {
        let mut term = 0;
        for number in 0..self.0.parts.len() {
            let Part { data, stride, count } = self.0.parts[number];
            let mut line = 0;
            while line + TOGETHER <= count {
                self.add::<FMA, TOGETHER>(&data[line * stride..], stride, term);
                (line, term) = (line + TOGETHER, term + TOGETHER);
            }
            while line < count {
                self.add::<FMA, 1>(&data[line * stride..], stride, term);
                (line, term) = (line + 1, term + 1);
            }
        }
    }
}

impl<T: Element, V: Vector<T>> AddLines<'_, T, V> {
    /// Adds `N` lines, which begin in `data`, times the left side's elements from number `term` on.
    #[inline(always)]
    fn add<const FMA: bool, const N: usize>(&mut self, data: &[T], stride: usize, term: usize) {
        let Terms { columns, .. } = &self.0;
        let lines = &data[columns.start..(N - 1) * stride + columns.end];
        let from = lines.as_ptr();
        let count = columns.len();
        let mut column = 0;
        // SAFETY: the lines have these columns; the registers are those of the instruction set that
        // this runs at.
        unsafe {
            if const { V::COUNT < TALL_REGISTERS } {
                while column + 2 * V::LANES <= count {
                    self.tile::<FMA, N, 2>(from, stride, term, column);
                    column += 2 * V::LANES;
                }
            } else {
                while column + 4 * V::LANES <= count {
                    self.tile::<FMA, N, 4>(from, stride, term, column);
                    column += 4 * V::LANES;
                }
            }
            while column + V::LANES <= count {
                self.tile::<FMA, N, 1>(from, stride, term, column);
                column += V::LANES;
            }
        }
        for column in column..count {
            for row in 0..self.0.left.len() {
                let sum = &mut self.0.sums[row * self.0.stride + column];
                for line in 0..N {
                    // SAFETY: a row of the left side has an element for each line.
                    let a = unsafe { *self.0.left[row].add(term + line) };
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
    unsafe fn tile<const FMA: bool, const N: usize, const P: usize>(
        &mut self,
        from: *const T,
        stride: usize,
        term: usize,
        column: usize,
    ) {
        let Terms { left, sums, stride: step, .. } = &mut self.0;
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
    use crate::cpu::drawn::numbers;
    use crate::cpu::operand::Operand;
    use crate::learn::{Parameter, ParameterId};
    use crate::model::stack::WeightBlock;

    /// Some rows of two parameters, the second of which has more columns, one below the other.
    fn stacked<T: Element>(
        [first, second]: [usize; 2],
        width: usize,
    ) -> (Weights, Parameters<T>, Vec<T>) {
        const ROOM: usize = 2;
        let mut parameters = Parameters::new();
        let mut matrix = Vec::new();
        let mut blocks = Vec::new();
        for (count, start, columns) in
            [(first, [0, 0], width), (second, [1, ROOM], width + 2 * ROOM)]
        {
            let values = numbers::<T>((count + 1) * columns, columns as u64);
            for row in start[0]..start[0] + count {
                matrix.extend_from_slice(&values[row * columns + start[1]..][..width]);
            }
            let name = format!("{}", blocks.len());
            let parameter = Parameter::new(&name, &[count + 1, columns], values).unwrap();
            let param: ParameterId = parameters.push(parameter).unwrap();
            let place = [if blocks.is_empty() { 0 } else { first }, 0];
            blocks.push(WeightBlock { param, start, size: [count, width], place });
        }
        (Weights { blocks, size: [first + second, width], transposed: true }, parameters, matrix)
    }

    /// Every element is one chain of multiply-adds, from the first term to the last.
    fn check<T: Element>(rows: usize, counts: [usize; 2], width: usize, add: bool, cut: usize) {
        let (weights, parameters, matrix) = stacked::<T>(counts, width);
        assert!(Lines::<T>::can_be(&weights));
        let lines = Lines::of(&weights, &parameters);
        let inner = counts[0] + counts[1];
        let left = numbers::<T>(rows * inner, 7);
        let of_left = Operand::of_slice(&left, inner);
        let cut = cut.min(lines.units());
        for isa in Isa::all() {
            let fused = isa != Isa::Portable || cfg!(target_arch = "aarch64");
            let mut out = vec![T::from_f64(0.25); rows * width];
            for units in [0..cut, cut..lines.units()] {
                let own = lines.columns(&units);
                if own.is_empty() {
                    continue;
                }
                let to = OperandMut::of_slice(&mut out, width).narrowed(own);
                lines.multiply_on(isa, units, rows, to, Left::Rows(&of_left), add);
            }
            for (element, found) in out.iter().enumerate() {
                let (row, column) = (element / width, element % width);
                let mut sum = T::zero();
                for term in 0..inner {
                    let (a, b) = (left[row * inner + term], matrix[term * width + column]);
                    sum = if fused { a.mul_add(b, sum) } else { a * b + sum };
                }
                let sum = if add { T::from_f64(0.25) + sum } else { sum };
                assert_eq!(*found, sum, "{isa:?}, row {row}, column {column}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() })]

        #[test]
        fn products_with_lines_are_products(
            rows in 1..=2 * MOST_ROWS + 1, first in 0usize..12, second in 1usize..12,
            width in 1usize..200, add: bool, cut in 0usize..4,
        ) {
            check::<f32>(rows, [first, second], width, add, cut);
            check::<f64>(rows, [first, second], width, add, cut);
        }
    }

    /// Only a matrix that lies line by line, with all of its columns.
    #[test]
    fn what_is_side_by_side_is_packed() {
        let (weights, ..) = stacked::<f32>([3, 4], 10);
        let not = |change: &dyn Fn(&mut Weights)| {
            let mut changed = weights.clone();
            change(&mut changed);
            assert!(!Lines::<f32>::can_be(&changed));
        };
        not(&|weights| weights.transposed = false);
        not(&|weights| weights.blocks.swap(0, 1));
        not(&|weights| weights.blocks[1].place = [0, 10]);
        not(&|weights| weights.size[1] = 20);
    }
}
