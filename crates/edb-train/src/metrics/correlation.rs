//! Regression metrics.

/// Regression metrics: Pearson's correlation, and the root mean square error.
///
/// Means and sums of products are updated one pair at a time (Welford, 1962), and merged as by
/// Chan, Golub and LeVeque (1983), so that large means lose no precision. Sums are kept in units of
/// powers of two near what was added, so that no square leaves the range of `f64`.
///
/// ```
/// # extern crate edb_train as edb;
/// use edb::metrics::Correlation;
///
/// let mut correlation = Correlation::default();
/// for (predicted, target) in [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)] {
///     correlation.observe(predicted, target);
/// }
/// assert!((correlation.pearson() - 1.0).abs() < 1e-12);
/// assert!((correlation.rmse() - (14.0_f64 / 3.0).sqrt()).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Correlation {
    count: u64,
    means: [f64; 2],
    /// For each side, a power of two near the greatest difference from a mean so far: the unit of
    /// the sums.
    units: [f64; 2],
    /// The sums of squared differences from the means, for each side, and of their products.
    squares: [f64; 2],
    product: f64,
    /// The same for the differences of predictions from targets.
    error_unit: f64,
    errors: f64,
}

/// The greatest power of two that is not greater than a magnitude, of those that are normal numbers.
fn unit(x: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    const GREATEST: f64 = f64::from_bits(0x7fe << 52);
    f64::from_bits(x.to_bits() & EXPONENT).clamp(f64::MIN_POSITIVE, GREATEST)
}

fn square(x: f64) -> f64 {
    x * x
}

impl Correlation {
    /// Records a prediction and its target.
    pub fn observe(&mut self, predicted: f64, target: f64) {
        let error_unit = unit(predicted - target);
        let errors = square((predicted - target) / error_unit);
        let means = [predicted, target];
        self.merge(&Self { count: 1, means, error_unit, errors, ..Self::default() });
    }

    /// Adds the observations of another.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        let (before, more) = (self.count as f64, other.count as f64);
        let weight = before * more / (before + more);
        let apart = [0, 1].map(|side| other.means[side] - self.means[side]);
        let units =
            [0, 1].map(|side| self.units[side].max(other.units[side]).max(unit(apart[side])));
        // What one is in the new units: powers of two, at most 1.
        let (mine, theirs) = (
            [0, 1].map(|of| self.units[of] / units[of]),
            [0, 1].map(|of| other.units[of] / units[of]),
        );
        let step = [0, 1].map(|side| apart[side] / units[side]);
        for side in [0, 1] {
            self.means[side] += apart[side] * (more / (before + more));
            self.squares[side] = self.squares[side] * square(mine[side])
                + (other.squares[side] * square(theirs[side]) + square(step[side]) * weight);
        }
        self.product = self.product * mine[0] * mine[1]
            + (other.product * theirs[0] * theirs[1] + step[0] * step[1] * weight);
        self.units = units;
        let error_unit = self.error_unit.max(other.error_unit);
        self.errors = self.errors * square(self.error_unit / error_unit)
            + other.errors * square(other.error_unit / error_unit);
        self.error_unit = error_unit;
        self.count += other.count;
    }

    /// Pearson's correlation, in `[-1, 1]`; `NaN` if either side is constant.
    pub fn pearson(&self) -> f64 {
        // Rounding may lead beyond.
        (self.product / (self.squares[0].sqrt() * self.squares[1].sqrt())).clamp(-1.0, 1.0)
    }

    /// The root mean square error.
    pub fn rmse(&self) -> f64 {
        (self.errors / self.count as f64).sqrt() * self.error_unit
    }

    /// The mean square error.
    pub fn mse(&self) -> f64 {
        self.errors / self.count as f64 * self.error_unit * self.error_unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apart_or_together() {
        let pairs: Vec<(f64, f64)> =
            (0..50).map(f64::from).map(|x| (1e8 + x, (x * 1.7).sin() + 0.05 * x)).collect();
        let mut whole = Correlation::default();
        pairs.iter().for_each(|(a, b)| whole.observe(*a, *b));
        let mut parts = Correlation::default();
        for part in pairs.chunks(7) {
            let mut partial = Correlation::default();
            part.iter().for_each(|(a, b)| partial.observe(*a, *b));
            parts.merge(&partial);
        }
        approx::assert_relative_eq!(whole.pearson(), parts.pearson(), max_relative = 1e-9);
        // By the definition, on numbers without the large mean.
        let n = pairs.len() as f64;
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().map(|(x, y)| (x - 1e8, *y)).unzip();
        let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
        let sum = |f: &dyn Fn(f64, f64) -> f64| {
            x.iter().zip(&y).map(|(x, y)| f(x - mx, y - my)).sum::<f64>()
        };
        let expected = sum(&|x, y| x * y) / (sum(&|x, _| x * x).sqrt() * sum(&|_, y| y * y).sqrt());
        approx::assert_relative_eq!(whole.pearson(), expected, max_relative = 1e-9);
        assert!(
            Correlation::default().pearson().is_nan() && Correlation::default().rmse().is_nan()
        );
    }

    fn of(pairs: impl IntoIterator<Item = (f64, f64)>) -> Correlation {
        let mut correlation = Correlation::default();
        pairs.into_iter().for_each(|(a, b)| correlation.observe(a, b));
        correlation
    }

    /// Fault B12: proportional sets had a correlation of 1.0000000000000002, and sets of which a
    /// square overflows or vanishes had none.
    #[test]
    fn the_correlation_is_in_its_range_at_any_scale() {
        let mut beyond = 0;
        for count in 2..200 {
            for factor in [3.0, 0.1, -0.7, -1e-3] {
                let pearson = of((0..count).map(|x| f64::from(x).sin()).map(|x| (x, factor * x)));
                let pearson = pearson.pearson();
                assert!(pearson.abs() <= 1.0, "{count}: {pearson}");
                approx::assert_relative_eq!(pearson, f64::signum(factor), max_relative = 1e-13);
                beyond += i32::from(pearson.abs() == 1.0);
            }
        }
        assert!(beyond > 0);
        let numbers = [(1.0, 2.0), (2.0, 1.0), (4.0, 5.0), (7.0, 4.0)];
        let expected = of(numbers);
        for (a, b) in [(1e200, 1e-200), (1e-300, 1e300), (1e-290, 1.0), (1e307, 1e307)] {
            // By powers of two, which round nothing.
            let [a, b] = [a, b].map(|scale: f64| f64::exp2(scale.log2().floor()));
            let found = of(numbers.map(|(x, y)| (a * x, b * y)));
            assert_eq!(found.pearson(), expected.pearson(), "{a} {b}");
            let both = of(numbers.map(|(x, y)| (a * x, a * y)));
            assert_eq!(both.rmse(), a * expected.rmse(), "{a}");
        }
        // A set that begins small and becomes large, and in parts.
        let small = of(numbers.map(|(x, y)| (1e-200 * x, 1e-200 * y)));
        let mut large = of([(1e200, -1e200), (-3e200, 3e200)]);
        large.merge(&small);
        approx::assert_relative_eq!(large.pearson(), -1.0, max_relative = 1e-15);
        assert!(of([(f64::NAN, 1.0), (1.0, 2.0)]).pearson().is_nan());
        assert!(of([(f64::INFINITY, 1.0), (1.0, 2.0)]).pearson().is_nan());
        assert!(of([(1.0, 1.0), (1.0, 2.0)]).pearson().is_nan());
        assert_eq!(of([(f64::INFINITY, 1.0), (1.0, 2.0)]).rmse(), f64::INFINITY);
        assert!(of([(f64::NAN, 1.0), (1.0, 2.0)]).rmse().is_nan());
    }
}
