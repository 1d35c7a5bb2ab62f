//! Graphs that grow from what was computed: schedules that are made while they run.
//!
//! All that a policy knows of such graphs is what they have. A graph all of whose vertices have run
//! *rests*: it waits to be handed to the person, who adds vertices, and its future is unknown until
//! then. So handing out is a type of its own, `grow`, behind those of the model: graphs that rest
//! are its ready rows, and a batch of it hands all of them out, once. In a *recorded* graph, a
//! vertex `grow` reads all that its graph had in a round, and all that the graph got then reads it.
//! So the lower bound, search, explanations and Q-learning hold for recorded graphs as they are;
//! and the batches that ran, beside those of a schedule that knew the future, are the competitive
//! ratio of the policy.
//!
//! Most policies look at what has yet to run. A graph grows by them *wave by wave*: all that the
//! graphs have runs, then all are handed out. A finite state machine and an order of types look at
//! nothing but what is ready, and so they can say when to hand out as well.

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
    /// By the fullest type: where vertices decide how they go on, there are no waves.
    Fullest,
}

/// The name of the type that hands out graphs: no function has it.
const GROW: &str = "(grow)";

impl Signature {
    /// The types of graphs that grow: these, and behind them `grow`, which hands out graphs that
    /// rest.
    #[must_use]
    pub fn growing(&self) -> Self {
        Self::of(self.types().iter().cloned().chain([TypeSignature::named(GROW)]))
    }
}

/// How the batches by which graphs grew compare with those of a schedule that knows their future.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Competition {
    /// The batches that ran, and how often graphs were handed out.
    pub batches: usize,
    /// How often graphs were handed out.
    pub rounds: usize,
    /// The least number that was found for the recorded graph, whose future is known.
    pub offline: usize,
    /// The number that no schedule of the recorded graph goes below.
    pub lower_bound: usize,
}

impl Competition {
    /// The competition of a schedule by which graphs grew, with the recorded graph.
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

    /// The competitive ratio: the batches that ran against the least number that was found.
    pub fn ratio(&self) -> f64 {
        self.batches as f64 / self.offline.max(1) as f64
    }
}
