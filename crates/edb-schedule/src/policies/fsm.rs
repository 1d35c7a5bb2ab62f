//! The policy of ED-Batch: a finite state machine that maps the encoded frontier to the type that
//! comes next (section 2.2). It is learned in `learning/q_learning.rs`.

use super::heuristic;
use super::states::{Encoding, States};
use crate::graph::{Signature, TypeGraph};
use crate::running::{Frontier, ReadyTypes, State};
use crate::schedule::Schedule;

/// A finite state machine: it knows the type that comes next for each state that was seen in training.
///
/// In a state that was not seen, the [heuristic](super::Policy::Heuristic) chooses.
#[derive(Clone, Debug)]
pub struct Fsm {
    pub(crate) signature: Signature,
    pub(crate) encoding: Encoding,
    pub(crate) states: States,
    /// By state, the type that comes next.
    pub(crate) choices: Vec<u16>,
    /// The Q-values, by state and then by choice, in the order of the states' keys.
    pub(crate) values: Vec<f32>,
    pub(crate) coverage: Coverage,
}

/// What training covered, and how good its result is.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Coverage {
    /// The number of minibatches.
    pub minibatches: usize,
    /// The number of their vertices.
    pub vertices: usize,
    /// The number of trials, each of which runs one minibatch.
    pub trials: usize,
    /// How many batches the finished policy needs for the minibatches.
    pub batches: usize,
    /// The lower bound on the number of these batches.
    pub lower_bound: usize,
    /// How many of these batches were chosen in states that the table does not know.
    pub unseen: usize,
}

/// Statistics of how a schedule was made.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    pub(super) unseen: usize,
}

impl Fsm {
    /// The vertex types that it was learned for.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// How frontiers are encoded as states.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// How many states it knows.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// What training covered.
    pub fn coverage(&self) -> Coverage {
        self.coverage
    }

    /// The type that comes next, if the machine knows the state; `key` is a buffer for the state.
    pub(crate) fn known_choice(&self, ready: &impl ReadyTypes, key: &mut Vec<u16>) -> Option<u16> {
        self.encoding.encode(ready, key);
        self.states.find(key).map(|state| self.choices[state])
    }

    /// The schedule of a graph.
    pub fn schedule(&self, graph: &TypeGraph) -> Schedule {
        self.trace(graph).0
    }

    /// The number of batches of a graph's schedule, and how many of them were chosen in states that the machine
    /// does not know.
    pub(crate) fn count(&self, graph: &TypeGraph) -> (usize, usize) {
        let (schedule, trace) = self.trace(graph);
        (schedule.len(), trace.unseen)
    }

    fn trace(&self, graph: &TypeGraph) -> (Schedule, Trace) {
        let mut frontier = Frontier::new(graph);
        let mut batches = Vec::with_capacity(graph.len().min(1024));
        let mut key = Vec::with_capacity(usize::from(graph.type_count()) + 1);
        while frontier.left() > 0 {
            let Some(choice) = self.known_choice(&frontier, &mut key) else {
                return self.trace_unseen(graph, batches);
            };
            batches.push((choice, frontier.execute(choice, |_| ()).len() as u32));
        }
        (frontier.into_schedule(&batches), Trace::default())
    }

    /// Continues from the first unseen state. Only now is the analysis that the heuristic needs worth its cost,
    /// so it is made here, and the batches so far run again on it.
    fn trace_unseen(&self, graph: &TypeGraph, mut batches: Vec<(u16, u32)>) -> (Schedule, Trace) {
        let mut state = State::new(graph);
        for &(vertex_type, _) in &batches {
            state.execute(vertex_type);
        }
        let mut trace = Trace::default();
        let mut key = Vec::new();
        while !state.measured.is_done() {
            let known = self.known_choice(state.measured.frontier(), &mut key);
            let choice = known.unwrap_or_else(|| {
                trace.unseen += 1;
                fallback(&mut state)
            });
            batches.push((choice, state.execute(choice)));
        }
        (state.measured.into_schedule(&batches), trace)
    }
}

fn fallback(state: &mut State<'_>) -> u16 {
    state.safe().unwrap_or_else(|| heuristic::choose(state))
}
