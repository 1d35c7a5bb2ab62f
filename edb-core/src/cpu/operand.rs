//! Operands of kernels: rows, wherever they lie and however often they exist.

use super::memory::Shared;
use crate::graph::ABSENT;

/// Which row of an operand belongs to a row of the result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rows<'a> {
    /// Its own.
    Each,
    /// The only one: the operand exists once a step.
    One,
    /// That of the vertex which the edge enters; rows are counted from `first`.
    Owner { owners: &'a [u32], first: u32 },
    /// That of a child, wherever it is. What is absent reads as the zeros that the memory begins
    /// with.
    Gather(&'a [u32]),
}

/// The rows of an operand: `width` elements each, `stride` apart.
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
    /// While it is in use, nobody may write what is read from it, nor read or write what is
    /// written to it.
    pub(super) unsafe fn new(
        memory: Shared<'a, T>,
        start: usize,
        (stride, width): (usize, usize),
        rows: Rows<'a>,
    ) -> Self {
        Self { memory, start, stride, width, rows }
    }

    /// Some of the columns of these rows.
    pub(super) fn narrowed(self, columns: std::ops::Range<usize>) -> Self {
        assert!(columns.end <= self.width, "columns that it has");
        Self { start: self.start + columns.start, width: columns.len(), ..self }
    }

    /// Whether the rows of another operand go on where those of this one end.
    pub(super) fn is_followed_by(&self, other: &Self) -> bool {
        matches!((self.rows, other.rows), (Rows::Each, Rows::Each))
            && self.memory.is(&other.memory)
            && self.stride == other.stride
            && self.start + self.width == other.start
    }

    #[inline(always)]
    fn first(&self, at: usize) -> usize {
        let row = match self.rows {
            Rows::Each => at,
            Rows::One => 0,
            Rows::Owner { owners, first } => (owners[at] - first) as usize,
            Rows::Gather(rows) => match rows[at] {
                ABSENT => return 0,
                row => row as usize,
            },
        };
        self.start + row * self.stride
    }

    /// The row that belongs to row `at` of the result.
    #[inline(always)]
    pub(crate) fn row(&self, at: usize) -> &'a [T] {
        let first = self.first(at);
        // SAFETY: nobody writes it, as the maker of the operand has said.
        unsafe { self.memory.read(first..first + self.width) }
    }

    /// Row `at`, to be written.
    #[inline(always)]
    pub(crate) fn row_mut(&mut self, at: usize) -> &mut [T] {
        let first = self.first(at);
        // SAFETY: nobody else reads or writes it, as the maker of the operand has said.
        unsafe { self.memory.write(first..first + self.width) }
    }

    /// The elements from column `first` of these rows on, to the end of the last: columns as
    /// [`Left::Columns`](super::tile::Left) reads them.
    ///
    /// # Panics
    /// When the operand has not a row of its own for each of these.
    pub(super) fn columns(&self, rows: std::ops::Range<usize>, first: usize) -> &'a [T] {
        assert!(matches!(self.rows, Rows::Each), "a row for each");
        if rows.is_empty() {
            return &[];
        }
        let [start, last] = [rows.start, rows.end - 1].map(|at| self.start + at * self.stride);
        // SAFETY: this is read after all that stands in these rows was computed.
        unsafe { self.memory.read(start + first..last + self.width) }
    }

    /// The first element of row `at`, which has been seen to be in the memory, for those who go
    /// through rows by pointer and keep what [`Operand::new`] asks.
    #[inline]
    pub(super) fn pointer(&self, at: usize) -> *mut T {
        let first = self.first(at);
        self.memory.pointer(first..first + self.width)
    }
}
