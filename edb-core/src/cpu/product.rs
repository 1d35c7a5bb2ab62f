//! Matrix products.
//!
//! By `matrixmultiply`, through ndarray. Each element of a result is summed over the inner
//! dimension in an order that does not depend on how many rows or columns there are (tested below),
//! so products may be cut into blocks without changing a bit.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};

use super::operand::{Operand, Rows};
use crate::element::Element;

fn view<T>(data: &[T], rows: usize, columns: usize) -> ArrayView2<'_, T> {
    ArrayView2::from_shape((rows, columns), &data[..rows * columns])
        .expect("as many elements as the shape says")
}

fn view_mut<T>(data: &mut [T], rows: usize, columns: usize) -> ArrayViewMut2<'_, T> {
    ArrayViewMut2::from_shape((rows, columns), &mut data[..rows * columns])
        .expect("as many elements as the shape says")
}

/// `out[r] = W x[r]` for every row, or `Wᵀ x[r]`; `W` is `[m, n]`.
pub(super) fn contract<T: Element>(
    out: &mut [T],
    width: usize,
    matrix: &Operand<'_, T>,
    (m, n): (usize, usize),
    x: &Operand<'_, T>,
    transposed: bool,
) {
    let rows = out.len() / width;
    if let (Rows::One, Some(x)) = (matrix.rows, x.flat()) {
        let w = view(matrix.data, m, n);
        // Row-major: out = X Wᵀ, or X W.
        let w = if transposed { w } else { w.reversed_axes() };
        let x = view(x, rows, if transposed { m } else { n });
        general_mat_mul(T::one(), &x, &w, T::zero(), &mut view_mut(out, rows, width));
        return;
    }
    // A matrix of its own for every row, or a vector that several rows share.
    for (at, out) in out.chunks_exact_mut(width).enumerate() {
        let w = view(matrix.row(at), m, n);
        let w = if transposed { w } else { w.reversed_axes() };
        let x = view(x.row(at), 1, if transposed { m } else { n });
        general_mat_mul(T::one(), &x, &w, T::zero(), &mut view_mut(out, 1, width));
    }
}

/// Rows `part` of `Σ_r y[r] x[r]ᵀ`, the rows of `y` being `m` and those of `x` `n` wide.
pub(super) fn outer_sum<T: Element>(
    out: &mut [T],
    part: std::ops::Range<usize>,
    (y, m): (&[T], usize),
    (x, n): (&[T], usize),
) {
    let rows = y.len() / m;
    let y = view(y, rows, m).reversed_axes();
    let y = y.slice(ndarray::s![part.clone(), ..]);
    general_mat_mul(T::one(), &y, &view(x, rows, n), T::zero(), &mut view_mut(out, part.len(), n));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbers(count: usize, seed: u64) -> Vec<f32> {
        let key = crate::random::VertexKey::new(seed, 0, 0, 0).site(0, 0);
        (0..count).map(|at| key.uniform(at) as f32 - 0.5).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// What "same bits" stands on: a row's product does not depend on its company.
        #[test]
        fn rows_do_not_depend_on_their_number(
            m in 1usize..70, n in 1usize..600, rows in 1usize..70, transposed: bool,
        ) {
            let w = numbers(m * n, 1);
            let (inner, width) = if transposed { (m, n) } else { (n, m) };
            let x = numbers(rows * inner, 2);
            let matrix = Operand { data: &w, width: m * n, rows: Rows::One };
            let run = |data: &[f32]| {
                let x = Operand { data, width: inner, rows: Rows::Each };
                let mut out = vec![0.0; data.len() / inner * width];
                contract(&mut out, width, &matrix, (m, n), &x, transposed);
                out
            };
            let together = run(&x);
            for (row, x) in x.chunks(inner).enumerate() {
                prop_assert_eq!(&together[row * width..(row + 1) * width], &run(x)[..]);
            }
        }

        /// And a weight gradient may be cut into stripes.
        #[test]
        fn stripes_do_not_change_a_sum(
            m in 2usize..70, n in 1usize..70, rows in 1usize..600, cut in 1usize..69,
        ) {
            let cut = cut.min(m - 1);
            let (y, x) = (numbers(rows * m, 3), numbers(rows * n, 4));
            let run = |part: std::ops::Range<usize>| {
                let mut out = vec![0.0; part.len() * n];
                outer_sum(&mut out, part, (&y, m), (&x, n));
                out
            };
            let pieces = [run(0..cut), run(cut..m)].concat();
            prop_assert_eq!(run(0..m), pieces);
        }
    }
}
