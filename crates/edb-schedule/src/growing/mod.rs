//! Schedules of graphs that grow from what was computed; these schedules are made while the graphs run.
//!
//! A policy knows only the vertices that these graphs have so far. A graph *rests* when all its vertices have
//! run: it waits to be handed to the user, who adds vertices, and until then its future is unknown. So handing
//! out graphs is a type of its own, `grow`, after the types of the model. Its ready rows are the graphs that
//! rest, and a batch of it hands all of them out, once. In a *recorded* graph, a vertex of the type `grow`
//! reads all vertices that its graph had in a round, and all vertices that the graph got then read it. So the
//! lower bound, search, explanations and Q-learning work for recorded graphs without change. The number of
//! batches that ran, divided by that of a schedule that knows the future, is the competitive ratio of the
//! policy.
//!
//! Most policies look at vertices that have yet to run. With these, graphs grow *wave by wave*: all vertices
//! that the graphs have run, and then all graphs are handed out. A finite state machine and an order of types
//! look only at what is ready, so they can also decide when to hand graphs out.

mod frontier;
mod learn;
mod online;
mod rounds;

pub use frontier::GrowingFrontier;
pub use online::OnlinePolicy;
pub use rounds::Rounds;

pub(super) use learn::learn;

use crate::error::ScheduleError;
use crate::graph::{Signature, TypeGraph, TypeSignature, lower_bound};
use crate::offline::{SearchOptions, search};
use crate::schedule::Schedule;

/// How graphs grow as long as nothing has been learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unlearned {
    /// Wave by wave.
    Waves,
    /// The type with the most ready vertices comes next: if vertices decide how they go on, there are no waves.
    Fullest,
}

/// The name of the type that hands out graphs; no vertex function can have this name.
const GROW_TYPE_NAME: &str = "(grow)";

impl Signature {
    /// The types of graphs that grow: these types, and after them `grow`, which hands out graphs that rest.
    #[must_use]
    pub fn growing(&self) -> Self {
        Self::of(self.types().iter().cloned().chain([TypeSignature::named(GROW_TYPE_NAME)]))
    }
}

/// Compares the batches in which graphs grew with the batches of a schedule that knows their future.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Competition {
    /// The number of batches that ran, plus the number of times that graphs were handed out.
    pub batches: usize,
    /// How often graphs were handed out.
    pub rounds: usize,
    /// The least number of batches that was found for the recorded graph, whose future is known.
    pub offline: usize,
    /// The lower bound on the number of batches of any schedule of the recorded graph.
    pub lower_bound: usize,
}

impl Competition {
    /// Compares the schedule by which graphs grew with schedules of the recorded graph.
    ///
    /// # Errors
    ///
    /// If it is no schedule of the graph, or the options have costs for another number of types.
    pub fn of(
        schedule: &Schedule,
        recorded: &TypeGraph,
        options: &SearchOptions,
    ) -> Result<Self, ScheduleError> {
        schedule.check(recorded)?;
        let grow = recorded.type_count().saturating_sub(1);
        let rounds = schedule.batches().iter().filter(|batch| batch.vertex_type == grow).count();
        let best = search(recorded, &[], options)?;
        let batches = schedule.len();
        let (offline, lower_bound) = (best.len().min(batches), lower_bound(recorded));
        Ok(Self { batches, rounds, offline, lower_bound })
    }

    /// The competitive ratio: the number of batches that ran, divided by the least number that was found.
    pub fn ratio(&self) -> f64 {
        self.batches as f64 / self.offline.max(1) as f64
    }
}
