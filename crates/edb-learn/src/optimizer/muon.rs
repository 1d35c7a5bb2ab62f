//! Muon.

use std::sync::Mutex;

use super::adam::{Moments, adam, moment_settings};
use super::rule::{Pass, WholeParameter};
use super::state::Clock;
use super::{Descent, Method, averaged, check_epsilon, check_rate};
use crate::error::LearnError;
use crate::parameters::Workers;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_kernels::panels::Panels;
use edb_kernels::tile::Left;

/// Muon for matrices (Jordan et al., 2024, "Muon: an optimizer for hidden layers in neural
/// networks"), and Adam for all other parameters.
///
/// With learning rate `α` and momentum `μ`, a matrix `θ` of shape `[m, n]`, gradient `g` and
/// momentum `b`, which starts at zero, becomes
///
/// ```text
/// b ← μ b + (1 - μ) g
/// u = μ b + (1 - μ) g                         (Nesterov)
/// θ ← θ - 0.2 √max(m, n) α orthogonal(u)
/// ```
///
/// where `orthogonal` brings all singular values near 1 by five iterations of Newton and Schulz, `X
/// ← a X + b (X Xᵀ) X + c (X Xᵀ)² X` with the paper's coefficients, from `X = u / ‖u‖`. The factor
/// makes a step as large as one of Adam (Liu et al., 2025, "Muon is scalable for LLM training"), so
/// that both share learning rate and weight decay, which is
/// [decoupled](Descent::decoupled_weight_decay).
///
/// Adam updates all parameters that are not matrices, and matrices of which only some rows have gradients, such
/// as embedding tables. [`adam_for`](Self::adam_for) names further parameters for Adam, such as a last layer.
///
/// A step has the same bits on any number of threads. But unlike the other optimisers, the bits depend on the
/// instruction set of the machine, as the bits of products do. The step is always taken on the host.
pub type Muon<T> = Descent<MuonMethod, T>;

/// The [`Method`] of [`Muon`].
#[derive(Debug, Clone)]
pub struct MuonMethod {
    momentum: f64,
    /// Adam updates each parameter whose name ends with one of these.
    adam_for: Vec<String>,
    moments: Moments,
}

/// The coefficients of an iteration. With them, five iterations bring singular values in `[0.01, 1]` near 1.
const COEFFICIENTS: [f64; 3] = [3.4445, -4.7750, 2.0315];
const ITERATIONS: usize = 5;
/// The least norm by which a matrix is divided.
const LEAST_NORM: f64 = 1e-7;
/// About how many multiplications a thread does at a time.
const MULTIPLICATIONS_PER_CHUNK: usize = 1 << 16;

impl<T> Muon<T> {
    /// Muon with `μ` = 0.95, and Adam with its defaults. The learning rate must be finite and not
    /// negative.
    pub fn new(learning_rate: f64) -> Self {
        let (adam_for, moments) = (Vec::new(), Moments::default());
        let method = MuonMethod { momentum: 0.95, adam_for, moments };
        Self::with(method, learning_rate).decoupled_weight_decay(0.0)
    }

    /// Sets the momentum, in `[0, 1)`.
    pub fn momentum(mut self, momentum: f64) -> Self {
        self.method.momentum = momentum;
        self
    }

    /// Lets Adam update the matrices with these names, too: `phrase.u`, or `u` for the matrix `u` of every
    /// function.
    pub fn adam_for<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.method.adam_for.extend(names.into_iter().map(Into::into));
        self
    }
}

moment_settings!(Muon);

impl MuonMethod {
    /// Whether Adam updates the parameter with this name.
    fn is_for_adam(&self, name: &str) -> bool {
        let named = |of: &String| {
            name.strip_suffix(of.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        self.adam_for.iter().any(named)
    }
}

impl Method for MuonMethod {
    const NAME: &'static str = "Muon";

    fn slots(&self) -> &'static [&'static str] {
        // The first tensor is the momentum of Muon or Adam; the second one is zero for Muon.
        &["first", "second"]
    }

    fn check<T: Element>(&self) -> Result<(), LearnError> {
        check_rate::<Self>("momentum", self.momentum)?;
        check_epsilon::<Self, T>(LEAST_NORM)?;
        self.moments.check::<Self, T>()
    }

    fn step<T: Element>(&self, rate: f64, clock: &mut Clock, pass: Pass<'_, T>) {
        step(self, rate, clock, pass);
    }
}

impl MuonMethod {
    /// Adds the gradient to the momentum, and returns the matrix that is to be made orthogonal.
    fn momentum<T: Element>(&self, matrix: &mut WholeParameter<'_, T>) -> Vec<T> {
        let take = T::from_f64(1.0 - self.momentum);
        let momentum = matrix.state[0].iter_mut();
        let updates = momentum.zip(&matrix.gradient).map(|(momentum, gradient)| {
            *momentum = averaged(*momentum, *gradient, take);
            averaged(*momentum, *gradient, take)
        });
        updates.collect()
    }
}

/// The transpose of a matrix of `m` rows and `n` columns.
fn transposed<T: Element>(matrix: &[T], [m, n]: [usize; 2]) -> Vec<T> {
    (0..n).flat_map(|column| (0..m).map(move |row| matrix[row * n + column])).collect()
}

/// Brings the singular values of a matrix near 1. It has `m` rows and `n` columns, and `n` must be at most `m`.
fn orthogonalize<T: Element>(
    matrix: &mut Vec<T>,
    [m, n]: [usize; 2],
    workers: &mut Workers<'_, T>,
) {
    let squares: f64 = matrix.iter().map(|x| x.as_f64() * x.as_f64()).sum();
    let scale = T::from_f64(1.0 / squares.sqrt().max(LEAST_NORM));
    matrix.iter_mut().for_each(|x| *x *= scale);
    let [a, b, c] = COEFFICIENTS.map(T::from_f64);
    let mut panels = Panels::default();
    let (mut gram, mut square) = (vec![T::zero(); n * n], vec![T::zero(); n * n]);
    let mut next = vec![T::zero(); m * n];
    for _ in 0..ITERATIONS {
        // For `Y = Xᵀ`, which has no more columns than rows: `Y ← a Y + Y (b G + c G²)`, `G = Yᵀ
        // Y`.
        panels.pack_lines(m, n, matrix);
        multiply(&panels, Side::Columns(matrix), &mut gram, n, workers);
        panels.pack_lines(n, n, &gram);
        multiply(&panels, Side::Columns(&gram), &mut square, n, workers);
        for (gram, square) in gram.iter_mut().zip(&square) {
            *gram = b * *gram + c * *square;
        }
        panels.pack_lines(n, n, &gram);
        multiply(&panels, Side::Rows(matrix), &mut next, n, workers);
        for (next, x) in next.iter_mut().zip(&*matrix) {
            *next = a * *x + *next;
        }
        std::mem::swap(matrix, &mut next);
    }
}

/// The left side of a product: the rows or the columns of a matrix with `n` columns.
#[derive(Clone, Copy)]
enum Side<'a, T> {
    Rows(&'a [T]),
    Columns(&'a [T]),
}

/// Computes `out = side · panels`, with `n` columns. The workers share the rows; each element is the same sum,
/// however many workers there are.
fn multiply<T: Element>(
    panels: &Panels<T>,
    side: Side<'_, T>,
    out: &mut [T],
    n: usize,
    workers: &mut Workers<'_, T>,
) {
    let rows = (MULTIPLICATIONS_PER_CHUNK / (panels.inner() * n).max(1)).max(1).next_multiple_of(6);
    let pieces = out.len().div_ceil((rows * n).max(1));
    let chunks = Mutex::new(out.chunks_mut((rows * n).max(1)).enumerate());
    workers.share(pieces, &|_, _| {
        let next = chunks.lock().unwrap_or_else(|poison| poison.into_inner()).next();
        let Some((chunk, out)) = next else { return };
        let (first, count) = (chunk * rows, out.len() / n);
        match side {
            Side::Rows(matrix) => {
                panels.multiply_slice(count, out, &matrix[first * n..][..count * n]);
            }
            Side::Columns(matrix) => {
                let left = Left::Columns { data: &matrix[first..], stride: n };
                panels.multiply_into(count, out, left);
            }
        }
    });
}

compiled_here! {
    /// [`Method::step`]: its kernels are compiled here, for each set of instructions.
    fn step(method: &MuonMethod, rate: f64, clock: &mut Clock, pass: Pass<'_, T>) {
        let [m, n] = match *pass.shape() {
            [m, n] if pass.covers_all() && !method.is_for_adam(pass.name()) => [m, n],
            _ => {
                let coefficients = method.moments.coefficients(rate, clock.step);
                return pass.run_formula("adam", coefficients, adam);
            }
        };
        pass.run_whole(|mut matrix| {
            let mut update = method.momentum(&mut matrix);
            let workers = &mut matrix.workers;
            match m >= n {
                true => orthogonalize(&mut update, [m, n], workers),
                false => {
                    let mut tall = transposed(&update, [m, n]);
                    orthogonalize(&mut tall, [n, m], workers);
                    update = transposed(&tall, [n, m]);
                }
            }
            let rate = T::from_f64(0.2 * (m.max(n) as f64).sqrt() * rate);
            for (value, update) in matrix.values.iter_mut().zip(update) {
                *value -= rate * update;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The iteration as it is written in the paper, on the matrix itself.
    fn by_definition(matrix: &[f64], [m, n]: [usize; 2]) -> Vec<f64> {
        let product = |a: &[f64], b: &[f64], [rows, inner, columns]: [usize; 3]| -> Vec<f64> {
            let element = |row: usize, column: usize| {
                (0..inner).map(|k| a[row * inner + k] * b[k * columns + column]).sum()
            };
            (0..rows)
                .flat_map(|row| (0..columns).map(move |column| (row, column)))
                .map(|(row, column)| element(row, column))
                .collect()
        };
        let norm = matrix.iter().map(|x| x * x).sum::<f64>().sqrt().max(LEAST_NORM);
        let mut x: Vec<f64> = matrix.iter().map(|x| x / norm).collect();
        let [a, b, c] = COEFFICIENTS;
        for _ in 0..ITERATIONS {
            let gram = product(&x, &transposed(&x, [m, n]), [m, n, m]);
            let cubic = product(&gram, &x, [m, m, n]);
            let quintic = product(&gram, &cubic, [m, m, n]);
            let terms = x.iter().zip(cubic).zip(quintic);
            x = terms.map(|((x, cubic), quintic)| a * x + b * cubic + c * quintic).collect();
        }
        x
    }

    fn numbers(count: usize) -> Vec<f64> {
        (0..count).map(|number| (number as f64 * 1.7).sin() + 0.1 * (number as f64).cos()).collect()
    }

    #[test]
    fn matrices_become_nearly_orthogonal() {
        for [m, n] in [[1, 1], [3, 1], [5, 3], [16, 16], [40, 17], [130, 70]] {
            let matrix = numbers(m * n);
            let mut found = matrix.clone();
            orthogonalize(&mut found, [m, n], &mut Workers::alone());
            for (found, expected) in found.iter().zip(by_definition(&matrix, [m, n])) {
                assert!((found - expected).abs() < 1e-9, "[{m}, {n}]: {found}, {expected}");
            }
        }
        // Two columns with an angle between them, one of them a hundred times as long.
        let mut matrix: Vec<f64> = (0..8)
            .flat_map(|row| {
                let x = (f64::from(row) * 0.9).sin();
                [100.0 * x, x + (f64::from(row) * 2.3).cos()]
            })
            .collect();
        orthogonalize(&mut matrix, [8, 2], &mut Workers::alone());
        let dot = |a: usize, b: usize| -> f64 {
            (0..8).map(|row| matrix[row * 2 + a] * matrix[row * 2 + b]).sum()
        };
        assert!(dot(0, 0) > 0.4 && dot(0, 0) < 1.6, "{}", dot(0, 0));
        assert!(dot(1, 1) > 0.4 && dot(1, 1) < 1.6, "{}", dot(1, 1));
        assert!(dot(0, 1).abs() < 0.3, "{}", dot(0, 1));
    }

    #[test]
    fn zeros_stay_zeros() {
        let mut zeros = vec![0.0_f32; 12];
        orthogonalize(&mut zeros, [4, 3], &mut Workers::alone());
        assert_eq!(zeros, [0.0; 12]);
    }

    #[test]
    fn names_are_whole_or_of_every_function() {
        let muon = Muon::<f32>::new(0.1).adam_for(["answer.w", "u"]);
        let of_adam = |name| muon.method.is_for_adam(name);
        assert!(of_adam("answer.w") && of_adam("phrase.u") && of_adam("u"));
        assert!(!of_adam("phrase.w") && !of_adam("big_answer.w") && !of_adam("phrase.mu"));
    }
}
