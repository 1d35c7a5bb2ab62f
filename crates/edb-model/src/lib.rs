//! Models and graphs: everything that is needed before something can run.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`model`] | vertex functions with numbers for their dimensions, and their parameters |
//! | [`graph`] | input graphs, built one vertex at a time or from records, and minibatches |
//! | [`bundle`] | a model as one file, with its functions |
//! | `interpreter` | a function run for one vertex, op by op, with the reference kernels |
//! | `backward` | the backward pass of one vertex, op by op, to find where a gradient that is not finite arises |
//! | `table` | tables of text, for summaries and reports |
//!
//! Code in this crate does not know how a minibatch runs. Items that `edb` does not re-export are for the other
//! crates of edb, and any release may change them.
//!
//! # Where what is decided
//!
//! Paths are relative to the crate.
//!
//! | question | file |
//! | --- | --- |
//! | How is a model built? | what is told: `src/model/building/builder.rs`, `src/model/building/add_all.rs` (all functions of a struct), `src/model/setup.rs`, `src/model/added.rs`; how it is checked and bound: `src/model/building/build.rs`, `src/model/building/ports.rs`; what a function is with numbers: `src/model/bound/mod.rs`, `src/model/bound/routine.rs`, `src/model/bound/stack.rs` |
//! | Is a plan valid, with numbers for its dimensions? | `src/model/building/check.rs`, on which `unsafe` code of back ends relies |
//! | What is in a bundle, a model as one file? | `src/bundle/record.rs`; what is not trusted in it: `src/bundle/mod.rs` |
//! | Which functions are the parameters in a file of? | `src/model/reports/fingerprints.rs` |
//! | Which models are derived from another one? | `src/model/derived/mod.rs`; the tangent: `src/model/derived/tangent.rs`; losses one by one: `src/model/derived/losses.rs`; their minibatches: `src/graph/copies.rs` |
//! | Of which variant is a vertex? | `src/model/bound/variants.rs` |
//! | What is in a graph and in a minibatch? | `src/graph/mod.rs`, `src/graph/flat.rs`; graphs from files: `src/graph/records.rs` |
//! | Is a vertex valid? | `src/model/bound/vertex_rules.rs` for quick checks, `src/graph/validate.rs` for all |
//! | Which handles does a graph accept? | `src/graph/lineage.rs` |
//! | Which batches need no policy? | `src/graph/levels.rs` |
//! | How are vertices stored while graphs grow, or while vertices decide? | `src/graph/arrivals.rs`, `src/graph/sections.rs`, `src/graph/paths.rs` |
//! | How are graphs cut out of a minibatch, or copied? | `src/graph/part.rs`, `src/graph/copies.rs` |
//! | About how many multiplications does a phase take per vertex, and per edge? | `BoundRoutine::work`, `src/model/bound/routine.rs` |
//! | What does a phase copy, and which weights does it read? | `src/model/bound/needs.rs` |
//! | What is in a summary? | `src/model/reports/summary.rs`; tables of text: `src/table.rs` |
//! | What does a program compute that was not written in Rust? | `src/interpreter.rs`, the reference for functions that do not come from Rust |
//! | By which op does a gradient become infinite or NaN? | `src/backward.rs` |
//!
//! # Invariants
//!
//! - A model is always made of plans that were checked, and a minibatch has always been validated
//!   against its model: the engine checks neither again.
//! - No two graphs have the same id. A handle refers to what it was returned for, or is refused. An item of a
//!   list is identified by the id of the graphs that grow together, and by the place of its graph among them.
//! - No code walks a graph by recursion: a chain may have a million vertices.
//!
//! # Names
//!
//! | name | what it means | where |
//! | --- | --- | --- |
//! | model | vertex functions with numbers for their dimensions, and their parameters | `Model`, `src/model/` |
//! | blueprint | a model without its parameters, to build graphs and minibatches while the model is trained | `Blueprint`, `src/model/blueprint.rs` |
//! | (input) graph | the vertices of one example, each with its function, children and input | `Graph`, `src/graph/` |
//! | minibatch | many graphs, checked and put one after the other | `Minibatch` for users, `src/graph/minibatch.rs`; its lists for the engine: `FlatBatch`, `src/graph/flat.rs` |
//! | level | the length of the longest path below a vertex through vertices of its own function | `src/graph/levels.rs` |
//! | section | the part of a function that a vertex runs between two decisions; after the run, it is a vertex of its own in the minibatch | `src/graph/sections.rs` |

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod backward;
#[cfg(feature = "bundle")]
pub mod bundle;
pub mod graph;
pub mod interpreter;
pub mod model;
pub mod table;
