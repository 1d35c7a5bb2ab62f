//! The inner loops of products with packed matrices: tiles of the result, in registers.

use std::ops::Range;

use super::level::Kernel;
use super::operand::Operand;
use super::packed::Panels;
use super::vector::Vector;
use crate::element::Element;

/// The rows of a tile.
pub(super) const ROWS: usize = 6;

/// The most columns of a tile: four registers of the widest.
const MOST_COLUMNS: usize = 64;

/// The bytes of panels that stay in the cache next to the nearest while rows pass by them.
const NEAR: usize = 256 << 10;

/// The sums of a tile: registers side by side, row by row.
pub(super) type Tile<V, const R: usize, const VECTORS: usize> = [[V; VECTORS]; R];

/// Some columns of a product's result, and where they go.
pub(super) struct Destination<'a, T> {
    /// The first of these columns, of which there are as many as an operand is wide.
    first: usize,
    rows: Operand<'a, T>,
    /// Whether there is something that the product is added to.
    added: bool,
}

impl<'a, T: Element> Destination<'a, T> {
    /// Columns from `first` on go to the rows of an operand, or are `added` to them.
    pub(super) fn new(first: usize, rows: Operand<'a, T>, added: bool) -> Self {
        Self { first, rows, added }
    }

    /// Takes columns that go on where these end, in the product and in memory; or says that they do not.
    pub(super) fn takes(&mut self, other: &Self) -> bool {
        let takes = self.first + self.rows.width == other.first
            && self.added == other.added
            && self.rows.is_followed_by(&other.rows);
        if takes {
            self.rows.width += other.rows.width;
        }
        takes
    }

    fn holds(&self, first: usize, count: usize) -> bool {
        self.first <= first && first + count <= self.first + self.rows.width
    }

    /// Where `count` columns from `first` on, which it holds, are of some rows from `row` on.
    #[inline(never)]
    fn begin(&mut self, row: usize, rows: usize, first: usize, count: usize) -> [*mut T; ROWS] {
        let columns = first - self.first..first - self.first + count;
        let mut begin = [std::ptr::null_mut(); ROWS];
        for (r, begin) in begin[..rows].iter_mut().enumerate() {
            *begin = self.rows.row_mut(row + r)[columns.clone()].as_mut_ptr();
        }
        begin
    }

    /// Takes what belongs here of a row's sums, which begin with column `first`.
    fn put(&mut self, row: usize, first: usize, sums: &[T], add: bool) {
        let from = self.first.max(first);
        let to = (self.first + self.rows.width).min(first + sums.len());
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

/// The left side of a product.
#[derive(Clone, Copy)]
pub(super) enum Left<'a, T> {
    /// The rows of an operand.
    Rows(&'a Operand<'a, T>),
    /// Columns of a matrix in memory: `data` from the first of them on, and the elements from row to row of the
    /// matrix.
    Columns { data: &'a [T], stride: usize },
}

impl<T: Element> Left<'_, T> {
    /// Where each of some rows of this side begins, from `row` on, and how far apart its `inner` elements are.
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
                // Nothing is summed where there are no rows of vertices, and then there is no data.
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
/// What is generic here is compiled for each type of number, level and width of a tile; where the rows
/// come from and go to is looked up once a tile, so that it need not be.
pub(super) struct Multiply<'a, 'b, T, V, const VECTORS: usize> {
    pub(super) panels: &'a Panels<T>,
    pub(super) part: Range<usize>,
    pub(super) rows: usize,
    pub(super) out: &'a mut [Destination<'b, T>],
    pub(super) left: Left<'a, T>,
    pub(super) add: bool,
    /// The registers, which the level that this runs at has.
    pub(super) registers: std::marker::PhantomData<V>,
}

impl<T: Element, V: Vector<T>, const VECTORS: usize> Kernel for Multiply<'_, '_, T, V, VECTORS> {
    #[inline(always)]
    fn run<const FMA: bool>(mut self) {
        let (rows, part) = (self.rows, self.part.clone());
        let size = self.panels.size() * part.len() * size_of::<T>();
        // Loops, no closures: these would not be compiled with the level's instructions.
        if size <= NEAR {
            // All panels stay in a near cache, and the results are written from front to back.
            for row in (0..rows).step_by(ROWS) {
                for panel in part.clone() {
                    self.tiles::<FMA>(row, panel);
                }
            }
        } else {
            // A panel stays in the nearest cache while all rows pass by it.
            for panel in part {
                for row in (0..rows).step_by(ROWS) {
                    self.tiles::<FMA>(row, panel);
                }
            }
        }
    }
}

impl<T: Element, V: Vector<T>, const VECTORS: usize> Multiply<'_, '_, T, V, VECTORS> {
    /// As many rows of the result from `row` on as a tile has, or as there are.
    #[inline(always)]
    fn tiles<const FMA: bool>(&mut self, row: usize, panel: usize) {
        match self.rows - row {
            1 => self.tile::<FMA, 1>(row, panel),
            2 => self.tile::<FMA, 2>(row, panel),
            3 => self.tile::<FMA, 3>(row, panel),
            4 => self.tile::<FMA, 4>(row, panel),
            5 => self.tile::<FMA, 5>(row, panel),
            _ => self.tile::<FMA, ROWS>(row, panel),
        }
    }

    /// `R` rows of the result from `row` on, and the columns of a panel.
    #[inline(always)]
    fn tile<const FMA: bool, const R: usize>(&mut self, row: usize, panel: usize) {
        let columns = VECTORS * V::LANES;
        let (data, count) = self.panels.panel(panel, columns);
        let first = (panel - self.part.start) * columns;
        let (begin, step) = self.left.begin(row, R, data.len() / columns);
        let mut sides = [std::ptr::null(); R];
        for (side, begin) in sides.iter_mut().zip(begin) {
            *side = begin;
        }
        // SAFETY: from `begin` on there are as many elements, `step` apart, as the panel has lines;
        // `Panels::run_part` has chosen the registers of the level that this runs at.
        let sums = unsafe { sum_products::<T, V, FMA, R, VECTORS>(sides, step, data) };
        let whole = self.out.iter_mut().find(|out| out.holds(first, columns));
        match whole {
            Some(whole) if count == columns => {
                let add = self.add || whole.added;
                let out = whole.begin(row, R, first, columns);
                for (sums, out) in sums.iter().zip(out) {
                    for (v, &sum) in sums.iter().enumerate() {
                        // SAFETY: so many elements are there; the registers as above.
                        unsafe {
                            let out = out.add(v * V::LANES);
                            let sum = if add { V::load(out).plus(sum) } else { sum };
                            sum.store(out);
                        }
                    }
                }
            }
            _ => {
                let mut lines = [[T::zero(); MOST_COLUMNS]; R];
                for (line, sums) in lines.iter_mut().zip(&sums) {
                    for (v, &sum) in sums.iter().enumerate() {
                        // SAFETY: a line has room for the registers of a tile's row.
                        unsafe { sum.store(line.as_mut_ptr().add(v * V::LANES)) };
                    }
                }
                self.put(row, first, &lines, count);
            }
        }
    }

    /// Takes the first `count` sums of some rows to wherever they belong.
    #[inline(never)]
    fn put(&mut self, row: usize, first: usize, lines: &[[T; MOST_COLUMNS]], count: usize) {
        for (r, line) in lines.iter().enumerate() {
            for out in self.out.iter_mut() {
                out.put(row + r, first, &line[..count], self.add);
            }
        }
    }
}

/// The sums of a tile over the lines of a panel. The first line is multiplied with what `sides` point
/// to, each next one with what lies `step` elements behind that. Nothing is checked here: with a check
/// in the loop LLVM stores the sums in every round, and takes four times as long.
///
/// # Safety
/// So many elements can be read, and the machine must have the registers `V`.
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
    // SAFETY: the panel has so many lines; the rest is the caller's word.
    unsafe {
        let mut sums = [[V::zero(); VECTORS]; R];
        for k in 0..panel.len() / columns {
            let mut line = [V::zero(); VECTORS];
            for (v, vector) in line.iter_mut().enumerate() {
                *vector = V::load(panel.as_ptr().add(k * columns + v * V::LANES));
            }
            for (sums, side) in sums.iter_mut().zip(&sides) {
                let a = *side.add(k * step);
                for (sum, &b) in sums.iter_mut().zip(&line) {
                    *sum = sum.plus_product::<FMA>(a, b);
                }
            }
        }
        sums
    }
}
