//! The inner loops of products with packed matrices: tiles of the result, in registers.

use std::mem::MaybeUninit;
use std::ops::Range;

use super::isa::Loop;
use super::operand::{Operand, OperandMut};
use super::panels::Panels;
use super::vector::Vector;
use crate::element::Element;

/// The rows of a tile.
pub(super) const ROWS: usize = 6;

/// The most columns of a tile: four registers of the widest.
const MOST_COLUMNS: usize = 64;

/// The size in bytes of panels that stay in the level-2 cache while rows are multiplied with them.
const NEAR: usize = 256 << 10;

/// The sums of a tile: `R` rows of `VECTORS` registers.
pub(super) type Tile<V, const R: usize, const VECTORS: usize> = [[V; VECTORS]; R];

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

    /// Appends the columns of another destination, if they follow these directly both in the
    /// product and in memory. Returns whether they do.
    pub(super) fn takes(&mut self, other: &Self) -> bool {
        self.first + self.rows.width() == other.first
            && self.added == other.added
            && self.rows.takes(&other.rows)
    }

    /// The beginnings of `rows` rows from `row` on, with all columns of the destination.
    fn hold(&self, row: usize, rows: usize) -> Held<T> {
        let mut begin = [std::ptr::null_mut(); ROWS];
        for (r, begin) in begin[..rows].iter_mut().enumerate() {
            *begin = self.rows.pointer(row + r);
        }
        let columns = self.first..self.first + self.rows.width();
        Held { begin, columns, added: self.added }
    }

    /// Writes those of a row's sums that belong to this destination. `sums` begins with column
    /// `first`.
    fn put(&mut self, row: usize, first: usize, sums: &[T], add: bool) {
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
    begin: [*mut T; ROWS],
    /// The columns of the product that belong to the destination.
    columns: Range<usize>,
    added: bool,
}

impl<T> Held<T> {
    /// No columns.
    fn none() -> Self {
        Self { begin: [std::ptr::null_mut(); ROWS], columns: 0..0, added: false }
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
    fn begin(&self, row: usize, rows: usize, inner: usize) -> ([*const T; ROWS], usize) {
        let mut begin = [std::ptr::null(); ROWS];
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

/// A product of rows with some panels, in tiles of `VECTORS` registers a row.
///
/// Generic code here is compiled for each element type, instruction set and width of a tile. The
/// lookup of where rows come from and go to is kept out of it, and done once for tiles side by
/// side.
pub(super) struct Multiply<'a, 'b, T, V, const VECTORS: usize> {
    pub(super) panels: &'a Panels<T>,
    pub(super) part: Range<usize>,
    pub(super) rows: usize,
    pub(super) out: &'a mut [Destination<'b, T>],
    pub(super) left: Left<'a, T>,
    pub(super) add: bool,
    /// The type of the registers, which the instruction set that this runs at must have.
    pub(super) registers: std::marker::PhantomData<V>,
}

impl<T: Element, V: Vector<T>, const VECTORS: usize> Loop for Multiply<'_, '_, T, V, VECTORS> {
    #[inline(always)]
    fn run<const FMA: bool>(mut self) {
        let (rows, part) = (self.rows, self.part.clone());
        let size = self.panels.size() * part.len() * size_of::<T>();
        if size <= NEAR || rows <= ROWS {
            // All panels stay in cache, or are read only once; the results are written from front
            // to back.
            for row in (0..rows).step_by(ROWS) {
                self.tiles::<FMA>(row, part.clone());
            }
        } else {
            // A panel stays in the level-1 cache while all rows are multiplied with it.
            for panel in part {
                for row in (0..rows).step_by(ROWS) {
                    self.tiles::<FMA>(row, panel..panel + 1);
                }
            }
        }
    }
}

impl<T: Element, V: Vector<T>, const VECTORS: usize> Multiply<'_, '_, T, V, VECTORS> {
    /// Computes the rows from `row` on, as many as a tile has or as remain, in the columns of some
    /// panels.
    #[inline(always)]
    fn tiles<const FMA: bool>(&mut self, row: usize, panels: Range<usize>) {
        match self.rows - row {
            1 => self.band::<FMA, 1>(row, panels),
            2 => self.band::<FMA, 2>(row, panels),
            3 => self.band::<FMA, 3>(row, panels),
            4 => self.band::<FMA, 4>(row, panels),
            5 => self.band::<FMA, 5>(row, panels),
            _ => self.band::<FMA, ROWS>(row, panels),
        }
    }

    /// Computes `R` rows of the result from `row` on in the columns of some panels, with a tile for
    /// each panel.
    #[inline(always)]
    fn band<const FMA: bool, const R: usize>(&mut self, row: usize, panels: Range<usize>) {
        let columns = VECTORS * V::LANES;
        let (begin, step) = self.left.begin(row, R, self.panels.inner());
        let mut sides = [std::ptr::null(); R];
        sides.copy_from_slice(&begin[..R]);
        let mut held = Held::none();
        for panel in panels {
            let (data, count) = self.panels.panel(panel, columns);
            let first = (panel - self.part.start) * columns;
            // SAFETY: from each of `begin` on there are as many elements, `step` apart, as the
            // panel has lines; `Panels::run_part` has chosen the registers of the instruction set
            // that this runs at.
            let sums = unsafe { sum_products::<T, V, FMA, R, VECTORS>(sides, step, data) };
            if !held.holds(first, count) {
                held = self.hold(row, R, first, count);
            }
            let add = self.add || held.added;
            let is_held = held.holds(first, count);
            if is_held && count == columns {
                for r in 0..R {
                    for v in 0..VECTORS {
                        // SAFETY: the columns are held, so the elements exist; the registers as
                        // above.
                        unsafe {
                            let out = held.begin[r].add(first - held.columns.start + v * V::LANES);
                            let sum = sums[r][v];
                            let sum = if add { V::load(out).plus(sum) } else { sum };
                            sum.store(out);
                        }
                    }
                }
            } else {
                let mut lines = [[MaybeUninit::<T>::uninit(); MOST_COLUMNS]; R];
                for r in 0..R {
                    for v in 0..VECTORS {
                        // SAFETY: a line has room for the registers of a tile's row.
                        unsafe {
                            sums[r][v].store(lines[r].as_mut_ptr().cast::<T>().add(v * V::LANES))
                        };
                    }
                }
                // SAFETY: a tile's row has `count` columns or more, which have just been written.
                let lines = lines.each_ref().map(|line| unsafe { line[..count].assume_init_ref() });
                match is_held {
                    // SAFETY: the columns are held for `R` rows.
                    true => unsafe { held.put(first, &lines, add) },
                    false => self.put(row, first, &lines),
                }
            }
        }
    }

    /// The rows from `row` on of the destination that has all of these columns, if there is one.
    #[inline(never)]
    fn hold(&self, row: usize, rows: usize, first: usize, count: usize) -> Held<T> {
        let all = |out: &&Destination<'_, T>| {
            out.first <= first && first + count <= out.first + out.rows.width()
        };
        self.out.iter().find(all).map_or_else(Held::none, |out| out.hold(row, rows))
    }

    /// Writes the sums of some rows to the destinations of their columns.
    #[inline(never)]
    fn put(&mut self, row: usize, first: usize, lines: &[&[T]]) {
        for (r, line) in lines.iter().enumerate() {
            for out in self.out.iter_mut() {
                out.put(row + r, first, line, self.add);
            }
        }
    }
}

/// The sums of a tile over the lines of a panel: line `k` is multiplied with the elements
/// `k * step` behind `sides`. Bounds are not checked: with a check in the loop LLVM stores the sums
/// in every iteration, which takes four times as long.
///
/// # Safety
/// From each of `sides` on there must be as many readable elements, `step` apart, as the panel has
/// lines, and the machine must have the registers `V`.
#[inline(always)]
unsafe fn sum_products<
    T: Element,
    V: Vector<T>,
    const FMA: bool,
    const R: usize,
    const VECTORS: usize,
>(
    sides: [*const T; R],
    step: usize,
    panel: &[T],
) -> Tile<V, R, VECTORS> {
    let columns = VECTORS * V::LANES;
    // SAFETY: the panel has this many lines; the rest is guaranteed by the caller.
    unsafe {
        let mut sums = [[V::zero(); VECTORS]; R];
        for k in 0..panel.len() / columns {
            let mut line = [V::zero(); VECTORS];
            for v in 0..VECTORS {
                line[v] = V::load(panel.as_ptr().add(k * columns + v * V::LANES));
            }
            for r in 0..R {
                let a = *sides[r].add(k * step);
                for v in 0..VECTORS {
                    sums[r][v] = sums[r][v].plus_product::<FMA>(a, line[v]);
                }
            }
        }
        sums
    }
}
