//! Code written by the macros compiles without warnings.

pub mod features;
pub mod helpers;
pub mod renamed;
pub mod sentiment;
