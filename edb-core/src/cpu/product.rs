//! Matrix products: with parameters, which are packed once for as long as they do not change, and
//! with matrices that are values themselves.

use std::ops::Range;

use super::old_operand::{Operand, Rows};
use super::packed::Panels;
use crate::element::Element;
use crate::learn::{Parameter, ParameterId};

/// The packed parameters of a back end.
#[derive(Debug, Default)]
pub(super) struct Weights<T> {
    /// By parameter: for `W x`, and for `Wᵀ y`.
    packed: Vec<[Option<Packed<T>>; 2]>,
}

#[derive(Debug)]
struct Packed<T> {
    version: u64,
    panels: Panels<T>,
}

impl<T: Element> Weights<T> {
    /// Packs a parameter `[m, n]` for products with it, or with it transposed, unless that has been
    /// done since its values last changed.
    pub(super) fn pack(&mut self, id: ParameterId, parameter: &Parameter<T>, transposed: bool) {
        if self.packed.len() <= id.index() {
            self.packed.resize_with(id.index() + 1, || [None, None]);
        }
        let packed = &mut self.packed[id.index()][usize::from(transposed)];
        let version = parameter.version();
        if packed.as_ref().is_some_and(|packed| packed.version == version) {
            return;
        }
        let [m, n] = [parameter.shape()[0], parameter.shape()[1]];
        let mut panels = packed.take().map(|packed| packed.panels).unwrap_or_default();
        // As the right-hand side of X Wᵀ or Y W.
        let (inner, width) = if transposed { (m, n) } else { (n, m) };
        panels.pack(parameter.values(), inner, width, !transposed);
        *packed = Some(Packed { version, panels });
    }

    /// The panels of a parameter that was packed.
    pub(super) fn panels(&self, id: ParameterId, transposed: bool) -> Option<&Panels<T>> {
        self.packed.get(id.index())?[usize::from(transposed)].as_ref().map(|packed| &packed.panels)
    }
}

/// `out[r] = W x[r]` for every row, or `Wᵀ x[r]`, by the packed `W`.
pub(super) fn contract_packed<T: Element>(
    out: &mut [T],
    width: usize,
    panels: &Panels<T>,
    x: &Operand<'_, T>,
) {
    match x.flat() {
        Some(x_rows) => panels.multiply(out, x_rows, (x.width, 1), false),
        // Several rows share a vector.
        None => out.chunks_exact_mut(width).enumerate().for_each(|(at, out)| {
            panels.multiply(out, x.row(at), (x.width, 1), false);
        }),
    }
}

/// `out[r] = W[r] x[r]` for every row, or `W[r]ᵀ x[r]`: matrices that are values, of step or vertex.
pub(super) fn contract<T: Element>(
    out: &mut [T],
    width: usize,
    matrix: &Operand<'_, T>,
    (m, n): (usize, usize),
    x: &Operand<'_, T>,
    transposed: bool,
) {
    let (inner, columns) = if transposed { (m, n) } else { (n, m) };
    let mut panels = Panels::default();
    for (at, out) in out.chunks_exact_mut(width).enumerate() {
        if at == 0 || !matches!(matrix.rows, Rows::One) {
            panels.pack(matrix.row(at), inner, columns, !transposed);
        }
        panels.multiply(out, x.row(at), (x.width, 1), false);
    }
}

/// Rows are summed in pieces of this many, which stay in cache.
const PIECE: usize = 256;

/// Rows `part` of `Σ_r y[r] x[r]ᵀ`, the rows of `y` being `m` and those of `x` `n` wide.
pub(super) fn outer_sum<T: Element>(
    out: &mut [T],
    part: Range<usize>,
    (y, m): (&[T], usize),
    (x, n): (&[T], usize),
) {
    // There may be no rows: a minibatch whose vertices have no children.
    out.fill(T::zero());
    let mut panels = Panels::default();
    for (y, x) in y.chunks(PIECE * m).zip(x.chunks(PIECE * n)) {
        panels.pack(x, x.len() / n, n, false);
        panels.multiply(out, &y[part.start..], (1, m), true);
    }
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
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

        /// A weight gradient may be cut into stripes.
        #[test]
        fn stripes_do_not_change_a_sum(
            m in 2usize..70, n in 1usize..70, rows in 0usize..600, cut in 1usize..69,
        ) {
            let cut = cut.min(m - 1);
            let (y, x) = (numbers(rows * m, 3), numbers(rows * n, 4));
            let run = |part: Range<usize>| {
                // What was there before does not count.
                let mut out = vec![f32::NAN; part.len() * n];
                outer_sum(&mut out, part, (&y, m), (&x, n));
                out
            };
            let pieces = [run(0..cut), run(cut..m)].concat();
            let whole = run(0..m);
            prop_assert_eq!(&whole, &pieces);
            for (at, sum) in whole.iter().enumerate() {
                let exact: f32 = (0..rows).map(|r| y[r * m + at / n] * x[r * n + at % n]).sum();
                prop_assert!((sum - exact).abs() < 1e-3);
            }
        }
    }

    #[test]
    fn weights_are_packed_again_when_they_have_changed() {
        let mut parameters = crate::learn::Parameters::new();
        let parameter = Parameter::new("w", &[2, 1], vec![1.0, 2.0]).unwrap();
        let id = parameters.push(parameter).unwrap();
        let mut weights = Weights::default();
        let product = |weights: &mut Weights<f64>, parameters: &crate::learn::Parameters<f64>| {
            weights.pack(id, parameters.get(id), false);
            let mut out = [0.0; 2];
            let x = Operand { data: &[3.0], width: 1, rows: Rows::Each };
            contract_packed(&mut out, 2, weights.panels(id, false).unwrap(), &x);
            out
        };
        assert_eq!(product(&mut weights, &parameters), [3.0, 6.0]);
        parameters.get_mut(id).values_mut()[0] = 5.0;
        assert_eq!(product(&mut weights, &parameters), [15.0, 6.0]);
    }
}
