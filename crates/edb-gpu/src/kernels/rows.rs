//! Operands of kernels: rows, and how each row of a result finds its own.

use crate::driver::Address;
use crate::number::Number;

/// Which row of an operand is read for a row of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The same row.
    SameRow,
    /// The only row.
    One,
    /// The row of the vertex that the edge enters, counted from a first one.
    Owner,
    /// The row of a child; an absent one reads as zeros.
    Gather,
}

/// The rows of an operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    pub(crate) address: Address,
    /// Elements from one row to the next.
    pub(crate) stride: usize,
    /// The number type of the elements.
    pub(crate) number: Number,
    pub(crate) mode: Mode,
    /// The row indices, for [`Mode::Owner`] and [`Mode::Gather`].
    pub(crate) index: Address,
    /// The row number at which owners start.
    pub(crate) first: u32,
    /// The zeros that are read for an absent child.
    pub(crate) zeros: Address,
}

impl Rows {
    /// Rows of which each row of the result reads its own.
    pub(crate) fn same_row(address: Address, stride: usize, number: Number) -> Self {
        Self { address, stride, number, mode: Mode::SameRow, index: 0, first: 0, zeros: 0 }
    }

    /// The same rows, from a later column on.
    pub(crate) fn from(self, columns: usize) -> Self {
        Self { address: self.address + (columns * self.number.size()) as u64, ..self }
    }
}

/// An index for each row.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Index {
    /// The indices, by place.
    pub(crate) address: Address,
    /// The place of each row, the vertex that an edge enters; without them, rows have consecutive
    /// places.
    pub(crate) owners: Option<Address>,
    /// For the index of a child, the child at each place; indices are then by child.
    pub(crate) children: Option<Address>,
    /// The place of the first row.
    pub(crate) first: u32,
}

/// What each row's random draws depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draws {
    /// The key of each vertex, of two words.
    pub(crate) keys: Address,
    /// The vertex of each edge, and the first edge of each vertex.
    pub(crate) owners: Address,
    pub(crate) edges: Address,
    /// The first vertex, and the first edge.
    pub(crate) first: u32,
    pub(crate) first_edge: u32,
    /// Whether the rows are those of edges.
    pub(crate) is_edge: bool,
    /// The op that draws.
    pub(crate) site: u32,
    /// Whether all vertices of a graph draw the same.
    pub(crate) shared: bool,
}
