//! Random choices that are the same in every release of every dependency.

use rand::rngs::ChaCha8Rng;
use rand::{Rng as _, SeedableRng as _};

/// A source of random choices.
///
/// The stream of ChaCha is fixed, the way in which `rand` makes a number below ten of it is not;
/// and the functions must stay what they are until someone wants others.
pub struct Draws(ChaCha8Rng);

impl Draws {
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below `end`. The remainder's bias does not matter here.
    pub fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }

    /// Whether something happens that does so `percent` times in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A number between -1 and 1.
    pub fn symmetric(&mut self) -> f64 {
        self.below(2001) as f64 / 1000.0 - 1.0
    }

    /// One of these.
    pub fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}
