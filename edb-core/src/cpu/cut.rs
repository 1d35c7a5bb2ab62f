//! Cuts rows into blocks.

use std::ops::Range;

use edb_ir::Phase;

use crate::engine::layout::TypeLayout;
use edb_model::model::needs::PhaseNeeds;
use edb_model::model::stack::{PerRow, RowCounts};

/// The most rows of a block: enough for efficient products, and few enough for the cache.
pub(super) const MAX_BLOCK_ROWS: usize = 128;
/// The fewest rows of a block, when rows are split among threads.
pub(super) const MIN_BLOCK_ROWS: usize = 16;
/// The fewest rows of a block with edges, when rows are split among threads. It is less, because threads cannot
/// share the products of rows with edges by columns.
pub(super) const MIN_BLOCK_ROWS_WITH_EDGES: usize = 4;
/// The most edges of a block, unless a single vertex has more.
pub(super) const MAX_BLOCK_EDGES: usize = 512;
/// The most bytes of scratch of a block, unless a single vertex needs more. This is far more than fits into a
/// cache, so only vertices with very large values make blocks smaller.
pub(super) const MAX_SCRATCH_BYTES: usize = 16 << 20;

/// The most bytes that a block reads and writes, unless a single vertex has more: what one instruction leaves,
/// the next finds in the cache of a core. Blocks that multiply with matrices of the step are larger, since each
/// of them reads these.
pub(super) const MAX_TOUCHED_BYTES: usize = 256 << 10;

/// The rows of a block's vertices, and of the edges that enter them.
pub(super) type Block = (Range<usize>, Range<usize>);

/// Cuts some rows of a phase into blocks, from the first row to the last.
#[derive(Clone, Debug)]
pub(super) struct Cut<'a> {
    layout: &'a TypeLayout,
    /// The rows that are left.
    rows: Range<usize>,
    /// The most rows of a block; below, the most elements of its scratch, and that it touches.
    most: usize,
    most_scratch: usize,
    most_touched: usize,
    /// The scratch that rows and edges need, and what they touch.
    scratch: PerRow,
    touched: PerRow,
}

/// The needs of the largest of some blocks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
    /// The most rows.
    pub(super) rows: RowCounts,
    /// The most elements of scratch.
    pub(super) scratch: usize,
}

impl<'a> Cut<'a> {
    /// Cuts rows into blocks of about the same size that touch and need limited memory. Each thread gets the same
    /// number of blocks.
    pub(super) fn new<T>(
        layout: &'a TypeLayout,
        needs: &PhaseNeeds,
        phase: Phase,
        rows: Range<usize>,
        threads: usize,
    ) -> Self {
        let (most_touched, touched) = (most_touched::<T>(), needs.touched);
        let most = (most_touched / touched.vertex.max(1)).clamp(1, MAX_BLOCK_ROWS);
        let least = rows.len().div_ceil(most).next_multiple_of(threads).max(1);
        let fewest = match layout.edges_of(rows.clone()).is_empty() {
            true => MIN_BLOCK_ROWS,
            false => MIN_BLOCK_ROWS_WITH_EDGES,
        };
        let most = rows.len().div_ceil(least).clamp(fewest.min(most), most);
        let (most_scratch, scratch) = (most_scratch::<T>(), layout.scratch[phase as usize]);
        Self { layout, rows, most, most_scratch, most_touched, scratch, touched }
    }

    fn counts(&self, rows: &Range<usize>) -> RowCounts {
        let edges = self.layout.edges_of(rows.clone());
        RowCounts { vertices: rows.len(), edges: edges.len() }
    }

    /// The rows that are left.
    pub(super) fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// The needs of the largest of the blocks that are left.
    pub(super) fn needs(&self) -> Needs {
        let of_block = |(rows, edges): Block| {
            let rows = RowCounts { vertices: rows.len(), edges: edges.len() };
            Needs { rows, scratch: self.scratch.of(rows) }
        };
        self.clone().map(of_block).fold(Needs::default(), Needs::max)
    }
}

impl Iterator for Cut<'_> {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        if self.rows.is_empty() {
            return None;
        }
        let Range { start, end: last } = self.rows;
        let fits = |end: usize| {
            let counts = self.counts(&(start..end));
            counts.edges <= MAX_BLOCK_EDGES
                && self.scratch.of(counts) <= self.most_scratch
                && self.touched.of(counts) <= self.most_touched
        };
        let mut end = start + 1;
        while end < last && end - start < self.most && fits(end + 1) {
            end += 1;
        }
        self.rows.start = end;
        Some((start..end, self.layout.edges_of(start..end)))
    }
}

impl Needs {
    /// The needs of the largest of these blocks and of the others.
    pub(super) fn max(self, other: Self) -> Self {
        let most = |of: fn(Self) -> usize| of(self).max(of(other));
        Self {
            rows: RowCounts {
                vertices: most(|needs| needs.rows.vertices),
                edges: most(|needs| needs.rows.edges),
            },
            scratch: most(|needs| needs.scratch),
        }
    }
}

/// The most elements that a block with more than one vertex reads and writes.
pub(super) fn most_touched<T>() -> usize {
    MAX_TOUCHED_BYTES / size_of::<T>()
}

/// The most elements of scratch of a block with more than one vertex.
pub(super) fn most_scratch<T>() -> usize {
    MAX_SCRATCH_BYTES / size_of::<T>()
}
