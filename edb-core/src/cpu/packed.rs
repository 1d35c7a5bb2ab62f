//! Products with packed matrices.
//!
//! The matrix is laid out in panels as wide as the registers that accumulate a tile of the result:
//! the inner loop reads the panel from front to back and multiplies each of its rows with one
//! element of six rows of the other matrix, which stays as it is. Written as plain loops over
//! arrays of constant size, which LLVM keeps in registers (24 vectors of 16 floats under AVX-512).
//!
//! Every element of a result is one sum over the inner dimension, from its first term to its last,
//! whatever the number of rows: a row's product does not depend on its company.

use super::level::{Kernel, Level, at};
use crate::element::Element;

/// The rows of a tile.
const ROWS: usize = 6;

/// A matrix `B` of `inner` rows and `width` columns, in panels of columns, the last one filled up
/// with zeros.
#[derive(Clone, Debug, Default)]
pub(super) struct Panels<T> {
    data: Vec<T>,
    inner: usize,
    width: usize,
    panel: usize,
}

/// The columns of a panel: four vectors of the widest registers, two of the next, as many as leave
/// room for six rows.
fn panel_width<T>(level: Level) -> usize {
    let (vectors, lanes) = tile::<T>(level);
    vectors * lanes
}

/// Vectors in a tile's row, and elements in a vector.
fn tile<T>(level: Level) -> (usize, usize) {
    let (vectors, bytes) = match level {
        Level::Portable => (2, 16),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => (2, 32),
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => (4, 64),
    };
    (vectors, bytes / size_of::<T>())
}

impl<T: Element> Panels<T> {
    /// Packs `matrix`, which is `[inner, width]`, or `[width, inner]` if it is to be `transposed`.
    pub(super) fn pack(&mut self, matrix: &[T], inner: usize, width: usize, transposed: bool) {
        self.pack_for(Level::best(), matrix, inner, width, transposed);
    }

    fn pack_for(
        &mut self,
        level: Level,
        matrix: &[T],
        inner: usize,
        width: usize,
        transposed: bool,
    ) {
        let panel = panel_width::<T>(level);
        (self.inner, self.width, self.panel) = (inner, width, panel);
        self.data.clear();
        self.data.resize(width.next_multiple_of(panel) * inner, T::zero());
        for (at, data) in self.data.chunks_exact_mut(inner * panel).enumerate() {
            let columns = at * panel..width.min((at + 1) * panel);
            if transposed {
                // Reads each row of the matrix once, and writes one column of the panel.
                for (to, column) in columns.enumerate() {
                    let row = &matrix[column * inner..(column + 1) * inner];
                    data[to..].iter_mut().step_by(panel).zip(row).for_each(|(to, &x)| *to = x);
                }
            } else {
                for (data, row) in data.chunks_exact_mut(panel).zip(matrix.chunks_exact(width)) {
                    data[..columns.len()].copy_from_slice(&row[columns.clone()]);
                }
            }
        }
    }

    /// `out = A B`, or `out += A B`: `A` is `rows` rows of `inner` elements, that of row `r` and
    /// place `k` being `a[r * strides.0 + k * strides.1]`; `out` has `width` columns.
    pub(super) fn multiply(&self, out: &mut [T], a: &[T], strides: (usize, usize), add: bool) {
        self.multiply_at(Level::best(), out, a, strides, add);
    }

    fn multiply_at(
        &self,
        level: Level,
        out: &mut [T],
        a: &[T],
        strides: (usize, usize),
        add: bool,
    ) {
        let panels = self;
        // The tile's sizes as constants, for every level and element size.
        match tile::<T>(level) {
            (4, 16) => at(level, Multiply::<T, 4, 16> { panels, out, a, strides, add }),
            (4, 8) => at(level, Multiply::<T, 4, 8> { panels, out, a, strides, add }),
            (2, 8) => at(level, Multiply::<T, 2, 8> { panels, out, a, strides, add }),
            (2, 4) => at(level, Multiply::<T, 2, 4> { panels, out, a, strides, add }),
            (2, 2) => at(level, Multiply::<T, 2, 2> { panels, out, a, strides, add }),
            other => unreachable!("elements have 4 or 8 bytes, not tiles of {other:?}"),
        }
    }
}

struct Multiply<'a, T, const VECTORS: usize, const LANES: usize> {
    panels: &'a Panels<T>,
    out: &'a mut [T],
    a: &'a [T],
    strides: (usize, usize),
    add: bool,
}

impl<T: Element, const VECTORS: usize, const LANES: usize> Kernel
    for Multiply<'_, T, VECTORS, LANES>
{
    #[inline(always)]
    fn run<const FMA: bool>(mut self) {
        let rows = self.out.len() / self.panels.width;
        let whole = rows - rows % ROWS;
        // A panel stays in the nearest cache while all rows pass by it.
        for panel in 0..self.panels.width.div_ceil(self.panels.panel) {
            for row in (0..whole).step_by(ROWS) {
                self.tile::<FMA, ROWS>(row, panel);
            }
            match rows - whole {
                1 => self.tile::<FMA, 1>(whole, panel),
                2 => self.tile::<FMA, 2>(whole, panel),
                3 => self.tile::<FMA, 3>(whole, panel),
                4 => self.tile::<FMA, 4>(whole, panel),
                5 => self.tile::<FMA, 5>(whole, panel),
                _ => {}
            }
        }
    }
}

impl<T: Element, const VECTORS: usize, const LANES: usize> Multiply<'_, T, VECTORS, LANES> {
    /// `R` rows of the result from `row` on, and the columns of a panel.
    #[inline(always)]
    fn tile<const FMA: bool, const R: usize>(&mut self, row: usize, panel: usize) {
        let Panels { inner, width, .. } = *self.panels;
        let columns = VECTORS * LANES;
        let data = &self.panels.data[panel * inner * columns..][..inner * columns];
        let data = data.as_chunks::<LANES>().0.as_chunks::<VECTORS>().0;
        let sums = match self.strides {
            (stride, 1) => {
                let rows = std::array::from_fn(|r| &self.a[(row + r) * stride..][..inner]);
                along_rows::<T, FMA, R, VECTORS, LANES>(rows, data)
            }
            (_, stride) => along_columns::<T, FMA, R, VECTORS, LANES>(&self.a[row..], stride, data),
        };
        let first = panel * columns;
        let count = columns.min(width - first);
        for (r, sums) in sums.iter().enumerate() {
            let out = &mut self.out[(row + r) * width + first..][..count];
            let sums = sums.as_flattened();
            if self.add {
                out.iter_mut().zip(sums).for_each(|(out, &sum)| *out += sum);
            } else {
                out.copy_from_slice(&sums[..count]);
            }
        }
    }
}

/// The sums of a tile: a row of the matrix for each element of `R` rows.
type Tile<T, const R: usize, const VECTORS: usize, const LANES: usize> = [[[T; LANES]; VECTORS]; R];

/// The sums of a tile over rows that lie in a piece. Lengths are checked before the loop: with a
/// check in it, LLVM stores the sums in every round, and takes four times as long.
#[inline(always)]
fn along_rows<
    T: Element,
    const FMA: bool,
    const R: usize,
    const VECTORS: usize,
    const LANES: usize,
>(
    rows: [&[T]; R],
    panel: &[[[T; LANES]; VECTORS]],
) -> Tile<T, R, VECTORS, LANES> {
    let mut sums = [[[T::zero(); LANES]; VECTORS]; R];
    let rows: [&[T]; R] = std::array::from_fn(|r| &rows[r][..panel.len()]);
    for (k, b) in panel.iter().enumerate() {
        // SAFETY: every row was cut to the length of the panel, which `k` is below.
        let a: [T; R] = std::array::from_fn(|r| unsafe { *rows[r].get_unchecked(k) });
        for v in 0..VECTORS {
            for r in 0..R {
                for lane in 0..LANES {
                    sums[r][v][lane] = a[r].fma::<FMA>(b[v][lane], sums[r][v][lane]);
                }
            }
        }
    }
    sums
}

/// The sums of a tile over columns: the elements of a tile's rows lie side by side, `stride` behind
/// those of the row of `panel` before.
#[inline(always)]
fn along_columns<
    T: Element,
    const FMA: bool,
    const R: usize,
    const VECTORS: usize,
    const LANES: usize,
>(
    sides: &[T],
    stride: usize,
    panel: &[[[T; LANES]; VECTORS]],
) -> Tile<T, R, VECTORS, LANES> {
    let mut sums = [[[T::zero(); LANES]; VECTORS]; R];
    let sides = &sides[..panel.len().saturating_sub(1) * stride + R];
    for (k, b) in panel.iter().enumerate() {
        // SAFETY: `sides` was cut to end behind the last of these elements.
        let a: [T; R] = std::array::from_fn(|r| unsafe { *sides.get_unchecked(k * stride + r) });
        for v in 0..VECTORS {
            for r in 0..R {
                for lane in 0..LANES {
                    sums[r][v][lane] = a[r].fma::<FMA>(b[v][lane], sums[r][v][lane]);
                }
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    use super::*;
    use crate::random::VertexKey;

    fn numbers<T: Element>(count: usize, seed: u64) -> Vec<T> {
        let key = VertexKey::new(seed, 0, 0, 0).site(0, 0);
        (0..count).map(|at| T::from_f64(key.uniform(at) - 0.5)).collect()
    }

    fn check<T: Element>(rows: usize, inner: usize, width: usize, turn: bool, tolerance: f64) {
        let (a, b) = (numbers::<T>(rows * inner, 1), numbers::<T>(inner * width, 2));
        let strides = if turn { (1, rows) } else { (inner, 1) };
        let of_a = |r: usize, k: usize| a[r * strides.0 + k * strides.1].as_f64();
        for level in Level::all() {
            for transposed in [false, true] {
                let mut panels = Panels::default();
                panels.pack_for(level, &b, inner, width, transposed);
                let mut out = vec![T::one(); rows * width];
                panels.multiply_at(level, &mut out, &a, strides, false);
                let mut twice = out.clone();
                panels.multiply_at(level, &mut twice, &a, strides, true);
                for (at, (out, twice)) in out.iter().zip(&twice).enumerate() {
                    let (r, c) = (at / width, at % width);
                    let of_b = |k: usize| b[if transposed { c * inner + k } else { k * width + c }];
                    let exact: f64 = (0..inner).map(|k| of_a(r, k) * of_b(k).as_f64()).sum();
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
            rows in 1usize..20, inner in 1usize..70, width in 1usize..140, turn: bool,
        ) {
            check::<f32>(rows, inner, width, turn, 1e-4);
            check::<f64>(rows, inner, width, turn, 1e-12);
        }

        /// What "same bits" stands on.
        #[test]
        fn rows_do_not_depend_on_their_number(
            rows in 1usize..40, inner in 1usize..300, width in 1usize..140,
        ) {
            let (a, b) = (numbers::<f32>(rows * inner, 1), numbers::<f32>(inner * width, 2));
            for level in Level::all() {
                let mut panels = Panels::default();
                panels.pack_for(level, &b, inner, width, false);
                let mut together = vec![0.0; rows * width];
                panels.multiply_at(level, &mut together, &a, (inner, 1), false);
                for (together, a) in together.chunks(width).zip(a.chunks(inner)) {
                    let mut alone = vec![0.0; width];
                    panels.multiply_at(level, &mut alone, a, (inner, 1), false);
                    prop_assert_eq!(&alone[..], together);
                }
            }
        }
    }
}
