//! Tests of features of edb: `cargo test --features kernels,cuda --test features`. They are a
//! separate program, so that the suite need not be compiled with these features.

pub mod cuda;
pub mod kernels;
