//! The spectrum of a symmetric matrix that is known by its products with vectors only: stochastic
//! Lanczos quadrature (Ubaru, Chen and Saad, 2017; for neural networks: Ghorbani, Krishnan and Xiao,
//! 2019, "An investigation into neural net optimization via Hessian eigenvalue density", section 2).

use nalgebra::{DMatrix, SymmetricEigen};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// A remainder of less than this part of the largest entry so far is rounding.
const ROUNDING: f64 = 1e-10;

/// Eigenvalues of a small matrix that stands for the large one, each with the part that it has of a
/// start vector.
pub(super) type Quadrature = Vec<(f64, f64)>;

/// What was found about a spectrum.
#[derive(Clone, Debug)]
pub(super) struct Spectrum {
    /// The number of all eigenvalues.
    pub(super) size: usize,
    /// A quadrature for each start vector.
    pub(super) quadratures: Vec<Quadrature>,
}

/// Lanczos' tridiagonal matrix, from a start vector of norm 1: its diagonal, and what is beside it.
///
/// Each vector is made orthogonal to all before it, twice: otherwise rounding makes copies of
/// eigenvalues that have been found.
fn lanczos<E>(
    mut product: impl FnMut(&[f64]) -> Result<Vec<f64>, E>,
    start: Vec<f64>,
    steps: usize,
) -> Result<(Vec<f64>, Vec<f64>), E> {
    let (mut diagonal, mut beside) = (Vec::new(), Vec::new());
    let mut largest = 0.0_f64;
    let mut basis = vec![start];
    loop {
        let last = &basis[basis.len() - 1];
        let mut rest = product(last)?;
        diagonal.push(dot(&rest, last));
        for _ in 0..2 {
            for vector in &basis {
                let part = dot(&rest, vector);
                rest.iter_mut().zip(vector).for_each(|(rest, x)| *rest -= part * x);
            }
        }
        let norm = dot(&rest, &rest).sqrt();
        largest = largest.max(norm).max(diagonal[diagonal.len() - 1].abs());
        // What the vectors span is closed under the matrix: all its eigenvalues there are found.
        let closed = norm <= ROUNDING * largest;
        if closed || basis.len() == steps.min(rest.len()) {
            return Ok((diagonal, beside));
        }
        rest.iter_mut().for_each(|x| *x /= norm);
        beside.push(norm);
        basis.push(rest);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The eigenvalues of a tridiagonal matrix, ascending, with the squares of what their vectors begin
/// with.
fn quadrature(diagonal: &[f64], beside: &[f64]) -> Quadrature {
    let size = diagonal.len();
    let matrix = DMatrix::from_fn(size, size, |row, column| match row.abs_diff(column) {
        0 => diagonal[row],
        1 => beside[row.min(column)],
        _ => 0.0,
    });
    let eigen = SymmetricEigen::new(matrix);
    let begins = eigen.eigenvectors.row(0);
    let mut found: Quadrature =
        eigen.eigenvalues.iter().zip(begins.iter()).map(|(value, x)| (*value, x * x)).collect();
    found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    found
}

impl Spectrum {
    /// Takes so many Lanczos steps from each of some random vectors of signs.
    pub(super) fn of<E>(
        mut product: impl FnMut(&[f64]) -> Result<Vec<f64>, E>,
        size: usize,
        starts: usize,
        steps: usize,
        seed: u64,
    ) -> Result<Self, E> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut quadratures = Vec::with_capacity(starts);
        for _ in 0..starts {
            let sign = (size as f64).sqrt().recip();
            let start = (0..size).map(|_| if rng.random() { sign } else { -sign }).collect();
            let (diagonal, beside) = lanczos(&mut product, start, steps)?;
            quadratures.push(quadrature(&diagonal, &beside));
        }
        Ok(Self { size, quadratures })
    }

    /// The least and the greatest eigenvalue: of all start vectors, since each is within the spectrum.
    pub(super) fn ends(&self) -> (f64, f64) {
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let values = self.quadratures.iter().flatten();
        values.fold(none, |(low, high), (value, _)| (low.min(*value), high.max(*value)))
    }

    /// The `count` greatest eigenvalues that one start vector has found, greatest first. In exact
    /// numbers, each is there once, even if it is an eigenvalue several times.
    pub(super) fn greatest(&self, count: usize) -> Vec<f64> {
        let first = self.quadratures.first();
        first.into_iter().flatten().rev().take(count).map(|(value, _)| *value).collect()
    }

    /// The `count` least ones, least first.
    pub(super) fn least(&self, count: usize) -> Vec<f64> {
        let first = self.quadratures.first();
        first.into_iter().flatten().take(count).map(|(value, _)| *value).collect()
    }

    /// The mean over all eigenvalues of a function of them, estimated.
    pub(super) fn mean(&self, of: impl Fn(f64) -> f64) -> f64 {
        let terms = self.quadratures.iter().flatten().map(|(value, part)| part * of(*value));
        terms.sum::<f64>() / self.quadratures.len().max(1) as f64
    }

    /// The sum of all eigenvalues, estimated.
    pub(super) fn trace(&self) -> f64 {
        self.size as f64 * self.mean(|value| value)
    }

    /// The density of the eigenvalues at `points` places, spread evenly from end to end: each is
    /// smeared to a Gaussian whose deviation is this part of the width.
    pub(super) fn density(&self, points: usize, smear: f64) -> Vec<(f64, f64)> {
        let (low, high) = self.ends();
        let width = (high - low).max(f64::MIN_POSITIVE);
        let (deviation, margin) = (smear * width, 4.0 * smear * width);
        let height = (deviation * std::f64::consts::TAU.sqrt()).recip();
        let at = |point: usize| {
            let all = width + 2.0 * margin;
            let place = low - margin + all * point as f64 / points.max(2).saturating_sub(1) as f64;
            let bell = |value: f64| height * (-0.5 * ((place - value) / deviation).powi(2)).exp();
            (place, self.mean(bell))
        };
        (0..points).map(at).collect()
    }
}
