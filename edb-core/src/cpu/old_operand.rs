//! Operands of kernels: rows, wherever they lie and however often they exist.

/// Which row of an operand belongs to a row of the result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rows<'a> {
    /// Its own.
    Each,
    /// The only one: the operand exists once a step.
    One,
    /// That of the vertex which the edge enters; rows are counted from `first`.
    Owner { owners: &'a [u32], first: u32 },
}

/// The rows of an argument.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand<'a, T> {
    pub(super) data: &'a [T],
    pub(super) width: usize,
    pub(super) rows: Rows<'a>,
}

impl<'a, T> Operand<'a, T> {
    /// The row that belongs to row `at` of the result.
    #[inline]
    pub(super) fn row(&self, at: usize) -> &'a [T] {
        let row = match self.rows {
            Rows::Each => at,
            Rows::One => 0,
            Rows::Owner { owners, first } => (owners[at] - first) as usize,
        };
        &self.data[row * self.width..(row + 1) * self.width]
    }

    /// All rows in a piece, if there is one for each row of the result.
    #[inline]
    pub(super) fn flat(&self) -> Option<&'a [T]> {
        matches!(self.rows, Rows::Each).then_some(self.data)
    }
}
