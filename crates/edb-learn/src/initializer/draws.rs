//! The random numbers that a parameter is initialised with.

use std::f64::consts::PI;

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// The random number generator of one parameter.
pub(super) struct Draws(ChaCha8Rng);

impl Draws {
    /// ChaCha is a cipher, so keys that differ in a bit already give unrelated streams: seed and
    /// hash need no further mixing.
    pub(super) fn new(seed: u64, name: &str) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&fnv1a(name.as_bytes()).to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// Uniform over `[-bound, bound)`.
    pub(super) fn uniform(mut self, count: usize, bound: f64) -> impl Iterator<Item = f64> {
        (0..count).map(move |_| bound * (2.0 * self.unit() - 1.0))
    }

    /// Normal, of mean 0.
    pub(super) fn normal(mut self, count: usize, deviation: f64) -> impl Iterator<Item = f64> {
        let pairs = std::iter::repeat_with(move || self.pair()).flatten();
        pairs.take(count).map(move |value| deviation * value)
    }

    /// Normal, of mean 0; draws beyond two standard deviations are drawn again.
    pub(super) fn truncated_normal(
        mut self,
        count: usize,
        deviation: f64,
    ) -> impl Iterator<Item = f64> {
        let pairs = std::iter::repeat_with(move || self.pair()).flatten();
        let within = pairs.filter(|value| value.abs() <= 2.0);
        within.take(count).map(move |value| deviation * value)
    }

    /// A number uniform over `[0, 1)`, of 53 random bits.
    fn unit(&mut self) -> f64 {
        const SCALE: f64 = 1.0 / (1_u64 << 53) as f64;
        (self.0.next_u64() >> 11) as f64 * SCALE
    }

    /// Two numbers of the standard normal distribution, by the Box-Muller transform.
    fn pair(&mut self) -> [f64; 2] {
        // `1 - u` is never zero, so that its logarithm is finite.
        let radius = (-2.0 * libm::log(1.0 - self.unit())).sqrt();
        let angle = 2.0 * PI * self.unit();
        [radius * libm::cos(angle), radius * libm::sin(angle)]
    }
}

/// The 64-bit FNV-1a hash (Fowler, Noll and Vo), which, unlike that of the standard library, is
/// the same in every process and release.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
