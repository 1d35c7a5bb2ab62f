//! The layout of a minibatch: which row each vertex has, and where everything is in the arena.
//!
//! The rows of a type are numbered in the order of the schedule, so every batch writes contiguous rows. Several types
//! can scatter one state. Its rows are the rows of these types one after the other, so that a scattered value is
//! computed directly in its row of the state. Each edge has a gradient row in the segment of its block. There is
//! one block for each type and each slot at which edges enter the type. Unless graphs grow, all sizes are known
//! before anything runs.
//!
//! Indices have a separate memory of `u32`: no record holds both numbers and indices. Indices of the input and of
//! children are read where they are. An index exists for vertices or edges, never for a step.
//!
//! Input: a minibatch, the dependencies between its functions (`dependencies.rs`) and the order in which they run,
//! which is its levels or a schedule (`planner.rs`). Vertices get rows (`rows.rs`), edges get gradient rows
//! (`edges.rs`), and records get places in the arena (`place.rs`). While graphs grow, rows and edges are appended
//! (`append.rs`). Output: a [`Layout`], which back ends read. `find.rs` finds the vertex that a handle means. The
//! modules `pass/` and `growing/` lay out minibatches.

pub(crate) mod append;
pub(crate) mod dependencies;
pub(crate) mod edges;
pub(crate) mod find;
pub(crate) mod place;
pub(crate) mod planner;
pub(crate) mod rows;
pub(crate) mod type_graph;

use std::ops::Range;

use edb_ir::{FunctionId, IdVec, Phase, RecordId, Slot, Span, ValueId};

use edb_learn::learn::ParameterId;
use edb_model::model::bound::BoundFunction;
use edb_model::model::stack::{PerRow, RowCounts};

/// Segments of the arena begin at multiples of this many elements.
pub(crate) const SEGMENT_ALIGN_ELEMENTS: usize = 16;

/// Where the rows of a record are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: the record is not read in this mode (training or inference).
    Nowhere,
    /// The parameter itself.
    Parameter(ParameterId),
    /// In the rows of the children in this slot, which are the record's stride apart. They are read in place.
    Child {
        /// The slot.
        slot: Slot,
        /// Where the rows of the field begin.
        start: usize,
    },
    /// In the gradient of a parameter, as a sum over all rows.
    Gradient(ParameterId),
    /// In rows that begin at this element and are the record's stride apart: in the arena or, for an index, in the
    /// memory of indices.
    Arena(usize),
    /// In this field of the input, which is an index.
    Pulled(u16),
    /// In the scratch memory of the current block of rows, after this many elements for each row of the block.
    Scratch(PerRow),
}

/// An edge to a parent: the block and the row from which the child reads the gradient of the edge.
#[derive(Clone, Copy, Debug)]
pub struct ParentEdge {
    /// The number of the block, an index in [`Layout::blocks`].
    pub block: u32,
    /// The row in the block.
    pub row: u32,
}

/// A pull of what another vertex pushes: the gradient of the pull is added to the gradient of the push.
#[derive(Clone, Copy, Debug)]
pub struct Feed {
    /// The row of the pushing vertex.
    pub row: u32,
    /// The field of the output of the pushing vertex's program.
    pub field: u16,
    /// Where the gradient of the pull begins in the arena.
    pub gradient: usize,
}

/// The vertices of one function in the minibatch.
#[derive(Debug, Default)]
pub struct TypeLayout {
    /// The vertex of each row.
    pub vertices: Vec<u32>,
    /// For each fixed slot and each row, the row of the child among the rows of its state, or
    /// [`ABSENT`](edb_model::graph::ABSENT).
    pub fixed: Vec<Vec<u32>>,
    /// For each row, where its edges to children outside the fixed slots begin in `rest`; then the end of the last
    /// row's edges.
    pub rest_offsets: Vec<u32>,
    /// For each of these edges, the row of the child among the rows of its state.
    pub rest: Vec<u32>,
    /// For each of these edges, the row that it enters.
    pub rest_owners: Vec<u32>,
    /// For each row, where the edges to its parents begin in `parents`; then the end of the last row's edges.
    pub parent_offsets: Vec<u32>,
    /// The edges to parents. Those of a row are in the order of the parents' numbers.
    pub parents: Vec<ParentEdge>,
    /// The first row of this type among the rows of its state.
    pub state_base: u32,
    /// For how many rows the records of this type have memory. While graphs grow, this is more than the type has.
    pub room: RowCounts,
    /// Where each record of the function's routine is.
    pub places: IdVec<RecordId, Place>,
    /// For each phase, how many elements of scratch memory a row needs.
    pub scratch: [PerRow; Phase::ALL.len()],
    /// For each field of the program's output, where the gradients begin that the caller gave for it, if any.
    pub seeds: Vec<Option<usize>>,
    /// The pulls that read what this type pushes, sorted by row, then by field.
    pub feeds: Vec<Feed>,
    /// Whether all phases of the function follow the schedule. They do if its vertices pull what others push, or
    /// others pull what they push. While graphs grow, they also do if its vertices decide how graphs grow.
    pub entangled: bool,
}

impl TypeLayout {
    /// The edges outside the fixed slots that enter these rows.
    pub(crate) fn edges_of(&self, rows: Range<usize>) -> Range<usize> {
        self.rest_offsets[rows.start] as usize..self.rest_offsets[rows.end] as usize
    }

    /// How many rows of vertices and of edges this type has.
    pub fn row_counts(&self) -> RowCounts {
        RowCounts { vertices: self.vertices.len(), edges: self.rest.len() }
    }
}

/// The layout of a minibatch: rows, edges, batches and places.
#[derive(Debug, Default)]
pub struct Layout {
    /// The vertices of each function.
    pub types: IdVec<FunctionId, TypeLayout>,
    /// The row of each vertex among the rows of its function.
    pub rows: Vec<u32>,
    /// The batches of the schedule: the function and the rows. In a batch, the vertices of the rows ascend.
    pub batches: Vec<(FunctionId, Range<u32>)>,
    /// For each state and each of its fields, where the rows begin.
    pub states: Vec<Vec<usize>>,
    /// For each block and each field of its state, where the gradient rows begin, and how far they are apart.
    /// `None` if the function computes no gradient for the field.
    pub blocks: Vec<Vec<Option<(usize, usize)>>>,
    /// How many elements at the beginning of the arena are always zero. Rows with an absent child read them as its
    /// state.
    pub zeros: usize,
    /// The size of the arena, in elements.
    pub size: usize,
    /// The size of the memory of indices, in elements. The first element is always 0: it is the index in the state of
    /// absent children.
    pub indices: usize,
    /// Whether the layout is for training, which needs memory for more records than inference.
    pub training: bool,
    /// Whether graphs grow. If so, rows are appended after the existing rows, and only records that forward
    /// phases use have memory.
    pub growing: bool,
    /// The id of the graphs that have grown into this layout; 0 if it was laid out without growing.
    pub(crate) growth: u64,
    /// Workspace for the numbers of rows and edges.
    pub(crate) next: Vec<u32>,
    pub(crate) level_places: Vec<(u32, u32)>,
}

impl Layout {
    /// Takes a new segment at the end of the arena, and returns where it begins. Sizes that cannot be addressed
    /// saturate; to reserve an arena of that size then fails.
    pub(crate) fn take(&mut self, elements: usize) -> usize {
        let start =
            self.size.checked_next_multiple_of(SEGMENT_ALIGN_ELEMENTS).unwrap_or(usize::MAX);
        self.size = start.saturating_add(elements);
        start
    }

    /// Takes new rows at the end of the memory of indices, and returns where they begin.
    pub(crate) fn take_indices(&mut self, rows: usize) -> usize {
        // The first element stays 0.
        let start = self.indices.max(1);
        self.indices = start.saturating_add(rows);
        start
    }

    /// Takes new rows for a record, or for a field of a state, and returns where they begin.
    pub(crate) fn take_rows(&mut self, rows: usize, stride: usize, is_index: bool) -> usize {
        if is_index { self.take_indices(rows) } else { self.take(rows.saturating_mul(stride)) }
    }

    /// The elements of the arena that hold a value of one vertex, if the value is kept in the arena.
    pub fn row_of(
        &self,
        function: &BoundFunction,
        id: ValueId,
        vertex: u32,
    ) -> Option<Range<usize>> {
        Some(self.rows_of(function, id)?.of(self, vertex))
    }

    /// The rows of a value that a port shows, if the value is kept in the arena or in the memory of indices.
    pub(crate) fn rows_of(&self, function: &BoundFunction, id: ValueId) -> Option<KeptRows> {
        self.rows_at(function, function.plan.routine.shown(id)?, id)
    }

    /// The rows of a value that is in this span of a record, if the value is kept in the arena or in the memory of
    /// indices.
    pub(crate) fn rows_at(
        &self,
        function: &BoundFunction,
        span: Span,
        id: ValueId,
    ) -> Option<KeptRows> {
        let field = function.routine.field(span);
        let Place::Arena(start) = self.types[function.id].places[field.record] else { return None };
        let stride = function.routine.records[field.record].stride;
        let (count, width) = (self.types[function.id].vertices.len(), function.value(id).width);
        Some(KeptRows { start: start + field.start, stride, width, count })
    }
}

/// The rows of a value that is kept in the arena or in the memory of indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptRows {
    pub(crate) start: usize,
    pub(crate) stride: usize,
    width: usize,
    count: usize,
}

impl KeptRows {
    /// The elements of the value at one vertex.
    pub(crate) fn of(&self, layout: &Layout, vertex: u32) -> Range<usize> {
        let start = self.start + layout.rows[vertex as usize] as usize * self.stride;
        start..start + self.width
    }

    /// The range from the first element of the first row to the last element of the last row.
    pub(crate) fn part(&self, rows: &Range<u32>) -> Range<usize> {
        let [first, end] =
            [rows.start, rows.end].map(|row| self.start + row as usize * self.stride);
        first..end - self.stride + self.width
    }

    /// The range from the first element of the value to its last element, over all vertices.
    pub(crate) fn all(&self) -> Range<usize> {
        let last = self.count.saturating_sub(1) * self.stride;
        self.start..self.start + last + self.width
    }
}
