//! The run time of edb: from vertex functions to trained parameters.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`tensor`], [`port`], [`function`] | types of vertex functions; their run-time interface |
//! | [`model`] | vertex functions with numbers for their dimensions, and their parameters |
//! | [`graph`] | input graphs, built one vertex at a time or from records, and minibatches |
//! | [`schedule`] | which vertices run together: policies over vertex types |
//! | [`engine`] | rows, arena and the order of phases; runs and their results |
//! | [`backend`] | the interface for back ends, of which `cpu` is one |
//! | [`learn`], [`trainer`] | gradients, optimisers, initialisers; training and its checkpoints |
//! | [`collective`] | what carries messages between processes that train together |
//! | [`feed`], [`metrics`], [`log`] | the order of samples; scores; logs of runs |
//! | [`secret`] | random numbers that nobody can foresee |
//! | [`trace`] | spans and events, and a trace in a file |
//! | [`machine`] | the peak performance of this machine, to compare with |
//! | [`eager`], [`testing`] | the semantic reference, and tools that compare runs with it |
//!
//! Use it through the crate `edb`, which adds the macros.

#![warn(missing_docs)]

#[doc(hidden)]
pub mod cpu;
#[doc(hidden)]
pub use edb_kernels::fused;
pub use edb_kernels::{element, machine, math, random, trace};
pub use edb_learn::{collective, learn, secret};
pub use edb_vertex::{eager, function, port, tensor};
pub use engine::backend;
pub mod engine;
pub mod graph;
mod interpreter;
pub mod model;
mod spans;
pub use edb_schedule as schedule;
mod table;
pub mod testing;
