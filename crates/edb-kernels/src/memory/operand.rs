//! Operands of kernels: rows in memory, and which of them belongs to each row of the result.

use derive_where::derive_where;

use super::places::{behind, of_row, outside, times};
use crate::memory::Shared;

/// The number that stands for an absent child. Its row is the zeros at the beginning of the memory.
pub const ABSENT: u32 = u32::MAX;

/// Which row of an operand belongs to a row of the result.
#[derive(Clone, Copy, Debug)]
pub enum RowLookup<'a> {
    /// The row with the same number.
    SameRow,
    /// The only row: the operand exists once per step.
    One,
    /// The row of the vertex that the edge enters; the operand's rows begin with row `first`.
    Owner {
        /// The row of the vertex, for each edge.
        owners: &'a [u32],
        /// The number of the vertex row with which the operand begins.
        first: u32,
    },
    /// The row of a child, looked up by number. An absent child reads as the zeros at the beginning
    /// of the memory.
    Gather(&'a [u32]),
}

/// Rows to read. Each has `width` elements, and they lie `stride` elements apart.
#[derive_where(Clone, Copy)]
pub struct Operand<'a, T> {
    memory: Shared<'a, T>,
    /// The first element of the first row.
    start: usize,
    stride: usize,
    width: usize,
    rows: RowLookup<'a>,
}

impl<'a, T> Operand<'a, T> {
    /// Rows in some memory, from element `start` on.
    ///
    /// # Safety
    /// While the operand is in use, the elements that are read from it must not be written.
    pub unsafe fn new(
        memory: Shared<'a, T>,
        start: usize,
        stride: usize,
        width: usize,
        rows: RowLookup<'a>,
    ) -> Self {
        Self { memory, start, stride, width, rows }
    }

    /// The contiguous rows of a slice.
    pub fn of_slice(data: &'a [T], width: usize) -> Self {
        Self { memory: Shared::of(data), start: 0, stride: width, width, rows: RowLookup::SameRow }
    }

    /// The elements of a row.
    #[inline(always)]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of elements from the beginning of one row to the beginning of the next.
    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// How to find the row that belongs to a row of the result.
    pub(crate) fn rows(&self) -> RowLookup<'a> {
        self.rows
    }

    /// Some of the columns of these rows.
    pub fn narrowed(self, columns: std::ops::Range<usize>) -> Self {
        assert!(columns.start <= columns.end && columns.end <= self.width, "columns that it has");
        Self { start: behind(self.start, columns.start), width: columns.len(), ..self }
    }

    /// Whether the rows are contiguous.
    pub(crate) fn is_adjacent(&self) -> bool {
        matches!(self.rows, RowLookup::SameRow) && self.stride == self.width
    }

    /// Makes this many [adjacent](Self::is_adjacent) rows one row.
    pub(crate) fn join(&mut self, rows: usize) {
        self.width = times(rows, self.width);
    }

    /// The number of elements from one row to the next; 0 if rows are looked up, or if there is only one.
    pub(crate) fn step(&self) -> usize {
        if matches!(self.rows, RowLookup::SameRow) { self.stride } else { 0 }
    }

    #[inline(always)]
    fn first(&self, row: usize) -> usize {
        let stored = match self.rows {
            RowLookup::SameRow => row,
            RowLookup::One => 0,
            RowLookup::Owner { owners, first } => match owners[row].checked_sub(first) {
                Some(stored) => stored as usize,
                None => outside(),
            },
            RowLookup::Gather(rows) => match rows[row] {
                ABSENT => return 0,
                stored => stored as usize,
            },
        };
        of_row(self.start, stored, self.stride)
    }

    /// Where the elements of this row of the result lie, if they are within the memory.
    #[inline(always)]
    fn elements(&self, row: usize) -> std::ops::Range<usize> {
        let first = self.first(row);
        // A sum that wraps around ends before it begins, and the memory refuses it.
        first..first.wrapping_add(self.width)
    }

    /// The row that belongs to this row of the result.
    #[inline(always)]
    pub fn row(&self, row: usize) -> &'a [T] {
        let elements = self.elements(row);
        // SAFETY: the creator of the operand guarantees that the row is not written while it is read.
        unsafe { self.memory.read(elements) }
    }

    /// The elements from column `first` of the first of these rows on, to the end of the last row,
    /// as [`Left::Columns`](crate::tile::Left) reads them.
    ///
    /// # Panics
    /// When the operand's rows are not [`RowLookup::SameRow`], or there is no such column.
    pub(crate) fn columns(&self, rows: std::ops::Range<usize>, first: usize) -> &'a [T] {
        assert!(matches!(self.rows, RowLookup::SameRow), "a row for each");
        assert!(first <= self.width, "columns that it has");
        if rows.is_empty() {
            return &[];
        }
        let [start, last] = [rows.start, rows.end - 1].map(|row| self.first(row));
        let end = behind(last, self.width);
        // SAFETY: this is read after all elements in these rows have been computed.
        unsafe { self.memory.read(start + first..end) }
    }

    /// A pointer to the first element of a row, which is checked to be within the memory. Access
    /// through it is subject to the contract of [`Operand::new`].
    #[inline(always)]
    pub(crate) fn pointer(&self, row: usize) -> *const T {
        self.memory.pointer(self.elements(row))
    }
}

/// Rows to write: one for each row of the result. They are never looked up.
pub struct OperandMut<'a, T>(Operand<'a, T>);

impl<'a, T> OperandMut<'a, T> {
    /// Rows in some memory, from element `start` on.
    ///
    /// # Safety
    /// While the operand is in use, no other code may read or write the elements written to it.
    pub unsafe fn new(memory: Shared<'a, T>, start: usize, stride: usize, width: usize) -> Self {
        Self(Operand { memory, start, stride, width, rows: RowLookup::SameRow })
    }

    /// The contiguous rows of a slice.
    pub fn of_slice(data: &'a mut [T], width: usize) -> Self {
        // SAFETY: the slice is borrowed exclusively for as long as the operand lives.
        unsafe { Self::new(Shared::new(data), 0, width, width) }
    }

    /// Another operand for the same rows.
    ///
    /// # Safety
    /// While a row is written through one of the two operands, it must not be read or written through the
    /// other.
    pub unsafe fn duplicate(&self) -> Self {
        Self(self.0)
    }

    /// The number of elements of a row.
    pub fn width(&self) -> usize {
        self.0.width
    }

    /// Whether the rows are contiguous.
    pub(crate) fn is_adjacent(&self) -> bool {
        self.0.is_adjacent()
    }

    /// Some of the columns of these rows.
    pub fn narrowed(self, columns: std::ops::Range<usize>) -> Self {
        Self(self.0.narrowed(columns))
    }

    /// Appends the columns of another operand, if its rows directly follow those of this one in
    /// memory. Returns whether they do.
    pub(crate) fn takes(&mut self, other: &Self) -> bool {
        let (own, other) = (&mut self.0, &other.0);
        let width = own.width.checked_add(other.width);
        let takes = own.memory.is(&other.memory)
            && own.stride == other.stride
            && own.start.checked_add(own.width) == Some(other.start);
        match width.filter(|_| takes) {
            Some(width) => own.width = width,
            None => return false,
        }
        true
    }

    /// Makes this many [adjacent](Self::is_adjacent) rows one row.
    pub(crate) fn join(&mut self, rows: usize) {
        self.0.join(rows);
    }

    /// The row that belongs to this row of the result, to be read.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> &[T] {
        self.0.row(row)
    }

    /// The row that belongs to this row of the result, to be written.
    #[inline(always)]
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        let elements = self.0.elements(row);
        // SAFETY: the creator of the operand guarantees that no other code reads or writes the row.
        unsafe { self.0.memory.write(elements) }
    }

    /// A pointer to the first element of a row, which is checked to be within the memory. Access
    /// through it is subject to the contract of [`OperandMut::new`].
    #[inline(always)]
    pub(crate) fn pointer(&self, row: usize) -> *mut T {
        self.0.pointer(row).cast_mut()
    }

    /// The number of elements from one such pointer to that of the next row.
    pub(crate) fn step(&self) -> usize {
        self.0.step()
    }
}
