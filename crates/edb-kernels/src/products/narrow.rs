//! Products whose result is narrower than a register: packing the matrix would take longer than the product.
//!
//! Sums have the order of all products, and so the same bits.

use super::MAX_CHAINED_TERMS;
use crate::numbers::Element;
use crate::processor::{Loop, dispatch};

/// The most columns of a narrow product.
const MOST_COLUMNS: usize = 8;
/// The most terms where the matrix is kept, and the most rows where the sums are.
const MOST_LINES: usize = 32;
/// So many rows are computed together, so that no addition waits for the one before.
const ROWS: usize = 4;

/// Whether a product of this many rows and columns, with sums of `inner` terms, is computed here; `turned` says that
/// the left matrix is stored transposed.
pub(super) fn is_narrow([m, n]: [usize; 2], inner: usize, turned: bool) -> bool {
    let fits =
        if turned { m <= MOST_LINES && inner <= MAX_CHAINED_TERMS } else { inner <= MOST_LINES };
    (1..=MOST_COLUMNS).contains(&n) && fits
}

/// `out = A B` of row-major matrices, each of which may be stored transposed.
pub(super) fn multiply<T: Element>(
    out: &mut [T],
    [a, b]: [&[T]; 2],
    columns: usize,
    inner: usize,
    transposed: [bool; 2],
) {
    // Not a width for each number of columns: every width is compiled for every instruction set.
    match columns {
        1 => dispatch(Narrow::<T, 1> { out, a, b, columns, inner, transposed }),
        2..=4 => dispatch(Narrow::<T, 4> { out, a, b, columns, inner, transposed }),
        _ => dispatch(Narrow::<T, MOST_COLUMNS> { out, a, b, columns, inner, transposed }),
    }
}

/// A product of `columns` columns, computed as `N`: those that are not there are zeros.
struct Narrow<'a, T, const N: usize> {
    out: &'a mut [T],
    a: &'a [T],
    b: &'a [T],
    columns: usize,
    inner: usize,
    transposed: [bool; 2],
}

impl<T: Element, const N: usize> Narrow<'_, T, N> {
    /// A row of the right matrix.
    #[inline(always)]
    fn line(&self, k: usize) -> [T; N] {
        let mut line = [T::zero(); N];
        for j in 0..self.columns {
            let at = if self.transposed[1] { j * self.inner + k } else { k * self.columns + j };
            line[j] = self.b[at];
        }
        line
    }

    /// Writes rows of the result, from the row `first` on.
    #[inline(always)]
    fn store(&mut self, first: usize, rows: &[[T; N]]) {
        // Of whole lines the compiler makes whole registers.
        if self.columns == N {
            let out = &mut self.out[first * N..][..rows.len() * N];
            for (out, row) in out.chunks_exact_mut(N).zip(rows) {
                out.copy_from_slice(row);
            }
            return;
        }
        let out = &mut self.out[first * self.columns..][..rows.len() * self.columns];
        for (out, row) in out.chunks_exact_mut(self.columns).zip(rows) {
            for (out, row) in out.iter_mut().zip(row) {
                *out = *row;
            }
        }
    }

    #[inline(always)]
    fn rows<const FMA: bool, const R: usize>(&mut self, first: usize, lines: &[[T; N]]) {
        let inner = lines.len();
        let a = &self.a[first * inner..][..R * inner];
        let mut sums = [[T::zero(); N]; R];
        for k in 0..inner {
            for r in 0..R {
                for j in 0..N {
                    sums[r][j] = a[r * inner + k].fma::<FMA>(lines[k][j], sums[r][j]);
                }
            }
        }
        self.store(first, &sums);
    }
}

impl<T: Element, const N: usize> Loop for Narrow<'_, T, N> {
    #[inline(always)]
    fn run<const FMA: bool>(mut self) {
        let rows = self.out.len() / self.columns;
        if self.transposed[0] {
            let mut sums = [[T::zero(); N]; MOST_LINES];
            for k in 0..self.inner {
                let (line, a) = (self.line(k), &self.a[k * rows..][..rows]);
                for i in 0..rows {
                    for j in 0..N {
                        sums[i][j] = a[i].fma::<FMA>(line[j], sums[i][j]);
                    }
                }
            }
            return self.store(0, &sums[..rows]);
        }
        let mut lines = [[T::zero(); N]; MOST_LINES];
        for k in 0..self.inner {
            lines[k] = self.line(k);
        }
        let lines = &lines[..self.inner];
        let mut first = 0;
        while first + ROWS <= rows {
            self.rows::<FMA, ROWS>(first, lines);
            first += ROWS;
        }
        while first < rows {
            self.rows::<FMA, 1>(first, lines);
            first += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Operand, OperandMut};
    use crate::numbers::numbers;
    use crate::products::panels::Panels;
    use crate::products::tile::Left;

    /// The same bits as the product with the packed matrix has, of all sizes and orders.
    #[test]
    fn narrow_products_are_products() {
        for [m, n] in [[1, 1], [3, 2], [4, 4], [9, 8], [17, 5], [32, 3]] {
            for inner in [1, 2, 4, 7, 32] {
                check::<f32>([m, n], inner);
                check::<f64>([m, n], inner);
            }
        }
    }

    fn check<T: Element>([m, n]: [usize; 2], inner: usize) {
        let (a, b) = (numbers::<T>(m * inner, 1), numbers::<T>(inner * n, 2));
        let mut panels = Panels::default();
        panels.pack_lines(inner, n, &b);
        let mut expected = vec![T::zero(); m * n];
        let out = OperandMut::of_slice(&mut expected, n);
        panels.multiply(m, out, Left::Rows(&Operand::of_slice(&a, inner)));
        let turned = |x: &[T], columns: usize| -> Vec<T> {
            let rows = x.len() / columns;
            (0..x.len()).map(|at| x[at % rows * columns + at / rows]).collect()
        };
        let (of_a, of_b) = ([a.clone(), turned(&a, inner)], [b.clone(), turned(&b, n)]);
        for transposed in [[false, false], [true, false], [false, true], [true, true]] {
            assert!(is_narrow([m, n], inner, transposed[0]));
            let [a, b] = [&of_a[usize::from(transposed[0])], &of_b[usize::from(transposed[1])]];
            let mut found = vec![T::one(); m * n];
            multiply(&mut found, [a, b], n, inner, transposed);
            assert_eq!(found, expected, "{m} {n} {inner} {transposed:?}");
        }
    }
}
