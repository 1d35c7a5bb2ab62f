//! Records and products with numbers.

use edb_ir::routine::Kind;
use edb_ir::{Domain, Home};

use crate::learn::ParameterId;

/// Rows are padded to this many elements, so that they begin at cache lines.
const ALIGN: usize = 16;

/// A record with numbers.
#[derive(Clone, Debug)]
pub struct BoundRecord {
    /// How many rows there are.
    pub domain: Domain,
    /// Where they live in training.
    pub training: Home,
    /// Where they live in inference.
    pub inference: Home,
    /// Where each piece begins, and the width of a row.
    pub(super) offsets: Vec<usize>,
    /// The elements from row to row.
    pub stride: usize,
}

impl BoundRecord {
    /// The elements of a row that are used.
    pub fn width(&self) -> usize {
        self.offsets.last().copied().unwrap_or(0)
    }

    /// Where its rows live.
    pub fn home(&self, training: bool) -> Home {
        if training { self.training } else { self.inference }
    }
}

/// The elements from row to row of `width` elements.
pub fn stride(width: usize) -> usize {
    if width < ALIGN { width } else { width.next_multiple_of(ALIGN) }
}

/// A part of a record's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The record, by its number.
    pub record: usize,
    /// The first element of a row.
    pub start: usize,
    /// The elements of a row.
    pub width: usize,
}

/// A part of a parameter, where a stacked matrix has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightBlock {
    /// The parameter.
    pub param: ParameterId,
    /// The first row and column of the parameter.
    pub start: [usize; 2],
    /// How many rows and columns.
    pub size: [usize; 2],
    /// The first row and column of the stacked matrix.
    pub at: [usize; 2],
}

/// A stacked matrix of parameters `[rows, columns]`, as products want it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The parts of parameters that it is made of; they cover it.
    pub blocks: Vec<WeightBlock>,
    /// Its rows and columns.
    pub size: [usize; 2],
    /// Whether it meets the elements of its rows, rather than those of its columns.
    pub transposed: bool,
}

/// A block of a matrix that is a value, or that a sum over rows goes to.
#[derive(Clone, Copy, Debug)]
pub struct ValueBlock {
    /// Where the matrix is.
    pub matrix: Field,
    /// The columns of that matrix.
    pub columns: usize,
    /// The first row and column of the block in that matrix.
    pub start: [usize; 2],
    /// The first element of the operands, and how many: of `out`, and of `args`.
    pub out: (usize, usize),
    /// As `out`.
    pub args: (usize, usize),
}

/// What a stack multiplies with.
#[derive(Clone, Debug)]
pub enum Matrices {
    /// Parameters only, by their number among the model's [`Weights`].
    Weights(usize),
    /// Values; or, for [`Kind::OuterSum`], what the sums go to.
    Values(Vec<ValueBlock>),
}

/// A product with numbers.
#[derive(Clone, Debug)]
pub struct BoundStack {
    /// What is computed.
    pub kind: Kind,
    /// Over which rows.
    pub domain: Domain,
    /// What is computed; for [`Kind::OuterSum`], the left operand.
    pub out: Field,
    /// What the matrix meets.
    pub args: Field,
    /// Whether `out` is added to.
    pub accumulate: bool,
    /// What is multiplied with, or summed into.
    pub matrices: Matrices,
}
