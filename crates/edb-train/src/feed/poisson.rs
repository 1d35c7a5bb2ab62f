//! Minibatches that are sampled at random, as private training needs them.

use std::sync::Arc;

use rand::Rng;

use edb_learn::secret::{Secret, Use, draws};

/// Poisson sampling: each sample is in each minibatch with the same probability, whatever other
/// samples and other minibatches are.
///
/// Minibatches differ in size, and may be empty; a sample may be in several of them before another
/// is in one. The accounts of private training (Abadi et al., 2016) hold for such minibatches, and not
/// for those of a [`Loader`](super::Loader).
///
/// ```
/// # mod edb { pub use edb_core::{*, graph::Graph, model::Model}; pub use edb_train::{*, trainer::Trainer}; }
/// use edb::feed::Poisson;
/// use edb::secret::Secret;
///
/// let poisson = Poisson::new(1000, 50, Secret::new()?);
/// assert_eq!(poisson.rate(), 0.05);
/// for step in 0..10 {
///     let minibatch: Vec<usize> = poisson.minibatch(step); // about 50 of the numbers from 0 to 999
///     assert!(minibatch.is_sorted() && minibatch.iter().all(|sample| *sample < 1000));
/// }
/// # Ok::<(), edb::secret::SecretError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Poisson {
    samples: usize,
    expected: usize,
    secret: Arc<Secret>,
}

impl Poisson {
    /// Of `samples` samples, `expected` are in a minibatch on average, at most all. If that is 0, every minibatch is
    /// empty, which a trainer refuses ([`Private`](crate::trainer::Private)).
    pub fn new(samples: usize, expected: usize, secret: Secret) -> Self {
        Self { samples, expected: expected.min(samples), secret: Arc::new(secret) }
    }

    /// The probability with which a sample is in a minibatch.
    pub fn rate(&self) -> f64 {
        match self.samples {
            0 => 0.0,
            samples => self.expected as f64 / samples as f64,
        }
    }

    /// The minibatch of a step, as ascending sample numbers. It depends on the secret and on the step
    /// only: no position needs to be stored to go on from a checkpoint. With another
    /// secret, as after a restart, minibatches are as good. Give a step that of
    /// [`Trainer::steps`](crate::trainer::Trainer::steps): the accounts count on a new one.
    pub fn minibatch(&self, step: u64) -> Vec<usize> {
        let mut draws = draws(&self.secret, Use::Sampling, step);
        let samples = self.samples as u128;
        // A draw of 64 bits is below `2^64 expected / samples` with this probability, up to 2^-64.
        let below = (u128::from(u64::MAX) + 1) * self.expected as u128 / samples.max(1);
        (0..self.samples).filter(|_| u128::from(draws.next_u64()) < below).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sample_is_taken_at_the_rate() {
        let (samples, steps) = (200, 4000);
        let poisson = Poisson::new(samples, 20, Secret::insecure(3));
        let mut counts = vec![0; samples];
        let (mut sum, mut squares) = (0.0, 0.0);
        for step in 0..steps {
            let minibatch = poisson.minibatch(step);
            assert_eq!(minibatch, poisson.minibatch(step));
            minibatch.iter().for_each(|sample| counts[*sample] += 1);
            let size = minibatch.len() as f64;
            (sum, squares) = (sum + size, squares + size * size);
        }
        // Binomial: 400 and a deviation of 19; sizes of 20 with a variance of 18.
        assert!(counts.iter().all(|count| (300..500).contains(count)), "{counts:?}");
        let mean = sum / steps as f64;
        let variance = squares / steps as f64 - mean * mean;
        assert!((mean - 20.0).abs() < 0.4 && (variance - 18.0).abs() < 2.0, "{mean} {variance}");
    }

    #[test]
    fn all_or_nothing() {
        assert_eq!(Poisson::new(3, 9, Secret::insecure(0)).minibatch(7), [0, 1, 2]);
        assert!(Poisson::new(3, 0, Secret::insecure(0)).minibatch(7).is_empty());
        let nothing = Poisson::new(0, 9, Secret::insecure(0));
        assert_eq!((nothing.minibatch(7), nothing.rate()), (vec![], 0.0));
    }
}
