//! Blocks of matrices: what one term of a product multiplies with.

use edb_ir::ValueId;

/// A matrix that blocks belong to. The gradient of a parameter is laid out as the parameter is, so
/// both are one matrix here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Matrix {
    /// A parameter.
    Param(u16),
    /// A value, such as a child's matrix.
    Value(ValueId),
}

/// A block of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block {
    /// The matrix.
    pub matrix: Matrix,
    /// Which of the pieces of its rows.
    pub row: usize,
    /// Which of the pieces of its columns.
    pub column: usize,
}
