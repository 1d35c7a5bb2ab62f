//! Products of few rows with a matrix that is read where it lies in memory, as parameters are.
//!
//! The input is a matrix in blocks ([`StoredBlock`]), and a few rows. The result is their product. It
//! has the same bits as a product with [panels](crate::panels), since its sums have the same order. The back
//! end calls this code if there are too few rows for packing to pay off.
//!
//! Packing a matrix would move all of it once more. Instead, a product of few rows reads the matrix where it
//! lies: line by line (`lines`) if the matrix lies row by row, or column by column (`columns`) if its transpose
//! lies row by row.

mod columns;
mod lines;
pub mod stored;

use std::ops::Range;

use smallvec::SmallVec;

use crate::compiled_here;
use crate::memory::OperandMut;
use crate::numbers::Element;
use crate::processor::{Isa, Square, VectorLoop, run_on};
use crate::products::{Destination, Left, MAX_CHAINED_TERMS, product_in_halves};

pub(crate) use stored::StoredBlock;

/// A part of the matrix that was read is multiplied with up to this many rows; for more rows, the matrix is
/// read again.
pub const MOST_ROWS: usize = 16;

/// A matrix as the right-hand side of products, read where it lies.
#[derive(Debug)]
pub struct InPlace<'a, T> {
    blocks: SmallVec<[StoredBlock<'a, T>; 4]>,
    /// The number of terms of each sum; below, the number of columns.
    inner: usize,
    width: usize,
    /// Whether the matrix lies line by line.
    by_lines: bool,
}

impl<'a, T: Element> InPlace<'a, T> {
    /// A matrix `W` of this size for products `Y W`. The blocks follow each other from the first row on, and
    /// each has all columns of the matrix.
    pub fn lines(blocks: impl Iterator<Item = StoredBlock<'a, T>>, size: [usize; 2]) -> Self {
        let [inner, width] = size;
        let blocks: SmallVec<[StoredBlock<'a, T>; 4]> = blocks.collect();
        for block in &blocks {
            block.check(size);
            assert!(block.place[1] == 0 && block.size[1] == width, "a block has all columns");
        }
        Self { blocks, inner, width, by_lines: true }
    }

    /// A matrix `W` of this size for products `X Wᵀ`, from its blocks.
    pub fn columns(blocks: impl Iterator<Item = StoredBlock<'a, T>>, size: [usize; 2]) -> Self {
        let [width, inner] = size;
        let blocks: SmallVec<[StoredBlock<'a, T>; 4]> = blocks.collect();
        blocks.iter().for_each(|block| block.check(size));
        Self { blocks, inner, width, by_lines: false }
    }

    /// The number of columns of a product.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Computes some columns of a product, for `rows` rows of the left side. `out` has only these columns; the
    /// product overwrites it, or is added to it if `add`. The machine must have the instruction set.
    pub fn multiply(
        &self,
        isa: Isa,
        columns: Range<usize>,
        rows: usize,
        out: OperandMut<'_, T>,
        left: Left<'_, T>,
        add: bool,
    ) {
        let Range { start, end } = columns;
        assert!(start <= end && end <= self.width, "columns of the matrix");
        let Left::Rows(left) = left else {
            unreachable!("the left side of a product with parameters is rows")
        };
        let (blocks, by_lines) = (&self.blocks[..], self.by_lines);
        let (size, mut out) = ([rows, columns.len()], [Destination::new(0, out, false)]);
        product_in_halves(
            0..self.inner,
            MAX_CHAINED_TERMS,
            size,
            &mut out,
            add,
            &|terms, out, add| {
                let [out] = out else { unreachable!("the product has one destination") };
                let parts = rows.div_ceil(MOST_ROWS);
                for part in 0..parts {
                    // The first parts have a row more if the rows cannot be divided evenly.
                    let begin = |part: usize| part * (rows / parts) + part.min(rows % parts);
                    let some = begin(part)..begin(part + 1);
                    let of_row = |row: usize| left.row(row)[..terms.end].as_ptr();
                    let left = some.clone().map(of_row).collect();
                    let out =
                        some.map(|row| out.row_mut(row)[..columns.len()].as_mut_ptr()).collect();
                    let (columns, terms) = (columns.clone(), terms.clone());
                    run(isa, Chains { blocks, by_lines, columns, terms, left, out, add });
                }
            },
        );
    }
}

compiled_here! {
    /// Computes sums with an instruction set that this machine has.
    fn run(isa: Isa, chains: Chains<'_, T>) {
        run_on(isa, chains);
    }
}

/// Some columns of a product with up to [`MOST_ROWS`] rows, over some terms. Each element is one chain.
struct Chains<'a, T> {
    blocks: &'a [StoredBlock<'a, T>],
    by_lines: bool,
    columns: Range<usize>,
    terms: Range<usize>,
    /// Pointers to the rows of the left side; each row has an element for each term.
    left: SmallVec<[*const T; MOST_ROWS]>,
    /// Pointers to the rows of the result; each row has an element for each of the columns.
    out: SmallVec<[*mut T; MOST_ROWS]>,
    /// Whether sums are added to the present contents.
    add: bool,
}

impl<T: Element> VectorLoop<T> for Chains<'_, T> {
    #[inline(always)]
    unsafe fn run<V: Square<T>, const FMA: bool>(self) {
        // SAFETY: the caller guarantees that the machine has the registers.
        unsafe {
            if self.by_lines { self.by_lines::<V, FMA>() } else { self.by_columns::<V, FMA>() }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::in_place::stored::tests::Cut;
    use crate::memory::Operand;
    use crate::numbers::{chain, numbers};
    use crate::products::Panels;

    /// A matrix with this many terms and columns, cut at a term and a column.
    fn stored<T: Element>(by_lines: bool, size: [usize; 2], cut: [usize; 2]) -> Cut<T> {
        let [inner, width] = size;
        match by_lines {
            true => Cut::new(size, [cut[0], width]),
            false => Cut::new([width, inner], [cut[1], cut[0]]),
        }
    }

    fn in_place<T: Element>(by_lines: bool, of: &Cut<T>, size: [usize; 2]) -> InPlace<'_, T> {
        let [inner, width] = size;
        match by_lines {
            true => InPlace::lines(of.blocks(), size),
            false => InPlace::columns(of.blocks(), [width, inner]),
        }
    }

    fn panels<T: Element>(by_lines: bool, of: &Cut<T>, [inner, width]: [usize; 2]) -> Panels<T> {
        let mut panels = Panels::default();
        match by_lines {
            true => panels.pack_lines(inner, width, &of.matrix()),
            false => panels.pack_columns(width, inner, &of.matrix()),
        }
        panels
    }

    /// Every element is one chain of multiply-adds, from the first term to the last.
    fn check<T: Element>(
        by_lines: bool,
        rows: usize,
        size: [usize; 2],
        cut: [usize; 2],
        add: bool,
        part: usize,
    ) {
        let stored = stored::<T>(by_lines, size, cut);
        let (matrix, values) = (in_place(by_lines, &stored, size), stored.matrix());
        let [inner, width] = size;
        let left = numbers::<T>(rows * inner, 7);
        let of_left = Operand::of_slice(&left, inner);
        for isa in Isa::all() {
            let mut out = vec![T::from_f64(0.25); rows * width];
            for own in [0..part, part..width] {
                if own.is_empty() {
                    continue;
                }
                let to = OperandMut::of_slice(&mut out, width).narrowed(own.clone());
                matrix.multiply(isa, own, rows, to, Left::Rows(&of_left), add);
            }
            for (element, found) in out.iter().enumerate() {
                let (row, column) = (element / width, element % width);
                let place = |term| match by_lines {
                    true => term * width + column,
                    false => column * inner + term,
                };
                let of = |term| (left[row * inner + term], values[place(term)]);
                let sum = chain(isa, (0..inner).map(of));
                let sum = if add { T::from_f64(0.25) + sum } else { sum };
                assert_eq!(*found, sum, "{isa:?}, row {row}, column {column}");
            }
            if isa == Isa::best() && !add {
                let mut same = vec![T::zero(); rows * width];
                let panels = panels(by_lines, &stored, size);
                panels.multiply_into(rows, &mut same, Left::Rows(&of_left));
                assert_eq!(out, same, "the bits of a product with panels");
            }
        }
    }

    /// Fault B1: a sum of many terms was one chain. Now it is cut at the same places as in a product with
    /// panels.
    #[test]
    fn long_sums_have_the_bits_of_a_product_with_panels() {
        for by_lines in [true, false] {
            let size @ [inner, width] = [2 * MAX_CHAINED_TERMS + 70, 37];
            let rows = 3;
            let stored = stored::<f32>(by_lines, size, [MAX_CHAINED_TERMS - 9, 5]);
            let left = numbers::<f32>(rows * inner, 7);
            let left = Operand::of_slice(&left, inner);
            let [mut out, mut same] = [(); 2].map(|()| vec![0.25; rows * width]);
            let matrix = in_place(by_lines, &stored, size);
            let to = OperandMut::of_slice(&mut out, width);
            matrix.multiply(Isa::best(), 0..width, rows, to, Left::Rows(&left), true);
            let panels = panels(by_lines, &stored, size);
            let (all, to) = (0..panels.panels().0, OperandMut::of_slice(&mut same, width));
            panels.multiply_panels(all, rows, to, Left::Rows(&left), true);
            assert_eq!(out, same, "{by_lines}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..Default::default() })]

        #[test]
        fn products_in_place_are_products(
            by_lines: bool, rows in 1..=2 * MOST_ROWS + 1, size in [1usize..70, 1usize..200],
            cut in [0usize..70, 0usize..200], add: bool, part in 0usize..200,
        ) {
            let cut = [cut[0].min(size[0]), cut[1].min(size[1])];
            let part = part.min(size[1]);
            check::<f32>(by_lines, rows, size, cut, add, part);
            check::<f64>(by_lines, rows, size, cut, add, part);
        }
    }
}
