//! Feeding: which samples make up which minibatch, and minibatches that are made ahead.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `loader.rs` | [`Loader`]: shuffled, in buckets, from any position |
//! | `position.rs` | [`Position`]: how far a loader has come, for checkpoints |
//! | `ahead.rs` | [`ahead`]: the next one is made on another thread while this one is used |

mod ahead;
mod loader;
mod position;

pub use ahead::ahead;
pub use loader::Loader;
pub use position::{Position, PositionError};
