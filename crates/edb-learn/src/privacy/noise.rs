//! Gaussian noise on gradients.

use std::sync::{Mutex, PoisonError};

use rand::rngs::ChaCha20Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{Grid, rounded};
use crate::gradients::{self, Gradients};
use crate::parameters::{ParameterId, Workers};
use edb_kernels::element::Element;

/// How many values are drawn one after the other. A thread draws the values of a whole stretch, so the draws do
/// not depend on the number of threads.
const VALUES_PER_STRETCH: usize = 4096;
/// The binary logarithm of the number of cipher words that are reserved for a stretch; a stretch uses about
/// `2^15`.
const LOG2_WORDS_PER_STRETCH: u32 = 22;

/// A stretch of a parameter: the sums, which are whole numbers, and the noisy values that are computed from
/// them.
struct Stretch<'a, T> {
    sums: &'a [f64],
    values: &'a mut [T],
}

/// Sets the gradients of these parameters to the sums plus noise. The sums are whole numbers of steps of a
/// grid, and the gradients become dense. `draws` must return the same random numbers each time.
///
/// The noise is rounded to whole numbers before it is added, so the last bits of the sum reveal nothing
/// ([`Grid`]). The noise of a value is half the sum of four draws. A single draw has few bits, which make some
/// values too likely and others impossible; the sum evens this out (Holohan and Braghin, 2021, "Secure random
/// sampling in differential privacy").
pub fn set_noisy<T: Element>(
    gradients: &mut Gradients<T>,
    sums: &mut Gradients<f64>,
    parameters: &[ParameterId],
    grid: &Grid,
    draws: &(dyn Fn() -> ChaCha20Rng + Sync),
    workers: &mut Workers<'_, T>,
) {
    // Stretches are numbered through all parameters. The numbers cannot run out, since memory has no room for
    // so many stretches.
    let mut before = 0;
    for ((_, sums, added), (_, values, _)) in
        gradients::sums(sums, parameters).into_iter().zip(gradients::sums(gradients, parameters))
    {
        if !added {
            sums.fill(0.0);
        }
        let stretches: Vec<_> = sums
            .chunks(VALUES_PER_STRETCH)
            .zip(values.chunks_mut(VALUES_PER_STRETCH))
            .map(|(sums, values)| Mutex::new(Stretch { sums, values }))
            .collect();
        workers.share(stretches.len(), &|number, _| {
            let mut draws = draws();
            draws.set_word_pos(((before + number) as u128) << LOG2_WORDS_PER_STRETCH);
            let mut stretch = stretches[number].lock().unwrap_or_else(PoisonError::into_inner);
            let Stretch { sums, values } = &mut *stretch;
            for (sum, value) in sums.iter().zip(values.iter_mut()) {
                let mut noisy = *sum;
                if grid.deviation > 0.0 {
                    let four: f64 =
                        (0..4).map(|_| -> f64 { StandardNormal.sample(&mut draws) }).sum();
                    noisy += rounded(grid.deviation * four / 2.0);
                }
                *value = T::from_f64(noisy * grid.step);
            }
        });
        before += stretches.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradients::Gradient;
    use crate::parameters::{Parameter, Parameters};
    use crate::secret::{self, Secret, Use};

    fn noisy(step: u64) -> (Vec<f64>, Gradients<f64>) {
        let mut parameters = Parameters::new();
        for (name, rows) in [("a", 2000), ("b", 10), ("frozen", 3)] {
            let parameter = Parameter::new(name, &[rows, 50], vec![0.0; rows * 50]).unwrap();
            parameters.push(parameter).unwrap();
        }
        let ids: Vec<ParameterId> = parameters.iter().map(|(id, _)| id).collect();
        let grid = Grid::new(2.0, 1.5);
        let mut sums = Gradients::new(&parameters);
        let rows =
            Gradient::Rows { width: 50, rows: vec![7], values: vec![1000.0 / grid.step; 50] };
        sums.add(ids[1], rows).unwrap();
        let draws = || secret::draws(&Secret::insecure(5), Use::Noise, step);
        let mut gradients = Gradients::new(&parameters);
        set_noisy(&mut gradients, &mut sums, &ids[..2], &grid, &draws, &mut Workers::alone());
        (gradients.to_dense(ids[0]).into_iter().collect(), gradients)
    }

    /// Fault A1: the noise is on a grid, and has no visible gaps there: each of its last bits is 0 as often as
    /// 1, also given the bits before it.
    #[test]
    fn noise_fills_its_grid() {
        let grid = Grid::new(2.0, 1.5);
        let values = noisy(3).0;
        let whole: Vec<i64> = values.iter().map(|x| (x / grid.step) as i64).collect();
        assert!(values.iter().zip(&whole).all(|(x, n)| *x == *n as f64 * grid.step));
        let mut counts = [0_u32; 16];
        whole.iter().for_each(|n| counts[n.rem_euclid(16) as usize] += 1);
        // 100,000 values: 6,250 with a deviation of 77.
        assert!(counts.iter().all(|count| count.abs_diff(6250) < 400), "{counts:?}");
    }

    #[test]
    fn noise_is_gaussian() {
        let (values, gradients) = noisy(1);
        let count = values.len() as f64;
        let moment = |power| values.iter().map(|x| (x / 3.0).powi(power)).sum::<f64>() / count;
        let found = [1, 2, 3, 4].map(moment);
        // Deviations of these means are 0.003, 0.0045, 0.012 and 0.03.
        for (found, (expected, within)) in
            found.into_iter().zip([(0.0, 0.015), (1.0, 0.02), (0.0, 0.06), (3.0, 0.15)])
        {
            assert!((found - expected).abs() < within, "{found} instead of {expected}");
        }
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.dedup();
        assert_eq!(sorted.len(), values.len(), "a draw was used twice");
        let sparse = gradients.to_dense(ParameterId::new(1));
        let row = |number: usize| sparse.index_axis(ndarray::Axis(0), number).to_owned();
        assert!(row(7).iter().all(|x| (x - 1000.0).abs() < 20.0));
        assert!(row(6).iter().all(|x| *x != 0.0 && x.abs() < 20.0));
        let is_of_another = |x: &f64| sorted.binary_search_by(|of| of.total_cmp(x)).is_ok();
        assert!(!row(6).iter().any(is_of_another), "a draw of another parameter was used again");
        assert_eq!(gradients.get(ParameterId::new(2)), &Gradient::Zero);
    }

    #[test]
    fn noise_depends_on_the_step() {
        assert_eq!(noisy(1).0, noisy(1).0);
        assert_ne!(noisy(1).0, noisy(2).0);
    }
}
