//! Products of matrices that are read where they lie: of one vertex's matrices, for which packing would take as long as
//! the product.
//!
//! Sums have the order of all products, and so the same bits.

use super::MAX_CHAINED_TERMS;
use crate::compiled_here;
use crate::numbers::Element;
use crate::processor::{Isa, Registers, Square, Vector, VectorLoop, run_on};

/// How many rows are computed together at most: with two registers each, their sums fit into 16 registers.
const ROWS: usize = 6;

/// Whether rows of this many elements, with sums of `inner` terms, fill registers.
pub(super) fn fits<T: Element>(n: usize, inner: usize) -> bool {
    let lanes = match Isa::best() {
        Isa::Portable => <T as Registers>::Portable::LANES,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => <T as Registers>::Avx2::LANES,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => <T as Registers>::Avx512::LANES,
    };
    n >= lanes && inner <= MAX_CHAINED_TERMS
}

compiled_here! {
    /// `out = A B` of row-major matrices, of which the right one has `n` columns. It [`fits`].
    pub(super) fn multiply(out: &mut [T], a: &[T], b: &[T], n: usize) {
        let (inner, rows) = (b.len() / n, out.len() / n);
        assert!(fits::<T>(n, inner) && out.len() == rows * n, "whole rows of registers");
        assert!(b.len() == inner * n && a.len() == rows * inner, "matrices that fit each other");
        run_on(Isa::best(), Unpacked { out, a, b, n });
    }
}

/// A product whose sizes have been checked.
struct Unpacked<'a, T> {
    out: &'a mut [T],
    a: &'a [T],
    b: &'a [T],
    n: usize,
}

impl<T: Element> VectorLoop<T> for Unpacked<'_, T> {
    #[inline(always)]
    unsafe fn run<V: Square<T>, const FMA: bool>(mut self) {
        let rows = self.out.len() / self.n;
        let mut row = 0;
        // SAFETY: the caller guarantees the registers, and these rows exist.
        unsafe {
            while row + ROWS <= rows {
                self.rows::<V, FMA, ROWS>(row);
                row += ROWS;
            }
            while row + 2 <= rows {
                self.rows::<V, FMA, 2>(row);
                row += 2;
            }
            if row < rows {
                self.rows::<V, FMA, 1>(row);
            }
        }
    }
}

impl<T: Element> Unpacked<'_, T> {
    /// Computes `R` rows.
    ///
    /// # Safety
    /// The machine must have the registers `V`, and there must be these rows.
    #[inline(always)]
    unsafe fn rows<V: Vector<T>, const FMA: bool, const R: usize>(&mut self, row: usize) {
        let (n, lanes) = (self.n, V::LANES);
        let mut column = 0;
        // SAFETY: guaranteed by the caller; a row has at least as many elements as a register, so that tiles which
        // begin this far before its end are within it.
        unsafe {
            while column < n {
                if n - column > lanes && n >= 2 * lanes {
                    self.tile::<V, FMA, R, 2>(row, column.min(n - 2 * lanes));
                    column += 2 * lanes;
                } else {
                    self.tile::<V, FMA, R, 1>(row, column.min(n - lanes));
                    column += lanes;
                }
            }
        }
    }

    /// Computes `P` registers of each of `R` rows.
    ///
    /// # Safety
    /// The machine must have the registers `V`, and there must be these rows and columns.
    #[inline(always)]
    unsafe fn tile<V: Vector<T>, const FMA: bool, const R: usize, const P: usize>(
        &mut self,
        row: usize,
        column: usize,
    ) {
        let n = self.n;
        let inner = self.b.len() / n;
        // SAFETY: `multiply` has checked that the matrices have these sizes; the caller guarantees the rest.
        unsafe {
            let (a, b) = (self.a.as_ptr().add(row * inner), self.b.as_ptr().add(column));
            let mut sums = [[V::zero(); P]; R];
            for k in 0..inner {
                let mut line = [V::zero(); P];
                for p in 0..P {
                    line[p] = V::load(b.add(k * n + p * V::LANES));
                }
                for r in 0..R {
                    let a = *a.add(r * inner + k);
                    for p in 0..P {
                        sums[r][p] = sums[r][p].plus_product::<FMA>(a, line[p]);
                    }
                }
            }
            let out = self.out.as_mut_ptr().add(row * n + column);
            for r in 0..R {
                for p in 0..P {
                    sums[r][p].store(out.add(r * n + p * V::LANES));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::numbers;
    use crate::products::panels::Panels;

    /// The same bits as the product with the packed matrix has.
    #[test]
    fn unpacked_products_are_products() {
        for n in [8, 16, 17, 20, 31, 32, 40, 64] {
            for [m, inner] in [[1, 1], [2, 20], [6, 3], [9, 17], [13, 70]] {
                check::<f32>(m, inner, n);
                check::<f64>(m, inner, n);
            }
        }
    }

    fn check<T: Element>(m: usize, inner: usize, n: usize) {
        if !fits::<T>(n, inner) {
            return;
        }
        let (a, b) = (numbers::<T>(m * inner, 1), numbers::<T>(inner * n, 2));
        let mut panels = Panels::default();
        panels.pack_lines(inner, n, &b);
        let [mut expected, mut found] = [T::zero(), T::one()].map(|x| vec![x; m * n]);
        panels.multiply_slice(m, &mut expected, &a);
        multiply(&mut found, &a, &b, n);
        assert_eq!(found, expected, "{m} {inner} {n}");
    }
}
