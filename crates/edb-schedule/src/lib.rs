//! Schedules: which vertices run together, and in which order.
//!
//! A minibatch is a set of input graphs, and all that scheduling needs of it is the type of each
//! vertex and the children that it reads: a [`TypeGraph`]. A [`Policy`] turns that into a
//! [`Schedule`], a list of batches, where a batch is a set of vertices of one type whose children
//! have all run before. Fewer batches mean larger products and fewer launches. To find the fewest
//! is NP-hard (ED-Batch, appendix A.1), so a policy is a heuristic; [`lower_bound()`] says how much
//! a better one could still save.
//!
//! Nothing here depends on tensors, on chance or on the order of a hash table: the same graph
//! always gets the same schedule.
//!
//! ```
//! # mod edb { pub use edb_schedule as schedule; }
//! use edb::schedule::{Policy, TypeGraph, lower_bound};
//!
//! // Two words (type 0), a phrase that reads them (type 1), and a score of each (type 2).
//! let types = vec![0, 0, 1, 2, 2, 2];
//! let offsets = vec![0, 0, 0, 2, 3, 4, 5];
//! let children = vec![0, 1, 0, 1, 2];
//! let graph = TypeGraph::new(3, types, offsets, children)?;
//!
//! let schedule = Policy::Sufficient.schedule(&graph);
//! let run: Vec<_> =
//!     schedule.batches().iter().map(|b| (b.vertex_type, schedule.vertices(b))).collect();
//! assert_eq!(run, [(0, &[0, 1][..]), (1, &[2]), (2, &[3, 4, 5])]);
//! assert_eq!(schedule.len(), lower_bound(&graph));
//! // By depth, the scores of the words run apart from the score of the phrase.
//! assert_eq!(Policy::Depth.schedule(&graph).len(), 4);
//! # Ok::<(), edb::schedule::ScheduleError>(())
//! ```
//!
//! "ED-Batch" is Chen et al., *ED-Batch: Efficient Automatic Batching of Dynamic Neural Networks
//! via Learned Finite State Machines*, ICML 2023.
//!
//! # How the files hang together
//!
//! ```text
//!  TypeGraph ─▶ labels.rs (types below, and own type above) ─▶ Analysis, once a graph
//!            ─▶ frontier.rs (ready), type_frontiers.rs (lemma 2.1), remaining.rs (bound) = State
//!  heuristic.rs │ index.rs ◀ cross_entropy.rs                   choose by State
//!  agenda.rs │ sufficient.rs │ fsm.rs ◀ q_learning.rs           choose by Frontier
//!  TypeGraph ─▶ reduce.rs (a smaller graph, same schedules) ─▶ beam.rs ─▶ look_ahead.rs │ offline.rs
//!  beam.rs: window.rs (sets as bits), waits.rs (what a batch sets free), own_below.rs (lemma 2.1)
//! best.rs (which of them) ◀ scheduler.rs (the engine's, by model)     saved.rs (files)
//! growing/: schedules of graphs that grow, made while they run
//! ```
//!
//! # Invariants
//!
//! - No schedule, and nothing that is learned, depends on the clock, on threads or on the order of
//!   a hash table: budgets count vertices.
//! - A certificate of a schedule is a proof: its number of batches equals the lower bound, or a
//!   search that left nothing out found nothing shorter (`Proof`). Only `search` gives the second
//!   kind. A certificate is about numbers of batches: a schedule that is the cheapest at some costs
//!   has none.
//!
//! # Names
//!
//! Paths are relative to the crate.
//!
//! | name | what it means | where |
//! | --- | --- | --- |
//! | vertex type | the vertex function of a vertex, as a number that schedules use | `TypeGraph`, `src/type_graph.rs` |
//! | frontier | the vertices that can run now, since all vertices that they read have run | `src/frontier.rs` |
//! | batch | vertices of one type that run together | `Batch`, `src/schedule.rs` |
//! | schedule | all batches of a minibatch, in the order in which they run | `Schedule`, `src/schedule.rs` |
//! | policy | the rule by which a schedule is made | `Policy`, `src/policy.rs` |
//! | rest | of a graph that grows: to have run all that it has, and so to wait for its round | `GrowingFrontier`, `src/growing/frontier.rs` |
//! | recorded graph | what graphs have become, with a vertex of the type `grow` between the rounds of each | `Rounds`, `src/growing/rounds.rs` |
//! | competitive ratio | the batches by which graphs grew, against the fewest that are found when their future is known | `Competition`, `src/growing/mod.rs` |
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod agenda;
mod beam;
mod best;
mod chooser;
mod costs;
mod cross_entropy;
mod custom;
mod depth;
mod error;
mod explain;
mod file_error;
mod frontier;
mod fsm;
mod growing;
mod heuristic;
mod index;
mod labels;
mod learn;
mod look_ahead;
mod lower_bound;
mod offline;
mod options;
mod order;
mod own_below;
mod policy;
mod progress;
mod q_learning;
mod reduce;
mod remaining;
mod resample;
mod saved;
mod schedule;
mod scheduler;
mod signature;
mod state;
mod states;
mod sufficient;
mod type_frontiers;
mod type_graph;
mod waits;
mod window;

#[cfg(test)]
mod tests;

pub use costs::{Costs, TypeCost};
pub use cross_entropy::IndexOptions;
pub use custom::CustomPolicy;
pub use error::ScheduleError;
pub use explain::{Blocker, Explanation, Split, TypeExplanation};
pub use file_error::{PolicyFileError, PolicyFileProblem};
pub use fsm::{Coverage, Fsm};
pub use growing::{Competition, GrowingFrontier, OnlinePolicy, Rounds, Unlearned};
pub use index::{FEATURES, IndexPolicy};
pub use look_ahead::LookAhead;
pub use lower_bound::{lower_bound, type_depths};
pub use offline::{SearchOptions, search};
pub use options::{LearnOptions, Learner};
pub use order::TypeOrder;
pub use policy::{Best, Policy};
pub use progress::Progress;
pub use q_learning::QOptions;
pub use schedule::{Batch, Proof, Schedule};
pub use scheduler::Scheduler;
pub use signature::{Signature, TypeSignature};
pub use states::Encoding;
pub use type_graph::TypeGraph;
