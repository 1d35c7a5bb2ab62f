//! Matrices packed for products.
//!
//! A matrix is laid out in panels of few columns, so that the inner loop of a product reads the
//! panels of a [tile](super::tile) from front to back.

use std::ops::Range;

use edb_pool::Pool;

use super::isa::Isa;
use super::memory::{Memory, Shared};
use super::operand::Operand;
use super::transpose::{CORNER, transpose};
use super::vector::{Registers, Vector};
use crate::element::Element;
use crate::engine::EngineError;

/// The number of elements from which on packing on several threads is faster.
const MIN_PARALLEL_PACK: usize = 50_000;

/// A matrix `B` of `inner` rows and `width` columns, in panels of columns; the last one is padded.
#[derive(Clone, Debug)]
pub(crate) struct Panels<T> {
    data: Memory<T>,
    inner: usize,
    pub(super) width: usize,
    panel: usize,
}

impl<T> Default for Panels<T> {
    fn default() -> Self {
        Self { data: Memory::default(), inner: 0, width: 0, panel: 0 }
    }
}

/// The number of registers in a line of a panel, and of elements in a register: two registers, or
/// one for a matrix that is no wider than that.
pub(super) fn line<T: Element>(isa: Isa, width: usize) -> (usize, usize) {
    let lanes = match isa {
        Isa::Portable => <T as Registers>::Portable::LANES,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => <T as Registers>::Avx2::LANES,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => <T as Registers>::Avx512::LANES,
    };
    (if width <= lanes { 1 } else { 2 }, lanes)
}

/// A part of a matrix to pack: `size` rows and columns from `start` on, of a matrix with `columns`
/// columns. Its first element, or that of its transpose if `transposed`, goes to line `line` and
/// column `column` of the panels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a, T> {
    pub(super) matrix: &'a [T],
    pub(super) columns: usize,
    pub(super) start: [usize; 2],
    pub(super) size: [usize; 2],
    pub(super) transposed: bool,
    pub(super) line: usize,
    pub(super) column: usize,
}

impl<'a, T> Part<'a, T> {
    fn row(&self, row: usize) -> &'a [T] {
        let start = (self.start[0] + row) * self.columns + self.start[1];
        &self.matrix[start..start + self.size[1]]
    }
}

impl<T: Element> Panels<T> {
    /// Reserves memory for a matrix that is going to be packed; fails if there is not enough.
    pub(super) fn reserve(&mut self, inner: usize, width: usize) -> Result<(), EngineError> {
        let (vectors, lanes) = line::<T>(Isa::best(), width);
        let padded = width.checked_next_multiple_of(vectors * lanes).unwrap_or(usize::MAX);
        self.data.extend(padded.saturating_mul(inner))
    }

    /// Resets to a matrix of this size. Elements that are not packed are unspecified: the sums over
    /// a panel's padding columns are never read.
    pub(super) fn reset(&mut self, inner: usize, width: usize) {
        self.reset_for(Isa::best(), inner, width);
    }

    pub(super) fn reset_for(&mut self, isa: Isa, inner: usize, width: usize) {
        let (vectors, lanes) = line::<T>(isa, width);
        (self.inner, self.width, self.panel) = (inner, width, vectors * lanes);
        let size = width.next_multiple_of(self.panel) * inner;
        self.data.grow(size);
    }

    /// Packs a part. A large one is packed by all threads of `pool`.
    pub(super) fn pack(&mut self, part: Part<'_, T>, pool: Option<&mut Pool>) {
        let filling = self.filling();
        let panels = filling.panels(&part);
        // SAFETY: each panel is packed by one piece of the job, and none is read before the job
        // ends.
        let pack = |_: usize, number: usize| unsafe {
            filling.pack_panel(panels.start + number, part);
        };
        match pool {
            Some(pool) if part.size[0] * part.size[1] >= MIN_PARALLEL_PACK => {
                pool.run(panels.len(), &pack);
            }
            _ => (0..panels.len()).for_each(|number| pack(0, number)),
        }
    }

    /// A view of the panels that several threads can fill.
    pub(super) fn filling(&mut self) -> Filling<'_, T> {
        Filling { inner: self.inner, panel: self.panel, data: Shared::new(&mut self.data) }
    }

    /// Packs a matrix with contiguous rows.
    pub(crate) fn pack_lines(&mut self, rows: usize, columns: usize, matrix: &[T]) {
        self.reset(rows, columns);
        let (start, size) = ([0, 0], [rows, columns]);
        let part = Part { matrix, columns, start, size, transposed: false, line: 0, column: 0 };
        self.pack(part, None);
    }

    /// Packs the rows `rows` of an operand.
    pub(super) fn pack_rows(&mut self, rows: Range<usize>, x: &Operand<'_, T>) {
        self.reset(rows.len(), x.width);
        let panel = self.panel;
        for (to, row) in rows.clone().enumerate() {
            for (number, from) in x.row(row).chunks(panel).enumerate() {
                let to = (number * rows.len() + to) * panel;
                self.data[to..to + from.len()].copy_from_slice(from);
            }
        }
    }

    /// The rows and the columns of the matrix.
    #[cfg(test)]
    pub(super) fn shape(&self) -> (usize, usize) {
        (self.inner, self.width)
    }

    /// How many panels there are, and the columns of one.
    pub(super) fn panels(&self) -> (usize, usize) {
        (self.width.div_ceil(self.panel.max(1)), self.panel)
    }

    /// The number of rows of the matrix, which is the number of lines of each panel.
    pub(crate) fn inner(&self) -> usize {
        self.inner
    }

    /// The elements of `P` panels from this one on, which have `columns` columns each.
    #[inline(always)]
    pub(super) fn panels_from<const P: usize>(&self, number: usize, columns: usize) -> [&[T]; P] {
        let size = self.inner * columns;
        let all = &self.data[number * size..][..P * size];
        let mut panels = [all; P];
        for p in 0..P {
            panels[p] = &all[p * size..][..size];
        }
        panels
    }
}

/// Panels that several threads fill, each thread its own elements of the matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filling<'a, T> {
    data: Shared<'a, T>,
    inner: usize,
    panel: usize,
}

impl<T: Element> Filling<'_, T> {
    /// The panels that contain columns of a part.
    fn panels(&self, part: &Part<'_, T>) -> Range<usize> {
        let columns = part.size[usize::from(!part.transposed)];
        part.column / self.panel..(part.column + columns).div_ceil(self.panel)
    }

    /// Packs a part, as [`Panels::pack`] does.
    ///
    /// # Safety
    /// No other code may read or write these elements of the matrix meanwhile.
    pub(super) unsafe fn pack(&self, part: Part<'_, T>) {
        for panel in self.panels(&part) {
            // SAFETY: guaranteed by the caller.
            unsafe { self.pack_panel(panel, part) };
        }
    }

    /// Packs those columns of a part that are in one panel.
    ///
    /// # Safety
    /// As for [`Filling::pack`].
    unsafe fn pack_panel(&self, number: usize, mut part: Part<'_, T>) {
        let panel = self.panel;
        // The axis of the part that becomes the columns.
        let axis = usize::from(!part.transposed);
        let columns = part.column..part.column + part.size[axis];
        let own = number * panel;
        let [from, to] = [columns.start.max(own), columns.end.min(own + panel)];
        part.start[axis] += from - columns.start;
        part.size[axis] = to - from;
        let lines = part.size[1 - axis];
        assert!(part.line + lines <= self.inner, "lines that the matrix has");
        if lines == 0 {
            return;
        }
        let first = (number * self.inner + part.line) * panel + from - own;
        // Threads write disjoint elements, but of the same lines: hence a pointer instead of a
        // slice.
        let out = self.data.pointer(first..first + (lines - 1) * panel + to - from);
        if !part.transposed {
            for line in 0..lines {
                let row = part.row(line);
                // SAFETY: within the range checked above; no other code uses it, as the caller
                // guarantees.
                unsafe {
                    std::ptr::copy_nonoverlapping(row.as_ptr(), out.add(line * panel), row.len());
                }
            }
            return;
        }
        // Whole corners are at multiples of `CORNER` in a panel, behind `head` rows of the part.
        // Panels whose width is not a multiple of `CORNER` are packed element by element.
        let rows = part.size[0];
        let head = (CORNER - (from - own) % CORNER) % CORNER;
        let mut done = 0;
        while done < rows {
            let whole = if done == 0 && head > 0 { head } else { CORNER };
            let count = whole.min(rows - done);
            if count == CORNER && panel.is_multiple_of(CORNER) {
                let lines = std::array::from_fn(|row| part.row(done + row));
                // SAFETY: as above.
                unsafe { transpose(lines, out.add(done), panel) };
            } else {
                for row in done..done + count {
                    for (k, &x) in part.row(row).iter().enumerate() {
                        // SAFETY: as above.
                        unsafe { *out.add(k * panel + row) = x };
                    }
                }
            }
            done += count;
        }
    }
}
