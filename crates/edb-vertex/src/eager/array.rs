//! The tensors of the reference, and what several of its kernels do with their elements.

use edb_ir::Sizes;

use super::dual::Real;

/// A tensor of the reference: row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Array<R> {
    /// Its dimensions; empty for a scalar.
    pub shape: Sizes,
    /// Its elements.
    pub data: Vec<R>,
}

impl<R: Real> Array<R> {
    /// Zeros.
    pub fn zeros(shape: Sizes) -> Self {
        Self { data: vec![R::constant(0.0); shape.iter().product()], shape }
    }

    /// A scalar.
    pub fn scalar(value: R) -> Self {
        Self { shape: Sizes::new(), data: vec![value] }
    }
}

pub(super) fn sum<R: Real>(terms: impl Iterator<Item = R>) -> R {
    terms.fold(R::constant(0.0), |sum, term| sum + term)
}

/// Whether a maximum takes `a` rather than `b`, which came first. NaN counts as the greatest.
pub(super) fn exceeds(a: f64, b: f64) -> bool {
    a > b || (a.is_nan() && !b.is_nan())
}

/// The greater of two, the first if they are equal; NaN if one is NaN.
pub fn greater_of<R: Real>(a: R, b: R) -> R {
    if exceeds(b.value(), a.value()) { b } else { a }
}

pub(super) fn first_greatest<R: Real>(x: &[R]) -> usize {
    let better = |best: usize, other: usize| match exceeds(x[other].value(), x[best].value()) {
        true => other,
        false => best,
    };
    (1..x.len()).fold(0, better)
}

/// `∞` where the greatest element is, `-∞` where all elements are.
pub(super) fn log_sum_exp<R: Real>(x: &[R]) -> R {
    let first = first_greatest(x);
    match x[first].value().is_infinite() {
        // No shift by an infinity: the difference of two infinities is NaN.
        true => sum(x.iter().map(|&x| x.exp())).ln(),
        false => x[first] + sum_of_others(x, first).ln_1p(),
    }
}

/// `Σ e^(x - greatest)` of all but the first greatest element, of which it is 1. So no power
/// overflows, and none is lost beside the 1. NaN where the greatest is infinite.
pub(super) fn sum_of_others<R: Real>(x: &[R], first: usize) -> R {
    let term = |at: usize| match x[at] - x[first] {
        nothing if at == first => nothing,
        below => below.exp(),
    };
    sum((0..x.len()).map(term))
}
