//! Data loading: which samples make up which minibatch, and prefetching.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `loader.rs` | [`Loader`]: shuffled, in buckets, from any position |
//! | `poisson.rs` | [`Poisson`]: sampled at random, for private training |
//! | `position.rs` | [`Position`]: the position of a loader, for checkpoints |
//! | `ahead.rs` | [`ahead`]: prefetching on another thread |

mod ahead;
mod loader;
mod poisson;
mod position;

pub use ahead::ahead;
pub use loader::Loader;
pub use poisson::Poisson;
pub use position::{Position, PositionError};
