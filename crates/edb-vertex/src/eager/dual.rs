//! Dual numbers: a value and its derivative along one direction.
//!
//! The eager reference computes in them, so that every vertex function has an exact directional
//! derivative (forward mode) that does not use edb's gradient rules (reverse mode).

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::rounded::Rounded;

/// The numbers that the reference kernels compute in: `f64`, or [`Dual`].
pub trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// A constant.
    fn constant(value: f64) -> Self;
    /// The value, without a derivative.
    fn value(self) -> f64;
    /// The same number, as a constant.
    fn detached(self) -> Self;
    /// `e^x`.
    fn exp(self) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
    /// The hyperbolic tangent.
    fn tanh(self) -> Self;
    /// A function of one number, by its value and its derivative.
    fn map(self, value: impl Fn(f64) -> f64, slope: impl Fn(f64) -> f64) -> Self;

    /// `e^x - 1`.
    fn exp_m1(self) -> Self {
        self.map(f64::exp_m1, f64::exp)
    }

    /// `ln(1 + x)`.
    fn ln_1p(self) -> Self {
        self.map(f64::ln_1p, |x| 1.0 / (1.0 + x))
    }

    /// `ln(1 + e^x)`.
    fn softplus(self) -> Self {
        self.map(|x| x.max(0.0) + (-x.abs()).exp().ln_1p(), |x| 1.0 / (1.0 + (-x).exp()))
    }

    /// `√x`.
    fn sqrt(self) -> Self {
        self.map(f64::sqrt, |x| 0.5 / x.sqrt())
    }

    /// `|x|`; its derivative at 0 and NaN is 0.
    fn abs(self) -> Self {
        self.map(f64::abs, |x| f64::from(x > 0.0) - f64::from(x < 0.0))
    }

    /// `max(x, 0)`, and NaN for NaN; its derivative at 0 is 0.
    fn relu(self) -> Self {
        self.map(|x| if x <= 0.0 { 0.0 } else { x }, |x| f64::from(x.is_nan() || x > 0.0))
    }

    /// `1 / (1 + e^-x)`.
    fn sigmoid(self) -> Self {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        self.map(sigmoid, |x| sigmoid(x) * sigmoid(-x))
    }

    /// The error function.
    fn erf(self) -> Self {
        self.map(libm::erf, |x| FRAC_2_SQRT_PI * (-x * x).exp())
    }

    /// The standard normal distribution, `erfc(-x/√2) / 2`.
    fn normal_cdf(self) -> Self {
        let slope = |x: f64| 0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2 * bell(x);
        self.map(|x| 0.5 * libm::erfc(-x * FRAC_1_SQRT_2), slope)
    }

    /// `e^-x²/2`.
    fn bell(self) -> Self {
        self.map(bell, |x| -x * bell(x))
    }

    /// `x^p`; the derivative in `p` is `x^p ln x` where `x > 0`, else 0.
    fn pow(self, power: Self) -> Self {
        let (x, p) = (self.value(), power.value());
        let base = self.map(|x| x.powf(p), |x| p * x.powf(p - 1.0));
        let of_power = |_| if x > 0.0 { x.powf(p) * x.ln() } else { 0.0 };
        // Adds only the derivative in the power.
        base + power.map(|_| 0.0, of_power)
    }
}

fn bell(x: f64) -> f64 {
    (-0.5 * x * x).exp()
}

impl Real for f64 {
    fn constant(value: f64) -> Self {
        value
    }

    fn value(self) -> f64 {
        self
    }

    fn detached(self) -> Self {
        self
    }

    fn exp(self) -> Self {
        f64::exp(self)
    }

    fn ln(self) -> Self {
        f64::ln(self)
    }

    fn tanh(self) -> Self {
        f64::tanh(self)
    }

    fn map(self, value: impl Fn(f64) -> f64, _: impl Fn(f64) -> f64) -> Self {
        value(self)
    }
}

/// `value + tangent · ε` with `ε² = 0`, and bounds on the rounding errors of both in a computation
/// of lower precision.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dual {
    /// The value.
    pub value: f64,
    /// Its derivative along the direction of the run.
    pub tangent: f64,
    /// The error bounds of both, as in [`Rounded`].
    errors: [f64; 2],
}

impl Dual {
    /// A value with a derivative, both exact.
    pub fn new(value: f64, tangent: f64) -> Self {
        Self { value, tangent, errors: [0.0; 2] }
    }

    fn of(value: Rounded, tangent: Rounded) -> Self {
        let errors = [value.error, tangent.error];
        Self { value: value.value, tangent: tangent.value, errors }
    }

    fn parts(self) -> [Rounded; 2] {
        [Rounded::of_value(self), Rounded::of_tangent(self)]
    }
}

impl Rounded {
    /// The value of a dual number, with its error.
    pub fn of_value(dual: Dual) -> Self {
        Self { value: dual.value, error: dual.errors[0] }
    }

    /// The derivative of a dual number, with its error.
    pub fn of_tangent(dual: Dual) -> Self {
        Self { value: dual.tangent, error: dual.errors[1] }
    }
}

/// A derivative times a slope. A derivative of zero stays zero, even where the slope is infinite or
/// NaN.
fn along(tangent: Rounded, slope: Rounded) -> Rounded {
    if tangent.value == 0.0 { tangent.of_zero(slope.value) } else { tangent * slope }
}

/// The same with the inverse of the slope.
fn over(tangent: Rounded, inverse: Rounded) -> Rounded {
    if tangent.value == 0.0 { tangent.of_zero(1.0 / inverse.value) } else { tangent / inverse }
}

impl Add for Dual {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let ([x, x_tangent], [y, y_tangent]) = (self.parts(), other.parts());
        Dual::of(x + y, x_tangent + y_tangent)
    }
}

impl Sub for Dual {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        let ([x, x_tangent], [y, y_tangent]) = (self.parts(), other.parts());
        Dual::of(x - y, x_tangent - y_tangent)
    }
}

impl Mul for Dual {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let ([x, x_tangent], [y, y_tangent]) = (self.parts(), other.parts());
        Dual::of(x * y, along(x_tangent, y) + along(y_tangent, x))
    }
}

impl Div for Dual {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let ([x, x_tangent], [y, y_tangent]) = (self.parts(), other.parts());
        let value = x / y;
        Dual::of(value, over(x_tangent - along(y_tangent, value), y))
    }
}

impl Neg for Dual {
    type Output = Self;

    fn neg(self) -> Self {
        let [x, tangent] = self.parts();
        Dual::of(-x, -tangent)
    }
}

impl Real for Dual {
    fn constant(value: f64) -> Self {
        Dual::new(value, 0.0)
    }

    fn value(self) -> f64 {
        self.value
    }

    fn detached(self) -> Self {
        // Its rounding error stays.
        Dual::of(Rounded::of_value(self), Rounded::default())
    }

    fn exp(self) -> Self {
        let [x, tangent] = self.parts();
        let value = x.map(x.value.exp(), x.value.exp());
        Dual::of(value, along(tangent, value))
    }

    fn ln(self) -> Self {
        let [x, tangent] = self.parts();
        Dual::of(x.map(x.value.ln(), 1.0 / x.value), over(tangent, x))
    }

    fn tanh(self) -> Self {
        let [x, tangent] = self.parts();
        let tanh = x.value.tanh();
        let value = x.map(tanh, 1.0 - tanh * tanh);
        Dual::of(value, along(tangent, Rounded::exact(1.0) - value * value))
    }

    fn map(self, value: impl Fn(f64) -> f64, slope: impl Fn(f64) -> f64) -> Self {
        let [x, tangent] = self.parts();
        let at_x = slope(x.value);
        // Where the slope is 0 or not finite, as at a kink or a vertical tangent, it does not tell
        // how much the function changes nearby.
        let value = match at_x == 0.0 || !at_x.is_finite() {
            true => x.map_near(value(x.value), value),
            false => x.map(value(x.value), at_x),
        };
        let tangent = match tangent.value == 0.0 {
            true => tangent.of_zero(at_x),
            false => tangent * x.map_near(at_x, slope),
        };
        Dual::of(value, tangent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation against central differences.
    #[test]
    fn tangents_are_derivatives() {
        type Case = (&'static str, fn(Dual) -> Dual);
        let cases: [Case; 18] = [
            ("add", |x| x + x),
            ("sub", |x| Dual::constant(3.0) - x),
            ("mul", |x| x * x * x),
            ("div", |x| Dual::constant(1.0) / x),
            ("exp", Real::exp),
            ("ln", Real::ln),
            ("tanh", |x| -x.tanh()),
            ("sigmoid", Real::sigmoid),
            ("sqrt", Real::sqrt),
            ("abs", |x| (-x).abs()),
            ("erf", Real::erf),
            ("exp_m1", Real::exp_m1),
            ("ln_1p", Real::ln_1p),
            ("softplus", Real::softplus),
            ("normal_cdf", Real::normal_cdf),
            ("bell", Real::bell),
            ("pow", |x| x.pow(Dual::constant(2.7))),
            ("power", |x| Dual::constant(1.3).pow(x)),
        ];
        for (name, f) in cases {
            let (x, step) = (0.7, 1e-6);
            let difference = |sign: f64| f(Dual::constant(x + sign * step)).value;
            let expected = (difference(1.0) - difference(-1.0)) / (2.0 * step);
            approx::assert_relative_eq!(
                f(Dual::new(x, 1.0)).tangent,
                expected,
                max_relative = 1e-7,
                epsilon = 1e-9
            );
            assert!(expected != 0.0, "{name}");
        }
    }
}
