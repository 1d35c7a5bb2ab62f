//! What one sees of a minibatch that has run.
//!
//! A [`Run`](run::Run) comes in when a minibatch has run forward (`running.rs`, `parts/ran.rs`, or graphs
//! that have grown). It borrows the engine, whose memory has the values. Out go views of outputs, states
//! and losses, by vertex or of all vertices of a function (`graph_results.rs`, `stacked.rs`); its backward
//! pass leaves the gradients of inputs. Where a minibatch has run in parts, `seen.rs` finds the part.
//! `graph_copies.rs` runs copies of graphs that have run backward, which Jacobians and the gradients of single
//! losses need. Users and `gradients/` call it.

pub(crate) mod graph_copies;
pub(crate) mod graph_results;
pub(crate) mod run;
pub(crate) mod seen;
pub(crate) mod stacked;
