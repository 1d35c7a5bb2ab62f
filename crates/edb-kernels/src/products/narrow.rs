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
    /// Copies rows of the right matrix, from the row `first` on.
    #[inline(always)]
    fn fill(&self, lines: &mut [[T; N]], first: usize) {
        // Of whole lines the compiler makes whole registers.
        if self.columns == N && !self.transposed[1] {
            let all = self.b[first * N..].chunks_exact(N);
            lines.iter_mut().zip(all).for_each(|(line, of)| line.copy_from_slice(of));
            return;
        }
        let [next_line, next] =
            if self.transposed[1] { [1, self.inner] } else { [self.columns, 1] };
        for (k, line) in lines.iter_mut().enumerate() {
            for j in 0..self.columns {
                line[j] = self.b[(first + k) * next_line + j * next];
            }
        }
    }

    /// Writes rows of the result, from the row `first` on.
    #[inline(always)]
    fn store(&mut self, first: usize, rows: &[[T; N]]) {
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
    fn all_rows<const FMA: bool>(&mut self, rows: usize, lines: &[[T; N]]) {
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

    /// The same rows of the result where the left matrix is stored transposed, with `stride` columns: `R` of them are
    /// read. Sums stay in registers, and lines on the stack.
    #[inline(always)]
    fn rows_of_turned<const FMA: bool, const R: usize>(&mut self, first: usize, stride: usize) {
        let mut sums = [[T::zero(); N]; R];
        let mut lines = [[T::zero(); N]; MOST_LINES];
        for start in (0..self.inner).step_by(MOST_LINES) {
            let some = MOST_LINES.min(self.inner - start);
            self.fill(&mut lines[..some], start);
            let a = self.a[start * stride..].chunks_exact(stride);
            for (line, a) in lines[..some].iter().zip(a) {
                let a = &a[first..][..R];
                for r in 0..R {
                    for j in 0..N {
                        sums[r][j] = a[r].fma::<FMA>(line[j], sums[r][j]);
                    }
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
            let mut first = 0;
            while first + ROWS <= rows {
                self.rows_of_turned::<FMA, ROWS>(first, rows);
                first += ROWS;
            }
            while first < rows {
                self.rows_of_turned::<FMA, 1>(first, rows);
                first += 1;
            }
            return;
        }
        let mut lines = [[T::zero(); N]; MOST_LINES];
        self.fill(&mut lines[..self.inner], 0);
        // With as many terms as columns, the compiler knows how many, and keeps the lines in registers.
        match <&[[T; N]; N]>::try_from(&lines[..self.inner]) {
            Ok(lines) => self.all_rows::<FMA>(rows, lines),
            Err(_) => self.all_rows::<FMA>(rows, &lines[..self.inner]),
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
            for inner in [1, 2, 3, 4, 7, 8, 32, 33, 100] {
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
            // More terms are only computed here where the left matrix is turned.
            assert_eq!(is_narrow([m, n], inner, transposed[0]), transposed[0] || inner <= 32);
            if !is_narrow([m, n], inner, transposed[0]) {
                continue;
            }
            let [a, b] = [&of_a[usize::from(transposed[0])], &of_b[usize::from(transposed[1])]];
            let mut found = vec![T::one(); m * n];
            multiply(&mut found, [a, b], n, inner, transposed);
            assert_eq!(found, expected, "{m} {n} {inner} {transposed:?}");
        }
    }
}
