//! Models and graphs: what runs, before anything runs.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`model`] | vertex functions with numbers for their dimensions, and their parameters |
//! | [`graph`] | input graphs, built one vertex at a time or from records, and minibatches |
//! | `interpreter` | a function run for one vertex, op by op, with the reference kernels |
//! | `table` | tables of text, for summaries and reports |
//!
//! Nothing here knows how a minibatch runs. What is hidden from this documentation is for the other crates of
//! edb, and follows them: any release may change it.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod graph;
#[doc(hidden)]
pub mod interpreter;
pub mod model;
#[doc(hidden)]
pub mod table;
