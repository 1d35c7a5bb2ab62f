//! Looks up where the operands of a product begin, and where its results go. This is done once for the rows of
//! a block, and not in the code of tiles.

use std::mem::MaybeUninit;
use std::ops::Range;

use crate::memory::{Operand, OperandMut, of_row};
use crate::numbers::Element;

/// The most rows of a block. The more rows a block has, the less often panels are read from a far cache.
pub(super) const MAX_BLOCK_ROWS: usize = 192;

/// Where some columns of a product's result are written.
pub struct Destination<'a, T> {
    /// The first of these columns; their number is the width of `rows`.
    first: usize,
    rows: OperandMut<'a, T>,
    /// Whether the product is added to the present contents.
    added: bool,
}

impl<'a, T: Element> Destination<'a, T> {
    /// The rows of an operand as the destination of the columns from `first` on. If `added`, the columns are
    /// added to the present contents; otherwise they overwrite them.
    pub fn new(first: usize, rows: OperandMut<'a, T>, added: bool) -> Self {
        assert!(first.checked_add(rows.width()).is_some(), "columns that a product can have");
        Self { first, rows, added }
    }

    /// Whether it has all of these columns of the product.
    pub(crate) fn has(&self, first: usize, count: usize) -> bool {
        self.first <= first && first + count <= self.first + self.rows.width()
    }

    /// A row, with all columns of the destination.
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [T] {
        self.rows.row_mut(row)
    }

    /// Whether sums are added to the present contents.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn is_added(&self) -> bool {
        self.added
    }

    /// The element of a row in this column of the product, and the number of elements from row to row. The
    /// destination must [have](Self::has) the column. Checks that there are `rows` rows from this one on.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn begin(&self, row: usize, rows: usize, column: usize) -> (*mut T, usize) {
        assert!(rows > 0 && self.has(column, 1), "a column that it has");
        self.rows.pointer(row + rows - 1);
        (self.rows.pointer(row).wrapping_add(column - self.first), self.rows.step())
    }

    /// Appends the columns of another destination, if they follow these columns directly both in the product
    /// and in memory. Returns whether they do.
    pub fn takes(&mut self, other: &Self) -> bool {
        self.first + self.rows.width() == other.first
            && self.added == other.added
            && self.rows.takes(&other.rows)
    }

    /// Looks up some rows, with all columns of the destination.
    pub(super) fn hold(&self, rows: Range<usize>, held: &mut Held<T>) {
        held.begin.set(rows.map(|row| self.rows.pointer(row)));
        held.columns = self.first..self.first + self.rows.width();
        held.added = self.added;
    }

    /// Writes the sums of a row that belong to this destination. `sums` begins with column `first`.
    pub(crate) fn put(&mut self, row: usize, first: usize, sums: &[T], add: bool) {
        let from = self.first.max(first);
        let to = (self.first + self.rows.width()).min(first + sums.len());
        if from >= to {
            return;
        }
        let out = &mut self.rows.row_mut(row)[from - self.first..to - self.first];
        let sums = &sums[from - first..to - first];
        if add || self.added {
            out.iter_mut().zip(sums).for_each(|(out, &sum)| *out += sum);
        } else {
            out.copy_from_slice(sums);
        }
    }
}

/// A block's rows of a destination, looked up once for all its tiles.
pub(super) struct Held<T> {
    /// Where the block's rows begin, with all columns of the destination.
    begin: Beginnings<*mut T>,
    /// The columns of the product that belong to the destination.
    pub(super) columns: Range<usize>,
    pub(super) added: bool,
}

impl<T> Held<T> {
    pub(super) fn new() -> Self {
        Self { begin: Beginnings::new(), columns: 0..0, added: false }
    }

    #[inline(always)]
    pub(super) fn holds(&self, first: usize, count: usize) -> bool {
        self.columns.start <= first && first + count <= self.columns.end
    }

    /// Where the sums of the block's row `row` begin, in column `first`.
    ///
    /// # Safety
    /// The column must be held, and the block must have the row.
    #[inline(always)]
    pub(super) unsafe fn at(&self, row: usize, first: usize) -> *mut T {
        // SAFETY: guaranteed by the caller.
        unsafe { self.begin.get(row).add(first - self.columns.start) }
    }
}

impl<T: Element> Held<T> {
    /// Writes the sums of the block's row `row` from column `first` on. There are fewer of them than a tile has
    /// columns.
    ///
    /// # Safety
    /// The columns must be held, and the block must have the row.
    #[inline]
    pub(super) unsafe fn put(&self, row: usize, first: usize, line: &[T], add: bool) {
        for (column, &sum) in line.iter().enumerate() {
            // SAFETY: the caller guarantees that the element exists.
            unsafe {
                let out = self.at(row, first + column);
                *out = if add { *out + sum } else { sum };
            }
        }
    }
}

/// Where each row of a block begins. There is room for the rows of the largest block; only the rows of the
/// present block are set.
pub(super) struct Beginnings<P>([MaybeUninit<P>; MAX_BLOCK_ROWS]);

impl<P: Copy> Beginnings<P> {
    pub(super) fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; MAX_BLOCK_ROWS])
    }

    fn set(&mut self, beginnings: impl Iterator<Item = P>) {
        for (place, beginning) in self.0.iter_mut().zip(beginnings) {
            place.write(beginning);
        }
    }

    /// # Safety
    /// The row must have been set.
    #[inline(always)]
    pub(super) unsafe fn get(&self, row: usize) -> P {
        // SAFETY: the caller guarantees that the row is set, so there is room for it, too.
        unsafe { self.0.get_unchecked(row).assume_init() }
    }
}

/// The left side of a product.
#[derive(Clone, Copy)]
pub enum Left<'a, T> {
    /// The rows of an operand.
    Rows(&'a Operand<'a, T>),
    /// Columns of a matrix in memory.
    Columns {
        /// The elements of the matrix, from the first element of the first column on.
        data: &'a [T],
        /// The number of elements from row to row of the matrix.
        stride: usize,
    },
}

impl<T: Element> Left<'_, T> {
    /// Looks up where the elements `terms` of some rows of this side begin, and returns the distance between
    /// elements.
    #[inline(never)]
    pub(super) fn begin(
        &self,
        rows: Range<usize>,
        terms: Range<usize>,
        beginnings: &mut Beginnings<*const T>,
    ) -> usize {
        match *self {
            Left::Rows(operand) => {
                beginnings.set(rows.map(|row| operand.row(row)[terms.clone()].as_ptr()));
                1
            }
            Left::Columns { data, stride } => {
                // If there are no rows of vertices, the sum has no terms, and there is no data.
                let first = of_row(rows.start, terms.start, stride);
                let data = data.get(first..).unwrap_or_default();
                let last = terms.len().checked_sub(1);
                let end = last.map_or(0, |last| of_row(rows.len(), last, stride));
                let data = data[..end].as_ptr();
                beginnings.set((0..rows.len()).map(|row| data.wrapping_add(row)));
                stride
            }
        }
    }
}
