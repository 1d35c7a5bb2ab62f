//! The reference kernels of products in a semiring, term by term.

use edb_ir::{Role, Semiring, SemiringContraction, Sizes};

use super::array::{Array, first_greatest, log_sum_exp};
use super::dual::Real;

/// The operands of a product `[m, k], [k, n]`, of which the first may be a row and the second a column.
struct Product<'a, R> {
    a: &'a Array<R>,
    b: &'a Array<R>,
    sizes: [usize; 3],
}

impl<'a, R: Real> Product<'a, R> {
    fn new(a: &'a Array<R>, b: &'a Array<R>) -> Self {
        let k = b.shape[0];
        let (m, n) = (a.data.len() / k, b.data.len() / k);
        assert_eq!(a.shape[a.shape.len() - 1], k, "{:?} and {:?} do not fit", a.shape, b.shape);
        Self { a, b, sizes: [m, k, n] }
    }

    fn shape(&self) -> Sizes {
        let [m, _, n] = self.sizes;
        let mut shape = Sizes::new();
        if self.a.shape.len() == 2 {
            shape.push(m);
        }
        if self.b.shape.len() == 2 {
            shape.push(n);
        }
        shape
    }

    /// The terms of element `[i, j]`.
    fn terms(&self, i: usize, j: usize) -> Vec<R> {
        let [_, inner, n] = self.sizes;
        let mut terms = Vec::with_capacity(inner);
        for k in 0..inner {
            terms.push(self.a.data[i * inner + k] + self.b.data[k * n + j]);
        }
        terms
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
    let mut data = Vec::with_capacity(m * n);
    for place in 0..m * n {
        let terms = product.terms(place / n, place % n);
        let greatest = terms[first_greatest(&terms)];
        data.push(match semiring {
            Semiring::Max => greatest,
            // Nothing leads there, whatever the terms are.
            Semiring::Log if greatest.value() == f64::NEG_INFINITY => greatest.detached(),
            Semiring::Log => log_sum_exp(&terms),
        });
    }
    Array { shape: product.shape(), data }
}

/// The sum of the terms of each element of an operand or of the result, by their weights and by two factors.
pub(super) fn weighted<R: Real>(semiring: Semiring, role: Role, args: &[&Array<R>]) -> Array<R> {
    let product = Product::new(args[0], args[1]);
    let [m, inner, n] = product.sizes;
    let mut sums = Array::zeros(args[role as usize].shape.clone());
    for place in 0..m * n {
        let (i, j, y) = (place / n, place % n, args[2].data[place]);
        if y.value() == f64::NEG_INFINITY {
            continue;
        }
        let terms = product.terms(i, j);
        let first = first_greatest(&terms);
        for (k, term) in terms.iter().enumerate() {
            let weight = match semiring {
                Semiring::Log => (*term - y).exp(),
                Semiring::Max if k == first => R::constant(1.0),
                Semiring::Max => continue,
            };
            let places = [i * inner + k, k * n + j, place];
            let [of_first, of_second] = role.others(places);
            let factors = args[3].data[of_first] * args[4].data[of_second];
            let sum = &mut sums.data[places[role as usize]];
            *sum = *sum + weight * factors;
        }
    }
    sums
}
