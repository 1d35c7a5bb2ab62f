//! The engine of edb: from vertex functions and graphs to results and gradients.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`model`] | vertex functions with numbers for their dimensions, and their parameters |
//! | [`graph`] | input graphs, built one vertex at a time or from records, and minibatches |
//! | [`device`] | where minibatches run |
//! | [`engine`] | rows, arena and the order of phases; runs and their results |
//! | [`backend`] | the interface for back ends, of which `cpu` is one |
//! | [`testing`] | tools that compare runs with the semantic reference |
//!
//! What it stands on, under the names that `edb` has for it: [`tensor`], [`port`], [`function`] and
//! [`eager`] are the language of vertex functions (`edb-vertex`); [`learn`], [`collective`] and
//! [`secret`] are how parameters are learned (`edb-learn`); [`element`], [`math`], [`random`],
//! [`machine`] and [`trace`] come with the kernels (`edb-kernels`); and [`schedule`] decides which
//! vertices run together (`edb-schedule`).
//!
//! Use it through the crate `edb`, which adds the macros and training.

#![warn(missing_docs)]

mod cpu;
#[doc(hidden)]
pub use cpu::{GraphSumsOnHost, pair_instructions};
#[doc(hidden)]
pub use edb_kernels::fused;
pub use edb_kernels::{element, machine, math, random, trace};
pub use edb_learn::{collective, learn, secret};
pub use edb_model::{dims, graph, model};
pub use edb_vertex::{eager, function, port, tensor};
pub mod device;
pub use device::Device;
pub use engine::backend;
pub mod engine;
pub use engine::Engine;
mod spans;
pub use edb_schedule as schedule;
pub mod testing;
