//! Substitution models: JC69 (Jukes and Cantor, 1969), and GTR (Tavaré, 1986) with four rates of sites that a gamma
//! distribution gives (Yang, 1994). What edb is given are the probabilities of changes along each branch,
//! and what it returns is their gradient; here both are led to branch lengths and to the parameters of the model.

use nalgebra::{Matrix4, Vector4};
use statrs::distribution::{ContinuousCDF, Gamma};
use statrs::function::gamma::gamma_lr;

/// The rates of the model: with none, JC69.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rates {
    /// How often letters change into each other: AC, AG, AT, CG, CT, and GT, which is 1.
    pub exchange: [f64; 6],
    /// How often the letters are there.
    pub frequencies: [f64; 4],
    /// The shape of the gamma distribution of rates over sites; `None` for one rate.
    pub shape: Option<f64>,
}

/// What a change of the logarithm of a parameter is, to find a slope.
const STEP: f64 = 1e-5;

impl Rates {
    pub(crate) const JC: Self = Self { exchange: [1.0; 6], frequencies: [0.25; 4], shape: None };

    /// From logarithms: of five rates, of three frequencies beside that of T, and of the shape.
    pub(crate) fn gtr(logs: &[f64]) -> Self {
        let exp = |at: usize| logs[at].exp();
        let odds = [exp(5), exp(6), exp(7), 1.0];
        let sum: f64 = odds.iter().sum();
        Self {
            exchange: [exp(0), exp(1), exp(2), exp(3), exp(4), 1.0],
            frequencies: odds.map(|odd| odd / sum),
            shape: Some(exp(8)),
        }
    }

    /// The rates of changes in an instant, one substitution a site in a time of 1.
    fn matrix(&self) -> Matrix4<f64> {
        let mut q = Matrix4::zeros();
        let pairs = (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j)));
        for ((i, j), rate) in pairs.zip(self.exchange) {
            q[(i, j)] = rate * self.frequencies[j];
            q[(j, i)] = rate * self.frequencies[i];
        }
        (0..4).for_each(|i| q[(i, i)] = -q.row(i).sum());
        let total: f64 = (0..4).map(|i| -q[(i, i)] * self.frequencies[i]).sum();
        q / total
    }

    /// The rates of the categories of sites, which are equally likely: means over quarters of the distribution.
    pub(crate) fn categories(&self) -> Vec<f64> {
        let Some(shape) = self.shape else { return vec![1.0] };
        let of = Gamma::new(shape, shape).expect("a positive shape");
        let below = |quarter: usize| match quarter {
            0 => 0.0,
            4 => 1.0,
            _ => gamma_lr(shape + 1.0, of.inverse_cdf(quarter as f64 / 4.0) * shape),
        };
        (0..4).map(|quarter| 4.0 * (below(quarter + 1) - below(quarter))).collect()
    }

    /// `Q = V diag(λ) V⁻¹`.
    fn spectrum(&self) -> Spectrum {
        let roots = Vector4::from(self.frequencies).map(f64::sqrt);
        let (up, down) =
            (Matrix4::from_diagonal(&roots), Matrix4::from_diagonal(&roots.map(f64::recip)));
        let of = (up * self.matrix() * down).symmetric_eigen();
        Spectrum {
            values: of.eigenvalues,
            left: down * of.eigenvectors,
            right: of.eigenvectors.transpose() * up,
        }
    }

    /// The probabilities of changes along branches of these lengths, `[4, 4]` of each branch and category; transposed,
    /// as the products over sites need them.
    pub(crate) fn transitions(&self, lengths: &[f64]) -> Vec<f64> {
        let (spectrum, categories) = (self.spectrum(), self.categories());
        let all =
            lengths.iter().flat_map(|length| categories.iter().map(move |rate| length * rate));
        // Column by column, as nalgebra has it, the matrix is the transposed one row by row.
        all.flat_map(|time| spectrum.transition(time).as_slice().to_vec()).collect()
    }

    /// From the gradients of what `transitions` returned and of the frequencies: those of the lengths, and of the
    /// logarithms that `gtr` takes.
    pub(crate) fn gradient(
        &self,
        lengths: &[f64],
        of_transitions: &[f64],
        of_frequencies: &[f64],
        logs: &[f64],
    ) -> (Vec<f64>, Vec<f64>) {
        let (spectrum, categories, q) = (self.spectrum(), self.categories(), self.matrix());
        let mut of_lengths = vec![0.0; lengths.len()];
        let mut of_rates = vec![0.0; categories.len()];
        let mut of_matrix = Matrix4::zeros();
        for (place, g) in of_transitions.chunks_exact(16).enumerate() {
            let (branch, category) = (place / categories.len(), place % categories.len());
            let (length, rate) = (lengths[branch], categories[category]);
            let g = Matrix4::from_column_slice(g);
            let of_time = g.dot(&(q * spectrum.transition(length * rate)));
            of_lengths[branch] += of_time * rate;
            of_rates[category] += of_time * length;
            of_matrix += spectrum.of_exponent(&g, length * rate);
        }
        let slope = |parameter: usize| {
            let moved = |by: f64| {
                let mut logs = logs.to_vec();
                logs[parameter] += by;
                Self::gtr(&logs)
            };
            let (above, below) = (moved(STEP), moved(-STEP));
            let of = |gradient: &[f64], above: Vec<f64>, below: Vec<f64>| -> f64 {
                gradient.iter().zip(above.iter().zip(&below)).map(|(g, (a, b))| g * (a - b)).sum()
            };
            let of_q = of_matrix.dot(&(above.matrix() - below.matrix()));
            (of_q
                + of(&of_rates, above.categories(), below.categories())
                + of(of_frequencies, above.frequencies.into(), below.frequencies.into()))
                / (2.0 * STEP)
        };
        (of_lengths, (0..logs.len()).map(slope).collect())
    }
}

struct Spectrum {
    values: Vector4<f64>,
    left: Matrix4<f64>,
    right: Matrix4<f64>,
}

impl Spectrum {
    /// `e^(Q t)`.
    fn transition(&self, time: f64) -> Matrix4<f64> {
        self.left
            * Matrix4::from_diagonal(&self.values.map(|value| (value * time).exp()))
            * self.right
    }

    /// The gradient of `Q t`'s factor `Q`, from that of `e^(Q t)` (Daleckii and Krein, 1965).
    fn of_exponent(&self, gradient: &Matrix4<f64>, time: f64) -> Matrix4<f64> {
        let inner = self.left.transpose() * gradient * self.right.transpose();
        let quotient = Matrix4::from_fn(|i, j| {
            let (a, b) = (self.values[i], self.values[j]);
            match (a - b).abs() < 1e-9 {
                true => time * (a * time).exp(),
                false => ((a * time).exp() - (b * time).exp()) / (a - b),
            }
        });
        self.right.transpose() * inner.component_mul(&quotient) * self.left.transpose()
    }
}
