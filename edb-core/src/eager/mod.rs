//! Eager runs: a vertex function called as the plain Rust function that it is.
//!
//! This is the semantic reference of edb: one vertex, one op at a time, in `f64`, usable in a
//! debugger. [`testing`](crate::testing) compares compiled runs with it.

pub(crate) mod context;
pub(crate) mod dual;
pub mod forms;
pub(crate) mod interpreter;
pub mod ops;
pub mod reference;
pub(crate) mod rounded;

pub use context::{Decision, EagerResult, EagerState, EagerVertex, run_vertex, scope};
pub use dual::Dual;
