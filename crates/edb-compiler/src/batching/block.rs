//! Blocks of matrices: the matrix factors in the terms of products.

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
pub struct PieceBlock {
    /// The matrix.
    pub matrix: Matrix,
    /// Its index among the pieces of the matrix's rows.
    pub row: usize,
    /// Its index among the pieces of the matrix's columns.
    pub column: usize,
}
