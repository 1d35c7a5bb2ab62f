//! Cuts rows into blocks.

use std::ops::Range;

use edb_ir::Phase;

use crate::engine::layout::TypeLayout;
use edb_model::model::stack::{PerRow, RowCounts};

/// The most rows of a block: enough that a product is efficient, few enough for the cache.
pub(super) const MAX_ROWS: usize = 128;
/// The fewest rows of a block, when rows are split among threads.
pub(super) const MIN_ROWS: usize = 16;
/// The same where rows have edges: threads cannot share the products of fewer rows, whose edges are
/// rows of their own.
pub(super) const MIN_ROWS_WITH_EDGES: usize = 4;
/// The most edges of a block, unless a single vertex has more.
pub(super) const MAX_EDGES: usize = 512;
/// The most bytes of scratch of a block, unless a single vertex needs more: far more than stays in
/// a cache, so that only vertices with very large values make blocks smaller.
pub(super) const MAX_SCRATCH: usize = 16 << 20;

/// The rows of a block's vertices, and of the edges that enter them.
pub(super) type Block = (Range<usize>, Range<usize>);

/// The blocks into which some rows of a phase are cut, from the first to the last.
#[derive(Clone, Debug)]
pub(super) struct Cut<'a> {
    layout: &'a TypeLayout,
    /// The rows that are left.
    rows: Range<usize>,
    /// The most rows of a block, and of its scratch the most elements.
    most: usize,
    most_scratch: usize,
    /// The scratch that rows and edges need.
    scratch: PerRow,
}

/// What the largest of some blocks need.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
    /// The most rows.
    pub(super) rows: RowCounts,
    /// The most elements of scratch.
    pub(super) scratch: usize,
}

impl<'a> Cut<'a> {
    /// Blocks of about the same size, the same number for each thread, that need limited scratch.
    pub(super) fn new<T>(
        layout: &'a TypeLayout,
        phase: Phase,
        rows: Range<usize>,
        threads: usize,
    ) -> Self {
        let least = rows.len().div_ceil(MAX_ROWS).next_multiple_of(threads).max(1);
        let fewest = match layout.edges_of(rows.clone()).is_empty() {
            true => MIN_ROWS,
            false => MIN_ROWS_WITH_EDGES,
        };
        let most = rows.len().div_ceil(least).clamp(fewest, MAX_ROWS);
        let (most_scratch, scratch) = (most_scratch::<T>(), layout.scratch[phase as usize]);
        Self { layout, rows, most, most_scratch, scratch }
    }

    fn counts(&self, rows: &Range<usize>) -> RowCounts {
        let edges = self.layout.edges_of(rows.clone());
        RowCounts { vertices: rows.len(), edges: edges.len() }
    }

    /// The rows that are left.
    pub(super) fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// What the largest of the blocks that are left need.
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
            counts.edges <= MAX_EDGES && self.scratch.of(counts) <= self.most_scratch
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
    /// What the largest of these blocks and others need.
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

/// The most elements of scratch of a block of more than one vertex.
pub(super) fn most_scratch<T>() -> usize {
    MAX_SCRATCH / size_of::<T>()
}
