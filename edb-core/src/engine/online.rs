//! Graphs that grow by a policy that chooses by what is ready alone: such a policy also says when
//! graphs that rest are handed out while others still run.

use super::layout::Flags;
use super::wave_plan::WavePlan;
use crate::element::Element;
use crate::graph::Minibatch;
use crate::schedule::{GrowingFrontier, OnlinePolicy};

/// A graph that grows.
#[derive(Clone, Copy, Debug)]
pub(super) struct GraphState {
    /// Its place.
    pub(super) place: u32,
    /// How often it has been handed out.
    pub(super) rounds: u32,
    /// How many of its vertices had run when it was handed out the time before.
    pub(super) told: u32,
    /// Whether it is handed out: all of its vertices have run.
    pub(super) resting: bool,
}

/// A policy that chooses by what is ready alone, and what is.
#[derive(Debug)]
pub(super) struct Online {
    policy: OnlinePolicy,
    frontier: GrowingFrontier,
    /// Room for the vertices of a batch.
    taken: Vec<u32>,
}

impl Online {
    /// Graphs before any of their vertices is known.
    pub(super) fn new(policy: OnlinePolicy, functions: usize, graphs: usize) -> Self {
        let frontier = GrowingFrontier::new(functions as u16, graphs as u32);
        Self { policy, frontier, taken: Vec::new() }
    }

    /// Plans what runs until graphs are handed out, and says which: those that rest. `graphs` that
    /// were handed out have got the vertices from `first` on. If graphs are not handed out any more
    /// (`ends`), plans all that they have.
    pub(super) fn plan<T: Element>(
        &mut self,
        batch: &Minibatch<T>,
        first: u32,
        scheduled: &Flags,
        graphs: &mut [GraphState],
        ends: bool,
        plan: &mut WavePlan,
    ) {
        let Self { policy, frontier, taken } = self;
        for vertex in first..batch.functions.len() as u32 {
            let (of, graph) = (batch.functions[vertex as usize], batch.graphs[vertex as usize]);
            frontier.add(of.0, graph, batch.dependencies(vertex));
        }
        for state in graphs.iter_mut() {
            if std::mem::replace(&mut state.resting, false) {
                frontier.added(state.place);
            }
        }
        plan.clear();
        let free = || (0..).zip(scheduled).filter(|(_, scheduled)| !**scheduled).map(|(of, _)| of);
        loop {
            // What needs no schedule gets its rows as soon as all that it reads has.
            while let Some(of) = free().find(|of| frontier.ready(*of) > 0) {
                frontier.take(of, taken);
                plan.unscheduled.extend_from_slice(taken);
            }
            let choice = match ends {
                true => frontier.fullest(),
                false => frontier.choose(policy),
            };
            let Some(choice) = choice else { return };
            frontier.take(choice, taken);
            if choice == frontier.grow() {
                let mut resting = taken.iter().peekable();
                for state in graphs {
                    state.resting = resting.next_if(|graph| **graph == state.place).is_some();
                }
                return;
            }
            plan.push(choice, taken);
        }
    }
}
