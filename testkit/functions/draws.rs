//! Random choices that do not change with the versions of dependencies.

use rand::rngs::ChaCha8Rng;
use rand::{Rng as _, SeedableRng as _};

/// A source of random choices.
///
/// ChaCha has a fixed stream, but the way in which `rand` turns it into a number of some range may
/// change, and with it the functions.
pub struct Draws(ChaCha8Rng);

impl Draws {
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below `end`. The slight bias of the remainder does not matter.
    pub fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }

    /// Whether an event happens that has a chance of `percent` in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A number between -1 and 1.
    pub fn symmetric(&mut self) -> f64 {
        self.below(2001) as f64 / 1000.0 - 1.0
    }

    /// One of these values.
    pub fn choose<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}
