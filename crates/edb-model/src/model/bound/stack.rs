//! Records and products with numbers for their dimensions.

use edb_ir::routine::ProductKind;
use edb_ir::{Domain, Home, RecordId};

use edb_kernels::element::Element;
use edb_kernels::stored::StoredBlock;
use edb_learn::learn::{ParameterId, Parameters};

/// The length of a row is padded to a multiple of this many elements, so that rows begin at cache lines.
const ROW_ALIGNMENT_ELEMENTS: usize = 16;

edb_ir::id_types! {
    /// A stacked matrix of a model, by its number.
    pub struct WeightsId(u32);
}

/// How many rows of vertices there are, and how many of edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// Rows of vertices.
    pub vertices: usize,
    /// Rows of edges.
    pub edges: usize,
}

impl RowCounts {
    /// How many rows of a domain there are.
    pub fn of(self, domain: Domain) -> usize {
        match domain {
            Domain::Step => 1,
            Domain::Vertex => self.vertices,
            Domain::Edge => self.edges,
        }
    }
}

/// A cost per row of vertices, and per row of edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerRow {
    /// The cost of a row of vertices.
    pub vertex: usize,
    /// The cost of a row of edges.
    pub edge: usize,
}

impl PerRow {
    /// The cost of this many rows.
    pub fn of(self, rows: RowCounts) -> usize {
        let edges = rows.edges.saturating_mul(self.edge);
        rows.vertices.saturating_mul(self.vertex).saturating_add(edges)
    }
}

/// A record with numbers for its dimensions.
#[derive(Clone, Debug)]
pub struct BoundRecord {
    /// The domain, which determines the number of rows.
    pub domain: Domain,
    /// Where its rows live in training.
    pub training: Home,
    /// Where its rows live in inference.
    pub inference: Home,
    /// Where each piece begins in a row, and at the end the width of a row.
    pub(super) offsets: Vec<usize>,
    /// The number of elements from row to row.
    pub stride: usize,
    /// Whether it holds an index, and so lies in the memory of indices.
    pub is_index: bool,
}

impl BoundRecord {
    /// The number of elements of a row, without padding.
    pub fn width(&self) -> usize {
        self.offsets.last().copied().unwrap_or(0)
    }

    /// Where its rows live.
    pub fn home(&self, training: bool) -> Home {
        if training { self.training } else { self.inference }
    }
}

/// The number of elements from row to row, for rows of `width` elements.
pub fn stride(width: usize) -> usize {
    if width < ROW_ALIGNMENT_ELEMENTS {
        width
    } else {
        width.next_multiple_of(ROW_ALIGNMENT_ELEMENTS)
    }
}

/// A part of a record's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The record.
    pub record: RecordId,
    /// The first element within a row.
    pub start: usize,
    /// The number of elements.
    pub width: usize,
}

/// A part of a parameter, and its place in a stacked matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightBlock {
    /// The parameter.
    pub param: ParameterId,
    /// Its first row and column in the parameter.
    pub start: [usize; 2],
    /// How many rows and columns.
    pub size: [usize; 2],
    /// Its first row and column in the stacked matrix.
    pub place: [usize; 2],
}

impl WeightBlock {
    /// Where it lies in memory.
    pub fn stored<'p, T: Element>(&self, parameters: &'p Parameters<T>) -> StoredBlock<'p, T> {
        let parameter = parameters.get(self.param);
        let stride = parameter.shape()[1];
        let first = self.start[0] * stride + self.start[1];
        let [rows, columns] = self.size;
        let length = rows.checked_sub(1).map_or(0, |before| before * stride + columns);
        let data = &parameter.fetched()[first..first + length];
        StoredBlock { data, stride, place: self.place, size: self.size }
    }
}

/// A stacked matrix of parameters `[rows, columns]`, as products use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The parts of parameters of which it consists; they cover it.
    pub blocks: Vec<WeightBlock>,
    /// Its rows and columns.
    pub size: [usize; 2],
    /// Whether products use its transpose.
    pub transposed: bool,
}

/// A block of a matrix. The matrix is a value, or a sum over rows goes into it.
#[derive(Clone, Copy, Debug)]
pub struct ValueBlock {
    /// Where the matrix is.
    pub matrix: Field,
    /// The columns of that matrix.
    pub columns: usize,
    /// The first row and column of the block in that matrix.
    pub start: [usize; 2],
    /// The first element and the number of elements of the block's piece of the stack's `out`.
    pub out: (usize, usize),
    /// The first element and the number of elements of the block's piece of the stack's `args`.
    pub args: (usize, usize),
}

/// The matrices of a stack.
#[derive(Clone, Debug)]
pub enum Matrices {
    /// Parameters only, stacked.
    Weights(WeightsId),
    /// Values; or, for [`ProductKind::OuterSum`], the matrices into which the sums go.
    Values(Vec<ValueBlock>),
}

/// A product with numbers for its dimensions.
#[derive(Clone, Debug)]
pub struct BoundStack {
    /// What is computed.
    pub kind: ProductKind,
    /// The domain of the rows over which it runs.
    pub domain: Domain,
    /// The result; for [`ProductKind::OuterSum`], the left operand.
    pub out: Field,
    /// The vector with which the matrix is multiplied; for [`ProductKind::OuterSum`], the right operand.
    pub args: Field,
    /// Whether the result is added to `out`.
    pub accumulate: bool,
    /// The matrices that are multiplied, or into which products are summed.
    pub matrices: Matrices,
}
