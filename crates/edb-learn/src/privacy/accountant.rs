//! Computes how private training is, by Renyi differential privacy of the subsampled Gaussian mechanism.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use crate::error::{LearnError, check_setting};

/// With less noise than this, almost nothing is private, and the integrals take long. So the privacy gained by
/// sampling is left out, which only makes `epsilon` larger.
const MIN_SAMPLED_NOISE: f64 = 0.2;
/// With more noise than this, the privacy gained by sampling is left out, too: the square of the noise would be
/// out of range, and almost no privacy is lost anyway.
const MAX_SAMPLED_NOISE: f64 = 1e100;
/// At more than this many deviations from its peak, the integrand is less than `exp(-TAIL_DEVIATIONS² / 2)`
/// times the peak.
const TAIL_DEVIATIONS: f64 = 12.0;
/// The greatest noise that [`Accountant::noise_for`] tries.
const MAX_SOUGHT_NOISE: f64 = 1e4;

/// Keeps the accounts of private training: how much the parameters can reveal about a single graph.
///
/// Training is `(epsilon, delta)`-differentially private if, with any one graph added to the training
/// data or taken from it, no set of outcomes becomes more likely than by a factor of
/// `exp(epsilon)`, and `delta` on top (Dwork et al., 2006). Each step adds to `epsilon`. The
/// accountant composes steps by their Renyi divergences (Mironov, 2017), those of a Gaussian mechanism
/// on a Poisson sample by Mironov, Talwar and Zhang (2019, "Rényi differential privacy of the sampled
/// Gaussian mechanism"), and converts them at the order that gives the least `epsilon` by Canonne,
/// Kamath and Steinke (2020, "The discrete Gaussian for differential privacy", proposition 12).
///
/// ```
/// # extern crate edb_learn as edb;
/// use edb::learn::{Accountant, PrivateSteps};
///
/// let mut accountant = Accountant::new();
/// // MNIST's 60,000 images, 256 a minibatch, 60 epochs, noise of 1.1 times the bound.
/// accountant.add(PrivateSteps { rate: 256.0 / 60_000.0, noise: 1.1, steps: 14_062 })?;
/// assert!((accountant.epsilon(1e-5) - 2.597).abs() < 1e-3);
/// # Ok::<(), edb::learn::LearnError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Accountant {
    entries: Vec<CountedSteps>,
}

/// Private steps of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrivateSteps {
    /// The probability that a graph was in a minibatch.
    pub rate: f64,
    /// The deviation of the noise, divided by the norm to which gradients were clipped; 0 for steps that were
    /// not private.
    pub noise: f64,
    /// How many steps were taken.
    pub steps: u64,
}

impl PrivateSteps {
    /// This many steps that were not private: with all graphs and without noise.
    pub fn plain(steps: u64) -> Self {
        Self { rate: 1.0, noise: 0.0, steps }
    }

    /// Checks that such steps are possible, since the fields are public and may come from a file.
    ///
    /// # Errors
    /// If a number is out of range; the error names the first.
    pub fn check(&self) -> Result<(), LearnError> {
        let Self { rate, noise, .. } = *self;
        check_setting("PrivateSteps", "rate", rate, "in [0, 1]", (0.0..=1.0).contains(&rate))?;
        let valid = noise >= 0.0 && noise.is_finite();
        check_setting("PrivateSteps", "noise", noise, "finite and not negative", valid)
    }
}

#[derive(Clone, Debug)]
struct CountedSteps {
    taken: PrivateSteps,
    /// The divergence of one step, by order.
    divergences: Vec<f64>,
}

/// The orders at which divergences are computed: those of Google's `dp-accounting`.
fn orders() -> impl Iterator<Item = f64> {
    let fractions = (1..100).map(|tenths| 1.0 + f64::from(tenths) / 10.0);
    fractions.chain((11..64).map(f64::from)).chain([128.0, 256.0, 512.0])
}

impl Accountant {
    /// No step has been taken.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds steps.
    ///
    /// # Errors
    /// When the rate is not in `[0, 1]`, or the noise is negative or not finite; nothing is added then.
    pub fn add(&mut self, taken: PrivateSteps) -> Result<(), LearnError> {
        taken.check()?;
        self.enter(taken);
        Ok(())
    }

    /// Adds steps that [have been checked](PrivateSteps::check). With other steps, the account has no meaning.
    pub fn enter(&mut self, taken: PrivateSteps) {
        let same = |entry: &&mut CountedSteps| {
            (entry.taken.rate, entry.taken.noise) == (taken.rate, taken.noise)
        };
        match self.entries.iter_mut().find(same) {
            Some(entry) => entry.taken.steps = entry.taken.steps.saturating_add(taken.steps),
            None => {
                let divergences =
                    orders().map(|order| divergence(taken.rate, taken.noise, order)).collect();
                self.entries.push(CountedSteps { taken, divergences });
            }
        }
    }

    /// The steps so far; steps of the same kind are counted together.
    pub fn taken(&self) -> impl Iterator<Item = PrivateSteps> {
        self.entries.iter().map(|entry| entry.taken)
    }

    /// The `epsilon` of all steps together at this `delta`, which must be positive and less than 1. It is 0 if
    /// no step was taken, and infinite if a step had no noise.
    pub fn epsilon(&self, delta: f64) -> f64 {
        let of_order = |(number, order): (usize, f64)| {
            let of = |entry: &CountedSteps| match entry.taken.steps {
                0 => 0.0,
                steps => steps as f64 * entry.divergences[number],
            };
            let all: f64 = self.entries.iter().map(of).sum();
            all + (-1.0 / order).ln_1p() - (delta.ln() + order.ln()) / (order - 1.0)
        };
        if self.entries.iter().all(|entry| entry.taken.steps == 0 || entry.taken.rate == 0.0) {
            return 0.0;
        }
        orders().enumerate().map(of_order).fold(f64::INFINITY, f64::min).max(0.0)
    }

    /// The least noise, up to a thousandth, with which this many steps at this rate are `(epsilon,
    /// delta)`-private.
    ///
    /// # Errors
    /// When `epsilon`, `delta` or `rate` are out of range, there are no steps, or no noise up to 10,000 is enough.
    pub fn noise_for(epsilon: f64, delta: f64, rate: f64, steps: u64) -> Result<f64, LearnError> {
        let check = |setting, value, range, valid| {
            check_setting("Accountant", setting, value, range, valid)
        };
        check("epsilon", epsilon, "positive", epsilon > 0.0)?;
        check("delta", delta, "in (0, 1)", delta > 0.0 && delta < 1.0)?;
        check("rate", rate, "in [0, 1]", (0.0..=1.0).contains(&rate))?;
        check("number of steps", steps as f64, "at least 1", steps > 0)?;
        let suffices = |noise: f64| {
            let mut accountant = Self::new();
            accountant.enter(PrivateSteps { rate, noise, steps });
            accountant.epsilon(delta) <= epsilon
        };
        check("epsilon", epsilon, "larger for so many steps", suffices(MAX_SOUGHT_NOISE))?;
        let (mut little, mut enough) = (1e-3, MAX_SOUGHT_NOISE);
        while enough / little > 1.001 {
            let middle = f64::sqrt(little * enough);
            if suffices(middle) { enough = middle } else { little = middle }
        }
        Ok(enough)
    }
}

/// The Renyi divergence of this order of one step's two outcomes, with and without one graph.
///
/// With deviation `s` and rate `q` it is `log E ((1 - q) + q exp((2 z - 1) / 2 s²))^a / (a - 1)` for
/// `z` from `N(0, s²)` (equation 4 of Mironov et al., whose theorem 5 says that the other direction is
/// less). The trapezoidal rule converges exponentially for this integral, since the integrand is analytic up to
/// a distance of `π s²` from the real line, where the sum has its zeros.
fn divergence(rate: f64, noise: f64, order: f64) -> f64 {
    let variance = noise * noise;
    if rate == 0.0 {
        return 0.0;
    }
    // Sampling only makes the divergence smaller.
    let unsampled = order / (2.0 * variance);
    if rate >= 1.0 || !(MIN_SAMPLED_NOISE..=MAX_SAMPLED_NOISE).contains(&noise) {
        return unsampled;
    }
    let (first, last) = (-TAIL_DEVIATIONS * noise, order + TAIL_DEVIATIONS * noise);
    let count = ((last - first) / (noise / 4.0).min(variance / 2.0)).ceil();
    let step = (last - first) / count;
    let (without, with) = ((-rate).ln_1p(), rate.ln());
    let logarithm = |point: u32| {
        let z = first + f64::from(point) * step;
        let shifted = with + (2.0 * z - 1.0) / (2.0 * variance);
        let larger = without.max(shifted);
        let mixed = larger + (without.min(shifted) - larger).exp().ln_1p();
        order * mixed - z * z / (2.0 * variance)
    };
    let points = 0..=count as u32;
    let peak = points.clone().map(logarithm).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = points.map(|point| (logarithm(point) - peak).exp()).sum();
    let mean = peak + (sum * step).ln() - (2.0 * PI * variance).ln() / 2.0;
    let mean = if mean < MAX_INEXACT_LOGARITHM {
        near_nothing(rate, variance, order, [first, step, count])
    } else {
        mean
    };
    // If the integrand is out of range, the mean is NaN.
    let sampled = if mean.is_nan() { unsampled } else { mean.max(0.0) / (order - 1.0) };
    sampled.min(unsampled)
}

/// If the logarithm of the mean is smaller than this, the mean is so close to 1 that its logarithm is inexact.
const MAX_INEXACT_LOGARITHM: f64 = 1e-2;

/// The logarithm of the mean in [`divergence`] if the mean is close to 1. It is computed from the difference
/// between the mean and 1.
fn near_nothing(rate: f64, variance: f64, order: f64, [first, step, count]: [f64; 3]) -> f64 {
    let more = |point: u32| {
        let z = first + f64::from(point) * step;
        let mixed = (rate * ((2.0 * z - 1.0) / (2.0 * variance)).exp_m1()).ln_1p();
        (order * mixed).exp_m1() * (-z * z / (2.0 * variance)).exp()
    };
    let sum: f64 = (0..=count as u32).map(more).sum();
    (sum * step / (2.0 * PI * variance).sqrt()).ln_1p()
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    /// The conversion of Mironov (2017, proposition 3), with which older tables were computed.
    fn older_epsilon(rate: f64, noise: f64, steps: u64, delta: f64) -> f64 {
        let of = |order| steps as f64 * divergence(rate, noise, order) - delta.ln() / (order - 1.0);
        orders().map(of).fold(f64::INFINITY, f64::min)
    }

    fn epsilon(rate: f64, noise: f64, steps: u64, delta: f64) -> f64 {
        let mut accountant = Accountant::new();
        accountant.add(PrivateSteps { rate, noise, steps }).unwrap();
        accountant.epsilon(delta)
    }

    /// Tiny divergences, times very many steps. The references are computed in exact arithmetic at whole orders
    /// only, so at fewer orders than here.
    #[test]
    fn divergences_next_to_nothing_count() {
        for (rate, noise, steps, reference) in
            [(1e-6, 1e3, 1 << 53, 0.355), (1e-8, 1.0, 1 << 53, 6.12), (1e-6, 100.0, 1 << 50, 1.397)]
        {
            let found = epsilon(rate, noise, steps, 1e-5);
            assert!((0.97 * reference..1.003 * reference).contains(&found), "{found}: {reference}");
        }
    }

    /// The table of the MNIST tutorial of TensorFlow Privacy, and the figure in the introduction of
    /// Abadi et al. (2016), section 3.2: `q = 0.01`, `sigma = 4`, 100 epochs.
    #[test]
    fn published_figures() {
        let mnist = 256.0 / 60_000.0;
        let published = [
            (mnist, 1.3, 15, 1.19),
            (mnist, 1.1, 60, 3.01),
            (mnist, 0.7, 45, 7.10),
            (0.01, 4.0, 100, 1.26),
        ];
        for (rate, noise, epochs, expected) in published {
            let steps = (f64::from(epochs) / rate) as u64;
            let found = older_epsilon(rate, noise, steps, 1e-5);
            assert!((found - expected).abs() < 0.006, "{found} instead of {expected}");
        }
    }

    /// `dp-accounting` 0.6.0, `RdpAccountant`, with the same orders; where it bounds the integrals of
    /// fractional orders from above (6.3195, 5.3292 and 1.1111e-5), quadrature with 25 digits by mpmath.
    #[test]
    fn figures_of_another_accountant() {
        let mnist = 256.0 / 60_000.0;
        let found = [
            (epsilon(mnist, 1.3, 3515, 1e-5), 0.954_429_508_729_924_3),
            (epsilon(mnist, 1.1, 14062, 1e-5), 2.596_555_869_794_303_6),
            (epsilon(mnist, 0.7, 10546, 1e-5), 6.318_100_586_588_218),
            (epsilon(0.01, 4.0, 10000, 1e-5), 1.035_490_066_036_243_6),
            (epsilon(0.03, 1.1, 500, 1e-4), 3.412_969_015_494_134_3),
            (epsilon(1.0, 5.0, 30, 1e-6), 5.790_609_852_476_926),
            (epsilon(0.001, 0.5, 1000, 1e-6), 5.329_067_567_420_946),
            // At single orders: fractional, and integral.
            (divergence(mnist, 1.3, 1.5), 1.09956042716545e-5),
            (divergence(0.03, 1.1, 5.0), 0.003_471_773_903_845_646_4),
            (divergence(0.001, 0.5, 20.0), 32.728_678_653_703_014),
        ];
        for (found, expected) in found {
            assert_relative_eq!(found, expected, max_relative = 1e-7);
        }
    }

    /// For integral orders, the expectation is a sum (Mironov et al., section 3.3).
    #[test]
    fn integrals_are_sums() {
        for (rate, noise) in [(0.01, 0.25), (0.3, 0.6), (0.004, 1.0), (0.5, 20.0)] {
            for order in [2_u32, 3, 7, 30] {
                let mut binomial = 0.0;
                let mut terms = Vec::new();
                for of in 0..=order {
                    let k = f64::from(of);
                    let power = (f64::from(order) - k) * f64::ln(1.0 - rate) + k * rate.ln();
                    terms.push(binomial + power + (k * k - k) / (2.0 * noise * noise));
                    binomial += f64::ln(f64::from(order - of) / (k + 1.0));
                }
                let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let sum = terms.iter().map(|term| (term - most).exp()).sum::<f64>();
                let expected = (most + sum.ln()) / f64::from(order - 1);
                let found = divergence(rate, noise, f64::from(order));
                assert!((found - expected).abs() < 1e-9 * expected.max(1e-5), "{found} {expected}");
            }
        }
    }

    #[test]
    fn more_noise_is_more_private() {
        let mut last = f64::INFINITY;
        for noise in [0.0, 0.05, 0.19, 0.2, 0.21, 0.5, 1.0, 3.0, 50.0] {
            let found = epsilon(0.01, noise, 100, 1e-5);
            assert!(found < last || (found, last) == (f64::INFINITY, f64::INFINITY), "{noise}");
            last = found;
        }
        assert_eq!(epsilon(0.0, 0.0, 100, 1e-5), 0.0);
        assert_eq!(epsilon(0.5, 1.0, 0, 1e-5), 0.0);
        assert_eq!(Accountant::new().epsilon(1e-5), 0.0);
    }

    /// Fault A9: a rate or noise of NaN counted as nothing, and no error said so.
    #[test]
    fn impossible_steps_are_errors() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        for (rate, noise) in
            [(nan, 1.0), (0.1, nan), (-0.1, 1.0), (1.1, 1.0), (0.1, -1.0), (0.1, inf), (nan, nan)]
        {
            let mut accountant = Accountant::new();
            let error = accountant.add(PrivateSteps { rate, noise, steps: 10 }).unwrap_err();
            assert!(matches!(error, LearnError::Setting { .. }), "{error}");
            assert_eq!(accountant.taken().count(), 0);
            assert!(Accountant::noise_for(1.0, 1e-5, rate, 10).is_err() || rate == 0.1);
        }
        // However large or small noise and rate are, errors never make training look more private than it is.
        assert_eq!(epsilon(0.01, 1.0, 10, nan), inf);
        assert_eq!(epsilon(0.01, 1.0, 10, -1.0), inf);
        for (rate, noise) in [(0.5, 1e200), (0.5, 1e-200), (1e-300, 1.0), (0.999_999, 1e7)] {
            let (found, most) = (epsilon(rate, noise, 10, 1e-5), epsilon(1.0, noise, 10, 1e-5));
            assert!(found <= most && !found.is_nan(), "{found} of {rate} and {noise}");
        }
        assert!(Accountant::noise_for(nan, 1e-5, 0.1, 10).is_err());
        assert!(Accountant::noise_for(1.0, nan, 0.1, 10).is_err());
        // Without a step, the least noise was enough.
        let error = Accountant::noise_for(1.0, 1e-5, 0.1, 0).unwrap_err().to_string();
        assert_eq!(error, "the number of steps of Accountant is 0; it must be at least 1");
    }

    #[test]
    fn steps_add_up() {
        let parts = [(1.0, 40), (2.0, 7), (1.0, 60)];
        let parts = parts.map(|(noise, steps)| PrivateSteps { rate: 0.02, noise, steps });
        let (mut all, mut whole) = (Accountant::new(), Accountant::new());
        parts.into_iter().try_for_each(|taken| all.add(taken)).unwrap();
        let parts = all;
        whole.add(PrivateSteps { rate: 0.02, noise: 1.0, steps: 100 }).unwrap();
        assert!(parts.epsilon(1e-5) > whole.epsilon(1e-5));
        whole.add(PrivateSteps { rate: 0.02, noise: 2.0, steps: 7 }).unwrap();
        assert_eq!(parts.epsilon(1e-5), whole.epsilon(1e-5));
        assert!(parts.taken().eq(whole.taken()));
    }

    #[test]
    fn noise_is_found_for_an_epsilon() {
        for wanted in [0.1, 1.0, 3.0, 8.0] {
            let noise = Accountant::noise_for(wanted, 1e-5, 0.03, 1000).unwrap();
            assert!(epsilon(0.03, noise, 1000, 1e-5) <= wanted);
            assert!(epsilon(0.03, noise / 1.002, 1000, 1e-5) > wanted);
        }
        let error = |epsilon, delta, rate| {
            Accountant::noise_for(epsilon, delta, rate, 10).unwrap_err().to_string()
        };
        assert_eq!(error(0.0, 0.1, 0.1), "the epsilon of Accountant is 0; it must be positive");
        assert_eq!(error(1.0, 1.0, 0.1), "the delta of Accountant is 1; it must be in (0, 1)");
        assert_eq!(error(1.0, 0.1, 1.5), "the rate of Accountant is 1.5; it must be in [0, 1]");
        let few = error(1e-9, 1e-30, 1.0);
        assert_eq!(
            few,
            "the epsilon of Accountant is 0.000000001; it must be larger for so many steps"
        );
    }

    /// Fault A5: with very large noise, the integral had as many points as a 32-bit number can count.
    #[test]
    fn accounts_of_very_large_noise_end() {
        for noise in [1e50, 1e99, 1e101, 1e154, 1e200, 1e308] {
            let epsilon = epsilon(0.1, noise, 1000, 1e-5);
            assert!((0.0..0.01).contains(&epsilon), "{noise}: {epsilon}");
        }
    }
}
