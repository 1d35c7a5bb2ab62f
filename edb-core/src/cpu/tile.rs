//! The inner loops of products with packed matrices: tiles of the result, in registers.
//!
//! The shape of a tile and the order of tiles are [chosen](super::tune) for each machine. Neither
//! changes a bit of the result: every element is one sum, from its first term to its last.

use std::mem::MaybeUninit;
use std::ops::Range;

use super::isa::{Loop, TALL_REGISTERS};
use super::operand::{Operand, OperandMut};
use super::panels::{MOST_COLUMNS, Panels};
use super::tune::{Order, Shape, WIDE_ROWS, Way};
use super::vector::Vector;
use crate::element::Element;

/// The rows of a [tall](Shape::Tall) tile, which is one panel wide.
const TALL_ROWS: usize = 12;

/// The sums of a tile: `R` rows in each of `P` panels of `VECTORS` registers.
type Tile<V, const R: usize, const P: usize, const VECTORS: usize> = [[[V; VECTORS]; P]; R];

/// Some columns of a product's result, and where they are written.
pub(super) struct Destination<'a, T> {
    /// The first of these columns; their number is the width of `rows`.
    first: usize,
    rows: OperandMut<'a, T>,
    /// Whether the product is added to the present contents.
    added: bool,
}

impl<'a, T: Element> Destination<'a, T> {
    /// The rows of an operand as the destination of the columns from `first` on, which are `added`
    /// to the present contents or overwrite them.
    pub(super) fn new(first: usize, rows: OperandMut<'a, T>, added: bool) -> Self {
        Self { first, rows, added }
    }

    /// Whether it has all of these columns of the product.
    pub(super) fn has(&self, first: usize, count: usize) -> bool {
        self.first <= first && first + count <= self.first + self.rows.width()
    }

    /// Whether sums are added to the present contents.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn is_added(&self) -> bool {
        self.added
    }

    /// The element of a row in this column of the product, which it [has](Self::has), and the
    /// number of elements from row to row; so many rows from this one on are checked to exist.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn begin(&self, row: usize, rows: usize, column: usize) -> (*mut T, usize) {
        assert!(rows > 0 && self.has(column, 1), "a column that it has");
        self.rows.pointer(row + rows - 1);
        (self.rows.pointer(row).wrapping_add(column - self.first), self.rows.step())
    }

    /// Appends the columns of another destination, if they follow these directly both in the
    /// product and in memory. Returns whether they do.
    pub(super) fn takes(&mut self, other: &Self) -> bool {
        self.first + self.rows.width() == other.first
            && self.added == other.added
            && self.rows.takes(&other.rows)
    }

    /// The beginnings of `rows` rows from `row` on, with all columns of the destination.
    fn hold(&self, row: usize, rows: usize) -> Held<T> {
        let mut begin = [std::ptr::null_mut(); TALL_ROWS];
        for (r, begin) in begin[..rows].iter_mut().enumerate() {
            *begin = self.rows.pointer(row + r);
        }
        let columns = self.first..self.first + self.rows.width();
        Held { begin, columns, added: self.added }
    }

    /// Writes those of a row's sums that belong to this destination. `sums` begins with column
    /// `first`.
    pub(super) fn put(&mut self, row: usize, first: usize, sums: &[T], add: bool) {
        let from = self.first.max(first);
        let to = (self.first + self.rows.width()).min(first + sums.len());
        if from >= to {
            return;
        }
        let out = &mut self.rows.row_mut(row)[from - self.first..to - self.first];
        let sums = &sums[from - first..to - first];
        if add || self.added {
            out.iter_mut().zip(sums).for_each(|(out, &sum)| *out += sum);
        } else {
            out.copy_from_slice(sums);
        }
    }
}

/// Some rows of a destination, looked up once for all tiles of these rows.
struct Held<T> {
    begin: [*mut T; TALL_ROWS],
    /// The columns of the product that belong to the destination.
    columns: Range<usize>,
    added: bool,
}

impl<T> Held<T> {
    /// No columns.
    fn none() -> Self {
        Self { begin: [std::ptr::null_mut(); TALL_ROWS], columns: 0..0, added: false }
    }

    #[inline(always)]
    fn holds(&self, first: usize, count: usize) -> bool {
        self.columns.start <= first && first + count <= self.columns.end
    }
}

impl<T: Element> Held<T> {
    /// Writes the sums of some rows, in fewer columns than a tile has, from column `first` on.
    ///
    /// # Safety
    /// The columns must be held, and there must be a row for each line.
    #[inline(never)]
    unsafe fn put(&self, first: usize, lines: &[&[T]], add: bool) {
        for (begin, line) in self.begin.iter().zip(lines) {
            for (column, &sum) in line.iter().enumerate() {
                // SAFETY: the element exists, as the caller guarantees.
                unsafe {
                    let out = begin.add(first - self.columns.start + column);
                    *out = if add { *out + sum } else { sum };
                }
            }
        }
    }
}

/// The left side of a product.
#[derive(Clone, Copy)]
pub(crate) enum Left<'a, T> {
    /// The rows of an operand.
    Rows(&'a Operand<'a, T>),
    /// Columns of a matrix in memory: `data` begins with the first element of the first column, and
    /// `stride` is the number of elements from row to row of the matrix.
    Columns { data: &'a [T], stride: usize },
}

impl<T: Element> Left<'_, T> {
    /// The beginnings of `rows` rows of this side from `row` on, and the distance between their
    /// `inner` elements.
    #[inline(never)]
    fn begin(&self, row: usize, rows: usize, inner: usize) -> ([*const T; TALL_ROWS], usize) {
        let mut begin = [std::ptr::null(); TALL_ROWS];
        match *self {
            Left::Rows(operand) => {
                for (r, begin) in begin[..rows].iter_mut().enumerate() {
                    *begin = operand.row(row + r)[..inner].as_ptr();
                }
                (begin, 1)
            }
            Left::Columns { data, stride } => {
                // Without rows of vertices the sum has no terms, and there is no data.
                let data = data.get(row..).unwrap_or_default();
                let end = inner.checked_sub(1).map_or(0, |last| last * stride + rows);
                let data = data[..end].as_ptr();
                for (r, begin) in begin[..rows].iter_mut().enumerate() {
                    *begin = data.wrapping_add(r);
                }
                (begin, stride)
            }
        }
    }
}

/// What is multiplied with the panels of a matrix.
#[derive(Clone)]
pub(super) struct Task<'a, T> {
    /// Which panels; the result has their columns only.
    pub(super) panels: Range<usize>,
    pub(super) rows: usize,
    pub(super) left: Left<'a, T>,
    /// Whether the product is added to the present contents of the result.
    pub(super) add: bool,
}

/// A product of rows with some panels, whose lines are `VECTORS` registers wide.
///
/// Generic code here is compiled for each element type, instruction set and width of a panel. The
/// lookup of where rows come from and go to is kept out of it, and done once for tiles side by
/// side.
pub(super) struct Multiply<'a, 'b, T, V, const VECTORS: usize> {
    pub(super) panels: &'a Panels<T>,
    pub(super) task: Task<'a, T>,
    pub(super) out: &'a mut [Destination<'b, T>],
    pub(super) way: Way,
    /// The type of the registers, which the instruction set that this runs at must have.
    pub(super) registers: std::marker::PhantomData<V>,
}

impl<T: Element, V: Vector<T>, const VECTORS: usize> Loop for Multiply<'_, '_, T, V, VECTORS> {
    #[inline(always)]
    fn run<const FMA: bool>(mut self) {
        let panels = self.task.panels.clone();
        let whole = self.task.rows / WIDE_ROWS * WIDE_ROWS;
        match self.way.order {
            Order::Rows => self.rows::<FMA>(whole, panels.clone()),
            Order::Panels => {
                let together = const { if V::COUNT < TALL_REGISTERS { 1 } else { 2 } };
                for first in panels.clone().step_by(together) {
                    self.rows::<FMA>(whole, first..panels.end.min(first + together));
                }
            }
        }
        self.rest::<FMA>(whole, panels);
    }
}

impl<T: Element, V: Vector<T>, const VECTORS: usize> Multiply<'_, '_, T, V, VECTORS> {
    /// Computes the first `rows` rows of the result, a multiple of those of a wide tile, in the
    /// columns of some panels.
    #[inline(always)]
    fn rows<const FMA: bool>(&mut self, rows: usize, panels: Range<usize>) {
        let mut row = 0;
        if const { V::COUNT >= TALL_REGISTERS } && self.way.shape == Shape::Tall {
            while rows - row >= TALL_ROWS {
                self.band::<FMA, TALL_ROWS, 1>(row, panels.clone());
                row += TALL_ROWS;
            }
        }
        while row < rows {
            if const { V::COUNT < TALL_REGISTERS } {
                self.band::<FMA, WIDE_ROWS, 1>(row, panels.clone());
            } else {
                self.band::<FMA, WIDE_ROWS, 2>(row, panels.clone());
            }
            row += WIDE_ROWS;
        }
    }

    /// Computes the rows from `row` on, which are fewer than those of a tile. The fewer rows there
    /// are, the more panels are read at a time: a sum takes several cycles to be ready for the next
    /// term, so that about eight registers of sums are needed to keep the multipliers busy.
    #[inline(always)]
    fn rest<const FMA: bool>(&mut self, row: usize, panels: Range<usize>) {
        let rows = self.task.rows - row;
        if const { V::COUNT < TALL_REGISTERS } {
            match rows {
                0 => {}
                1 => self.band::<FMA, 1, 4>(row, panels),
                2 => self.band::<FMA, 2, 2>(row, panels),
                3 => self.band::<FMA, 3, 1>(row, panels),
                4 => self.band::<FMA, 4, 1>(row, panels),
                _ => self.band::<FMA, 5, 1>(row, panels),
            }
        } else {
            match rows {
                0 => {}
                1 => self.band::<FMA, 1, 4>(row, panels),
                2 => self.band::<FMA, 2, 2>(row, panels),
                3 => self.band::<FMA, 3, 2>(row, panels),
                4 => self.band::<FMA, 4, 2>(row, panels),
                _ => self.band::<FMA, 5, 2>(row, panels),
            }
        }
    }

    /// Computes `R` rows of the result from `row` on in the columns of some panels, with tiles of
    /// `P` panels, and of one panel where the columns of so many are not in one destination.
    #[inline(always)]
    fn band<const FMA: bool, const R: usize, const P: usize>(
        &mut self,
        row: usize,
        panels: Range<usize>,
    ) {
        let columns = VECTORS * V::LANES;
        let (begin, step) = self.task.left.begin(row, R, self.panels.inner() * V::TERMS);
        let mut sides = [std::ptr::null(); R];
        sides.copy_from_slice(&begin[..R]);
        let mut held = Held::none();
        let mut panel = panels.start;
        while panel < panels.end {
            let first = (panel - self.task.panels.start) * columns;
            let together = if panels.end - panel >= P { P } else { 1 };
            let count = (together * columns).min(self.panels.width - panel * columns);
            if !held.holds(first, count) {
                held = self.hold(row, R, first, count);
            }
            if P > 1 && together == P && count == P * columns && held.holds(first, count) {
                self.tile::<FMA, R, P>(sides, step, panel, first, &held);
                panel += P;
                continue;
            }
            let count = columns.min(count);
            if !held.holds(first, count) {
                held = self.hold(row, R, first, count);
            }
            if count == columns && held.holds(first, count) {
                self.tile::<FMA, R, 1>(sides, step, panel, first, &held);
            } else {
                self.rim::<FMA, R>(sides, step, panel, row, &held);
            }
            panel += 1;
        }
    }

    /// Computes a tile whose columns are all held.
    #[inline(always)]
    fn tile<const FMA: bool, const R: usize, const P: usize>(
        &self,
        sides: [*const T; R],
        step: usize,
        panel: usize,
        first: usize,
        held: &Held<T>,
    ) {
        let columns = VECTORS * V::LANES;
        let add = self.task.add || held.added;
        let panels = self.panels.panels_from::<P>(panel, columns);
        // SAFETY: from each of `sides` on there are as many elements, `step` apart, as the lines of
        // a panel have terms; `run_on` or `run_paired_on` has chosen the registers of the
        // instruction set that this runs at.
        let sums = unsafe { sum_products::<T, V, FMA, R, P, VECTORS>(sides, step, panels) };
        for r in 0..R {
            for p in 0..P {
                for v in 0..VECTORS {
                    let column = first - held.columns.start + p * columns + v * V::LANES;
                    // SAFETY: the columns are held, so the elements exist; the registers as above.
                    unsafe {
                        let out = held.begin[r].add(column);
                        let sum = sums[r][p][v];
                        let sum = if add { V::load(out).plus(sum) } else { sum };
                        sum.store(out);
                    }
                }
            }
        }
    }

    /// Computes a tile of one panel whose columns are padded, or belong to several destinations.
    #[inline(always)]
    fn rim<const FMA: bool, const R: usize>(
        &mut self,
        sides: [*const T; R],
        step: usize,
        panel: usize,
        row: usize,
        held: &Held<T>,
    ) {
        let columns = VECTORS * V::LANES;
        let first = (panel - self.task.panels.start) * columns;
        let count = columns.min(self.panels.width - panel * columns);
        let panels = self.panels.panels_from::<1>(panel, columns);
        // SAFETY: as in `tile`.
        let sums = unsafe { sum_products::<T, V, FMA, R, 1, VECTORS>(sides, step, panels) };
        let mut lines = [[MaybeUninit::<T>::uninit(); MOST_COLUMNS]; R];
        for r in 0..R {
            for v in 0..VECTORS {
                // SAFETY: a line has room for the registers of a panel's line.
                unsafe { sums[r][0][v].store(lines[r].as_mut_ptr().cast::<T>().add(v * V::LANES)) };
            }
        }
        // SAFETY: a panel's line has `count` columns or more, which have just been written.
        let lines = lines.each_ref().map(|line| unsafe { line[..count].assume_init_ref() });
        match held.holds(first, count) {
            // SAFETY: the columns are held for `R` rows.
            true => unsafe { held.put(first, &lines, self.task.add || held.added) },
            false => self.put(row, first, &lines),
        }
    }

    /// The rows from `row` on of the destination that has all of these columns, if there is one.
    #[inline(never)]
    fn hold(&self, row: usize, rows: usize, first: usize, count: usize) -> Held<T> {
        let out = self.out.iter().find(|out| out.has(first, count));
        out.map_or_else(Held::none, |out| out.hold(row, rows))
    }

    /// Writes the sums of some rows to the destinations of their columns.
    #[inline(never)]
    fn put(&mut self, row: usize, first: usize, lines: &[&[T]]) {
        for (r, line) in lines.iter().enumerate() {
            for out in self.out.iter_mut() {
                out.put(row + r, first, line, self.task.add);
            }
        }
    }
}

/// The sums of a tile over the lines of its panels: term `k` is multiplied with the elements
/// `k * step` behind `sides`. Bounds are not checked: with a check in the loop LLVM stores the sums
/// in every iteration, which takes four times as long.
///
/// # Safety
/// From each of `sides` on there must be as many readable elements, `step` apart, as the lines of
/// the panels have terms; the panels must be equally long, and the machine must have the registers
/// `V`.
#[inline(always)]
unsafe fn sum_products<
    T: Element,
    V: Vector<T>,
    const FMA: bool,
    const R: usize,
    const P: usize,
    const VECTORS: usize,
>(
    sides: [*const T; R],
    step: usize,
    panels: [&[T]; P],
) -> Tile<V, R, P, VECTORS> {
    let columns = VECTORS * V::LANES;
    // SAFETY: the panels have this many lines, and the sides as many terms; the rest is guaranteed
    // by the caller.
    unsafe {
        let mut sums = [[[V::zero(); VECTORS]; P]; R];
        for k in 0..panels[0].len() / columns {
            for term in 0..V::TERMS {
                let mut line = [[V::zero(); VECTORS]; P];
                for p in 0..P {
                    for v in 0..VECTORS {
                        let from = panels[p].as_ptr().add(k * columns + v * V::LANES);
                        line[p][v] = V::load(from).term(term);
                    }
                }
                for r in 0..R {
                    let a = *sides[r].add((k * V::TERMS + term) * step);
                    for p in 0..P {
                        for v in 0..VECTORS {
                            sums[r][p][v] = sums[r][p][v].plus_product::<FMA>(a, line[p][v]);
                        }
                    }
                }
            }
        }
        sums
    }
}
