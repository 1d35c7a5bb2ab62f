//! The ops of kernels, each by the function of one element that [`kernels`] gives it.

use crate::cpu::kernels::{self, Binary, Unary};
use crate::element::Element;

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident($first:ident $(, $second:ident)?) = $kind:ident $function:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<T: Element, const FMA: bool>($first: T $(, $second: T)?) -> T {
            <kernels::$function as $kind<T>>::apply::<FMA>($first $(, $second)?)
        }
    )*};
}

// What the macro writes calls these by the names of the op table.
ops! {
    /// `-x`.
    neg(x) = Unary Neg;
    /// `1 / (1 + e^-x)`.
    sigmoid(x) = Unary Sigmoid;
    /// `tanh x`.
    tanh(x) = Unary Tanh;
    /// `max(x, 0)`; NaN stays NaN.
    relu(x) = Unary Relu;
    /// `e^x`.
    exp(x) = Unary Exp;
    /// The natural logarithm.
    ln(x) = Unary Ln;
    /// `√x`.
    sqrt(x) = Unary Sqrt;
    /// `|x|`.
    abs(x) = Unary Abs;
    /// The sign of `x`, 0 for 0.
    sign(x) = Unary Sign;
    /// The error function.
    erf(x) = Unary Erf;
    /// `ln(1 + e^x)`.
    softplus(x) = Unary Softplus;
    /// The nearest integer.
    round(x) = Unary Round;
    /// 1 where `x > 0`, else 0.
    positive(x) = Unary Positive;
    /// `a + b`.
    add(a, b) = Binary Add;
    /// `a - b`.
    sub(a, b) = Binary Sub;
    /// `a * b`.
    mul(a, b) = Binary Mul;
    /// `a / b`.
    div(a, b) = Binary Div;
    /// `a ^ b`.
    pow(a, b) = Binary Pow;
    /// 1 where `a > b`, else 0.
    greater(a, b) = Binary Greater;
    /// 1 where `a >= b`, else 0.
    greater_equal(a, b) = Binary GreaterEqual;
    /// 1 where `a > b`, and where `a` is NaN and `b` is not, else 0.
    exceeds(a, b) = Binary Exceeds;
    /// `x` where `m` is not 0, else 0.
    mask(m, x) = Binary Mask;
}

/// A number of a kernel.
#[inline(always)]
pub fn number<T: Element>(value: f64) -> T {
    T::from_f64(value)
}
