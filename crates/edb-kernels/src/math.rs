//! Elementary functions that vectorise: no branches, no tables, no calls.
//!
//! After the Cephes library (Moshier, 1989): the argument is reduced to `[-ln 2 / 2, ln 2 / 2]`,
//! and a polynomial (`f32`) or a rational function (`f64`) does the rest. Tests check that results are within 4
//! units in the last place, over the whole range, including NaN and infinities (`tests/accuracy.rs`).

// Coefficients are written as they were published.
#![allow(clippy::excessive_precision)]

use num_traits::Float;

/// Whether a maximum takes `a` and not `b`, which came first. It does if `a > b`, or if `a` is NaN and `b` is
/// not. `Float::max` would drop NaN.
#[inline(always)]
#[expect(clippy::neg_cmp_op_on_partial_ord, reason = "one comparison that NaN passes")]
pub fn exceeds<T: Float>(a: T, b: T) -> bool {
    // No branch, so that loops vectorise.
    !(a <= b) & !b.is_nan()
}

/// The greater of two numbers; NaN if one of them is NaN.
#[inline(always)]
pub fn greater_of<T: Float>(a: T, b: T) -> T {
    if exceeds(b, a) { b } else { a }
}

/// Elementary functions of an element type. They are inlined into the kernels of each instruction set.
pub trait Math: Float {
    /// A half.
    const HALF: Self;
    /// From here on, [`bell_`](Math::bell_) is 0.
    const BELL_END: Self;
    /// Adding this to a number and subtracting it again rounds the number to a multiple of `2^-5`.
    const TO_PARTS: Self;

    /// `self * a + b`, fused if there is an instruction for it.
    fn fma<const FMA: bool>(self, a: Self, b: Self) -> Self;
    /// `e^x`.
    fn exp_<const FMA: bool>(self) -> Self;
    /// `e^x` in fewer steps. Results below the normal numbers are about the least normal number, and results in
    /// the last half binade below infinity are infinite.
    fn exp_normal<const FMA: bool>(self) -> Self;
    /// The same, but 0 below the normal numbers: `e^-∞` is 0.
    fn exp_flushed<const FMA: bool>(self) -> Self;
    /// `tanh x`.
    fn tanh_<const FMA: bool>(self) -> Self;
    /// The natural logarithm of 0, of a number that is normal and positive, or of `∞`.
    fn ln_<const FMA: bool>(self) -> Self;

    /// `e^x - 1`.
    fn exp_m1_<const FMA: bool>(self) -> Self;

    /// The error function.
    fn erf_(self) -> Self;
    /// `1/√2π ∫₋∞ˣ e^-t²/2 dt`, the standard normal distribution.
    fn normal_cdf_<const FMA: bool>(self) -> Self;
    /// The nearest integer, halves to even.
    fn round_ties_even_(self) -> Self;

    /// `1 / (1 + e^-x)`; 0 if this is below the normal numbers.
    #[inline(always)]
    fn sigmoid_<const FMA: bool>(self) -> Self {
        Self::one() / (Self::one() + (-self).exp_normal::<FMA>())
    }

    /// `e^-x²/2`. An error of the square would become an error of the result, of many units if the square is
    /// large. So the square is computed as the sum of two numbers (after Dekker, 1971).
    #[inline(always)]
    fn bell_<const FMA: bool>(self) -> Self {
        let size = self.abs();
        // NaN passes the comparison.
        let size = if size > Self::BELL_END { Self::BELL_END } else { size };
        let high = (size + Self::TO_PARTS) - Self::TO_PARTS;
        let low = size - high;
        let square = size * size;
        let rest = (high * high - square) + low * (high + size);
        let value = (-Self::HALF * square).exp_::<FMA>();
        value - value * (Self::HALF * rest)
    }
}

/// A polynomial, its highest coefficient first.
#[inline(always)]
fn polynomial<T: Math, const FMA: bool, const N: usize>(x: T, coefficients: [T; N]) -> T {
    let mut sum = coefficients[0];
    let mut next = 1;
    while next < N {
        sum = sum.fma::<FMA>(x, coefficients[next]);
        next += 1;
    }
    sum
}

/// A number within bounds; NaN passes both comparisons.
#[inline(always)]
fn bounded<T: Math>(x: T, least: T, most: T) -> T {
    let x = if x < least { least } else { x };
    if x > most { most } else { x }
}

/// Implements powers of `e` for an element type. The arguments are the integer types of its size, `tail_f32` or
/// `tail_f64`, the bias of an exponent of 2, the number of bits after the exponent, and the bounds beyond which
/// `e^x` is 0 or infinite, `exp_normal` is about 0 and `e^x - 1` is -1.
macro_rules! powers {
    (
        $float:ident, $int:ident, $uint:ident, $tail:ident, $ln:ident, bias: $bias:literal, digits: $digits:literal,
        least: [$least:literal, $least_normal:literal, $least_m1:literal], most: $most:literal
    ) => {
        #[inline(always)]
        fn fma<const FMA: bool>(self, a: Self, b: Self) -> Self {
            if FMA { self.mul_add(a, b) } else { self * a + b }
        }

        #[inline(always)]
        fn exp_<const FMA: bool>(self) -> Self {
            let (tail, power) = $tail::<FMA>(bounded(self, $least, $most));
            let value = tail + 1.0;
            // The power of two is split into two factors, so that neither leaves the range of normal numbers.
            let half = power >> 1;
            let scale =
                |power: $int| $float::from_bits((power.wrapping_add($bias) as $uint) << $digits);
            value * scale(half) * scale(power.wrapping_sub(half))
        }

        #[inline(always)]
        fn exp_normal<const FMA: bool>(self) -> Self {
            let (tail, power) = $tail::<FMA>(bounded(self, $least_normal, $most));
            // The power is at most the bias plus 1, and then the bits are those of infinity.
            (tail + 1.0) * $float::from_bits((power.wrapping_add($bias) as $uint) << $digits)
        }

        #[inline(always)]
        fn exp_flushed<const FMA: bool>(self) -> Self {
            let power = self.exp_normal::<FMA>();
            if self < $least_normal { 0.0 } else { power }
        }

        /// As [`tanh_`](Math::tanh_) of `f32`.
        #[inline(always)]
        fn exp_m1_<const FMA: bool>(self) -> Self {
            let (tail, power) = $tail::<FMA>(bounded(self, $least_m1, $most));
            // 2 to this power is infinite, but not every result with this power is.
            let is_last = power > $bias;
            let power = if is_last { $bias } else { power };
            let scale = $float::from_bits((power.wrapping_add($bias) as $uint) << $digits);
            let less_one = tail.fma::<FMA>(scale, scale - 1.0);
            if is_last { less_one + less_one } else { less_one }
        }

        #[inline(always)]
        fn ln_<const FMA: bool>(self) -> Self {
            // The number is `2^k (1 + x)`, where `1 + x` is between the roots of 1/2 and 2.
            const ROOT: $uint = $float::to_bits(std::f64::consts::FRAC_1_SQRT_2 as $float);
            let bits = self.to_bits().wrapping_sub(ROOT);
            let power = (bits as $int) >> $digits;
            let rest = bits.wrapping_sub((power as $uint) << $digits).wrapping_add(ROOT);
            let x = $float::from_bits(rest) - 1.0;
            let (power, square) = (power as $float, x * x);
            // ln 2 in two parts, as for powers.
            let low = power.fma::<FMA>(-2.121_944_400_546_905_8e-4, $ln::<FMA>(x) * square);
            let value = power.fma::<FMA>(0.693_359_375, x + square.fma::<FMA>(-0.5, low));
            // NaN passes all comparisons.
            let value = if self == 0.0 { $float::NEG_INFINITY } else { value };
            if self == $float::INFINITY { self } else { value + (self - self) }
        }

        #[inline(always)]
        fn round_ties_even_(self) -> Self {
            self.round_ties_even()
        }
    };
}

/// `e^x = (1 + t) 2^k` for results that are normal numbers; returns `t` and `k`.
#[inline(always)]
fn tail_f32<const FMA: bool>(x: f32) -> (f32, i32) {
    // Adding 1.5 · 2^23 rounds to an integer, which is then in the low bits.
    const ROUND: f32 = 12_582_912.0;
    let rounded = x.fma::<FMA>(std::f32::consts::LOG2_E, ROUND);
    let power = (rounded.to_bits() as i32).wrapping_sub(ROUND.to_bits() as i32);
    let whole = rounded - ROUND;
    // ln 2 in two parts; the first part has few bits.
    let rest = whole.fma::<FMA>(-0.693_359_375, x);
    let rest = whole.fma::<FMA>(2.121_944_4e-4, rest);
    let tail = polynomial::<f32, FMA, 6>(
        rest,
        [
            1.987_569_15e-4,
            1.398_199_950_7e-3,
            8.333_451_907_3e-3,
            4.166_579_589_4e-2,
            1.666_666_545_9e-1,
            5.000_000_120_1e-1,
        ],
    );
    (tail.fma::<FMA>(rest * rest, rest), power)
}

/// `(ln(1 + x) - x) / x² + 1/2` where `1 + x` is between the roots of 1/2 and 2.
#[inline(always)]
fn ln_f32<const FMA: bool>(x: f32) -> f32 {
    polynomial::<f32, FMA, 9>(
        x,
        [
            7.037_683_629_2e-2,
            -1.151_461_031_0e-1,
            1.167_699_874_0e-1,
            -1.242_014_084_6e-1,
            1.424_932_278_7e-1,
            -1.666_805_766_5e-1,
            2.000_071_476_5e-1,
            -2.499_999_399_3e-1,
            3.333_333_117_4e-1,
        ],
    ) * x
}

impl Math for f32 {
    const HALF: Self = 0.5;
    const BELL_END: Self = 64.0;
    const TO_PARTS: Self = 393_216.0;

    powers!(f32, i32, u32, tail_f32, ln_f32, bias: 127, digits: 23, least: [-104.0, -87.0, -20.0], most: 89.0);

    fn erf_(self) -> Self {
        libm::erff(self)
    }

    /// Of `-z`, `e^-z²/2 t P(t)` with `t = 1 / (1 + 0.3 z)`, in `f64`. The coefficients are fitted to the smallest error in
    /// relation to the result, 3.5e-9 up to a `z` of 15, where the result is 0.
    #[inline(always)]
    fn normal_cdf_<const FMA: bool>(self) -> Self {
        let size = f64::from(self.abs());
        // NaN passes the comparison.
        let size = if size > 15.0 { 15.0 } else { size };
        let part = 1.0 / (1.0 + 0.3 * size);
        let factor = polynomial::<f64, FMA, 10>(
            part,
            [
                -0.020628641119204483,
                0.1124646856909052,
                -0.22828454069955145,
                0.19188297092899714,
                -0.07950890874353028,
                0.09620479517583339,
                0.07837226269915736,
                0.11023933943481884,
                0.1195713182567935,
                0.1196867166430318,
            ],
        );
        let tail = (-0.5 * size * size).exp_::<FMA>() * part * factor;
        (if self < 0.0 { tail } else { 1.0 - tail }) as f32
    }

    /// `(e^2x - 1) / (e^2x - 1 + 2)`; its numerator is exact to the last places also near zero.
    #[inline(always)]
    fn tanh_<const FMA: bool>(self) -> Self {
        let twice = self.abs() + self.abs();
        // Beyond this bound the result is 1; NaN passes the comparison.
        let twice = if twice > 20.0 { 20.0 } else { twice };
        let (tail, power) = tail_f32::<FMA>(twice);
        let scale = f32::from_bits((power.wrapping_add(127) as u32) << 23);
        let less_one = tail.fma::<FMA>(scale, scale - 1.0);
        (less_one / (less_one + 2.0)).copysign(self)
    }
}

/// As [`tail_f32`].
#[inline(always)]
fn tail_f64<const FMA: bool>(x: f64) -> (f64, i64) {
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let rounded = x.fma::<FMA>(std::f64::consts::LOG2_E, ROUND);
    let power = (rounded.to_bits() as i64).wrapping_sub(ROUND.to_bits() as i64);
    let whole = rounded - ROUND;
    let rest = whole.fma::<FMA>(-6.931_457_519_531_25e-1, x);
    let rest = whole.fma::<FMA>(-1.428_606_820_309_417_232_12e-6, rest);
    let square = rest * rest;
    let p = polynomial::<f64, FMA, 3>(
        square,
        [1.261_771_930_748_105_908_78e-4, 3.029_944_077_074_419_613e-2, 1.0],
    ) * rest;
    let q = polynomial::<f64, FMA, 4>(
        square,
        [
            3.001_985_051_386_644_550_42e-6,
            2.524_483_403_496_841_041_92e-3,
            2.272_655_482_081_550_287_66e-1,
            2.0,
        ],
    );
    ((p + p) / (q - p), power)
}

/// As [`ln_f32`].
#[inline(always)]
fn ln_f64<const FMA: bool>(x: f64) -> f64 {
    let p = polynomial::<f64, FMA, 6>(
        x,
        [
            1.018_756_638_045_809_317_96e-4,
            4.974_949_949_767_470_014_25e-1,
            4.705_791_198_788_817_258_54,
            1.449_892_253_416_109_308_46e1,
            1.793_686_785_078_198_163_13e1,
            7.708_387_337_558_853_916_66,
        ],
    );
    let q = polynomial::<f64, FMA, 6>(
        x,
        [
            1.0,
            1.128_735_871_891_674_505_90e1,
            4.522_791_458_375_322_211_05e1,
            8.298_752_669_127_766_032_11e1,
            7.115_447_506_185_638_944_66e1,
            2.312_516_201_267_653_405_83e1,
        ],
    );
    x * (p / q)
}

impl Math for f64 {
    const HALF: Self = 0.5;
    const BELL_END: Self = 64.0;
    const TO_PARTS: Self = 211_106_232_532_992.0;

    powers!(f64, i64, u64, tail_f64, ln_f64, bias: 1023, digits: 52, least: [-746.0, -708.0, -40.0], most: 710.0);

    fn erf_(self) -> Self {
        libm::erf(self)
    }

    /// `erfc(-x/√2) / 2`. The rounding error of the argument is corrected with the slope, since in the tail it
    /// would be many units of the result.
    fn normal_cdf_<const FMA: bool>(self) -> Self {
        use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};
        // 1/√2 minus its value in `f64`.
        const REST: f64 = -4.833_646_656_726_457e-17;
        if self.abs() > 40.0 {
            return if self > 0.0 { 1.0 } else { 0.0 };
        }
        let argument = -self * FRAC_1_SQRT_2;
        let lacking = (-self).mul_add(FRAC_1_SQRT_2, -argument) - self * REST;
        let slope = 0.5 * FRAC_2_SQRT_PI * (-argument * argument).exp();
        0.5 * libm::erfc(argument) - slope * lacking
    }

    #[inline(always)]
    fn tanh_<const FMA: bool>(self) -> Self {
        let square = self * self;
        let p = polynomial::<f64, FMA, 3>(
            square,
            [
                -9.643_991_794_250_522_386_28e-1,
                -9.928_772_310_019_185_865_64e1,
                -1.614_687_684_417_084_479_52e3,
            ],
        );
        let q = polynomial::<f64, FMA, 4>(
            square,
            [
                1.0,
                1.128_116_784_916_329_314_02e2,
                2.235_488_390_601_004_485_83e3,
                4.844_063_053_251_254_860_48e3,
            ],
        );
        let near = (square * (p / q)).fma::<FMA>(self, self);
        let size = self.abs();
        let far = 1.0 - 2.0 / ((size + size).exp_normal::<FMA>() + 1.0);
        if size < 0.625 { near } else { far.copysign(self) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::processor::{Isa, Loop, dispatch_on};

    /// Every function of every element, as an instruction set computes it.
    struct All<'a, T>(&'a [T], &'a mut [[T; 5]]);

    const NAMES: [&str; 5] = ["exp", "tanh", "sigmoid", "exp_m1", "bell"];

    impl<T: Math> Loop for All<'_, T> {
        #[inline(always)]
        fn run<const FMA: bool>(self) {
            for (x, out) in self.0.iter().zip(self.1) {
                *out = [
                    x.exp_::<FMA>(),
                    x.tanh_::<FMA>(),
                    x.sigmoid_::<FMA>(),
                    x.exp_m1_::<FMA>(),
                    x.bell_::<FMA>(),
                ];
            }
        }
    }

    fn all<T: Math>(isa: Isa, x: &[T]) -> Vec<[T; 5]> {
        let mut out = vec![[T::zero(); 5]; x.len()];
        dispatch_on(isa, All(x, &mut out));
        out
    }

    /// The distance between two values, in units in the last place of the exact value.
    fn ulps(found: f64, exact: f64, epsilon: f64, smallest: f64) -> f64 {
        if found == exact || (found.is_nan() && exact.is_nan()) {
            return 0.0;
        }
        let unit = (exact.abs().max(smallest)).log2().floor().exp2() * epsilon;
        (found - exact).abs() / unit
    }

    fn exact(x: f64) -> [f64; 5] {
        // The square as the sum of two numbers.
        let square = x * x;
        let rest = x.mul_add(x, -square);
        let bell = (-0.5 * square).exp() * (1.0 - 0.5 * rest);
        [x.exp(), x.tanh(), 1.0 / (1.0 + (-x).exp()), x.exp_m1(), bell]
    }

    #[test]
    fn f32_is_within_three_ulps() {
        let sweep = (-110_000..=95_000).map(|step| step as f32 * 1e-3 + 3e-5);
        let small =
            (-40..0).flat_map(|power| [1.0f32, -1.0, 1.7].map(|x| x * (power as f32).exp2()));
        let x: Vec<f32> = sweep.chain(small).chain([0.0, -0.0]).collect();
        for isa in Isa::all() {
            for (x, found) in x.iter().zip(all(isa, &x)) {
                let exact = exact(f64::from(*x));
                for (name, (found, exact)) in NAMES.iter().zip(found.into_iter().zip(exact)) {
                    // A number that overflows `f32` is infinite in it.
                    let exact = if exact > f64::from(f32::MAX) { f64::INFINITY } else { exact };
                    if *name == "sigmoid" && exact < f64::from(f32::MIN_POSITIVE) {
                        assert!((0.0..2.0 * f32::MIN_POSITIVE).contains(&found));
                        continue;
                    }
                    let smallest = f64::from(f32::MIN_POSITIVE);
                    let error = ulps(f64::from(found), exact, f64::from(f32::EPSILON), smallest);
                    assert!(error <= 3.0, "{isa:?} {name}({x}) = {found}: {error} ulps");
                }
            }
        }
    }

    /// Compares with the standard library, which is itself within one unit.
    #[test]
    fn f64_is_within_three_ulps() {
        let sweep = (-75_000..=72_000).map(|step| step as f64 * 1e-2 + 3e-7);
        let fine = (-40_000..=40_000).map(|step| step as f64 * 1e-4 + 3e-9);
        for isa in Isa::all() {
            let x: Vec<f64> = sweep.clone().chain(fine.clone()).collect();
            for (x, found) in x.iter().zip(all(isa, &x)) {
                for (name, (found, exact)) in NAMES.iter().zip(found.into_iter().zip(exact(*x))) {
                    if *name == "sigmoid" && exact < f64::MIN_POSITIVE {
                        assert!((0.0..2.0 * f64::MIN_POSITIVE).contains(&found));
                        continue;
                    }
                    let error = ulps(found, exact, f64::EPSILON, f64::MIN_POSITIVE);
                    assert!(error <= 4.0, "{isa:?} {name}({x}) = {found}: {error} ulps");
                }
            }
        }
    }

    #[test]
    fn the_ends_of_the_range() {
        for isa in Isa::all() {
            let x = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, f32::MIN];
            let found = all(isa, &x);
            assert_eq!(found[0], [f32::INFINITY, 1.0, 1.0, f32::INFINITY, 0.0]);
            assert_eq!(found[1], [0.0, -1.0, 0.0, -1.0, 0.0]);
            assert!(found[2].iter().all(|x| x.is_nan()));
            assert_eq!(found[3], found[0]);
            assert_eq!(found[4], found[1]);
            let x = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
            let found = all(isa, &x);
            assert_eq!(found[0], [f64::INFINITY, 1.0, 1.0, f64::INFINITY, 0.0]);
            assert_eq!(found[1], [0.0, -1.0, 0.0, -1.0, 0.0]);
            assert!(found[2].iter().all(|x| x.is_nan()));
        }
    }

    /// Beside the standard library, which is itself within one unit.
    #[test]
    fn logarithms_are_within_two_ulps() {
        struct Logs<'a, T>(&'a [T], &'a mut [T]);
        impl<T: Math> Loop for Logs<'_, T> {
            #[inline(always)]
            fn run<const FMA: bool>(self) {
                for (x, out) in self.0.iter().zip(self.1) {
                    *out = x.ln_::<FMA>();
                }
            }
        }
        let x = (0..40_000).map(|step| f64::from(step) * 1e-4 + 1e-3);
        let x: Vec<f64> =
            x.chain((-120..120).map(|power| 1.37 * f64::from(power).exp2())).collect();
        let short: Vec<f32> = x.iter().map(|x| *x as f32).collect();
        for isa in Isa::all() {
            let mut found = vec![0.0; x.len()];
            dispatch_on(isa, Logs(&x, &mut found));
            for (x, found) in x.iter().zip(found) {
                let error = ulps(found, x.ln(), f64::EPSILON, f64::MIN_POSITIVE);
                assert!(error <= 2.0, "{isa:?} ln({x}) = {found}: {error} ulps");
            }
            let mut found = vec![0.0; short.len()];
            dispatch_on(isa, Logs(&short, &mut found));
            for (x, found) in short.iter().zip(found) {
                let exact = f64::from(*x).ln();
                let error = ulps(f64::from(found), exact, f64::from(f32::EPSILON), 1e-38);
                assert!(error <= 2.0, "{isa:?} ln({x}) = {found}: {error} ulps");
            }
            let mut ends = [1.0, 1.0, 1.0, 1.0];
            dispatch_on(isa, Logs(&[0.0, f64::INFINITY, f64::NAN, 1.0], &mut ends));
            assert_eq!(ends[..2], [f64::NEG_INFINITY, f64::INFINITY]);
            assert!(ends[2].is_nan());
            assert_eq!(ends[3], 0.0);
        }
    }

    /// A function's value does not depend on the position of the number in a vector.
    #[test]
    fn the_place_does_not_matter() {
        let x: Vec<f32> = (0..67).map(|step| step as f32 * 0.37 - 12.0).collect();
        for isa in Isa::all() {
            let together = all(isa, &x);
            for (x, together) in x.iter().zip(together) {
                assert_eq!(all(isa, &[*x])[0], together);
            }
        }
    }
}
