//! Numbers for tests.

use crate::element::Element;
use crate::random::VertexKey;

/// So many numbers between -0.5 and 0.5; other ones for each seed.
pub(super) fn numbers<T: Element>(count: usize, seed: u64) -> Vec<T> {
    let key = VertexKey::new(seed, 0, 0, 0, 0).site(0, 0);
    (0..count).map(|element| T::from_f64(key.uniform(element) - 0.5)).collect()
}
