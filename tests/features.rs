//! What depends on the features of edb: `cargo test --features kernels,cuda --test features`. It is
//! a program of its own, so that the suite need not be compiled with them.

pub mod cuda;
pub mod kernels;
