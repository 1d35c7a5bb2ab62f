//! Products of few rows with a matrix that lies column by column in memory, as parameters do whose
//! transpose is multiplied with.
//!
//! As in a product with [lines](crate::lines), the matrix is read where it is. A square of it is
//! transposed in registers, and multiplied with all rows before the next one is read. Sums have the order
//! of those of a product with [panels](crate::panels), and so the same bits.

use std::ops::Range;

use smallvec::SmallVec;

use crate::element::{Each, Element, Family};
use crate::isa::Isa;
use crate::operand::OperandMut;
use crate::registers::{VectorLoop, run_on};
use crate::square::{MOST_LANES, Square};
use crate::stored::StoredBlock;
use crate::terms::{PRODUCT_CHAIN, product_in_halves};
use crate::tile::{Destination, Left};

/// A square is multiplied with up to so many rows; for more rows, the matrix is read again.
pub const MOST_ROWS: usize = 16;

/// The most rows whose sums are in registers at the same time.
const AT_ONCE: usize = 4;

/// Rows of parameters as columns: the matrix of a product `X Wᵀ`.
#[derive(Debug)]
pub struct Columns<'a, T> {
    blocks: SmallVec<[Block<'a, T>; 4]>,
    /// The number of terms of each sum, and of columns.
    inner: usize,
    width: usize,
}

/// Some terms of some columns.
#[derive(Clone, Debug)]
struct Block<'a, T> {
    /// From the first element of the first column to the last one of the last column.
    data: &'a [T],
    stride: usize,
    columns: Range<usize>,
    terms: Range<usize>,
}

impl<'a, T: Element> Columns<'a, T> {
    /// The transpose of a matrix of this size, from its blocks.
    pub fn new(
        blocks: impl Iterator<Item = StoredBlock<'a, T>>,
        [width, inner]: [usize; 2],
    ) -> Self {
        let block = |block: StoredBlock<'a, T>| {
            let StoredBlock { data, stride, place: [column, term], size: [count, length] } = block;
            Block { data, stride, columns: column..column + count, terms: term..term + length }
        };
        Self { blocks: blocks.map(block).collect(), inner, width }
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// `out = X Wᵀ`, or `out += X Wᵀ`, for `rows` rows of `X` and some columns of `Wᵀ`; `out` has
    /// these only. The machine must have the instruction set.
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
        let (size, mut out) = ([rows, columns.len()], [Destination::new(0, out, false)]);
        product_in_halves(0..self.inner, PRODUCT_CHAIN, size, &mut out, add, &|terms, out, add| {
            let [out] = out else { unreachable!("the product has one destination") };
            for first in (0..rows).step_by(MOST_ROWS) {
                let some = first..rows.min(first + MOST_ROWS);
                let of_row = |row: usize| left.row(row)[..terms.end].as_ptr();
                let left = some.clone().map(of_row).collect();
                let out = some.map(|row| out.row_mut(row)[..columns.len()].as_mut_ptr()).collect();
                let (terms, columns) = (terms.clone(), columns.clone());
                ADD.of::<T>()(isa, Sums { blocks: &self.blocks, terms, columns, left, out, add });
            }
        });
    }
}

/// [`add`] for each element type.
struct Add;

impl Family for Add {
    type Member<T: Element> = fn(Isa, Sums<'_, T>);
}

static ADD: Each<Add> = Each { f32: add, f64: add };

/// Computes sums with an instruction set that this machine has.
fn add<T: Element>(isa: Isa, sums: Sums<'_, T>) {
    run_on(isa, sums);
}

/// Some columns of a product of up to [`MOST_ROWS`] rows.
struct Sums<'a, T> {
    blocks: &'a [Block<'a, T>],
    terms: Range<usize>,
    columns: Range<usize>,
    /// The first elements of the rows of the left side, which have one for each term.
    left: SmallVec<[*const T; MOST_ROWS]>,
    /// The first elements of the rows of the result, which have one for each of the columns.
    out: SmallVec<[*mut T; MOST_ROWS]>,
    /// Whether sums are added to the present contents.
    add: bool,
}

impl<T> Sums<'_, T> {
    /// The beginnings of columns from `first` on, at the term `term`, and the term before which they
    /// all are contiguous. Behind the last column there are copies of the first one.
    fn begin(&self, first: usize, count: usize, term: usize) -> ([*const T; MOST_LANES], usize) {
        let mut begin = [std::ptr::null(); MOST_LANES];
        let mut end = self.terms.end;
        for block in self.blocks.iter().filter(|block| block.terms.contains(&term)) {
            let own = block.columns.start.max(first)..block.columns.end.min(first + count);
            for column in own.clone() {
                let start =
                    (column - block.columns.start) * block.stride + term - block.terms.start;
                begin[column - first] = block.data[start..][..block.terms.end - term].as_ptr();
            }
            if !own.is_empty() {
                end = end.min(block.terms.end);
            }
        }
        assert!(!begin[..count].contains(&std::ptr::null()), "blocks cover the matrix");
        let copy = begin[0];
        begin[count..].fill(copy);
        (begin, end)
    }
}

impl<T: Element> VectorLoop<T> for Sums<'_, T> {
    #[inline(always)]
    unsafe fn run<V: Square<T>, const FMA: bool>(self) {
        let mut first = self.columns.start;
        while first < self.columns.end {
            let count = V::LANES.min(self.columns.end - first);
            // SAFETY: these columns are some of those of the product; the caller guarantees the
            // registers.
            unsafe { self.columns::<V, FMA>(first, count) };
            first += count;
        }
    }
}

/// The sums of some columns: a register for each row.
type RowSums<V> = [V; MOST_ROWS];

impl<T: Element> Sums<'_, T> {
    /// Computes the sums of `count` columns from `first` on, which are a register or less.
    ///
    /// # Safety
    /// The product must have these columns, and the machine the registers `V`.
    #[inline(always)]
    unsafe fn columns<V: Square<T>, const FMA: bool>(&self, first: usize, count: usize) {
        // SAFETY: columns are readable up to the end that `begin` returns; the rest is guaranteed by
        // the caller.
        unsafe {
            let mut sums = [V::zero(); MOST_ROWS];
            let mut term = self.terms.start;
            while term < self.terms.end {
                let (begin, end) = self.begin(first, count, term);
                let from = term;
                while term + V::LANES <= end {
                    let mut square = [V::zero(); MOST_LANES];
                    for lane in 0..V::LANES {
                        square[lane] = V::load(begin[lane].add(term - from));
                    }
                    V::transpose(&mut square);
                    self.add::<V, FMA>(&square, V::LANES, term, &mut sums);
                    term += V::LANES;
                }
                if term < end {
                    let square = rest::<T, V>(&begin, term - from..end - from);
                    self.add::<V, FMA>(&square, end - term, term, &mut sums);
                    term = end;
                }
            }
            self.put(first, count, &sums);
        }
    }

    /// Adds `terms` terms, from `term` on, to the sums of all rows, of which several are added to at
    /// the same time.
    ///
    /// # Safety
    /// There must be these terms, and the machine must have the registers `V`.
    #[inline(always)]
    unsafe fn add<V: Square<T>, const FMA: bool>(
        &self,
        square: &[V; MOST_LANES],
        terms: usize,
        term: usize,
        sums: &mut RowSums<V>,
    ) {
        let rows = self.left.len();
        let parts = rows.div_ceil(AT_ONCE);
        let mut row = 0;
        for part in 0..parts {
            let of_part = (rows - row) / (parts - part);
            // SAFETY: guaranteed by the caller.
            unsafe {
                match of_part {
                    1 => self.add_rows::<V, FMA, 1>(square, terms, term, row, sums),
                    2 => self.add_rows::<V, FMA, 2>(square, terms, term, row, sums),
                    3 => self.add_rows::<V, FMA, 3>(square, terms, term, row, sums),
                    _ => self.add_rows::<V, FMA, AT_ONCE>(square, terms, term, row, sums),
                }
            }
            row += of_part;
        }
    }

    /// The same for `ROWS` rows from `first` on.
    ///
    /// # Safety
    /// As for [`add`](Self::add); there must be these rows.
    #[inline(always)]
    unsafe fn add_rows<V: Square<T>, const FMA: bool, const ROWS: usize>(
        &self,
        square: &[V; MOST_LANES],
        terms: usize,
        term: usize,
        first: usize,
        sums: &mut RowSums<V>,
    ) {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let mut left = [std::ptr::null(); ROWS];
            let mut own = [V::zero(); ROWS];
            for row in 0..ROWS {
                left[row] = self.left[first + row].add(term);
                own[row] = sums[first + row];
            }
            for number in 0..terms {
                for row in 0..ROWS {
                    own[row] = own[row].plus_product::<FMA>(*left[row].add(number), square[number]);
                }
            }
            sums[first..first + ROWS].copy_from_slice(&own);
        }
    }

    /// Writes the sums of `count` columns from `first` on.
    ///
    /// # Safety
    /// As for [`columns`](Self::columns).
    #[inline(always)]
    unsafe fn put<V: Square<T>>(&self, first: usize, count: usize, sums: &RowSums<V>) {
        let Sums { columns, out, add, .. } = self;
        for row in 0..out.len() {
            let mut line = [T::zero(); MOST_LANES];
            // SAFETY: guaranteed by the caller.
            unsafe {
                let to = out[row].add(first - columns.start);
                if count == V::LANES {
                    let sum = if *add { V::load(to).plus(sums[row]) } else { sums[row] };
                    sum.store(to);
                    continue;
                }
                sums[row].store(line.as_mut_ptr());
                for column in 0..count {
                    let to = to.add(column);
                    *to = if *add { *to + line[column] } else { line[column] };
                }
            }
        }
    }
}

/// The terms of columns that begin at `begin`, fewer than a register has elements, as a transposed
/// square, which is zero behind them.
///
/// # Safety
/// There must be these terms, and the machine must have the registers `V`.
#[inline(always)]
unsafe fn rest<T: Element, V: Square<T>>(
    begin: &[*const T; MOST_LANES],
    terms: Range<usize>,
) -> [V; MOST_LANES] {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let mut line = [T::zero(); MOST_LANES];
        let mut square = [V::zero(); MOST_LANES];
        for lane in 0..V::LANES {
            for term in terms.clone() {
                line[term - terms.start] = *begin[lane].add(term);
            }
            square[lane] = V::load(line.as_ptr());
        }
        V::transpose(&mut square);
        square
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::drawn::{chain, numbers};
    use crate::operand::Operand;
    use crate::panels::Panels;
    use crate::stored::tests::Cut;

    /// Every element is one chain of multiply-adds, from the first term to the last.
    fn check<T: Element>(rows: usize, size: [usize; 2], cut: [usize; 2], add: bool, part: usize) {
        let cut = Cut::<T>::new(size, cut);
        let (columns, matrix) = (Columns::new(cut.blocks(), size), cut.matrix());
        let [width, inner] = size;
        let left = numbers::<T>(rows * inner, 7);
        let of_left = Operand::of_slice(&left, inner);
        let part = part.min(width);
        for isa in Isa::all() {
            let mut out = vec![T::from_f64(0.25); rows * width];
            for own in [0..part, part..width] {
                if own.is_empty() {
                    continue;
                }
                let to = OperandMut::of_slice(&mut out, width).narrowed(own.clone());
                columns.multiply(isa, own, rows, to, Left::Rows(&of_left), add);
            }
            for (element, found) in out.iter().enumerate() {
                let (row, column) = (element / width, element % width);
                let of = |term| (left[row * inner + term], matrix[column * inner + term]);
                let sum = chain(isa, (0..inner).map(of));
                let sum = if add { T::from_f64(0.25) + sum } else { sum };
                assert_eq!(*found, sum, "{isa:?}, row {row}, column {column}");
            }
            if isa == Isa::best() && !add {
                let mut panels = Panels::default();
                panels.pack_columns(width, inner, &matrix);
                let mut same = vec![T::zero(); rows * width];
                panels.multiply_into(rows, &mut same, Left::Rows(&of_left));
                assert_eq!(out, same, "the bits of a product with panels");
            }
        }
    }

    /// Fault B1: a sum of many terms was one chain. It is cut where that of a product with panels is.
    #[test]
    fn long_sums_have_the_bits_of_a_product_with_panels() {
        let [rows, width, inner] = [3, 37, 2 * PRODUCT_CHAIN + 70];
        let cut = Cut::<f32>::new([width, inner], [5, PRODUCT_CHAIN - 9]);
        let left = numbers::<f32>(rows * inner, 7);
        let left = Operand::of_slice(&left, inner);
        let [mut out, mut same] = [(); 2].map(|()| vec![0.0; rows * width]);
        let to = OperandMut::of_slice(&mut out, width);
        let columns = Columns::new(cut.blocks(), [width, inner]);
        columns.multiply(Isa::best(), 0..width, rows, to, Left::Rows(&left), false);
        let mut panels = Panels::default();
        panels.pack_columns(width, inner, &cut.matrix());
        panels.multiply_into(rows, &mut same, Left::Rows(&left));
        assert_eq!(out, same);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

        #[test]
        fn products_with_columns_are_products(
            rows in 1..=2 * MOST_ROWS + 1, size in [1usize..150, 1usize..70],
            cut in [0usize..150, 0usize..70], add: bool, part in 0usize..150,
        ) {
            let cut = [cut[0].min(size[0]), cut[1].min(size[1])];
            check::<f32>(rows, size, cut, add, part);
            check::<f64>(rows, size, cut, add, part);
        }
    }
}
