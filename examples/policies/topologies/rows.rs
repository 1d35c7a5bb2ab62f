//! Minibatches under construction, and random draws that several kinds of graphs share.

use edb::schedule::{ScheduleError, TypeGraph};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

/// A minibatch under construction.
pub struct Rows {
    types: Vec<u16>,
    offsets: Vec<u32>,
    children: Vec<u32>,
}

impl Default for Rows {
    fn default() -> Self {
        Self { types: Vec::new(), offsets: vec![0], children: Vec::new() }
    }
}

impl Rows {
    /// Adds a vertex over children that are already there, and returns its number.
    pub fn add(&mut self, vertex_type: u16, children: &[u32]) -> u32 {
        self.types.push(vertex_type);
        self.children.extend_from_slice(children);
        self.offsets.push(self.children.len() as u32);
        self.types.len() as u32 - 1
    }

    /// The minibatch, whose vertices have these many types.
    pub fn finish(self, types: u16) -> Result<TypeGraph, ScheduleError> {
        TypeGraph::new(types, self.types, self.offsets, self.children)
    }
}

/// A length whose distribution has these 21 quantiles (every twentieth of the lengths of a corpus,
/// from the shortest to the longest), linear between two of them. But few are nearly as long as the
/// longest.
pub fn length(quantiles: [usize; 21], rng: &mut ChaCha8Rng) -> usize {
    let place = rng.random_range(0.0..20.0_f64);
    let [low, high] = [0, 1].map(|above| quantiles[place as usize + above] as f64);
    let between = if place < 19.0 { place.fract() } else { place.fract().powi(4) };
    (low + (high - low) * between).round() as usize
}

/// One of `count` numbers, of which small ones are likely, as words, operators and modules are: the
/// floor of `count u²`, where `u` is uniform.
pub fn skewed(count: u16, rng: &mut ChaCha8Rng) -> u16 {
    let uniform = rng.random_range(0.0..1.0_f64);
    (f64::from(count) * uniform * uniform) as u16
}
