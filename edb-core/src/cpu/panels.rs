//! Matrices packed for products.
//!
//! A matrix is laid out in panels, each as wide as the accumulator registers in a row of a
//! [tile](super::tile), so that the inner loop of a product reads a panel from front to back.

use std::ops::Range;

use edb_pool::Pool;

use super::isa::Isa;
use super::memory::{Shared, extend};
use super::operand::Operand;
use super::transpose::{CORNER, transpose};
use super::vector::{Registers, Vector};
use crate::element::Element;
use crate::engine::EngineError;

/// The number of elements from which on packing on several threads is faster.
const MIN_PARALLEL_PACK: usize = 50_000;

/// A matrix `B` of `inner` rows and `width` columns, in panels of columns; the last one is padded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Panels<T> {
    data: Vec<T>,
    inner: usize,
    pub(super) width: usize,
    panel: usize,
}

/// The number of registers in a row of a tile, and of elements in a register: four of the widest
/// registers or two of the others, which leaves enough for six rows; one for a matrix that is no
/// wider than a register.
pub(super) fn tile<T: Element>(isa: Isa, width: usize) -> (usize, usize) {
    let (vectors, lanes) = match isa {
        Isa::Portable => (2, <T as Registers>::Portable::LANES),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => (2, <T as Registers>::Avx2::LANES),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => (4, <T as Registers>::Avx512::LANES),
    };
    (if width <= lanes { 1 } else { vectors }, lanes)
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
        let (vectors, lanes) = tile::<T>(Isa::best(), width);
        let padded = width.checked_next_multiple_of(vectors * lanes).unwrap_or(usize::MAX);
        extend(&mut self.data, padded.saturating_mul(inner))
    }

    /// Resets to a matrix of this size. Elements that are not packed are unspecified: the sums over
    /// a panel's padding columns are never read.
    pub(super) fn reset(&mut self, inner: usize, width: usize) {
        self.reset_for(Isa::best(), inner, width);
    }

    pub(super) fn reset_for(&mut self, isa: Isa, inner: usize, width: usize) {
        let (vectors, lanes) = tile::<T>(isa, width);
        (self.inner, self.width, self.panel) = (inner, width, vectors * lanes);
        let size = width.next_multiple_of(self.panel) * inner;
        if self.data.len() < size {
            self.data.resize(size, T::zero());
        }
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

    /// The number of elements of a panel.
    pub(super) fn size(&self) -> usize {
        self.inner * self.panel
    }

    /// The elements of a panel, which has `columns` columns, and how many of these are not
    /// padding.
    #[inline(always)]
    pub(super) fn panel(&self, number: usize, columns: usize) -> (&[T], usize) {
        let data = &self.data[number * self.inner * columns..][..self.inner * columns];
        (data, columns.min(self.width - number * columns))
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
