//! Matrices packed for products.
//!
//! A matrix is stored in panels of few columns, so that the inner loop of a product reads the panels of a
//! [tile](crate::tile) from front to back.

use std::ops::Range;

use derive_where::derive_where;

use edb_pool::Pool;

use super::pairs;
use super::pairs::PairIsa;
use super::transpose::{CORNER, transpose};
use crate::memory::{Memory, MemoryError, Operand, Shared, behind, times};
use crate::numbers::Element;
use crate::processor::{Isa, Registers, Vector};

/// Matrices with at least this many elements are packed faster by several threads.
const MIN_SHARED_ELEMENTS: usize = 50_000;

/// The most columns of a panel: two of the widest registers.
pub(crate) const MAX_PANEL_COLUMNS: usize = 32;

/// How many pairs of a row are transposed at a time.
const PAIRS_AT_ONCE: usize = 64;

/// A matrix `B` in panels of its columns. The last panel is padded to the width of the others.
///
/// A line of a panel is a part of a row of the matrix. If the matrix is in 16 bits, it is a part of two rows,
/// whose elements are [paired](crate::pairs).
#[derive(Clone, Debug)]
#[derive_where(Default)]
pub struct Panels<T> {
    data: Memory<T>,
    /// The number of lines of a panel.
    inner: usize,
    pub(crate) width: usize,
    panel: usize,
    paired: bool,
    /// Whether products begin with the last panel.
    turned: bool,
}

/// The number of registers in a line of a panel, and the number of elements in a register. There are two
/// registers, or one if the matrix is not wider than one register.
fn line<T: Element>(isa: Isa, width: usize) -> (usize, usize) {
    let lanes = match isa {
        Isa::Portable => <T as Registers>::Portable::LANES,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => <T as Registers>::Avx2::LANES,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => <T as Registers>::Avx512::LANES,
    };
    (if width <= lanes { 1 } else { 2 }, lanes)
}

/// A part of a matrix to pack.
#[derive(Clone, Copy, Debug)]
pub struct PackedPart<'a, T> {
    /// The matrix, row by row.
    pub matrix: &'a [T],
    /// How many columns it has.
    pub columns: usize,
    /// The first row and column of the part.
    pub start: [usize; 2],
    /// The number of its rows and of its columns.
    pub size: [usize; 2],
    /// Whether its transpose is packed.
    pub transposed: bool,
    /// The line of the panels to which its first element goes.
    pub line: usize,
    /// The column of the panels to which its first element goes.
    pub column: usize,
}

impl<'a, T> PackedPart<'a, T> {
    fn row(&self, row: usize) -> &'a [T] {
        let start = (self.start[0] + row) * self.columns + self.start[1];
        &self.matrix[start..start + self.size[1]]
    }
}

impl<T: Element> Panels<T> {
    /// Reserves memory for a matrix that will be packed; fails if there is not enough memory.
    pub fn reserve(&mut self, inner: usize, width: usize, paired: bool) -> Result<(), MemoryError> {
        self.extend(Self::elements(inner, width, paired))
    }

    /// Extends the memory to this many elements; fails if there is not enough memory.
    pub fn extend(&mut self, elements: usize) -> Result<(), MemoryError> {
        self.data.extend(elements)
    }

    /// How many elements a matrix takes.
    pub fn elements(inner: usize, width: usize, paired: bool) -> usize {
        // `PairIsa` may ask the operating system for permission to use more of the processor, so it is used
        // only for 16 bits.
        let (lines, least) = match paired {
            false => (inner, width),
            true => (PairIsa::best().lines(inner), PairIsa::best().width(width)),
        };
        let (vectors, lanes) = line::<T>(Isa::best(), least);
        let padded = width.checked_next_multiple_of(vectors * lanes).unwrap_or(usize::MAX);
        padded.saturating_mul(lines)
    }

    /// Resets to a matrix of this size. Elements that are not packed are unspecified: the sums over
    /// a panel's padding columns are never read.
    pub fn reset(&mut self, inner: usize, width: usize) {
        self.reset_for(Isa::best(), inner, width);
    }

    /// Like [`reset`](Self::reset), for a matrix in 16 bits.
    pub fn reset_paired(&mut self, inner: usize, width: usize) {
        self.reset_paired_for(PairIsa::best(), inner, width);
    }

    pub(crate) fn reset_paired_for(&mut self, isa: PairIsa, inner: usize, width: usize) {
        self.reset_to(line::<T>(isa.isa(), isa.width(width)), isa.lines(inner), width);
        self.paired = true;
        // Elements without a partner are paired with zero.
        let unpaired = inner / 2 * self.panel;
        if self.inner > inner / 2 {
            let size = self.inner * self.panel;
            for number in 0..self.panels().0 {
                self.data[number * size..][unpaired..size].fill(T::zero());
            }
        }
    }

    pub(crate) fn reset_for(&mut self, isa: Isa, inner: usize, width: usize) {
        self.reset_to(line::<T>(isa, width), inner, width);
    }

    fn reset_to(&mut self, (vectors, lanes): (usize, usize), inner: usize, width: usize) {
        let panel = vectors * lanes;
        let padded = width.checked_next_multiple_of(panel);
        let size = padded.and_then(|padded| padded.checked_mul(inner));
        self.data.grow(size.expect("a matrix of no more elements than memory can have"));
        // Only now, since the memory exists: all code that reads and writes panels relies on it.
        (self.inner, self.width, self.panel) = (inner, width, panel);
        self.paired = false;
    }

    /// Reverses the order in which products read the panels.
    pub fn turn(&mut self) {
        self.turned = !self.turned;
    }

    /// Whether products begin with the last panel.
    pub fn is_turned(&self) -> bool {
        self.turned
    }

    /// Some panels, in the order in which a product reads them, `together` panels at a time.
    pub(crate) fn in_order(
        &self,
        panels: Range<usize>,
        together: usize,
    ) -> impl Iterator<Item = Range<usize>> + use<T> {
        let (count, turned) = (panels.len().div_ceil(together), self.turned);
        (0..count).map(move |number| {
            let number = if turned { count - 1 - number } else { number };
            let first = panels.start + number * together;
            first..panels.end.min(first + together)
        })
    }

    /// Packs a part. All threads of `pool` share the packing of a large part.
    pub fn pack(&mut self, part: PackedPart<'_, T>, pool: Option<&mut Pool>) {
        let filling = self.filling();
        let panels = filling.panels(&part);
        // SAFETY: one piece of the job packs each panel, and no panel is read before the job ends.
        let pack = |_: usize, number: usize| unsafe {
            filling.pack_panel(panels.start + number, part);
        };
        match pool {
            Some(pool) if part.size[0] * part.size[1] >= MIN_SHARED_ELEMENTS => {
                pool.run(panels.len(), &pack);
            }
            _ => (0..panels.len()).for_each(|number| pack(0, number)),
        }
    }

    /// A view of the panels that several threads can fill.
    pub fn filling(&mut self) -> Filling<'_, T> {
        let Self { inner, width, panel, paired, .. } = *self;
        Filling { inner, width, panel, paired, data: Shared::new(&mut self.data) }
    }

    /// Packs a matrix with contiguous rows.
    pub fn pack_lines(&mut self, rows: usize, columns: usize, matrix: &[T]) {
        self.reset(rows, columns);
        let (start, size) = ([0, 0], [rows, columns]);
        let part =
            PackedPart { matrix, columns, start, size, transposed: false, line: 0, column: 0 };
        self.pack(part, None);
    }

    /// Packs the transpose of a matrix with contiguous rows.
    pub fn pack_columns(&mut self, rows: usize, columns: usize, matrix: &[T]) {
        self.reset(columns, rows);
        let (start, size) = ([0, 0], [rows, columns]);
        let part =
            PackedPart { matrix, columns, start, size, transposed: true, line: 0, column: 0 };
        self.pack(part, None);
    }

    /// Packs the rows `rows` of an operand, in 16 bits if `paired`.
    pub fn pack_rows(&mut self, rows: Range<usize>, x: &Operand<'_, T>, paired: bool) {
        if paired {
            self.reset_paired(rows.len(), x.width());
            return self.pack_pairs_of_rows(rows, x);
        }
        self.pack_each(rows, x, |_, to, from| to.copy_from_slice(from));
    }

    /// Packs the rows `rows` of an operand, each multiplied by its factor.
    pub(crate) fn pack_weighted(&mut self, rows: Range<usize>, x: &Operand<'_, T>, factors: &[T]) {
        self.pack_each(rows, x, |row, to, from| {
            to.iter_mut().zip(from).for_each(|(to, &x)| *to = factors[row] * x);
        });
    }

    /// Packs rows with `copy`, which gets the number of a row.
    fn pack_each(
        &mut self,
        rows: Range<usize>,
        x: &Operand<'_, T>,
        copy: impl Fn(usize, &mut [T], &[T]),
    ) {
        self.reset(rows.len(), x.width());
        let panel = self.panel;
        for (to, row) in rows.clone().enumerate() {
            for (number, from) in x.row(row).chunks(panel).enumerate() {
                let to = (number * rows.len() + to) * panel;
                copy(row, &mut self.data[to..to + from.len()], from);
            }
        }
    }

    fn pack_pairs_of_rows(&mut self, rows: Range<usize>, x: &Operand<'_, T>) {
        let (panel, inner) = (self.panel, self.inner);
        for line in 0..rows.len().div_ceil(2) {
            let row = rows.start + 2 * line;
            let second = (row + 1 < rows.end).then(|| x.row(row + 1));
            for (number, first) in x.row(row).chunks(panel).enumerate() {
                let to = (number * inner + line) * panel;
                let out = &mut self.data[to..to + first.len()];
                match second {
                    Some(row) => pairs::lines(first, &row[number * panel..], out),
                    None => pairs::line(first, out),
                }
            }
        }
    }

    /// Whether the matrix is in 16 bits.
    pub fn is_paired(&self) -> bool {
        self.paired
    }

    /// The number of panels, and the number of columns of a panel.
    pub fn panels(&self) -> (usize, usize) {
        (self.width.div_ceil(self.panel.max(1)), self.panel)
    }

    /// The number of lines of each panel: the number of rows of the matrix, or of pairs of rows.
    pub fn inner(&self) -> usize {
        self.inner
    }

    /// The number of registers in a line.
    pub(crate) fn vectors(&self, isa: Isa) -> usize {
        self.panel / line::<T>(isa, self.width).1
    }

    /// Some lines of `P` panels from panel `number` on, which have `columns` columns each.
    #[inline(always)]
    pub(crate) fn panels_from<const P: usize>(
        &self,
        number: usize,
        columns: usize,
        lines: &Range<usize>,
    ) -> [&[T]; P] {
        let size = self.inner * columns;
        let (first, end) = (lines.start * columns, lines.end * columns);
        let all = &self.data[number * size..][..P * size];
        let mut panels = [all; P];
        for p in 0..P {
            panels[p] = &all[p * size + first..p * size + end];
        }
        panels
    }
}

/// Panels that several threads fill; each thread fills its own elements of the matrix.
#[derive(Clone, Copy, Debug)]
pub struct Filling<'a, T> {
    data: Shared<'a, T>,
    inner: usize,
    width: usize,
    panel: usize,
    paired: bool,
}

impl<T: Element> Filling<'_, T> {
    /// The panels that contain columns of a part.
    ///
    /// # Panics
    /// When the part is not inside of its matrix, or its place is not inside of the panels; the `unsafe` code
    /// that packs it relies on this check.
    fn panels(&self, part: &PackedPart<'_, T>) -> Range<usize> {
        let axis = usize::from(!part.transposed);
        let [lines, columns] = [part.size[1 - axis], part.size[axis]];
        let has = |end: Option<usize>, most: usize| end.is_some_and(|end| end <= most);
        let most = self.inner.saturating_mul(self.rows_of_a_line());
        assert!(has(part.line.checked_add(lines), most), "lines that the matrix has");
        assert!(has(part.column.checked_add(columns), self.width), "columns that the matrix has");
        if lines == 0 || columns == 0 {
            return 0..0;
        }
        let of_row = behind(part.start[1], part.size[1]);
        let last = behind(part.start[0], part.size[0] - 1);
        let end = behind(times(last, part.columns), of_row);
        assert!(of_row <= part.columns && end <= part.matrix.len(), "a part of its matrix");
        part.column / self.panel..(part.column + columns).div_ceil(self.panel)
    }

    fn rows_of_a_line(&self) -> usize {
        if self.paired { 2 } else { 1 }
    }

    /// Packs a part, as [`Panels::pack`] does.
    ///
    /// # Safety
    /// While this runs, no other code may read or write these elements of the panels.
    pub unsafe fn pack(&self, part: PackedPart<'_, T>) {
        for panel in self.panels(&part) {
            // SAFETY: guaranteed by the caller.
            unsafe { self.pack_panel(panel, part) };
        }
    }

    /// Packs the columns of a part that are in one panel.
    ///
    /// # Safety
    /// As for [`Filling::pack`]; the panel must be one of [`panels`](Self::panels).
    unsafe fn pack_panel(&self, number: usize, mut part: PackedPart<'_, T>) {
        let panel = self.panel;
        // The axis of the part that becomes the columns.
        let axis = usize::from(!part.transposed);
        let columns = part.column..part.column + part.size[axis];
        let own = number * panel;
        let [from, to] = [columns.start.max(own), columns.end.min(own + panel)];
        part.start[axis] += from - columns.start;
        part.size[axis] = to - from;
        let lines = part.size[1 - axis];
        if self.paired {
            // SAFETY: guaranteed by the caller; now the part is inside of the panel.
            return unsafe { self.pack_pairs(number, part, from - own) };
        }
        let first = (number * self.inner + part.line) * panel + from - own;
        // A pointer and not a slice, since threads write disjoint elements, but of the same lines.
        let out = self.data.pointer(first..first + (lines - 1) * panel + to - from);
        if !part.transposed {
            for line in 0..lines {
                let row = part.row(line);
                // SAFETY: within the range that was checked above; the caller guarantees that no other code
                // uses it.
                unsafe {
                    std::ptr::copy_nonoverlapping(row.as_ptr(), out.add(line * panel), row.len());
                }
            }
            return;
        }
        // Whole corners begin at multiples of `CORNER` in a panel, after `head` rows of the part. Panels whose
        // width is not a multiple of `CORNER` are packed element by element.
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

    /// Packs a part in 16 bits. The whole part is in one panel, from its column `column` on.
    ///
    /// # Safety
    /// As for [`Filling::pack`].
    unsafe fn pack_pairs(&self, number: usize, part: PackedPart<'_, T>, column: usize) {
        let panel = self.panel;
        let axis = usize::from(!part.transposed);
        let (lines, columns) = (part.size[1 - axis], part.size[axis]);
        let begin = number * self.inner * panel;
        // Each line is paired with the next one. The first or the last line may be half of a pair whose other
        // half is in another part.
        let head = part.line % 2;
        let pairs = (lines - head.min(lines)) / 2;
        let first = (part.line + head) / 2;
        let out = |line: usize, columns: usize| {
            let start = begin + line * panel + column;
            self.data.pointer(start..start + columns)
        };
        let alone = [(head > 0).then_some(0), (head + 2 * pairs < lines).then_some(lines - 1)];
        for line in alone.into_iter().flatten() {
            let place = part.line + line;
            let halves = out(place / 2, columns).cast::<u16>();
            // The first number is in the lower half.
            let half = (place % 2) ^ usize::from(cfg!(target_endian = "big"));
            for c in 0..columns {
                let x = if part.transposed { part.row(c)[line] } else { part.row(line)[c] };
                // SAFETY: an element has two halves; the caller guarantees that no other code uses this one.
                unsafe { *halves.add(2 * c + half) = pairs::half_of(x) };
            }
        }
        if !part.transposed {
            for pair in 0..pairs {
                let line = head + 2 * pair;
                // SAFETY: within the range that `pointer` has checked, and both halves of these elements belong
                // to this part.
                let out =
                    unsafe { std::slice::from_raw_parts_mut(out(first + pair, columns), columns) };
                pairs::lines(part.row(line), part.row(line + 1), out);
            }
            return;
        }
        let mut rows = [[T::zero(); PAIRS_AT_ONCE]; CORNER];
        for start in (0..pairs).step_by(PAIRS_AT_ONCE) {
            let count = PAIRS_AT_ONCE.min(pairs - start);
            let mut done = 0;
            while done < columns {
                let some = CORNER.min(columns - done);
                for (row, to) in rows[..some].iter_mut().enumerate() {
                    let from = &part.row(done + row)[head + 2 * start..][..2 * count];
                    pairs::row(from, &mut to[..count]);
                }
                let out = out(first + start, (count - 1) * panel + columns);
                if some == CORNER {
                    // SAFETY: as above, line by line.
                    unsafe {
                        transpose(rows.each_ref().map(|row| &row[..count]), out.add(done), panel);
                    }
                } else {
                    for (row, pairs) in rows[..some].iter().enumerate() {
                        for (line, pair) in pairs[..count].iter().enumerate() {
                            // SAFETY: as above.
                            unsafe { *out.add(line * panel + done + row) = *pair };
                        }
                    }
                }
                done += some;
            }
        }
    }
}
