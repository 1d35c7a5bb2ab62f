//! What the macros write compiles without a warning.

pub mod features;
pub mod helpers;
pub mod renamed;
pub mod sentiment;
