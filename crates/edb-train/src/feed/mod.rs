//! Data loading: which samples make up which minibatch, and prefetching.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `loader.rs` | [`Loader`]: shuffled, in buckets, from any position |
//! | `poisson.rs` | [`Poisson`]: sampled at random, for private training |
//! | `position.rs` | [`Position`]: the position of a loader, for checkpoints |
//! | `prefetch.rs` | [`prefetch`]: makes the next minibatches on another thread |

mod loader;
mod poisson;
mod position;
mod prefetch;

pub use loader::Loader;
pub use poisson::Poisson;
pub use position::{Position, PositionError};
pub use prefetch::prefetch;

/// The former name of [`prefetch`].
///
/// # Errors
/// As [`prefetch`].
#[deprecated(since = "0.3.0", note = "it is called `prefetch` now")]
pub fn ahead<I: Send + 'static, M: Send, E>(
    ready: usize,
    items: impl Iterator<Item = I> + Send + 'static,
    make: impl FnMut(I) -> M + Send,
    using: impl FnMut(M) -> Result<(), E>,
) -> Result<(), E> {
    prefetch(ready.max(1), items, make, using)
}
