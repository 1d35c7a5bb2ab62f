//! Regression metrics.

/// Regression metrics: Pearson's correlation, and the root mean square error.
///
/// Means and sums of products are updated one pair at a time (Welford, 1962), and merged as by
/// Chan, Golub and LeVeque (1983), so that large means lose no precision.
///
/// ```
/// use edb_core::metrics::Correlation;
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
    /// The sums of squared differences from the means, for each side, and of their products.
    squares: [f64; 2],
    product: f64,
    errors: f64,
}

impl Correlation {
    /// Records a prediction and its target.
    pub fn observe(&mut self, predicted: f64, target: f64) {
        let errors = (predicted - target) * (predicted - target);
        self.merge(&Self { count: 1, means: [predicted, target], errors, ..Self::default() });
    }

    /// Adds the observations of another.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        let (before, more) = (self.count as f64, other.count as f64);
        let weight = before * more / (before + more);
        let apart = [0, 1].map(|side| other.means[side] - self.means[side]);
        for side in [0, 1] {
            self.means[side] += apart[side] * more / (before + more);
            self.squares[side] += other.squares[side] + apart[side] * apart[side] * weight;
        }
        self.product += other.product + apart[0] * apart[1] * weight;
        self.errors += other.errors;
        self.count += other.count;
    }

    /// Pearson's correlation, in `[-1, 1]`; `NaN` if either side is constant.
    pub fn pearson(&self) -> f64 {
        self.product / (self.squares[0].sqrt() * self.squares[1].sqrt())
    }

    /// The root mean square error.
    pub fn rmse(&self) -> f64 {
        self.mse().sqrt()
    }

    /// The mean square error.
    pub fn mse(&self) -> f64 {
        self.errors / self.count as f64
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
}
