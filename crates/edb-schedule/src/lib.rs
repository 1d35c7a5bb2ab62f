//! Schedules: which vertices run together, and in which order.
//!
//! A minibatch is a set of input graphs. To schedule it, one needs only the type of each vertex and the
//! children that it reads: a [`TypeGraph`]. A [`Policy`] turns this graph into a [`Schedule`], a list of
//! batches. A batch is a set of vertices of one type whose children have all run in earlier batches. Fewer
//! batches mean larger products and fewer launches. Finding the schedule with the fewest batches is NP-hard
//! (ED-Batch, appendix A.1), so a policy is a heuristic; [`lower_bound()`] says how many batches a better
//! policy could save at most.
//!
//! Schedules depend on no tensors, random numbers or orders of hash tables: the same graph always gets the same
//! schedule.
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
//! graph/      TypeGraph ─▶ labels.rs (types below, and own type above) ─▶ bounds.rs
//!                       ─▶ reduce.rs (a smaller graph, same schedules)
//! schedule/   Schedule, and explain.rs (why it has so many batches)
//! running/    frontier.rs (ready) ─▶ type_frontiers.rs (lemma 2.1), measured.rs (what a machine sees); both = State
//! beam/       beam search: window.rs (sets as bits), waits.rs (what a batch sets free),
//!             own_below.rs (lemma 2.1)
//! policies/   heuristic.rs                             chooses by State
//!             agenda.rs │ sufficient.rs │ fsm.rs       choose by Frontier
//!             machine.rs                               chooses by measures of each type
//!             look_ahead.rs                            searches with a narrow beam
//! files/      saved.rs (policies on disk)
//! learning/   q_learning.rs ─▶ fsm.rs,  machine.rs ─▶ machine.rs,
//!             best.rs (the machine, or a policy that is not learned)
//! offline.rs  searches for the shortest schedule of one graph, with wide beams
//! growing/    schedules of graphs that grow, made while they run
//! scheduler.rs  what an engine calls: one policy for each model, learned while minibatches arrive
//! ```
//!
//! Each folder depends only on the folders above it, and on `error.rs` (what can be wrong) and `costs.rs` (the
//! time that batches cost). The `mod.rs` of a folder says what comes in, what goes out and who calls it.
//!
//! # Invariants
//!
//! - No schedule, and nothing that is learned, depends on the clock, on threads or on the order of
//!   a hash table: budgets count vertices.
//! - A certificate of a schedule is a proof: its number of batches equals the lower bound, or a
//!   search that left nothing out found nothing shorter (`Proof`). Only `search` gives the second kind. A
//!   certificate is about the number of batches: a schedule that is the cheapest at some costs gets no
//!   certificate for that.
//!
//! # Names
//!
//! Paths are relative to the crate.
//!
//! | name | what it means | where |
//! | --- | --- | --- |
//! | vertex type | the vertex function of a vertex, as a number that schedules use | `TypeGraph`, `src/graph/type_graph.rs` |
//! | frontier | the vertices that can run now, since all vertices that they read have run | `src/running/frontier.rs` |
//! | batch | vertices of one type that run together | `Batch`, `src/schedule/mod.rs` |
//! | schedule | all batches of a minibatch, in the order in which they run | `Schedule`, `src/schedule/mod.rs` |
//! | policy | the rule that decides which type runs next, and so makes a schedule | `Policy`, `src/policies/policy.rs` |
//! | rest | a graph that grows rests when all its vertices have run: it waits for its next round | `GrowingFrontier`, `src/growing/frontier.rs` |
//! | recorded graph | graphs after they have grown, with a vertex of the type `grow` between the rounds of each graph | `Rounds`, `src/growing/rounds.rs` |
//! | competitive ratio | the number of batches in which graphs grew, divided by the least number that a search finds when it knows their future | `Competition`, `src/growing/mod.rs` |
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod beam;
mod costs;
mod error;
mod files;
mod graph;
mod growing;
mod learning;
mod offline;
mod policies;
mod running;
mod schedule;
mod scheduler;

#[cfg(test)]
mod tests;

pub use costs::{Costs, TypeCost};
pub use error::ScheduleError;
pub use files::{PolicyFileError, PolicyFileProblem};
pub use graph::{Signature, TypeGraph, TypeSignature, lower_bound, type_depths};
pub use growing::{Competition, GrowingFrontier, OnlinePolicy, Rounds, Unlearned};
pub use learning::{LearnOptions, Learner, Progress, QOptions};
pub use offline::{SearchOptions, search};
pub use policies::{
    Best, Coverage, CustomPolicy, Decision, Encoding, Fsm, LookAhead, Machine, MachineState,
    MeasureLevels, Policy, ReadyType, TypeOrder,
};
pub use schedule::{
    Batch, Blocker, ByMachine, Explanation, Proof, Schedule, Split, TypeExplanation,
};
pub use scheduler::Scheduler;

/// The target of all spans and events that edb emits with [`tracing`].
const TARGET: &str = "edb";
