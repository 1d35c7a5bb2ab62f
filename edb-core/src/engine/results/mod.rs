//! The results of a minibatch that has run.
//!
//! Input: a [`Run`](run::Run), which is made when a minibatch has run forward (`running.rs`, `parts/ran.rs`, or graphs
//! that have grown). It borrows the engine, because the values are in the memory of the engine.
//!
//! Output: views of outputs, states and losses, for one vertex or for all vertices of a function (`graph_results.rs`,
//! `stacked.rs`), or all of them (`by_name.rs`; as data, `answer.rs`). After a backward pass, a run also gives the gradients of
//! inputs (`tensor_gradients.rs`). If a minibatch has run in parts, `seen.rs` finds the part of a vertex, and `views.rs` makes views of rows. `graph_copies.rs` copies graphs that
//! have run and runs the copies backward; Jacobians and the gradients of single losses need this. Users call this
//! module, and so does `gradients/`.

pub(crate) mod answer;
pub(crate) mod by_name;
pub(crate) mod graph_copies;
pub(crate) mod graph_results;
#[cfg(feature = "bundle")]
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod seen;
pub(crate) mod stacked;
mod tensor_gradients;
mod views;
