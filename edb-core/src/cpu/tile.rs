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

/// Where the rows of a product go.
pub(super) trait Target<T> {
    /// Where `count` elements of row `row` from column `first` on are side by side, and whether
    /// there is something to be added to; `None` if they are not.
    fn whole(&mut self, row: usize, first: usize, count: usize) -> Option<(&mut [T], bool)>;

    /// Takes the elements of row `row` from column `first` on, wherever they belong.
    fn put(&mut self, row: usize, first: usize, sums: &[T], add: bool);
}

impl<T: Element> Target<T> for Operand<'_, T> {
    #[inline(always)]
    fn whole(&mut self, row: usize, first: usize, count: usize) -> Option<(&mut [T], bool)> {
        Some((&mut self.row_mut(row)[first..first + count], false))
    }

    #[inline(always)]
    fn put(&mut self, row: usize, first: usize, sums: &[T], add: bool) {
        put(&mut self.row_mut(row)[first..first + sums.len()], sums, add);
    }
}

/// Writes or adds some of the sums of a tile's row.
#[inline(always)]
pub(super) fn put<T: Element>(out: &mut [T], sums: &[T], add: bool) {
    if add {
        out.iter_mut().zip(sums).for_each(|(out, &sum)| *out += sum);
    } else {
        out.copy_from_slice(sums);
    }
}

/// Where the rows of a product's left side come from.
pub(super) trait Source<T: Element> {
    /// The sums of a tile of `R` rows from `row` on, with the rows of `panel`.
    ///
    /// # Safety
    /// The machine must have the registers `V`.
    unsafe fn sums<V: Vector<T>, const FMA: bool, const R: usize, const VECTORS: usize>(
        &self,
        row: usize,
        panel: &[T],
    ) -> Tile<V, R, VECTORS>;
}

/// The rows of an operand.
pub(super) struct ByRows<'a, 'b, T>(pub(super) &'a Operand<'b, T>);

impl<T: Element> Source<T> for ByRows<'_, '_, T> {
    #[inline(always)]
    unsafe fn sums<V: Vector<T>, const FMA: bool, const R: usize, const VECTORS: usize>(
        &self,
        row: usize,
        panel: &[T],
    ) -> Tile<V, R, VECTORS> {
        let inner = panel.len() / (VECTORS * V::LANES);
        let mut sides = [std::ptr::null(); R];
        for (r, side) in sides.iter_mut().enumerate() {
            *side = self.0.row(row + r)[..inner].as_ptr();
        }
        // SAFETY: rows and panel have `inner` elements and lines; the registers by the caller's word.
        unsafe { sum_products::<T, V, FMA, R, VECTORS>(sides, 1, panel) }
    }
}

/// Columns of a matrix in memory, as the rows of a product's left side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns<'a, T> {
    /// From the first of these columns on.
    pub(super) data: &'a [T],
    /// The elements from row to row of the matrix.
    pub(super) stride: usize,
}

impl<T: Element> Source<T> for Columns<'_, T> {
    #[inline(always)]
    unsafe fn sums<V: Vector<T>, const FMA: bool, const R: usize, const VECTORS: usize>(
        &self,
        row: usize,
        panel: &[T],
    ) -> Tile<V, R, VECTORS> {
        let (inner, stride) = (panel.len() / (VECTORS * V::LANES), self.stride);
        // Nothing is summed where there are no rows of vertices, and then there is no data.
        let data = self.data.get(row..).unwrap_or_default();
        let end = inner.checked_sub(1).map_or(0, |last| last * stride + R);
        let data = data[..end].as_ptr();
        let mut sides = [data; R];
        for (r, side) in sides.iter_mut().enumerate() {
            *side = side.wrapping_add(r);
        }
        // SAFETY: the data ends behind the last element that meets a line; the registers by the
        // caller's word.
        unsafe { sum_products::<T, V, FMA, R, VECTORS>(sides, stride, panel) }
    }
}

/// A product of rows with some panels, in tiles of `VECTORS` registers a row.
pub(super) struct Multiply<'a, T, O, A, V, const VECTORS: usize> {
    pub(super) panels: &'a Panels<T>,
    pub(super) part: Range<usize>,
    pub(super) rows: usize,
    pub(super) out: &'a mut O,
    pub(super) a: &'a A,
    pub(super) add: bool,
    /// The registers, which the level that this runs at has.
    pub(super) registers: std::marker::PhantomData<V>,
}

impl<T, O, A, V, const VECTORS: usize> Kernel for Multiply<'_, T, O, A, V, VECTORS>
where
    T: Element,
    O: Target<T>,
    A: Source<T>,
    V: Vector<T>,
{
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

impl<T, O, A, V, const VECTORS: usize> Multiply<'_, T, O, A, V, VECTORS>
where
    T: Element,
    O: Target<T>,
    A: Source<T>,
    V: Vector<T>,
{
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
        // SAFETY: `Panels::run_part` has chosen the registers of the level that this runs at.
        let sums = unsafe { self.a.sums::<V, FMA, R, VECTORS>(row, data) };
        for (r, sums) in sums.iter().enumerate() {
            if count == columns
                && let Some((out, added)) = self.out.whole(row + r, first, columns)
            {
                let out = out[..columns].as_mut_ptr();
                for (v, &sum) in sums.iter().enumerate() {
                    // SAFETY: so many elements are there; the registers as above.
                    unsafe {
                        let out = out.add(v * V::LANES);
                        let sum = if self.add || added { V::load(out).plus(sum) } else { sum };
                        sum.store(out);
                    }
                }
            } else {
                let mut line = [T::zero(); MOST_COLUMNS];
                for (out, &sum) in line.chunks_exact_mut(V::LANES).zip(sums) {
                    // SAFETY: so many elements are in a chunk; the registers as above.
                    unsafe { sum.store(out.as_mut_ptr()) };
                }
                self.out.put(row + r, first, &line[..count], self.add);
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
