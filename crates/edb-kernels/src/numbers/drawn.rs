//! Numbers for tests.

use super::element::Element;
use super::random::VertexKey;
use crate::processor::Isa;

/// This many numbers between -0.5 and 0.5; each seed gives other numbers.
pub(crate) fn numbers<T: Element>(count: usize, seed: u64) -> Vec<T> {
    let key = VertexKey::new(seed, 0, 0, 0, 0).site(0, 0);
    (0..count).map(|element| T::from_f64(key.uniform(element) - 0.5)).collect()
}

/// A sum of products as one chain of multiply-adds, from the first term to the last. The instruction set
/// decides whether they are fused.
pub(crate) fn chain<T: Element>(isa: Isa, terms: impl Iterator<Item = (T, T)>) -> T {
    let fused = isa != Isa::Portable || cfg!(target_arch = "aarch64");
    terms.fold(T::zero(), |sum, (a, b)| if fused { a.mul_add(b, sum) } else { a * b + sum })
}
