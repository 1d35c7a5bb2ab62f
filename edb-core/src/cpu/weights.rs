//! Packs parameters for products, and packs them again when they are updated.
//!
//! Packing a matrix reads and writes all of it. For a minibatch with few vertices, this takes as long as its
//! products. So the optimiser reports the rows that it has just updated, and these are packed while they are in
//! cache. For few rows, a matrix is not packed at all as long as this is faster: it is multiplied [where it
//! lies](edb_kernels::in_place) in memory, line by line or column by column.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::panicking;

use derive_where::derive_where;
use edb_ir::IdVec;
use edb_pool::Pool;
use smallvec::SmallVec;

use crate::engine::EngineError;
use edb_kernels::element::Element;
use edb_kernels::in_place::{InPlace, MOST_ROWS};
use edb_kernels::panels::{Filling, PackedPart, Panels};
use edb_learn::learn::{Followers, Parameters, RowsToUpdate, SharedWork};
use edb_model::model::stack::{Weights, WeightsId};

/// A model with up to this many matrices needs no allocation for them in a step.
const INLINE_MATRICES: usize = 16;

/// The packed parameters of a back end, by the numbers of the model's [`Weights`].
#[derive(Debug)]
#[derive_where(Default)]
pub(super) struct Packed<T> {
    packed: IdVec<WeightsId, Option<Matrix<T>>>,
    /// Whether they are packed in 16 bits.
    paired: bool,
    /// Whether all are packed, however few rows read them.
    all: bool,
}

#[derive(Debug)]
struct Matrix<T> {
    /// The weights that were packed; below, the version of each of their blocks.
    weights: Weights,
    blocks: Vec<Version>,
    panels: Panels<T>,
    /// Whether the present phase reads the matrix where it lies, and not the panels.
    in_place: bool,
    /// How many times the matrix has been read since it was updated; below, whether it was read so often that
    /// it should be packed while it is updated.
    reads: u32,
    is_busy: bool,
}

/// A matrix is far, that is, in no near cache, if it has at least this many bytes for each thread.
const MIN_FAR_BYTES_PER_THREAD: usize = 4 << 20;

/// The panels of a matrix with at least this many bytes are read forwards and backwards alternately. The panels
/// that a product has read last are still in the near cache when the next product begins with them. If the
/// order were always the same, each panel would drive out one that is needed soon.
const MIN_TURNED_BYTES: usize = 1 << 19;

/// How many times the lines of a matrix are read before it is packed, if products have up to [`MOST_ROWS`]
/// rows. Per KiB, reading lines takes 3 to 8 ns longer than reading panels, and packing takes 25 ns or, if the
/// matrix is far, 65 to 90 ns.
const MAX_LINE_READS: u32 = 40;

/// How many times the lines of a matrix are read before it is packed, if products have more rows, and so read
/// the lines several times. It is enough for a matrix that is multiplied once in a step, for example with the
/// words of a sentence.
const MAX_LINE_READS_FOR_MANY_ROWS: u32 = 3;

/// How many times the columns of a far matrix are read for [few](FEW_ROWS) rows before it is packed; if there
/// are more rows, each [`MOST_ROWS`] rows count as two reads. Each time, the matrix is transposed, which takes
/// about 15 ns per KiB; with few rows, half of this time would be spent waiting for memory anyway. Packing a
/// far matrix also drives other parameters out of the caches.
const MAX_COLUMN_READS: u32 = 20;

/// Products with up to this many rows count as one read: see [`MAX_COLUMN_READS`].
const FEW_ROWS: usize = 4;

/// Whether the lines of a matrix in memory are the lines of the right-hand side of a product. This holds if the
/// matrix is transposed and each of its blocks has all of its columns.
fn lies_line_by_line(weights: &Weights) -> bool {
    let mut row = 0;
    weights.transposed
        && weights.blocks.iter().all(|block| {
            let follows = block.place == [row, 0] && block.size[1] == weights.size[1];
            row += block.size[0];
            follows
        })
}

/// How many times a product of this many rows reads a matrix where it lies in memory, and how often the matrix
/// may be read in this way before it is packed.
///
/// These numbers were measured once. They cannot be found by [trying](edb_kernels::choice), as others are: they
/// compare the next read with the reads in the rest of the step, which are not known yet.
fn reads<T: Element>(weights: &Weights, rows: usize, threads: usize) -> (u32, u32) {
    let bytes = weights.size.iter().product::<usize>() * size_of::<T>();
    let is_far = bytes >= MIN_FAR_BYTES_PER_THREAD * threads;
    let times = |rows_at_once| u32::try_from(rows.div_ceil(rows_at_once)).unwrap_or(u32::MAX);
    if lies_line_by_line(weights) && rows <= MOST_ROWS {
        (1, MAX_LINE_READS)
    } else if lies_line_by_line(weights) && !is_far {
        (times(MOST_ROWS), MAX_LINE_READS_FOR_MANY_ROWS)
    } else if !weights.transposed && is_far {
        let times = times(MOST_ROWS);
        (if rows <= FEW_ROWS { 1 } else { times.saturating_mul(2) }, MAX_COLUMN_READS)
    } else {
        (1, 0)
    }
}

/// Stacked parameters, as a product reads them.
#[expect(clippy::large_enum_variant, reason = "it is on the stack for one product")]
pub(super) enum RightSide<'a, T> {
    Panels(&'a Panels<T>),
    InPlace(InPlace<'a, T>),
}

/// If threads share a product with a matrix that is not packed, a unit has this many columns.
const UNIT_COLUMNS: usize = 64;

impl<T: Element> RightSide<'_, T> {
    /// The number of columns, and how many columns a unit has. Threads share a product in units.
    fn width(&self) -> (usize, usize) {
        match self {
            RightSide::Panels(panels) => {
                let (count, columns) = panels.panels();
                (count * columns, columns)
            }
            RightSide::InPlace(matrix) => (matrix.width(), UNIT_COLUMNS),
        }
    }

    /// Whether the last units should be read first.
    pub(super) fn is_turned(&self) -> bool {
        matches!(self, RightSide::Panels(panels) if panels.is_turned())
    }

    /// How many units there are.
    pub(super) fn units(&self) -> usize {
        let (width, unit) = self.width();
        width.div_ceil(unit.max(1))
    }

    /// The columns of some units; the last panel may extend beyond the matrix.
    pub(super) fn columns(&self, units: &Range<usize>) -> Range<usize> {
        let (width, unit) = self.width();
        units.start * unit..width.min(units.end * unit)
    }
}

/// From which version of its parameter a block was packed; 0 if the block matches no version.
#[derive(Debug, Default)]
struct Version {
    packed: u64,
    /// How many elements of the next version have been packed; below, the number of that version.
    moved: AtomicUsize,
    next: AtomicU64,
}

impl<T: Element> Packed<T> {
    pub(super) fn new(paired: bool) -> Self {
        Self { packed: IdVec::default(), paired, all: false }
    }

    /// Whether the parameters are packed in 16 bits.
    pub(super) fn is_paired(&self) -> bool {
        self.paired
    }

    /// Sets whether all weights are packed for future products, however few rows these have.
    pub(super) fn pack_all(&mut self, all: bool) {
        self.all = all;
    }

    /// Prepares stacked parameters for products of this many rows: packs them, unless their values have not
    /// changed since they were packed, or the products read them where they lie.
    pub(super) fn prepare(
        &mut self,
        id: WeightsId,
        weights: &Weights,
        parameters: &Parameters<T>,
        rows: usize,
        pool: &mut Pool,
    ) -> Result<(), EngineError> {
        if self.packed.len() <= id.index() {
            self.packed.raw.resize_with(id.index() + 1, || None);
        }
        let packed = self.packed[id].get_or_insert_with(|| Matrix {
            weights: weights.clone(),
            blocks: Vec::new(),
            panels: Panels::default(),
            in_place: false,
            reads: 0,
            is_busy: false,
        });
        if packed.weights != *weights {
            packed.weights = weights.clone();
            packed.blocks.clear();
        }
        let (reads, most) = match self.paired || self.all {
            true => (1, 0),
            false => reads::<T>(weights, rows, pool.threads()),
        };
        packed.reads = packed.reads.saturating_add(reads);
        packed.is_busy |= packed.reads > most;
        packed.in_place = false;
        if weights.size.iter().product::<usize>() * size_of::<T>() >= MIN_TURNED_BYTES {
            packed.panels.turn();
        }
        let versions = || weights.blocks.iter().map(|block| parameters.get(block.param).version());
        if packed.blocks.iter().map(|block| block.packed).eq(versions()) {
            return Ok(());
        }
        if packed.reads <= most {
            packed.in_place = true;
            return Ok(());
        }
        packed.blocks.clear();
        let panels = &mut packed.panels;
        let [rows, columns] = weights.size;
        // The matrix is the right-hand side of X Wᵀ or of Y W.
        let (inner, width) = if weights.transposed { (rows, columns) } else { (columns, rows) };
        panels.reserve(inner, width, self.paired)?;
        match self.paired {
            false => panels.reset(inner, width),
            true => panels.reset_paired(inner, width),
        }
        for block in &weights.blocks {
            let parameter = parameters.get(block.param);
            let columns = parameter.shape()[1];
            let (matrix, start, size) = (parameter.fetched(), block.start, block.size);
            let [line, column] = place(weights, block.place);
            let transposed = !weights.transposed;
            let part = PackedPart { matrix, columns, start, size, transposed, line, column };
            panels.pack(part, Some(&mut *pool));
        }
        let version = |packed| Version { packed, ..Version::default() };
        packed.blocks.extend(versions().map(version));
        Ok(())
    }

    /// The right side that the products of a phase read.
    ///
    /// # Panics
    /// If the phase has not [prepared](Self::prepare) it.
    pub(super) fn right_side<'a>(
        &'a self,
        id: WeightsId,
        parameters: &'a Parameters<T>,
    ) -> RightSide<'a, T> {
        let matrix = self.matrix(id);
        let Weights { blocks, size, transposed } = &matrix.weights;
        let blocks = blocks.iter().map(|block| block.stored(parameters));
        match (matrix.in_place, transposed) {
            (false, _) => RightSide::Panels(&matrix.panels),
            (true, true) => RightSide::InPlace(InPlace::lines(blocks, *size)),
            (true, false) => RightSide::InPlace(InPlace::columns(blocks, *size)),
        }
    }

    /// The panels of packed weights. All weights in 16 bits are packed.
    ///
    /// # Panics
    /// As [`right_side`](Self::right_side).
    pub(super) fn panels(&self, id: WeightsId) -> &Panels<T> {
        &self.matrix(id).panels
    }

    fn matrix(&self, id: WeightsId) -> &Matrix<T> {
        self.packed[id].as_ref().expect("a phase prepares what it multiplies with")
    }

    /// The packed matrices that are packed again while parameters are updated.
    pub(super) fn followers(&mut self) -> Packing<'_, T> {
        let busy = self.packed.raw.iter_mut().flatten().filter(|matrix| matrix.is_busy);
        let followers = busy.map(|matrix| Follower {
            weights: &matrix.weights,
            blocks: &matrix.blocks,
            panels: matrix.panels.filling(),
        });
        Packing(followers.collect())
    }

    /// Ends an update: each block of which all elements were packed now has the new version.
    pub(super) fn end_update(&mut self) {
        for matrix in self.packed.raw.iter_mut().flatten() {
            (matrix.reads, matrix.is_busy) = (0, false);
            // If a caller's optimiser panics, only some panels have been packed again. The caller may then
            // restore the old parameters, with the version that was packed before.
            if panicking() {
                matrix.blocks.clear();
            }
            for (version, block) in matrix.blocks.iter_mut().zip(&matrix.weights.blocks) {
                let moved = std::mem::take(version.moved.get_mut());
                if moved > 0 {
                    // A block that was packed only in part matches no version.
                    let all = moved == block.size[0] * block.size[1];
                    version.packed = if all { *version.next.get_mut() } else { 0 };
                }
            }
        }
    }
}

/// The line and the column in the panels of an element of a stacked matrix.
fn place(weights: &Weights, [row, column]: [usize; 2]) -> [usize; 2] {
    if weights.transposed { [row, column] } else { [column, row] }
}

/// The packed matrices of a back end, while parameters are updated.
#[derive(Debug)]
pub(super) struct Packing<'a, T>(SmallVec<[Follower<'a, T>; INLINE_MATRICES]>);

#[derive(Debug)]
struct Follower<'a, T> {
    weights: &'a Weights,
    blocks: &'a [Version],
    panels: Filling<'a, T>,
}

impl<T: Element> Packing<'_, T> {
    /// No matrices.
    pub(super) fn none() -> Self {
        Self(SmallVec::new())
    }

    /// Shares pieces of work among the threads of a pool, each with memory of its own. The work reports the
    /// rows that it updates to these matrices.
    pub(super) fn share(
        &self,
        pool: &mut Pool,
        spare: &[Mutex<Vec<T>>],
        pieces: usize,
        work: &SharedWork<'_, T>,
    ) {
        pool.run(pieces, &|thread, piece| {
            let spare = spare[thread].lock();
            work(piece, &mut spare.unwrap_or_else(PoisonError::into_inner), self);
        });
    }
}

impl<T: Element> Followers<T> for Packing<'_, T> {
    fn moved(&self, rows: RowsToUpdate<'_, T>) {
        let (columns, first) = (rows.columns(), rows.first());
        let [before, after] = rows.versions();
        for Follower { weights, blocks, panels } in &self.0 {
            for (block, version) in weights.blocks.iter().zip(*blocks) {
                // A packed matrix may belong to another model.
                if block.param != rows.parameter() || version.packed != before {
                    continue;
                }
                let end = first + rows.values().len() / columns;
                let own = block.start[0].max(first)..end.min(block.start[0] + block.size[0]);
                if own.is_empty() {
                    continue;
                }
                let moved = own.start - block.start[0];
                let [line, column] = place(weights, [block.place[0] + moved, block.place[1]]);
                let part = PackedPart {
                    matrix: rows.values(),
                    columns,
                    start: [own.start - first, block.start[1]],
                    size: [own.len(), block.size[1]],
                    transposed: !weights.transposed,
                    line,
                    column,
                };
                // SAFETY: `RowsToUpdate` are split off one exclusive borrow of a parameter, and sharing work
                // borrows the workers exclusively, so no other thread has these rows of this parameter. Blocks
                // of a matrix do not overlap, so no other thread writes these elements. No thread reads them
                // either, since a product needs the panels, which are borrowed exclusively.
                unsafe { panels.pack(part) };
                version.next.store(after, Ordering::Relaxed);
                version.moved.fetch_add(own.len() * block.size[1], Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests;
