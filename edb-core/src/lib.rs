//! The run time of edb: from vertex functions to trained parameters.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`tensor`], [`port`], [`function`] | what a vertex function is written with, and its face to the run time |
//! | [`model`] | vertex functions with numbers for their dimensions, and their parameters |
//! | [`graph`] | input graphs, built one vertex at a time or from records, and minibatches |
//! | [`schedule`] | which vertices run together: policies over vertex types |
//! | [`engine`] | rows, arena and the order of phases; runs and their results |
//! | [`backend`] | the interface for back ends, of which `cpu` is one |
//! | [`learn`], [`trainer`] | gradients, optimisers, initialisers; training and its checkpoints |
//! | [`feed`], [`metrics`], [`log`] | which samples come when; scores; what is written about a run |
//! | [`trace`] | spans and events, and a trace in a file |
//! | [`machine`] | what this machine reaches at best, to measure by |
//! | [`eager`], [`testing`] | the semantic reference, and tools that hold compiled runs against it |
//!
//! Use it through the crate `edb`, which adds the macros.

#![warn(missing_docs)]

/// Shows errors by [`Debug`](std::fmt::Debug) as by [`Display`](std::fmt::Display): `main` and `unwrap`
/// print the former, and they are meant to be read.
macro_rules! readable {
    ($($error:ident),+) => {$(
        impl std::fmt::Debug for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    )+};
}

mod cpu;
#[doc(hidden)]
pub use cpu::fused;
pub use engine::backend;
pub mod eager;
pub mod element;
pub mod engine;
pub mod feed;
pub mod function;
pub mod graph;
pub mod learn;
pub mod log;
pub mod machine;
pub mod math;
pub mod metrics;
pub mod model;
pub mod port;
pub mod random;
pub use edb_schedule as schedule;
mod table;
pub mod tensor;
pub mod testing;
pub mod trace;
pub mod trainer;
