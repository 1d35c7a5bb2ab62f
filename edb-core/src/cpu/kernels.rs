//! The CPU kernels of ops that work row by row.
//!
//! `out` holds the rows of the result one behind the other. A row's result never depends on the
//! other rows, or on how many there are: that is what makes a vertex's values the same bits in any
//! minibatch.

use super::operand::Operand;
use crate::element::Element;

/// Applies `f` to every element.
pub(super) fn map<T: Element>(out: &mut [T], x: &Operand<'_, T>, f: impl Fn(T) -> T) {
    if let Some(x) = x.flat() {
        out.iter_mut().zip(x).for_each(|(out, &x)| *out = f(x));
        return;
    }
    for (at, out) in out.chunks_exact_mut(x.width).enumerate() {
        out.iter_mut().zip(x.row(at)).for_each(|(out, &x)| *out = f(x));
    }
}

/// Applies `f` to every pair of elements; an operand of width 1 is spread over its row.
pub(super) fn zip<T: Element>(
    out: &mut [T],
    width: usize,
    a: &Operand<'_, T>,
    b: &Operand<'_, T>,
    f: impl Fn(T, T) -> T,
) {
    if a.width == width
        && b.width == width
        && let (Some(a), Some(b)) = (a.flat(), b.flat())
    {
        for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
            *out = f(a, b);
        }
        return;
    }
    for (at, out) in out.chunks_exact_mut(width).enumerate() {
        match (a.row(at), b.row(at)) {
            (a, b) if a.len() == width && b.len() == width => {
                for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
                    *out = f(a, b);
                }
            }
            (a, b) if b.len() == 1 => {
                let b = b[0];
                out.iter_mut().zip(a).for_each(|(out, &a)| *out = f(a, b));
            }
            (a, b) => {
                let a = a[0];
                out.iter_mut().zip(b).for_each(|(out, &b)| *out = f(a, b));
            }
        }
    }
}

/// Applies `f` to each row of the result and that of the operand.
pub(super) fn each<T: Element>(
    out: &mut [T],
    width: usize,
    x: &Operand<'_, T>,
    mut f: impl FnMut(usize, &mut [T], &[T]),
) {
    for (at, out) in out.chunks_exact_mut(width).enumerate() {
        f(at, out, x.row(at));
    }
}

/// `1 / (1 + e^-x)`.
#[inline]
pub(super) fn sigmoid<T: Element>(x: T) -> T {
    T::one() / (T::one() + (-x).exp())
}

/// `max(x, 0)`; what is not a number becomes 0, as in the reference.
#[inline]
pub(super) fn relu<T: Element>(x: T) -> T {
    if x > T::zero() { x } else { T::zero() }
}

/// 1 where `x > 0`, else 0.
#[inline]
pub(super) fn positive<T: Element>(x: T) -> T {
    if x > T::zero() { T::one() } else { T::zero() }
}

/// The sum of a row, from its first element to its last.
pub(super) fn sum<T: Element>(x: &[T]) -> T {
    x.iter().fold(T::zero(), |sum, &x| sum + x)
}

/// The place of the first greatest element.
pub(super) fn first_greatest<T: Element>(x: &[T]) -> usize {
    (1..x.len()).fold(0, |best, at| if x[at] > x[best] { at } else { best })
}

/// `ln Σ e^x`, shifted by the greatest element so that no exponential overflows.
pub(super) fn log_sum_exp<T: Element>(x: &[T]) -> T {
    let greatest = x.iter().fold(T::neg_infinity(), |best, &x| best.max(x));
    let total = x.iter().fold(T::zero(), |total, &x| total + (x - greatest).exp());
    greatest + total.ln()
}

/// `e^x / Σ e^x`.
pub(super) fn softmax<T: Element>(out: &mut [T], x: &[T]) {
    let greatest = x.iter().fold(T::neg_infinity(), |best, &x| best.max(x));
    out.iter_mut().zip(x).for_each(|(out, &x)| *out = (x - greatest).exp());
    let scale = T::one() / sum(out);
    out.iter_mut().for_each(|out| *out *= scale);
}

/// `x - ln Σ e^x`.
pub(super) fn log_softmax<T: Element>(out: &mut [T], x: &[T]) {
    let total = log_sum_exp(x);
    out.iter_mut().zip(x).for_each(|(out, &x)| *out = x - total);
}
