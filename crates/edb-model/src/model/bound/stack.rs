//! Records and products with numbers for their dimensions.

use edb_ir::routine::ProductKind;
use edb_ir::{Domain, Home, RecordId};

use edb_kernels::element::Element;
use edb_kernels::stored::StoredBlock;
use edb_learn::learn::{ParameterId, Parameters};

/// Rows are padded to this many elements, so that they begin at cache lines.
const ALIGN: usize = 16;

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

/// What each row of vertices takes, and what each row of edges takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerRow {
    /// For a row of vertices.
    pub vertex: usize,
    /// For a row of edges.
    pub edge: usize,
}

impl PerRow {
    /// What so many rows take.
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
    /// Where they live in training.
    pub training: Home,
    /// Where they live in inference.
    pub inference: Home,
    /// Where each piece begins, and the width of a row.
    pub(super) offsets: Vec<usize>,
    /// The number of elements from row to row.
    pub stride: usize,
    /// Whether it is of an index, and lies in the memory of indices.
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
    if width < ALIGN { width } else { width.next_multiple_of(ALIGN) }
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
    /// The parts of parameters that it is made of; they cover it.
    pub blocks: Vec<WeightBlock>,
    /// Its rows and columns.
    pub size: [usize; 2],
    /// Whether products use its transpose.
    pub transposed: bool,
}

/// A block of a matrix that is a value, or into which a sum over rows goes.
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
    /// The same of the stack's `args`.
    pub args: (usize, usize),
}

/// The matrices of a stack.
#[derive(Clone, Debug)]
pub enum Matrices {
    /// Parameters only, stacked.
    Weights(WeightsId),
    /// Values; or, for [`ProductKind::OuterSum`], the matrices that the sums go to.
    Values(Vec<ValueBlock>),
}

/// A product with numbers for its dimensions.
#[derive(Clone, Debug)]
pub struct BoundStack {
    /// What is computed.
    pub kind: ProductKind,
    /// Over which rows.
    pub domain: Domain,
    /// The result; for [`ProductKind::OuterSum`], the left operand.
    pub out: Field,
    /// The vector that the matrix is multiplied with; for [`ProductKind::OuterSum`], the right
    /// operand.
    pub args: Field,
    /// Whether `out` is added to.
    pub accumulate: bool,
    /// The matrices that are multiplied with, or summed into.
    pub matrices: Matrices,
}
