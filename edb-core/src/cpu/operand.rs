//! Operands of kernels: rows in memory, and which of them belongs to each row of the result.

use super::memory::Shared;
use crate::graph::ABSENT;

/// Which row of an operand belongs to a row of the result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rows<'a> {
    /// The one with the same number.
    Each,
    /// The only one: the operand exists once a step.
    One,
    /// The row of the vertex that the edge enters; rows are counted from `first`.
    Owner { owners: &'a [u32], first: u32 },
    /// The row of a child, looked up by number. An absent child reads as the zeros at the beginning
    /// of the memory.
    Gather(&'a [u32]),
}

/// Rows that are read: `width` elements each, `stride` apart.
pub(crate) struct Operand<'a, T> {
    memory: Shared<'a, T>,
    /// The first element of the first row.
    pub(crate) start: usize,
    pub(crate) stride: usize,
    pub(crate) width: usize,
    pub(crate) rows: Rows<'a>,
}

impl<T> Clone for Operand<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Operand<'_, T> {}

impl<'a, T> Operand<'a, T> {
    /// Rows in some memory, from element `start` on.
    ///
    /// # Safety
    /// While the operand is in use, the elements that are read from it must not be written.
    pub(super) unsafe fn new(
        memory: Shared<'a, T>,
        start: usize,
        stride: usize,
        width: usize,
        rows: Rows<'a>,
    ) -> Self {
        Self { memory, start, stride, width, rows }
    }

    /// The contiguous rows of a slice.
    pub(crate) fn of_slice(data: &'a [T], width: usize) -> Self {
        Self { memory: Shared::of(data), start: 0, stride: width, width, rows: Rows::Each }
    }

    /// Some of the columns of these rows.
    pub(super) fn narrowed(self, columns: std::ops::Range<usize>) -> Self {
        assert!(columns.end <= self.width, "columns that it has");
        Self { start: self.start + columns.start, width: columns.len(), ..self }
    }

    /// Whether the rows are contiguous.
    pub(super) fn is_adjacent(&self) -> bool {
        matches!(self.rows, Rows::Each) && self.stride == self.width
    }

    /// Makes this many [adjacent](Self::is_adjacent) rows one row.
    pub(super) fn join(&mut self, rows: usize) {
        self.width *= rows;
    }

    /// The number of elements from one row to the next; 0 where rows are looked up, or are all the
    /// same.
    pub(super) fn step(&self) -> usize {
        if matches!(self.rows, Rows::Each) { self.stride } else { 0 }
    }

    #[inline(always)]
    fn first(&self, row: usize) -> usize {
        let stored = match self.rows {
            Rows::Each => row,
            Rows::One => 0,
            Rows::Owner { owners, first } => (owners[row] - first) as usize,
            Rows::Gather(rows) => match rows[row] {
                ABSENT => return 0,
                stored => stored as usize,
            },
        };
        self.start + stored * self.stride
    }

    /// The row that belongs to this row of the result.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> &'a [T] {
        let first = self.first(row);
        // SAFETY: the row is not written meanwhile, as the creator of the operand guarantees.
        unsafe { self.memory.read(first..first + self.width) }
    }

    /// The elements from column `first` of the first of these rows on, to the end of the last row,
    /// as [`Left::Columns`](super::tile::Left) reads them.
    ///
    /// # Panics
    /// When the operand's rows are not [`Rows::Each`].
    pub(super) fn columns(&self, rows: std::ops::Range<usize>, first: usize) -> &'a [T] {
        assert!(matches!(self.rows, Rows::Each), "a row for each");
        if rows.is_empty() {
            return &[];
        }
        let [start, last] = [rows.start, rows.end - 1].map(|row| self.start + row * self.stride);
        // SAFETY: this is read after all elements in these rows have been computed.
        unsafe { self.memory.read(start + first..last + self.width) }
    }

    /// A pointer to the first element of a row, which is checked to be within the memory. Access
    /// through it is subject to the contract of [`Operand::new`].
    #[inline]
    pub(super) fn pointer(&self, row: usize) -> *const T {
        let first = self.first(row);
        self.memory.pointer(first..first + self.width)
    }
}

/// Rows that are written: one for each row of the result, never looked up.
pub(crate) struct OperandMut<'a, T>(Operand<'a, T>);

impl<'a, T> OperandMut<'a, T> {
    /// Rows in some memory, from element `start` on.
    ///
    /// # Safety
    /// While the operand is in use, no other code may read or write the elements written to it.
    pub(super) unsafe fn new(
        memory: Shared<'a, T>,
        start: usize,
        stride: usize,
        width: usize,
    ) -> Self {
        Self(Operand { memory, start, stride, width, rows: Rows::Each })
    }

    /// The contiguous rows of a slice.
    pub(super) fn of_slice(data: &'a mut [T], width: usize) -> Self {
        // SAFETY: the slice is borrowed exclusively for as long as the operand lives.
        unsafe { Self::new(Shared::new(data), 0, width, width) }
    }

    /// Another operand for the same rows.
    ///
    /// # Safety
    /// While a row is written through one of the two, it must not be read or written through the
    /// other.
    pub(super) unsafe fn duplicate(&self) -> Self {
        Self(self.0)
    }

    /// The number of elements of a row.
    pub(crate) fn width(&self) -> usize {
        self.0.width
    }

    /// Whether the rows are contiguous.
    pub(super) fn is_adjacent(&self) -> bool {
        self.0.is_adjacent()
    }

    /// Some of the columns of these rows.
    pub(super) fn narrowed(self, columns: std::ops::Range<usize>) -> Self {
        Self(self.0.narrowed(columns))
    }

    /// Appends the columns of another operand, if its rows directly follow those of this one in
    /// memory. Returns whether they do.
    pub(super) fn takes(&mut self, other: &Self) -> bool {
        let (own, other) = (&mut self.0, &other.0);
        let takes = own.memory.is(&other.memory)
            && own.stride == other.stride
            && own.start + own.width == other.start;
        if takes {
            own.width += other.width;
        }
        takes
    }

    /// Makes this many [adjacent](Self::is_adjacent) rows one row.
    pub(super) fn join(&mut self, rows: usize) {
        self.0.join(rows);
    }

    /// The row that belongs to this row of the result, as it was written.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> &[T] {
        self.0.row(row)
    }

    /// The same, to be written.
    #[inline(always)]
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [T] {
        let first = self.0.first(row);
        // SAFETY: no other code reads or writes the row, as the creator of the operand guarantees.
        unsafe { self.0.memory.write(first..first + self.0.width) }
    }

    /// A pointer to the first element of a row, which is checked to be within the memory. Access
    /// through it is subject to the contract of [`OperandMut::new`].
    #[inline]
    pub(super) fn pointer(&self, row: usize) -> *mut T {
        let first = self.0.first(row);
        self.0.memory.pointer(first..first + self.0.width)
    }

    /// The number of elements from one such pointer to that of the next row.
    pub(super) fn step(&self) -> usize {
        self.0.step()
    }
}
