//! Numbers of 60 digits with their derivatives by the elements of `x` and `y`: what ops are
//! compared with. Functions are written so that they keep these digits in their tails, too.

use std::ops::{Add, Div, Mul, Neg, Sub};

use dashu_float::FBig;
use dashu_float::round::mode::HalfEven;

/// A number.
pub type Big = FBig<HalfEven, 2>;

/// Its bits: 60 digits.
const BITS: usize = 200;

/// How many derivatives a number has: by four elements of `x`, then by four of `y`.
pub const SLOPES: usize = 8;

pub fn big(x: f64) -> Big {
    Big::try_from(x).expect("the number is finite").with_precision(BITS).value()
}

pub fn is_zero(x: &Big) -> bool {
    *x == Big::ZERO
}

pub fn size(x: &Big) -> Big {
    if *x < Big::ZERO { -x.clone() } else { x.clone() }
}

/// `e^x`. Beyond the range of `f64` by far, results are as near to 0 or infinity as need be.
pub fn exp(x: &Big) -> Big {
    let most = big(20_000.0);
    match size(x) > most {
        true if *x < Big::ZERO => (-most).exp(),
        true => most.exp(),
        false => x.exp(),
    }
}

fn reciprocal(x: &Big) -> Big {
    big(1.0) / x
}

pub fn sigmoid(x: &Big) -> Big {
    reciprocal(&(big(1.0) + exp(&-x.clone())))
}

/// `ln(1 + e^x)`.
pub fn softplus(x: &Big) -> Big {
    let above = if *x > Big::ZERO { x.clone() } else { big(0.0) };
    above + exp(&-size(x)).ln_1p()
}

pub fn tanh(x: &Big) -> Big {
    let power = exp(&(size(x) * big(-2.0)));
    let less_one = match size(x) < big(1.0) {
        true => (size(x) * big(-2.0)).exp_m1(),
        false => power.clone() - big(1.0),
    };
    let tanh = -less_one / (big(1.0) + power);
    if *x < Big::ZERO { -tanh } else { tanh }
}

/// `e^x - 1`.
pub fn exp_m1(x: &Big) -> Big {
    if size(x) < big(100.0) { x.exp_m1() } else { exp(x) - big(1.0) }
}

fn pi() -> Big {
    Big::pi(BITS)
}

/// `2/√π ∫₀ˣ e^-t² dt` of a number that is not negative, by a series of positive terms
/// (Abramowitz and Stegun, 1964, 7.1.6).
fn erf_series(x: &Big) -> Big {
    let twice = big(2.0) * x * x;
    let (mut term, mut sum, mut number) = (x.clone(), x.clone(), 1.0);
    while term > sum.clone() >> BITS as isize {
        number += 2.0;
        term = term * &twice / big(number);
        sum += &term;
    }
    big(2.0) * sum * exp(&-(x * x)) / pi().sqrt()
}

/// `1 - erf x` of a number above 3, by its continued fraction (7.1.14 there).
fn erfc_fraction(x: &Big) -> Big {
    let terms = 40 + (20_000.0 / (4.0 * x.to_f64().value().powi(2))) as usize;
    let fraction = (1..=terms).rev().fold(x.clone(), |rest, k| x + big(k as f64 / 2.0) / rest);
    exp(&-(x * x)) / (pi().sqrt() * fraction)
}

pub fn erf(x: &Big) -> Big {
    let positive = size(x);
    let erf = match positive < big(3.0) {
        true => erf_series(&positive),
        false => big(1.0) - erfc_fraction(&positive),
    };
    if *x < Big::ZERO { -erf } else { erf }
}

/// The standard normal distribution.
pub fn normal_cdf(x: &Big) -> Big {
    let argument = size(x) / big(2.0).sqrt();
    let above = match argument < big(3.0) {
        true => big(1.0) - erf_series(&argument),
        false => erfc_fraction(&argument),
    };
    let above = above / big(2.0);
    if *x < Big::ZERO { above } else { big(1.0) - above }
}

/// A number and its derivatives, `None` where they are 0.
#[derive(Clone)]
pub struct Jet {
    pub value: Big,
    pub slopes: [Option<Big>; SLOPES],
}

impl Jet {
    pub fn constant(value: f64) -> Self {
        Self { value: big(value), slopes: Default::default() }
    }

    /// The element at a place among those of `x` and `y`.
    pub fn variable(value: f64, place: usize) -> Self {
        let mut jet = Self::constant(value);
        jet.slopes[place] = Some(big(1.0));
        jet
    }

    /// A function of this number, by its value and its derivative.
    pub fn map(&self, value: Big, slope: Big) -> Self {
        let slopes = self.slopes.each_ref().map(|by| by.as_ref().map(|by| by * &slope));
        Self { value, slopes }
    }

    fn pair(&self, other: &Self, value: Big, [of_self, of_other]: [Big; 2]) -> Self {
        let slopes = std::array::from_fn(|at| match (&self.slopes[at], &other.slopes[at]) {
            (None, None) => None,
            (Some(a), None) => Some(a * &of_self),
            (None, Some(b)) => Some(b * &of_other),
            (Some(a), Some(b)) => Some(a * &of_self + b * &of_other),
        });
        Self { value, slopes }
    }

    pub fn scaled(&self, by: f64) -> Self {
        self.map(&self.value * big(by), big(by))
    }

    pub fn exp(&self) -> Self {
        let exp = exp(&self.value);
        self.map(exp.clone(), exp)
    }

    pub fn ln(&self) -> Self {
        self.map(self.value.ln(), reciprocal(&self.value))
    }

    pub fn ln_1p(&self) -> Self {
        self.map(self.value.ln_1p(), reciprocal(&(big(1.0) + &self.value)))
    }

    pub fn sqrt(&self) -> Self {
        let root = self.value.sqrt();
        self.map(root.clone(), reciprocal(&(big(2.0) * root)))
    }

    pub fn abs(&self) -> Self {
        if self.value < Big::ZERO { -self } else { self.clone() }
    }

    pub fn sigmoid(&self) -> Self {
        let slope = sigmoid(&self.value) * sigmoid(&-self.value.clone());
        self.map(sigmoid(&self.value), slope)
    }

    pub fn softplus(&self) -> Self {
        self.map(softplus(&self.value), sigmoid(&self.value))
    }

    pub fn tanh(&self) -> Self {
        // 1 / cosh² = 4 σ(2x) σ(-2x)
        let twice = &self.value * big(2.0);
        let slope = big(4.0) * sigmoid(&twice) * sigmoid(&-twice);
        self.map(tanh(&self.value), slope)
    }

    pub fn exp_m1(&self) -> Self {
        self.map(exp_m1(&self.value), exp(&self.value))
    }

    pub fn erf(&self) -> Self {
        let slope = big(2.0) / pi().sqrt() * exp(&-(&self.value * &self.value));
        self.map(erf(&self.value), slope)
    }

    pub fn normal_cdf(&self) -> Self {
        let bell = exp(&(&self.value * &self.value / big(-2.0)));
        self.map(normal_cdf(&self.value), bell / (big(2.0) * pi()).sqrt())
    }

    /// A positive number to a power.
    pub fn pow(&self, power: f64) -> Self {
        let value = (self.value.ln() * big(power)).exp();
        let slope = big(power) * &value / &self.value;
        self.map(value, slope)
    }
}

impl Add for &Jet {
    type Output = Jet;

    fn add(self, other: &Jet) -> Jet {
        self.pair(other, &self.value + &other.value, [1.0, 1.0].map(big))
    }
}

impl Sub for &Jet {
    type Output = Jet;

    fn sub(self, other: &Jet) -> Jet {
        self.pair(other, &self.value - &other.value, [1.0, -1.0].map(big))
    }
}

impl Mul for &Jet {
    type Output = Jet;

    fn mul(self, other: &Jet) -> Jet {
        let slopes = [other.value.clone(), self.value.clone()];
        self.pair(other, &self.value * &other.value, slopes)
    }
}

impl Div for &Jet {
    type Output = Jet;

    fn div(self, other: &Jet) -> Jet {
        let value = &self.value / &other.value;
        let slopes = [reciprocal(&other.value), -(&value / &other.value)];
        self.pair(other, value, slopes)
    }
}

impl Neg for &Jet {
    type Output = Jet;

    fn neg(self) -> Jet {
        self.scaled(-1.0)
    }
}
