//! Products with packed matrices.
//!
//! The matrix is laid out in panels as wide as the registers that accumulate a [tile](super::tile) of
//! the result: the inner loop reads the panel from front to back and multiplies each of its rows with
//! one element of six rows of the other matrix, which stays as it is (24 registers of 16 floats under
//! AVX-512).
//!
//! Every element of a result is one sum over the inner dimension, from its first term to its last,
//! whatever the number of rows: a row's product does not depend on its company.

use std::marker::PhantomData;
use std::ops::Range;

use edb_pool::Pool;

use super::level::{Level, portable};
#[cfg(target_arch = "x86_64")]
use super::level::{avx2, avx512};
use super::memory::Shared;
use super::operand::Operand;
use super::tile::{Destination, Left, Multiply};
use super::transpose::{CORNER, transpose};
use super::vector::{Registers, Vector};
use crate::element::Element;
use crate::engine::EngineError;

/// Elements from which on a second thread gains by packing some of them.
const MIN_PARALLEL_PACK: usize = 50_000;

/// A matrix `B` of `inner` rows and `width` columns, in panels of columns, the last one filled up.
#[derive(Clone, Debug, Default)]
pub(super) struct Panels<T> {
    data: Vec<T>,
    inner: usize,
    width: usize,
    panel: usize,
}

/// Registers in a tile's row, and elements in one: four of the widest registers, two of the others, as
/// many as leave room for six rows; one for a matrix that is no wider.
fn tile<T: Element>(level: Level, width: usize) -> (usize, usize) {
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
        super::extend(&mut self.data, padded.saturating_mul(inner))
    }

    /// Makes room for a matrix. What is not packed into it holds anything: columns that only fill
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
    pub(super) fn pack_lines(&mut self, rows: usize, columns: usize, matrix: &[T]) {
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

    /// `out = A B`, or `out += A B`, for `rows` rows of `A`, which have `inner` elements, and some
    /// panels, whose columns are all that `out` has.
    pub(super) fn multiply_panels(
        &self,
        part: Range<usize>,
        rows: usize,
        out: Operand<'_, T>,
        left: Left<'_, T>,
        add: bool,
    ) {
        let mut out = [Destination::new(0, out, false)];
        self.run_part(Level::best(), part, rows, &mut out, left, add);
    }

    /// `out = A B` for `rows` rows of `A`.
    pub(super) fn multiply(&self, rows: usize, out: Operand<'_, T>, left: Left<'_, T>) {
        self.multiply_panels(0..self.panels().0, rows, out, left, false);
    }

    /// The same, or `out += A B`, to several places.
    pub(super) fn multiply_to(
        &self,
        rows: usize,
        out: &mut [Destination<'_, T>],
        left: Left<'_, T>,
        add: bool,
    ) {
        self.run_part(Level::best(), 0..self.panels().0, rows, out, left, add);
    }

    fn run_part(
        &self,
        level: Level,
        part: Range<usize>,
        rows: usize,
        out: &mut [Destination<'_, T>],
        left: Left<'_, T>,
        add: bool,
    ) {
        let (panels, narrow) = (self, tile::<T>(level, self.width).0 == 1);
        macro_rules! kernel {
            ($registers:ident, $vectors:literal) => {
                Multiply::<T, <T as Registers>::$registers, $vectors> {
                    panels,
                    part,
                    rows,
                    out,
                    left,
                    add,
                    registers: PhantomData,
                }
            };
        }
        // Each with the registers of its level, and for no other.
        match level {
            Level::Portable if narrow => portable(kernel!(Portable, 1)),
            Level::Portable => portable(kernel!(Portable, 2)),
            // SAFETY: levels come from `Level::all`, which lists what this machine has.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 if narrow => unsafe { avx2(kernel!(Avx2, 1)) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { avx2(kernel!(Avx2, 2)) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 if narrow => unsafe { avx512(kernel!(Avx512, 1)) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { avx512(kernel!(Avx512, 4)) },
        }
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

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    use super::super::operand::Rows;
    use super::*;
    use crate::random::VertexKey;

    fn numbers<T: Element>(count: usize, seed: u64) -> Vec<T> {
        let key = VertexKey::new(seed, 0, 0, 0, 0).site(0, 0);
        (0..count).map(|at| T::from_f64(key.uniform(at) - 0.5)).collect()
    }

    fn rows_of<'a, T>(data: &'a mut [T], width: usize) -> Operand<'a, T> {
        // SAFETY: each is written by one product, or read by some.
        unsafe { Operand::new(Shared::new(data), 0, (width, width), Rows::Each) }
    }

    fn run<T: Element>(
        panels: &Panels<T>,
        level: Level,
        rows: usize,
        (out, left): (Operand<'_, T>, Left<'_, T>),
        add: bool,
    ) {
        let mut out = [Destination::new(0, out, false)];
        panels.run_part(level, 0..panels.panels().0, rows, &mut out, left, add);
    }

    fn packed<T: Element>(
        level: Level,
        b: &[T],
        (inner, width): (usize, usize),
        cut: usize,
        transposed: bool,
    ) -> Panels<T> {
        let mut panels = Panels::default();
        panels.reset_for(level, inner, width);
        // In two parts, cut along the width.
        let cut = cut.min(width);
        for (first, count) in [(0, cut), (cut, width - cut)] {
            let (matrix, start, size, columns) = match transposed {
                true => (b, [first, 0], [count, inner], inner),
                false => (b, [0, first], [inner, count], width),
            };
            panels.pack(Part { matrix, columns, start, size }, (0, first), transposed, None);
        }
        panels
    }

    fn check<T: Element>(
        (rows, inner, width): (usize, usize, usize),
        cut: usize,
        turn: bool,
        tolerance: f64,
    ) {
        let (mut a, b) = (numbers::<T>(rows * inner, 1), numbers::<T>(inner * width, 2));
        let (row, column) = if turn { (1, rows) } else { (inner, 1) };
        let of_a: Vec<f64> = (0..rows * inner)
            .map(|at| a[at / inner * row + at % inner * column].as_f64())
            .collect();
        for level in Level::all() {
            for transposed in [false, true] {
                let panels = packed(level, &b, (inner, width), cut, transposed);
                let mut product = |out: &mut [T], add| {
                    let out = rows_of(out, width);
                    if turn {
                        let left = Left::Columns { data: &a, stride: rows };
                        run(&panels, level, rows, (out, left), add);
                    } else {
                        let of_a = rows_of(&mut a, inner);
                        run(&panels, level, rows, (out, Left::Rows(&of_a)), add);
                    }
                };
                let mut out = vec![T::one(); rows * width];
                product(&mut out, false);
                let mut twice = out.clone();
                product(&mut twice, true);
                for (at, (out, twice)) in out.iter().zip(&twice).enumerate() {
                    let (r, c) = (at / width, at % width);
                    let of_b = |k: usize| b[if transposed { c * inner + k } else { k * width + c }];
                    let exact: f64 =
                        (0..inner).map(|k| of_a[r * inner + k] * of_b(k).as_f64()).sum();
                    assert_relative_eq!(out.as_f64(), exact, epsilon = tolerance);
                    assert_relative_eq!(twice.as_f64(), 2.0 * exact, epsilon = 2.0 * tolerance);
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

        #[test]
        fn products_are_products(
            rows in 1usize..20, inner in 1usize..70, width in 1usize..140, cut in 0usize..140,
            turn: bool,
        ) {
            check::<f32>((rows, inner, width), cut, turn, 1e-4);
            check::<f64>((rows, inner, width), cut, turn, 1e-12);
        }

        /// What "same bits" stands on.
        #[test]
        fn rows_do_not_depend_on_their_number(
            rows in 1usize..40, inner in 1usize..300, width in 1usize..140,
        ) {
            let (mut a, b) = (numbers::<f32>(rows * inner, 1), numbers::<f32>(inner * width, 2));
            for level in Level::all() {
                let panels = packed(level, &b, (inner, width), width, false);
                let product = |out: &mut [f32], a: &mut [f32]| {
                    let rows = a.len() / inner;
                    let (out, a) = (rows_of(out, width), rows_of(a, inner));
                    run(&panels, level, rows, (out, Left::Rows(&a)), false);
                };
                let mut together = vec![0.0; rows * width];
                product(&mut together, &mut a);
                for (together, a) in together.chunks(width).zip(a.chunks_mut(inner)) {
                    let mut alone = vec![0.0; width];
                    product(&mut alone, a);
                    prop_assert_eq!(&alone[..], together);
                }
            }
        }
    }
}
