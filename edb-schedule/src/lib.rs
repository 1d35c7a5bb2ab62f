//! Schedules: which vertices run together, and in which order.
//!
//! A minibatch is a set of input graphs, and all that scheduling needs of it is the type of each
//! vertex and the children that it reads: a [`TypeGraph`]. A [`Policy`] turns that into a
//! [`Schedule`], a list of batches, where a batch is a set of vertices of one type whose children
//! have all run before. Fewer batches mean larger products and fewer launches. To find the fewest
//! is NP-hard (ED-Batch, appendix A.1), so a policy is a heuristic; [`lower_bound()`] says how much
//! a better one could still save.
//!
//! Nothing here knows of tensors, and nothing depends on chance or on the order of a hash table:
//! the same graph always gets the same schedule.
//!
//! ```
//! use edb_schedule::{Policy, TypeGraph, lower_bound};
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
//! # Ok::<(), edb_schedule::ScheduleError>(())
//! ```
//!
//! "ED-Batch" is Chen et al., *ED-Batch: Efficient Automatic Batching of Dynamic Neural Networks
//! via Learned Finite State Machines*, ICML 2023.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod agenda;
mod beam;
mod best;
mod chooser;
mod costs;
mod cross_entropy;
mod depth;
mod error;
mod explain;
mod file_error;
mod frontier;
mod fsm;
mod heuristic;
mod index;
mod labels;
mod learn;
mod look_ahead;
mod lower_bound;
mod offline;
mod policy;
mod q_learning;
mod reduce;
mod remaining;
mod resample;
mod saved;
mod scheduler;
mod signature;
mod state;
mod states;
mod sufficient;
mod type_frontiers;
mod type_graph;

#[cfg(test)]
mod tests;

use std::ops::Range;

pub use best::Best;
pub use costs::{Costs, TypeCost};
pub use cross_entropy::IndexOptions;
pub use error::ScheduleError;
pub use explain::{Blocker, Explanation, Split, TypeExplanation};
pub use file_error::{PolicyFileError, PolicyFileProblem};
pub use fsm::{Coverage, Fsm};
pub use index::{FEATURES, IndexPolicy};
pub use learn::{LearnOptions, Learner, Progress};
pub use look_ahead::LookAhead;
pub use lower_bound::{lower_bound, type_depths};
pub use offline::{SearchOptions, search};
pub use policy::Policy;
pub use q_learning::QOptions;
pub use scheduler::Scheduler;
pub use signature::{Signature, TypeSignature};
pub use states::Encoding;
pub use type_graph::TypeGraph;

/// The target of all spans and events that edb gives to [`tracing`].
pub const TARGET: &str = "edb";

/// Vertices of one type that run together: a range of a schedule's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The type of all vertices of the batch.
    pub vertex_type: u16,
    /// Where the batch begins in [`Schedule::order`].
    pub start: u32,
    /// Where the batch ends in [`Schedule::order`] (exclusive).
    pub end: u32,
}

impl Batch {
    /// The places of the batch in [`Schedule::order`].
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Why no schedule has fewer batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Proof {
    /// Each batch was the whole of Frontier(Gᵃ) (ED-Batch, lemma 2.1); then there are as many as
    /// the [lower bound](lower_bound()).
    Frontiers,
    /// There are as many batches as the [lower bound](lower_bound()).
    Bound,
    /// No type waits for itself through another one, and each type's levels are its batches; then
    /// there are as many as the [lower bound](lower_bound()).
    Levels,
    /// A [`search`] left out nothing that could have been shorter.
    Exhaustion,
}

/// The vertices of a minibatch in the order in which they run, cut into batches.
///
/// By construction the batches are not empty, stand one behind the other and cover the whole
/// order, and within a batch the vertices ascend. That the schedule fits a graph is what
/// [`Schedule::check`] verifies; the schedules of a [`Policy`] do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    order: Vec<u32>,
    batches: Vec<Batch>,
    proof: Option<Proof>,
}

impl Schedule {
    /// A schedule without batches, that of the empty graph.
    pub fn new() -> Self {
        Self::default()
    }

    /// A schedule without batches, with room for `vertices`.
    fn with_capacity(vertices: usize) -> Self {
        Self { order: Vec::with_capacity(vertices), ..Self::default() }
    }

    /// The schedule that runs `order` in batches of so many vertices each, given by type and size.
    fn from_order(order: Vec<u32>, batches: &[(u16, u32)]) -> Self {
        let mut end = 0;
        let batch = |&(vertex_type, size): &(u16, u32)| {
            let start = end;
            end += size;
            Batch { vertex_type, start, end }
        };
        let batches = batches.iter().map(batch).collect();
        Self { order, batches, proof: None }
    }

    /// The same with the certificate that no schedule is shorter.
    pub fn proved(self, proof: Proof) -> Self {
        Self { proof: Some(proof), ..self }
    }

    /// Whether the schedule carries the certificate that no schedule of its graph has fewer
    /// batches: see [`Schedule::proof`].
    pub fn is_proved(&self) -> bool {
        self.proof.is_some()
    }

    /// Why no schedule of the graph has fewer batches, if that is known.
    ///
    /// Without the certificate a schedule can still be a shortest one: [`Schedule::certify`] looks
    /// at the bound, which costs more than some policies do, and [`search`] tries to prove it.
    pub fn proof(&self) -> Option<Proof> {
        self.proof
    }

    /// Adds the certificate if the schedule has as few batches as the [lower bound](lower_bound())
    /// of its graph; whether it carries one now.
    pub fn certify(&mut self, graph: &TypeGraph) -> bool {
        if matches!(self.proof, None | Some(Proof::Exhaustion)) && self.len() == lower_bound(graph)
        {
            self.proof = Some(Proof::Bound);
        }
        self.is_proved()
    }

    /// Appends a batch of the given vertices, which it puts into ascending order; without
    /// vertices it appends nothing.
    ///
    /// # Panics
    ///
    /// If the schedule would hold 2³² vertices or more, which no [`TypeGraph`] has.
    pub fn push(&mut self, vertex_type: u16, vertices: &[u32]) {
        if vertices.is_empty() {
            return;
        }
        self.proof = None;
        let start = self.order.len();
        self.order.extend_from_slice(vertices);
        self.order[start..].sort_unstable();
        let place = |at: usize| u32::try_from(at).expect("a schedule holds fewer than 2^32 places");
        let batch = Batch { vertex_type, start: place(start), end: place(self.order.len()) };
        self.batches.push(batch);
    }

    /// All vertices in the order in which they run.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The batches in the order in which they run.
    pub fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// The vertices of a batch, ascending; none if the batch is of another schedule and reaches
    /// past the end of this one.
    pub fn vertices(&self, batch: &Batch) -> &[u32] {
        self.order.get(batch.range()).unwrap_or_default()
    }

    /// The number of batches.
    pub fn len(&self) -> usize {
        self.batches.len()
    }

    /// Whether there are no batches.
    pub fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    /// Verifies that this is a schedule of `graph`: every vertex runs once, in a batch of its
    /// type, and later than the batches in which its children run.
    ///
    /// # Errors
    ///
    /// The first violation found, with the vertex and the batch.
    pub fn check(&self, graph: &TypeGraph) -> Result<(), ScheduleError> {
        let mut batch_of = vec![None; graph.len()];
        for (number, batch) in self.batches.iter().enumerate() {
            for &vertex in self.vertices(batch) {
                let Some(place) = batch_of.get_mut(vertex as usize) else {
                    let vertices = graph.len();
                    return Err(ScheduleError::UnknownVertex { vertex, batch: number, vertices });
                };
                if let Some(first) = place.replace(number) {
                    return Err(ScheduleError::Repeated { vertex, first, second: number });
                }
                let vertex_type = graph.vertex_type(vertex);
                if vertex_type != batch.vertex_type {
                    return Err(ScheduleError::MixedTypes {
                        vertex,
                        vertex_type,
                        batch: number,
                        batch_type: batch.vertex_type,
                    });
                }
            }
        }

        for (vertex, &place) in (0..).zip(&batch_of) {
            let batch = place.ok_or(ScheduleError::Missing { vertex })?;
            for &child in graph.children(vertex) {
                let child_batch =
                    batch_of[child as usize].ok_or(ScheduleError::Missing { vertex: child })?;
                if child_batch >= batch {
                    return Err(ScheduleError::TooEarly { vertex, batch, child, child_batch });
                }
            }
        }
        Ok(())
    }
}
