//! Matrices packed for products.
//!
//! A matrix is laid out in panels as wide as the registers that accumulate a [tile](super::tile) of
//! a product: the inner loop reads a panel from front to back.

use std::ops::Range;

use edb_pool::Pool;

use super::level::Level;
use super::memory::{Shared, extend};
use super::operand::Operand;
use super::transpose::{CORNER, transpose};
use super::vector::{Registers, Vector};
use crate::element::Element;
use crate::engine::EngineError;

/// Elements from which on a second thread gains by packing some of them.
const MIN_PARALLEL_PACK: usize = 50_000;

/// A matrix `B` of `inner` rows and `width` columns, in panels of columns, the last one filled up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Panels<T> {
    data: Vec<T>,
    inner: usize,
    pub(super) width: usize,
    panel: usize,
}

/// Registers in a tile's row, and elements in one: four of the widest registers, two of the others, as
/// many as leave room for six rows; one for a matrix that is no wider.
pub(super) fn tile<T: Element>(level: Level, width: usize) -> (usize, usize) {
    let (vectors, lanes) = match level {
        Level::Portable => (2, <T as Registers>::Portable::LANES),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => (2, <T as Registers>::Avx2::LANES),
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => (4, <T as Registers>::Avx512::LANES),
    };
    (if width <= lanes { 1 } else { vectors }, lanes)
}

/// A part of a matrix that is packed: `size` rows and columns from `start` on, of a matrix with
/// `columns` columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a, T> {
    pub(super) matrix: &'a [T],
    pub(super) columns: usize,
    pub(super) start: [usize; 2],
    pub(super) size: [usize; 2],
}

impl<'a, T> Part<'a, T> {
    fn row(&self, row: usize) -> &'a [T] {
        let start = (self.start[0] + row) * self.columns + self.start[1];
        &self.matrix[start..start + self.size[1]]
    }
}

impl<T: Element> Panels<T> {
    /// Makes room for a matrix that is going to be packed, or says that there is none.
    pub(super) fn reserve(&mut self, inner: usize, width: usize) -> Result<(), EngineError> {
        let (vectors, lanes) = tile::<T>(Level::best(), width);
        let padded = width.checked_next_multiple_of(vectors * lanes).unwrap_or(usize::MAX);
        extend(&mut self.data, padded.saturating_mul(inner))
    }

    /// Makes room for a matrix. Elements that are not packed are unspecified: columns that only fill
    /// a panel are summed into places that nobody reads.
    pub(super) fn reset(&mut self, inner: usize, width: usize) {
        self.reset_for(Level::best(), inner, width);
    }

    pub(super) fn reset_for(&mut self, level: Level, inner: usize, width: usize) {
        let (vectors, lanes) = tile::<T>(level, width);
        (self.inner, self.width, self.panel) = (inner, width, vectors * lanes);
        let size = width.next_multiple_of(self.panel) * inner;
        if self.data.len() < size {
            self.data.resize(size, T::zero());
        }
    }

    /// Packs a part, its first element as row `at.0` and column `at.1`; `transposed` turns its rows
    /// into columns. A large part is packed by all threads of `pool`.
    pub(super) fn pack(
        &mut self,
        part: Part<'_, T>,
        at: (usize, usize),
        transposed: bool,
        pool: Option<&mut Pool>,
    ) {
        let filling = self.filling();
        let panels = filling.panels(part, at, transposed);
        // SAFETY: each panel is packed by one piece of the job, and nobody reads them before.
        let pack = |_: usize, number: usize| unsafe {
            filling.pack_panel(panels.start + number, part, at, transposed);
        };
        match pool {
            Some(pool) if part.size[0] * part.size[1] >= MIN_PARALLEL_PACK => {
                pool.run(panels.len(), &pack);
            }
            _ => (0..panels.len()).for_each(|number| pack(0, number)),
        }
    }

    /// The panels as several threads fill them.
    pub(super) fn filling(&mut self) -> Filling<'_, T> {
        Filling { inner: self.inner, panel: self.panel, data: Shared::new(&mut self.data) }
    }

    /// Packs rows of so many columns, which lie side by side.
    pub(crate) fn pack_lines(&mut self, rows: usize, columns: usize, matrix: &[T]) {
        self.reset(rows, columns);
        let part = Part { matrix, columns, start: [0, 0], size: [rows, columns] };
        self.pack(part, (0, 0), false, None);
    }

    /// Packs `rows` rows of an operand.
    pub(super) fn pack_rows(&mut self, rows: Range<usize>, x: &Operand<'_, T>) {
        self.reset(rows.len(), x.width);
        let panel = self.panel;
        for (to, row) in rows.clone().enumerate() {
            for (at, from) in x.row(row).chunks(panel).enumerate() {
                let to = (at * rows.len() + to) * panel;
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

    /// The rows of the matrix, which are the lines of each panel.
    pub(super) fn inner(&self) -> usize {
        self.inner
    }

    /// The elements of a panel.
    pub(super) fn size(&self) -> usize {
        self.inner * self.panel
    }

    /// The elements of panel `at`, which has `columns`, and how many of these the matrix has.
    #[inline(always)]
    pub(super) fn panel(&self, at: usize, columns: usize) -> (&[T], usize) {
        let data = &self.data[at * self.inner * columns..][..self.inner * columns];
        (data, columns.min(self.width - at * columns))
    }
}

/// Panels that several threads fill, each with its own elements of the matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filling<'a, T> {
    data: Shared<'a, T>,
    inner: usize,
    panel: usize,
}

impl<T: Element> Filling<'_, T> {
    /// The panels that have columns of a part, which goes to `at` as [`Panels::pack`] says.
    fn panels(&self, part: Part<'_, T>, at: (usize, usize), transposed: bool) -> Range<usize> {
        let columns = part.size[usize::from(!transposed)];
        at.1 / self.panel..(at.1 + columns).div_ceil(self.panel)
    }

    /// Packs a part, as [`Panels::pack`] does.
    ///
    /// # Safety
    /// Nobody else reads or writes these elements of the matrix meanwhile.
    pub(super) unsafe fn pack(&self, part: Part<'_, T>, at: (usize, usize), transposed: bool) {
        for panel in self.panels(part, at, transposed) {
            // SAFETY: the caller's word.
            unsafe { self.pack_panel(panel, part, at, transposed) };
        }
    }

    /// Packs the columns of a part that a panel has.
    ///
    /// # Safety
    /// As of [`Filling::pack`].
    unsafe fn pack_panel(
        &self,
        number: usize,
        mut part: Part<'_, T>,
        at: (usize, usize),
        transposed: bool,
    ) {
        let panel = self.panel;
        // Which axis of the part the columns are.
        let axis = usize::from(!transposed);
        let (columns, own) = (at.1..at.1 + part.size[axis], number * panel);
        let [from, to] = [columns.start.max(own), columns.end.min(own + panel)];
        part.start[axis] += from - columns.start;
        part.size[axis] = to - from;
        let lines = part.size[1 - axis];
        assert!(at.0 + lines <= self.inner, "lines that the matrix has");
        if lines == 0 {
            return;
        }
        let first = (number * self.inner + at.0) * panel + from - own;
        // Whose elements are disjoint, though not whose lines: so it goes on by pointer.
        let out = self.data.pointer(first..first + (lines - 1) * panel + to - from);
        if !transposed {
            for line in 0..lines {
                let row = part.row(line);
                // SAFETY: within what was looked at above; nobody else uses it, by the caller's word.
                unsafe {
                    std::ptr::copy_nonoverlapping(row.as_ptr(), out.add(line * panel), row.len());
                }
            }
            return;
        }
        // Panels are as wide as corners, or several, so that a corner's rows stay together if they
        // begin where one does.
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
