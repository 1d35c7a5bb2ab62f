//! The reference kernels of products in a semiring, term by term.

use edb_ir::{Role, Semiring, SemiringContraction, Sizes};

use super::array::{Array, first_greatest, log_sum_exp, sum};
use super::dual::Real;

/// Where the elements of the operands of a product are.
struct Product<'a, R> {
    operands: [&'a Array<R>; 2],
    /// `m`, `k` and `n`.
    sizes: [usize; 3],
}

impl<'a, R: Real> Product<'a, R> {
    fn new(a: &'a Array<R>, b: &'a Array<R>) -> Self {
        let m = if a.shape.len() == 2 { a.shape[0] } else { 1 };
        let n = if b.shape.len() == 2 { b.shape[1] } else { 1 };
        let k = b.shape[0];
        assert_eq!(a.data.len(), m * k, "{:?} and {:?} do not fit", a.shape, b.shape);
        Self { operands: [a, b], sizes: [m, k, n] }
    }

    fn shape(&self) -> Sizes {
        let [a, b] = self.operands.map(|operand| &operand.shape);
        a[..a.len() - 1].iter().chain(&b[1..]).copied().collect()
    }

    /// Where a term's elements are: in the left operand, in the right one, in the result.
    fn places(&self, i: usize, k: usize, j: usize) -> [usize; 3] {
        let [_, inner, n] = self.sizes;
        [i * inner + k, k * n + j, i * n + j]
    }

    /// The terms of element `[i, j]`.
    fn terms(&self, i: usize, j: usize) -> Vec<R> {
        let term = |k: usize| {
            let [a, b, _] = self.places(i, k, j);
            self.operands[0].data[a] + self.operands[1].data[b]
        };
        (0..self.sizes[1]).map(term).collect()
    }

    /// The weights of the terms of element `[i, j]`, whose value is `y`.
    fn weights(&self, semiring: Semiring, i: usize, j: usize, y: R) -> Vec<R> {
        let terms = self.terms(i, j);
        let first = first_greatest(&terms);
        let weight = |(k, &term): (usize, &R)| match semiring {
            _ if y.value() == f64::NEG_INFINITY => R::constant(0.0),
            Semiring::Log => (term - y).exp(),
            Semiring::Max => R::constant(f64::from(k == first)),
        };
        terms.iter().enumerate().map(weight).collect()
    }
}

pub(super) fn contraction<R: Real>(op: SemiringContraction, args: &[&Array<R>]) -> Array<R> {
    match op {
        SemiringContraction::Product(semiring) => product(semiring, args[0], args[1]),
        SemiringContraction::Weighted(semiring, role) => weighted(semiring, role, args),
    }
}

fn product<R: Real>(semiring: Semiring, a: &Array<R>, b: &Array<R>) -> Array<R> {
    let product = Product::new(a, b);
    let [m, _, n] = product.sizes;
    let element = |place: usize| {
        let terms = product.terms(place / n, place % n);
        match semiring {
            Semiring::Max => terms[first_greatest(&terms)],
            // Nothing leads there, whatever the terms are.
            Semiring::Log if terms.iter().all(|term| term.value() == f64::NEG_INFINITY) => {
                R::constant(f64::NEG_INFINITY)
            }
            Semiring::Log => log_sum_exp(&terms),
        }
    };
    Array { shape: product.shape(), data: (0..m * n).map(element).collect() }
}

/// The sum of the terms of each element of an operand or of the result, by their weights and by two factors.
pub(super) fn weighted<R: Real>(semiring: Semiring, role: Role, args: &[&Array<R>]) -> Array<R> {
    let product = Product::new(args[0], args[1]);
    let [m, inner, n] = product.sizes;
    let own = args[role as usize];
    let mut terms: Vec<Vec<R>> = vec![Vec::new(); own.data.len()];
    for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let y = args[2].data[i * n + j];
        let weights = product.weights(semiring, i, j, y);
        for (k, weight) in (0..inner).zip(weights) {
            let places = product.places(i, k, j);
            let [first, second] = role.others(places);
            let factors = args[3].data[first] * args[4].data[second];
            terms[places[role as usize]].push(weight * factors);
        }
    }
    Array {
        shape: own.shape.clone(),
        data: terms.into_iter().map(|of| sum(of.into_iter())).collect(),
    }
}
