//! The CPU kernels of ops that work row by row, compiled for every [instruction set](crate::isa).
//!
//! A row's result never depends on the other rows, or on how many there are. So a vertex's values have the same
//! bits in any minibatch.

use std::marker::PhantomData;

use edb_ir::Reduction;

use super::sums::{Elements, Products, RunningSum, Shifted, sum};
use crate::math::exceeds;
use crate::numbers::{Element, SiteKey, Threshold};
use crate::processor::{Loop, dispatch};

/// A function of one element. It is a type and not a closure, since only code that is certainly inlined is
/// compiled with the instructions of an instruction set.
pub(crate) trait Unary<T> {
    fn apply<const FMA: bool>(x: T) -> T;
}

/// A function of two elements.
pub(crate) trait Binary<T> {
    fn apply<const FMA: bool>(a: T, b: T) -> T;
}

/// A function of three elements.
pub(crate) trait Ternary<T> {
    fn apply<const FMA: bool>(a: T, b: T, c: T) -> T;
}

/// A function of a row.
trait Row<T> {
    fn apply<const FMA: bool>(out: &mut [T], x: &[T]);
}

macro_rules! functions {
    ($kind:ident: $($(#[$doc:meta])* $name:ident($($argument:ident),+) = $value:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name;

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
    /// `max(x, 0)`; NaN stays NaN. This is one instruction, but only with the operands in this order. `max`
    /// would drop NaN.
    Relu(x) = if T::zero() > x { T::zero() } else { x };
    /// `e^x`.
    Exp(x) = x.exp_::<FMA>();
    /// The natural logarithm from the standard library, since it is rare in inner loops.
    Ln(x) = x.ln();
    /// `√x`.
    Sqrt(x) = x.sqrt();
    /// `|x|`.
    Abs(x) = x.abs();
    /// 1 where `x > 0`, -1 where `x < 0`, else 0.
    Sign(x) = if x > T::zero() { T::one() } else if x < T::zero() { -T::one() } else { T::zero() };
    /// The error function from `libm`, since it is rare in inner loops.
    Erf(x) = x.erf_();
    /// `ln(1 + e^x)`, as `max(x, 0) + ln(1 + e^-|x|)`, which does not overflow. If `x` is NaN, so is the second
    /// term.
    Softplus(x) = x.max(T::zero()) + (-x.abs()).exp_::<FMA>().ln_1p();
    /// The nearest integer, halves to even.
    Round(x) = x.round_ties_even_();
    /// `e^x - 1`.
    ExpM1(x) = x.exp_m1_::<FMA>();
    /// The standard normal distribution; that of `f64` is from `libm`.
    NormalCdf(x) = x.normal_cdf_::<FMA>();
    /// `e^-x²/2`.
    Bell(x) = x.bell_::<FMA>();
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
    /// `a ^ b`, from the standard library.
    Pow(a, b) = a.powf(b);
    /// `ln(e^a + e^b)`, as the greater one and what the other adds. Equal infinities stay what they are.
    LogAdd(a, b) = a.max(b) + (if a == b { T::zero() } else { -(a - b).abs() }).exp_::<FMA>().ln_1p();
    /// 1 where `a > b`, else 0.
    Greater(a, b) = if a > b { T::one() } else { T::zero() };
    /// 1 where `a >= b`, else 0.
    GreaterEqual(a, b) = if a >= b { T::one() } else { T::zero() };
    /// 1 where [`exceeds`] holds, else 0.
    Exceeds(a, b) = if exceeds(a, b) { T::one() } else { T::zero() };
    /// `x` where `m` is not 0, else 0.
    Mask(m, x) = if m == T::zero() { T::zero() } else { x };
}

functions! { Ternary:
    /// `x` where `m` is not 0, else `y`.
    Select(m, x, y) = if m == T::zero() { y } else { x };
}

/// Applies a function to a row.
fn row<F: Row<T>, T: Element>(out: &mut [T], x: &[T]) {
    dispatch(OneRow::<F, T> { out, x, function: PhantomData });
}

struct OneRow<'a, F, T> {
    out: &'a mut [T],
    x: &'a [T],
    function: PhantomData<F>,
}

impl<F: Row<T>, T: Element> Loop for OneRow<'_, F, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        F::apply::<FMA>(self.out, self.x);
    }
}

/// `e^x / Σ e^x`, shifted by the greatest element so that no exponential overflows.
struct Softmax;

impl<T: Element> Row<T> for Softmax {
    #[inline(always)]
    fn apply<const FMA: bool>(out: &mut [T], x: &[T]) {
        let scale = powers::<T, FMA>(out, x);
        out.iter_mut().for_each(|out| *out *= scale);
    }
}

/// Computes `e^x`, shifted by the greatest element, and returns 1 divided by the sum.
#[inline(always)]
fn powers<T: Element, const FMA: bool>(out: &mut [T], x: &[T]) -> T {
    let greatest = greatest(x);
    let x = &x[..out.len()];
    for i in 0..out.len() {
        out[i] = (x[i] - greatest).exp_::<FMA>();
    }
    T::one() / sum::<T, _, FMA>(Elements(out))
}

/// `(e^x / Σ e^x - [i = index]) factor`: the gradient of a cross-entropy whose result has the
/// gradient `factor`.
pub fn cross_entropy_gradient<T: Element>(out: &mut [T], x: &[T], index: usize, factor: T) {
    dispatch(CrossEntropyGradient { out, x, index, factor });
}

struct CrossEntropyGradient<'a, T> {
    out: &'a mut [T],
    x: &'a [T],
    index: usize,
    factor: T,
}

impl<T: Element> Loop for CrossEntropyGradient<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { out, x, index, factor } = self;
        let scale = powers::<T, FMA>(out, x);
        out.iter_mut().for_each(|out| *out = *out * scale * factor);
        out[index] -= factor;
    }
}

/// `ln Σ e^x`, shifted in the same way.
struct LogSumExp;

impl<T: Element> Row<T> for LogSumExp {
    #[inline(always)]
    fn apply<const FMA: bool>(out: &mut [T], x: &[T]) {
        let greatest = greatest(x);
        // Do not shift by an infinity, since the difference of two infinities is NaN.
        let shift = if greatest.is_infinite() { T::zero() } else { greatest };
        out[0] = shift + log_total::<T, FMA>(x, shift);
    }
}

/// `x - ln Σ e^x`. The shift is subtracted first, so that no digits are lost if it is large.
struct LogSoftmax;

impl<T: Element> Row<T> for LogSoftmax {
    #[inline(always)]
    fn apply<const FMA: bool>(out: &mut [T], x: &[T]) {
        let greatest = greatest(x);
        let total = log_total::<T, FMA>(x, greatest);
        let x = &x[..out.len()];
        for i in 0..out.len() {
            out[i] = (x[i] - greatest) - total;
        }
    }
}

/// `ln Σ e^x - x[index]`, shifted in the same way.
struct CrossEntropy<'a, T> {
    out: &'a mut T,
    x: &'a [T],
    index: usize,
}

impl<T: Element> Loop for CrossEntropy<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let greatest = greatest(self.x);
        *self.out = log_total::<T, FMA>(self.x, greatest) - (self.x[self.index] - greatest);
    }
}

/// `Σ x`.
struct Sum;

impl<T: Element> Row<T> for Sum {
    #[inline(always)]
    fn apply<const FMA: bool>(out: &mut [T], x: &[T]) {
        out[0] = sum::<T, _, FMA>(Elements(x));
    }
}

/// `√(Σ x²)`.
struct Norm;

impl<T: Element> Row<T> for Norm {
    #[inline(always)]
    fn apply<const FMA: bool>(out: &mut [T], x: &[T]) {
        out[0] = sum::<T, _, FMA>(Products(x, x)).sqrt();
    }
}

/// `ln Σ e^(x - shift)`. Elements that are equal to the shift are counted separately, so that the small sum of
/// the others is not lost next to 1: the loss of a confident right answer is about this sum.
#[inline(always)]
fn log_total<T: Element, const FMA: bool>(x: &[T], shift: T) -> T {
    let above_one = sum::<T, _, FMA>(Shifted::<_, false> { x, shift }) - T::one();
    ln_1p(above_one + sum::<T, _, FMA>(Shifted::<_, true> { x, shift }))
}

/// `ln(1 + x)`, in half the time of the standard library. The quotient corrects the rounding of `1 + x`
/// (Goldberg, 1991, "What every computer scientist should know about floating-point arithmetic", theorem 4).
#[inline(always)]
fn ln_1p<T: Element>(x: T) -> T {
    let sum = T::one() + x;
    if sum == T::one() {
        x
    } else if sum.is_infinite() {
        sum
    } else {
        sum.ln() * (x / (sum - T::one()))
    }
}

/// The greatest element, ignoring NaN, which reaches the result through the sum.
#[inline(always)]
fn greatest<T: Element>(x: &[T]) -> T {
    x.iter().fold(T::neg_infinity(), |best, &x| best.max(x))
}

/// A reduction of one row. `index` is for reductions that read an index.
pub fn reduce<T: Element>(op: Reduction, out: &mut [T], x: &[T], index: usize) {
    match op {
        Reduction::Sum => row::<Sum, T>(out, x),
        Reduction::Max => out[0] = x[first_greatest(x)],
        Reduction::MaxMask => {
            out.fill(T::zero());
            out[first_greatest(x)] = T::one();
        }
        Reduction::Softmax => row::<Softmax, T>(out, x),
        Reduction::LogSoftmax => row::<LogSoftmax, T>(out, x),
        Reduction::LogSumExp => row::<LogSumExp, T>(out, x),
        Reduction::Norm => row::<Norm, T>(out, x),
        Reduction::CumulativeSum => running_sum(out.iter_mut().zip(x)),
        Reduction::CumulativeSumReversed => running_sum(out.iter_mut().zip(x).rev()),
        Reduction::CrossEntropy => dispatch(CrossEntropy { out: &mut out[0], x, index }),
        Reduction::CrossEntropyGradient => unreachable!("it reads a factor besides"),
    }
}

/// A reduction of each of `rows` rows that lie one after the other, as those of a matrix.
///
/// # Panics
/// When a reduction reads an index.
pub fn reduce_each<T: Element>(op: Reduction, out: &mut [T], x: &[T], rows: usize) {
    let [to, from] = [out.len(), x.len()].map(|length| length / rows.max(1));
    for row in 0..rows {
        reduce(op, &mut out[row * to..][..to], &x[row * from..][..from], 0);
    }
}

/// Each element of the result is the sum of the arguments up to it.
fn running_sum<'a, T: Element>(pairs: impl Iterator<Item = (&'a mut T, &'a T)>) {
    let mut sum = RunningSum::default();
    for (out, &x) in pairs {
        *out = sum.add(x);
    }
}

/// The position of the first greatest element, or of the first NaN if there is one.
pub fn first_greatest<T: Element>(x: &[T]) -> usize {
    (1..x.len()).fold(0, |best, i| if exceeds(x[i], x[best]) { i } else { best })
}

/// The position that a draw, uniform in `[0, 1)`, chooses with probabilities `e^x / Σ e^x`: the first position
/// at which the sum of the probabilities exceeds the draw. If the greatest element is infinite, or an element
/// is NaN, it is the first greatest one.
pub fn sample<T: Element>(x: &[T], draw: T) -> usize {
    let mut chosen = 0;
    dispatch(Sample { chosen: &mut chosen, x, draw });
    chosen
}

struct Sample<'a, T> {
    chosen: &'a mut usize,
    x: &'a [T],
    draw: T,
}

impl<T: Element> Loop for Sample<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { chosen, x, draw } = self;
        let first = first_greatest(x);
        *chosen = first;
        let greatest = x[first];
        if !greatest.is_finite() {
            return;
        }
        let mut total = RunningSum::default();
        for i in 0..x.len() {
            total.add((x[i] - greatest).exp_::<FMA>());
        }
        let (mut sum, target) = (RunningSum::default(), draw * total.value());
        for i in 0..x.len() {
            if sum.add((x[i] - greatest).exp_::<FMA>()) > target {
                *chosen = i;
                return;
            }
        }
    }
}

/// `x / (1 - rate)` if the draw reaches the rate, else `0 x`, which does not hide a NaN.
pub fn dropout<T: Element>(out: &mut [T], x: &[T], rate: f64, draws: SiteKey) {
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

impl<T: Element> Loop for Dropout<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { out, x, threshold, scale, draws } = self;
        for (element, (out, &x)) in out.iter_mut().zip(x).enumerate() {
            *out = x * if draws.reaches(element, threshold) { scale } else { T::zero() };
        }
    }
}
