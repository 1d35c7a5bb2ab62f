//! A graph while it is executed, with the numbers that the heuristic and the index policy use.

use super::frontier::Frontier;
use super::remaining::Remaining;
use super::type_frontiers::TypeFrontiers;
use crate::graph::{Heights, TypeGraph, total_heights};
use crate::schedule::{Proof, Schedule};

/// The static analysis of a graph, made once for any number of runs.
pub(crate) struct Analysis<'g> {
    frontier: Frontier<'g>,
    types: TypeFrontiers<'g>,
    heights: Heights,
    /// Empty unless asked for.
    totals: Vec<u32>,
}

impl<'g> Analysis<'g> {
    pub(crate) fn new(graph: &'g TypeGraph) -> Self {
        Self { totals: total_heights(graph), ..Self::without_totals(graph) }
    }

    /// The analysis without total heights, which the heuristic does not need.
    pub(crate) fn without_totals(graph: &'g TypeGraph) -> Self {
        let (types, heights) = TypeFrontiers::new(graph);
        Self { frontier: Frontier::new(graph), types, heights, totals: Vec::new() }
    }

    pub(crate) fn graph(&self) -> &'g TypeGraph {
        self.frontier.graph()
    }

    /// The state before anything has run.
    pub(crate) fn state(&self) -> State<'_> {
        State {
            frontier: self.frontier.clone(),
            types: self.types.clone(),
            remaining: Remaining::new(self.graph(), &self.heights, &self.totals),
            last: None,
        }
    }

    /// The type frontiers before anything has run.
    pub(crate) fn type_frontiers(&self) -> TypeFrontiers<'g> {
        self.types.clone()
    }

    /// The frontier before anything has run.
    pub(crate) fn frontier(&self) -> Frontier<'g> {
        self.frontier.clone()
    }

    /// The schedule in which a safe type runs if there is one, and otherwise the type that `choose` names.
    pub(crate) fn run(&self, choose: impl FnMut(&mut State<'_>) -> u16) -> Schedule {
        run(self.state(), choose)
    }

    /// Like [`run`](Self::run), but the analysis is used up, so nothing is cloned.
    pub(crate) fn run_once(self, choose: impl FnMut(&mut State<'_>) -> u16) -> Schedule {
        let Self { frontier, types, heights, totals, .. } = self;
        let remaining = Remaining::new(frontier.graph(), &heights, &totals);
        run(State { frontier, types, remaining, last: None }, choose)
    }

    /// The number of batches of the schedule that [`run`](Self::run) returns, or `limit` if there are at least
    /// as many.
    pub(crate) fn count(
        &self,
        limit: usize,
        mut choose: impl FnMut(&mut State<'_>) -> u16,
    ) -> usize {
        let mut state = self.state();
        let mut batches = 0;
        while batches < limit && !state.is_done() {
            let vertex_type = state.safe().unwrap_or_else(|| choose(&mut state));
            state.execute(vertex_type);
            batches += 1;
        }
        batches
    }

    /// Σ Depth(G_t): a lower bound on the number of batches of any schedule.
    pub(crate) fn lower_bound(&self) -> usize {
        self.heights.bound()
    }
}

/// Runs a graph: a safe type if there is one, and otherwise the type that `choose` names.
fn run(mut state: State<'_>, mut choose: impl FnMut(&mut State<'_>) -> u16) -> Schedule {
    let mut batches = Vec::new();
    let mut proved = true;
    while !state.is_done() {
        let vertex_type = state.safe().unwrap_or_else(|| {
            proved = false;
            choose(&mut state)
        });
        batches.push((vertex_type, state.execute(vertex_type)));
    }
    let schedule = state.frontier.into_schedule(&batches);
    if proved { schedule.proved(Proof::Frontiers) } else { schedule }
}

/// A graph that is being executed.
#[derive(Clone)]
pub(crate) struct State<'a> {
    pub(crate) frontier: Frontier<'a>,
    pub(crate) types: TypeFrontiers<'a>,
    pub(crate) remaining: Remaining<'a>,
    /// The type that ran last.
    pub(crate) last: Option<u16>,
}

/// The measures by which a type with ready vertices is chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figures {
    /// |Frontier_a(G)|.
    pub(crate) ready: u32,
    /// |Frontier(Gᵃ)|.
    pub(crate) frontier: u32,
    /// How many of the vertices at the greatest own-type height are ready; below, how many there are.
    pub(crate) top_ready: u32,
    pub(crate) top_left: u32,
}

impl Figures {
    /// |Frontier_a(G)| / |Frontier(Gᵃ)|.
    #[inline]
    pub(crate) fn ratio(&self) -> f32 {
        self.ready as f32 / self.frontier as f32
    }

    /// The share of the vertices at the greatest own-type height that are ready. If it is 1, a batch of the
    /// type lowers the bound on the remaining batches.
    #[inline]
    pub(crate) fn progress(&self) -> f32 {
        self.top_ready as f32 / self.top_left as f32
    }
}

impl State<'_> {
    /// The first type whose whole frontier is ready (ED-Batch, lemma 2.1): some shortest schedule continues
    /// with it.
    #[inline]
    pub(crate) fn safe(&self) -> Option<u16> {
        let safe = |&t: &u16| self.frontier.ready_count(t) == self.types.count(t);
        self.frontier.ready_types().find(safe)
    }

    /// The measures by which a type with ready vertices is chosen.
    #[inline]
    pub(crate) fn figures(&mut self, vertex_type: u16) -> Figures {
        let (top_ready, top_left) = self.remaining.progress(&self.frontier, vertex_type);
        Figures {
            ready: self.frontier.ready_count(vertex_type) as u32,
            frontier: self.types.count(vertex_type) as u32,
            top_ready,
            top_left,
        }
    }

    /// Runs all ready vertices of a type; returns how many.
    pub(crate) fn execute(&mut self, vertex_type: u16) -> u32 {
        let batch = self.types.execute(&mut self.frontier, vertex_type);
        // Otherwise the loop would never end if a choice is wrong.
        assert!(!batch.is_empty(), "type {vertex_type} was chosen but has no ready vertex");
        self.remaining.executed(vertex_type, batch);
        self.last = Some(vertex_type);
        batch.len() as u32
    }

    pub(crate) fn type_count(&self) -> u16 {
        self.frontier.graph().type_count()
    }

    /// The schedule that has run, given its batches; the whole graph must have run.
    pub(crate) fn into_schedule(self, batches: &[(u16, u32)]) -> Schedule {
        self.frontier.into_schedule(batches)
    }

    pub(crate) fn is_done(&self) -> bool {
        self.frontier.left() == 0
    }
}
