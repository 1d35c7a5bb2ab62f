//! Eager runs: a vertex function called as the plain Rust function that it is.
//!
//! This is the semantic reference of edb: one vertex, one op at a time, in `f64`, usable in a
//! debugger. `edb_core::testing` compares compiled runs with it.

pub mod arithmetic;
mod array;
pub mod context;
pub mod dual;
pub mod forms;
pub mod ops;
pub mod reference;
pub mod rounded;
mod semiring;

pub use context::{Decision, EagerResult, EagerState, EagerVertex, Followed, run_vertex, scope};
pub use dual::Dual;
