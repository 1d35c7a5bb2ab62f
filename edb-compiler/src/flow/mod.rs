//! Branches and loops: from what a person writes to programs.
//!
//! | pass | module |
//! | --- | --- |
//! | what does not depend on a loop runs before it | [`mod@hoist`] |
//! | cheap branches compute both arms, and choose | [`mod@select`] |
//! | what is left is cut into sections | [`mod@outline`] |
//!
//! A *section* is what runs between two decisions. Each is a program like any other, and its
//! vertices are batched with those of any other function: no row is computed that is not needed. It
//! reads what earlier sections of its vertex computed as the state of a child.

pub mod hoist;
pub mod outline;
pub mod select;

use edb_ir::{Joint, Program};

pub use hoist::hoist;
pub use outline::outline;
pub use select::select;

/// A section of a function.
#[derive(Debug)]
pub struct Section {
    /// What it computes.
    pub program: Program,
    /// How it is joined with the others; nothing if there are none.
    pub joint: Option<Joint>,
}
