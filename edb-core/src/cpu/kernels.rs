//! The CPU kernels of ops that work row by row, compiled for every [level](super::level).
//!
//! `out` holds the rows of the result one behind the other. A row's result never depends on the
//! other rows, or on how many there are: that is what makes a vertex's values the same bits in any
//! minibatch.

use std::marker::PhantomData;

use super::level::{Kernel, dispatch};
use super::operand::Operand;
use crate::element::Element;
use crate::random::{SiteKey, Threshold};

/// A function of one element. A type, not a closure: only what is certain to be inlined is
/// compiled with the instructions of a level.
pub(super) trait Unary<T> {
    fn apply<const FMA: bool>(x: T) -> T;
}

/// A function of two elements.
pub(super) trait Binary<T> {
    fn apply<const FMA: bool>(a: T, b: T) -> T;
}

/// A function of a row.
pub(super) trait Row<T> {
    fn apply<const FMA: bool>(out: &mut [T], x: &[T]);
}

macro_rules! functions {
    ($kind:ident: $($(#[$doc:meta])* $name:ident($($argument:ident),+) = $value:expr;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name;

        impl<T: Element> $kind<T> for $name {
            #[inline(always)]
            fn apply<const FMA: bool>($($argument: T),+) -> T {
                $value
            }
        }
    )*};
}

functions! { Unary:
    /// `-x`.
    Neg(x) = -x;
    /// `1 / (1 + e^-x)`.
    Sigmoid(x) = x.sigmoid_::<FMA>();
    /// `tanh x`.
    Tanh(x) = x.tanh_::<FMA>();
    /// `max(x, 0)`; what is not a number becomes 0, as in the reference.
    Relu(x) = if x > T::zero() { x } else { T::zero() };
    /// `e^x`.
    Exp(x) = x.exp_::<FMA>();
    /// The natural logarithm, by the standard library: it is rare in inner loops.
    Ln(x) = x.ln();
    /// `√x`.
    Sqrt(x) = x.sqrt();
    /// `|x|`.
    Abs(x) = x.abs();
    /// 1 where `x > 0`, -1 where `x < 0`, else 0.
    Sign(x) = if x > T::zero() { T::one() } else if x < T::zero() { -T::one() } else { T::zero() };
    /// The error function, by `libm`: it is rare in inner loops.
    Erf(x) = x.erf_();
    /// `ln(1 + e^x)`, as `max(x, 0) + ln(1 + e^-|x|)`, which does not overflow.
    Softplus(x) = x.max(T::zero()) + (-x.abs()).exp_::<FMA>().ln_1p();
    /// The nearest integer, halves to even.
    Round(x) = x.round_ties_even_();
    /// 1 where `x > 0`, else 0.
    Positive(x) = if x > T::zero() { T::one() } else { T::zero() };
}

functions! { Binary:
    /// `a + b`.
    Add(a, b) = a + b;
    /// `a - b`.
    Sub(a, b) = a - b;
    /// `a * b`.
    Mul(a, b) = a * b;
    /// `a / b`.
    Div(a, b) = a / b;
    /// `a ^ b`, by the standard library.
    Pow(a, b) = a.powf(b);
    /// 1 where `a > b`, else 0.
    Greater(a, b) = if a > b { T::one() } else { T::zero() };
    /// `x` where `m` is not 0, else 0.
    Mask(m, x) = if m == T::zero() { T::zero() } else { x };
}

/// Applies a function to every row.
pub(super) fn rows<F: Row<T>, T: Element>(
    count: usize,
    out: &mut Operand<'_, T>,
    x: &Operand<'_, T>,
) {
    dispatch(Rows::<F, T> { count, out: *out, x: *x, function: PhantomData });
}

struct Rows<'a, F, T> {
    count: usize,
    out: Operand<'a, T>,
    x: Operand<'a, T>,
    function: PhantomData<F>,
}

impl<F: Row<T>, T: Element> Kernel for Rows<'_, F, T> {
    #[inline(always)]
    fn run<const FMA: bool>(mut self) {
        for at in 0..self.count {
            F::apply::<FMA>(self.out.row_mut(at), self.x.row(at));
        }
    }
}

/// `e^x / Σ e^x`, shifted by the greatest element so that no exponential overflows.
pub(super) struct Softmax;

impl<T: Element> Row<T> for Softmax {
    #[inline(always)]
    fn apply<const FMA: bool>(out: &mut [T], x: &[T]) {
        let greatest = greatest(x);
        out.iter_mut().zip(x).for_each(|(out, &x)| *out = (x - greatest).exp_::<FMA>());
        let scale = T::one() / sum(out);
        out.iter_mut().for_each(|out| *out *= scale);
    }
}

/// `ln Σ e^x`, shifted likewise.
pub(super) struct LogSumExp;

impl<T: Element> Row<T> for LogSumExp {
    #[inline(always)]
    fn apply<const FMA: bool>(out: &mut [T], x: &[T]) {
        out[0] = log_sum_exp::<T, FMA>(x);
    }
}

/// `x - ln Σ e^x`.
pub(super) struct LogSoftmax;

impl<T: Element> Row<T> for LogSoftmax {
    #[inline(always)]
    fn apply<const FMA: bool>(out: &mut [T], x: &[T]) {
        let total = log_sum_exp::<T, FMA>(x);
        out.iter_mut().zip(x).for_each(|(out, &x)| *out = x - total);
    }
}

/// `√(Σ x²)`.
pub(super) struct Norm;

impl<T: Element> Row<T> for Norm {
    #[inline(always)]
    fn apply<const FMA: bool>(out: &mut [T], x: &[T]) {
        out[0] = x.iter().fold(T::zero(), |sum, &x| sum + x * x).sqrt();
    }
}

/// `out = A B` of one vertex, `A` with `size[0]` rows and `size[1]` columns as it is multiplied;
/// either may be stored transposed. Each element is summed in the order of the inner axis.
pub(super) fn matrix_product<T: Element>(
    out: &mut [T],
    (a, b): (&[T], &[T]),
    size: [usize; 2],
    transposed: [bool; 2],
) {
    dispatch(MatrixProduct { out, a, b, size, transposed });
}

struct MatrixProduct<'a, T> {
    out: &'a mut [T],
    a: &'a [T],
    b: &'a [T],
    size: [usize; 2],
    transposed: [bool; 2],
}

impl<T: Element> Kernel for MatrixProduct<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { out, a, b, size: [rows, inner], transposed } = self;
        let columns = out.len() / rows;
        for (row, out) in out.chunks_exact_mut(columns).enumerate() {
            out.fill(T::zero());
            for at in 0..inner {
                let a = a[if transposed[0] { at * rows + row } else { row * inner + at }];
                if transposed[1] {
                    let of_b = b[at..].iter().step_by(inner);
                    out.iter_mut().zip(of_b).for_each(|(out, &b)| *out = a.fma::<FMA>(b, *out));
                } else {
                    let of_b = &b[at * columns..][..columns];
                    out.iter_mut().zip(of_b).for_each(|(out, &b)| *out = a.fma::<FMA>(b, *out));
                }
            }
        }
    }
}

#[inline(always)]
fn log_sum_exp<T: Element, const FMA: bool>(x: &[T]) -> T {
    let greatest = greatest(x);
    let total = x.iter().fold(T::zero(), |total, &x| total + (x - greatest).exp_::<FMA>());
    greatest + total.ln()
}

#[inline(always)]
fn greatest<T: Element>(x: &[T]) -> T {
    x.iter().fold(T::neg_infinity(), |best, &x| best.max(x))
}

/// The sum of a row, from its first element to its last.
#[inline(always)]
pub(super) fn sum<T: Element>(x: &[T]) -> T {
    x.iter().fold(T::zero(), |sum, &x| sum + x)
}

/// Each element of the result the sum of the arguments so far.
pub(super) fn running_sum<'a, T: Element>(pairs: impl Iterator<Item = (&'a mut T, &'a T)>) {
    let mut sum = T::zero();
    for (out, &x) in pairs {
        sum += x;
        *out = sum;
    }
}

/// The place of the first greatest element.
pub(super) fn first_greatest<T: Element>(x: &[T]) -> usize {
    (1..x.len()).fold(0, |best, at| if x[at] > x[best] { at } else { best })
}

/// `x / (1 - rate)` where the draw reaches the rate, else 0.
pub(super) fn dropout<T: Element>(out: &mut [T], x: &[T], rate: f64, draws: SiteKey) {
    let (threshold, scale) = (Threshold::new(rate), T::from_f64(1.0 / (1.0 - rate)));
    dispatch(Dropout { out, x, threshold, scale, draws });
}

struct Dropout<'a, T> {
    out: &'a mut [T],
    x: &'a [T],
    threshold: Threshold,
    scale: T,
    draws: SiteKey,
}

impl<T: Element> Kernel for Dropout<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { out, x, threshold, scale, draws } = self;
        for (element, (out, &x)) in out.iter_mut().zip(x).enumerate() {
            *out = if draws.reaches(element, threshold) { x * scale } else { T::zero() };
        }
    }
}
