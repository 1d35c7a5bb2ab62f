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
    /// While it is in use, nobody may write what is read from it.
    pub(super) unsafe fn new(
        memory: Shared<'a, T>,
        start: usize,
        (stride, width): (usize, usize),
        rows: Rows<'a>,
    ) -> Self {
        Self { memory, start, stride, width, rows }
    }

    /// Rows of a slice, one behind the other.
    pub(super) fn of_slice(data: &'a [T], width: usize) -> Self {
        Self { memory: Shared::of(data), start: 0, stride: width, width, rows: Rows::Each }
    }

    /// Some of the columns of these rows.
    pub(super) fn narrowed(self, columns: std::ops::Range<usize>) -> Self {
        assert!(columns.end <= self.width, "columns that it has");
        Self { start: self.start + columns.start, width: columns.len(), ..self }
    }

    /// Whether rows follow one another without anything between them.
    pub(super) fn is_adjacent(&self) -> bool {
        matches!(self.rows, Rows::Each) && self.stride == self.width
    }

    /// So many rows that are [adjacent](Self::is_adjacent) as one.
    pub(super) fn join(&mut self, rows: usize) {
        self.width *= rows;
    }

    /// The elements from one row to the next: none where they are looked up, or are all the same.
    pub(super) fn step(&self) -> usize {
        if matches!(self.rows, Rows::Each) { self.stride } else { 0 }
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
    pub(super) fn pointer(&self, at: usize) -> *const T {
        let first = self.first(at);
        self.memory.pointer(first..first + self.width)
    }
}

/// Rows that are written, each its own or the only one.
pub(crate) struct OperandMut<'a, T>(Operand<'a, T>);

impl<'a, T> OperandMut<'a, T> {
    /// Rows in some memory, from element `start` on.
    ///
    /// # Safety
    /// While it is in use, nobody else may read or write what is written to it.
    pub(super) unsafe fn new(
        memory: Shared<'a, T>,
        start: usize,
        (stride, width): (usize, usize),
        rows: Rows<'a>,
    ) -> Self {
        Self(Operand { memory, start, stride, width, rows })
    }

    /// Rows of a slice, one behind the other.
    pub(super) fn of_slice(data: &'a mut [T], width: usize) -> Self {
        let memory = Shared::new(data);
        Self(Operand { memory, start: 0, stride: width, width, rows: Rows::Each })
    }

    /// The same rows once more.
    ///
    /// # Safety
    /// While a row is written by one of the two, nobody reads or writes it by the other.
    pub(super) unsafe fn again(&self) -> Self {
        Self(self.0)
    }

    /// The elements of a row.
    pub(crate) fn width(&self) -> usize {
        self.0.width
    }

    /// Whether rows follow one another without anything between them.
    pub(super) fn is_adjacent(&self) -> bool {
        self.0.is_adjacent()
    }

    /// Whether there is a row for each, or the only one.
    pub(super) fn is_own(&self) -> bool {
        matches!(self.0.rows, Rows::Each | Rows::One)
    }

    /// Some of the columns of these rows.
    pub(super) fn narrowed(self, columns: std::ops::Range<usize>) -> Self {
        Self(self.0.narrowed(columns))
    }

    /// Takes the columns of another operand, if its rows go on where those of this one end; or says that
    /// they do not.
    pub(super) fn takes(&mut self, other: &Self) -> bool {
        let (own, other) = (&mut self.0, &other.0);
        let takes = matches!((own.rows, other.rows), (Rows::Each, Rows::Each))
            && own.memory.is(&other.memory)
            && own.stride == other.stride
            && own.start + own.width == other.start;
        if takes {
            own.width += other.width;
        }
        takes
    }

    /// So many rows that are [adjacent](Self::is_adjacent) as one.
    pub(super) fn join(&mut self, rows: usize) {
        self.0.join(rows);
    }

    /// The row that belongs to row `at` of the result, as it was written.
    #[inline(always)]
    pub(crate) fn row(&self, at: usize) -> &[T] {
        self.0.row(at)
    }

    /// The same, to be written.
    #[inline(always)]
    pub(crate) fn row_mut(&mut self, at: usize) -> &mut [T] {
        let first = self.0.first(at);
        // SAFETY: nobody else reads or writes it, as the maker of the operand has said.
        unsafe { self.0.memory.write(first..first + self.0.width) }
    }

    /// The first element of row `at`, which has been seen to be in the memory, for those who go
    /// through rows by pointer and keep what [`OperandMut::new`] asks.
    #[inline]
    pub(super) fn pointer(&self, at: usize) -> *mut T {
        let first = self.0.first(at);
        self.0.memory.pointer(first..first + self.0.width)
    }

    /// The elements from one such pointer to that of the next row.
    pub(super) fn step(&self) -> usize {
        self.0.step()
    }
}
