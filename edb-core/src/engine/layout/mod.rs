//! The layout of a minibatch: which row each vertex has, and where everything lies in the arena.
//!
//! Rows of a type are numbered in schedule order, so every batch writes contiguous rows. The rows
//! of a state are those of its types one after the other, so that a scattered value is computed
//! straight into them. Each edge has a gradient row, in the segment of its block; a block is a type
//! and the slot that the edge enters at. All sizes are known before anything runs.
//!
//! Indices lie in a memory of their own, of `u32`: no record holds numbers and indices. Those of
//! the input and of children are read where they are. An index exists for vertices or edges, never
//! for a step.
//!
//! A minibatch comes in, with how its functions depend on each other (`dependencies.rs`) and the order in
//! which they run: its levels, or a schedule (`planner.rs`). Vertices get rows (`rows.rs`), edges gradient rows
//! (`edges.rs`), records places in the arena (`place.rs`); while graphs grow, all of these are appended to
//! (`append.rs`). Out goes a [`Layout`], which back ends read. `find.rs` says which vertex a handle means. The
//! rooms `pass/` and `growing/` lay minibatches out.

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

/// Segments begin at multiples of this many elements.
pub(crate) const ALIGN: usize = 16;

/// Where a record lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: it is not read in this mode (training or inference).
    Nowhere,
    /// The parameter itself.
    Parameter(ParameterId),
    /// In the rows of the children in this slot, the record's stride apart: read in place.
    Child {
        /// The slot.
        slot: Slot,
        /// Where the rows of the field begin.
        start: usize,
    },
    /// In the gradient of a parameter, as a sum over all rows.
    Gradient(ParameterId),
    /// In rows from this element of the arena on, the record's stride apart; of an index, in the
    /// memory of indices.
    Arena(usize),
    /// In this field of the input, an index.
    Pulled(u16),
    /// In the scratch of the current block, behind this many elements for each of its rows.
    Scratch(PerRow),
}

/// An edge as its child sees it: the block and the row of its gradient.
#[derive(Clone, Copy, Debug)]
pub struct ParentEdge {
    /// The block of gradients, by its number among the layout's.
    pub block: u32,
    /// The row in it.
    pub row: u32,
}

/// A pull that is fed by a push: which gradient is added to which row.
#[derive(Clone, Copy, Debug)]
pub struct Feed {
    /// The row of the pushing vertex.
    pub row: u32,
    /// The field of the program's output.
    pub field: u16,
    /// Where the gradient of the pulling vertex lies.
    pub gradient: usize,
}

/// The vertices of one function in the minibatch.
#[derive(Debug, Default)]
pub struct TypeLayout {
    /// The vertex of each row.
    pub vertices: Vec<u32>,
    /// For each fixed slot, the row of each row's child in its state, or
    /// [`ABSENT`](edb_model::graph::ABSENT).
    pub fixed: Vec<Vec<u32>>,
    /// Where the edges of each row to the other children begin, and the end.
    pub rest_offsets: Vec<u32>,
    /// The rows of these children, edge by edge.
    pub rest: Vec<u32>,
    /// The row that each edge enters.
    pub rest_owners: Vec<u32>,
    /// Where the parents' edges of each row begin, and the end.
    pub parent_offsets: Vec<u32>,
    /// These edges, in order of the parents' numbers.
    pub parents: Vec<ParentEdge>,
    /// Where its rows begin among those of its state.
    pub state_base: u32,
    /// The rows that its records have memory for: those that it has or, while graphs grow, more.
    pub room: RowCounts,
    /// Where each record of the function's routine lives.
    pub places: IdVec<RecordId, Place>,
    /// The elements of scratch for each row, in each phase.
    pub scratch: [PerRow; Phase::ALL.len()],
    /// Where the caller's gradients begin, by field of the program's output.
    pub seeds: Vec<Option<usize>>,
    /// The pulls that its pushes feed, by row, then field.
    pub feeds: Vec<Feed>,
    /// Whether all phases follow the schedule: its vertices are fed by or feed others or, while
    /// graphs grow, decide how.
    pub entangled: bool,
}

impl TypeLayout {
    /// The edges to other children that enter some rows.
    pub(crate) fn edges_of(&self, rows: Range<usize>) -> Range<usize> {
        self.rest_offsets[rows.start] as usize..self.rest_offsets[rows.end] as usize
    }

    /// How many rows it has.
    pub fn row_counts(&self) -> RowCounts {
        RowCounts { vertices: self.vertices.len(), edges: self.rest.len() }
    }
}

/// The layout of a minibatch.
#[derive(Debug, Default)]
pub struct Layout {
    /// The vertices of each function.
    pub types: IdVec<FunctionId, TypeLayout>,
    /// The row of each vertex among those of its function.
    pub rows: Vec<u32>,
    /// The batches of the schedule: function and rows, whose vertices ascend.
    pub batches: Vec<(FunctionId, Range<u32>)>,
    /// Where the rows of each field of each state begin.
    pub states: Vec<Vec<usize>>,
    /// Where the gradient rows of each block begin and how far they are apart, by field of the
    /// state; none where the function gives a field no gradient.
    pub blocks: Vec<Vec<Option<(usize, usize)>>>,
    /// The number of elements at the beginning of the arena that are always zero: the state of
    /// absent children.
    pub zeros: usize,
    /// The elements of the arena.
    pub size: usize,
    /// The elements of the memory of indices; the first is always 0, the state of absent children.
    pub indices: usize,
    /// Whether records have memory that training needs.
    pub training: bool,
    /// Whether graphs grow: rows are appended behind those that there are, and only the records
    /// have memory that forward phases write.
    pub growing: bool,
    /// The id of the graphs that have grown into it; 0 where none have.
    pub(crate) growth: u64,
    /// Working memory for numbering rows and edges.
    pub(crate) next: Vec<u32>,
    pub(crate) level_places: Vec<(u32, u32)>,
}

impl Layout {
    /// A new segment of the arena. Sizes that cannot be addressed saturate; reserving an arena of
    /// that size then fails.
    pub(crate) fn take(&mut self, elements: usize) -> usize {
        let start = self.size.checked_next_multiple_of(ALIGN).unwrap_or(usize::MAX);
        self.size = start.saturating_add(elements);
        start
    }

    /// New rows in the memory of indices.
    pub(crate) fn take_indices(&mut self, rows: usize) -> usize {
        // The first one stays 0.
        let start = self.indices.max(1);
        self.indices = start.saturating_add(rows);
        start
    }

    /// New rows for a record or for a field of a state.
    pub(crate) fn take_rows(&mut self, rows: usize, stride: usize, is_index: bool) -> usize {
        match is_index {
            true => self.take_indices(rows),
            false => self.take(rows.saturating_mul(stride)),
        }
    }

    /// The arena's elements that hold a value of one vertex, if it is kept there.
    pub fn row_of(
        &self,
        function: &BoundFunction,
        id: ValueId,
        vertex: u32,
    ) -> Option<Range<usize>> {
        Some(self.rows_of(function, id)?.of(self, vertex))
    }

    /// The rows of a value that a port shows, if it is kept in the arena, or in the memory of
    /// indices.
    pub(crate) fn rows_of(&self, function: &BoundFunction, id: ValueId) -> Option<KeptRows> {
        self.rows_at(function, function.plan.routine.shown(id)?, id)
    }

    /// The rows of a value in a span, likewise.
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

/// The rows of a value in the arena.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptRows {
    pub(crate) start: usize,
    pub(crate) stride: usize,
    width: usize,
    count: usize,
}

impl KeptRows {
    /// The elements of one vertex.
    pub(crate) fn of(&self, layout: &Layout, vertex: u32) -> Range<usize> {
        let start = self.start + layout.rows[vertex as usize] as usize * self.stride;
        start..start + self.width
    }

    /// The elements of some rows, and those between them.
    pub(crate) fn part(&self, rows: &Range<u32>) -> Range<usize> {
        let [first, end] =
            [rows.start, rows.end].map(|row| self.start + row as usize * self.stride);
        first..end - self.stride + self.width
    }

    /// The elements of all vertices, and those between them.
    pub(crate) fn all(&self) -> Range<usize> {
        let last = self.count.saturating_sub(1) * self.stride;
        self.start..self.start + last + self.width
    }
}
