//! Graphs that grow by a policy that chooses by what is ready alone: such a policy also says when
//! graphs that rest are handed out while others still run. Vertices whose functions have several
//! sections always run so: each section says what comes next.

use edb_ir::FunctionId;

use super::wave_plan::WavePlan;
use crate::engine::error::EngineError;
use crate::engine::layout::dependencies::Flags;
use edb_kernels::element::Element;
use edb_model::graph::Arrivals;
use edb_model::model::BoundModel;
use edb_schedule::{GrowingFrontier, OnlinePolicy};

/// A graph that grows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GraphState {
    /// Its place.
    pub(crate) place: u32,
    /// How often it has been handed out.
    pub(crate) rounds: u32,
    /// How many of its vertices had run when it was handed out the time before.
    pub(crate) seen: u32,
    /// Whether it is handed out: all of its vertices have run.
    pub(crate) resting: bool,
}

/// A policy that chooses by what is ready alone, and what is.
#[derive(Debug)]
pub(crate) struct Online {
    policy: OnlinePolicy,
    frontier: GrowingFrontier,
    /// Room for the vertices of a batch.
    taken: Vec<u32>,
    /// Vertices that need no schedule and that nothing reads. They get their rows at the end, in the
    /// order of the minibatch, so that these need not move.
    waiting: Vec<u32>,
    /// The sections that run and decide which ones come next: their functions, and how many
    /// vertices of each are in `undecided`.
    deciding: Vec<(FunctionId, u32)>,
    undecided: Vec<u32>,
}

/// What is planned for: the graphs, and until when.
pub(crate) struct Horizon<'a> {
    /// The vertices from this one on are new.
    pub(crate) first: u32,
    /// The functions that are scheduled.
    pub(crate) scheduled: &'a Flags,
    /// The graphs that may grow, of which those that were handed out have got the new vertices.
    pub(crate) graphs: &'a mut [GraphState],
    /// Whether graphs are not handed out any more: all that they have is planned.
    pub(crate) ends: bool,
    /// The most sections of a vertex.
    pub(crate) most_steps: u32,
}

/// What a plan ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaveEnd {
    /// Graphs are handed out, or all is done.
    Handed,
    /// Sections decide what comes next when they have run.
    Deciding,
}

impl Online {
    /// Graphs before any of their vertices is known, with room for so many.
    pub(crate) fn new(
        policy: OnlinePolicy,
        (functions, graphs): (usize, usize),
        vertices: usize,
    ) -> Self {
        let mut frontier = GrowingFrontier::new(functions as u16, graphs as u32);
        frontier.reserve(vertices);
        let [taken, waiting, undecided] = [const { Vec::new() }; 3];
        Self { policy, frontier, taken, waiting, deciding: Vec::new(), undecided }
    }

    /// Plans what runs until graphs are handed out, and says which: those that rest; or until
    /// sections have to run before more is known.
    pub(crate) fn plan<T: Element>(
        &mut self,
        model: &BoundModel,
        arrivals: &mut Arrivals<T>,
        horizon: Horizon<'_>,
        plan: &mut WavePlan,
    ) -> Result<WaveEnd, EngineError> {
        let Horizon { first, scheduled, graphs, ends, most_steps } = horizon;
        let batch = arrivals.batch();
        let new = first..batch.functions().len() as u32;
        for vertex in new.clone() {
            let (of, graph) = (batch.functions()[vertex as usize], batch.graphs()[vertex as usize]);
            self.frontier.come(of.0, graph);
        }
        // Records may name children that stand further on.
        new.for_each(|vertex| self.frontier.link(vertex, batch.dependencies(vertex)));
        for state in graphs.iter_mut() {
            if std::mem::replace(&mut state.resting, false) {
                self.frontier.added(state.place);
            }
        }
        plan.clear();
        let has_sections = model.has_sections();
        let free = || (0..).zip(scheduled).filter(|(_, scheduled)| !**scheduled).map(|(of, _)| of);
        loop {
            // What needs no schedule gets its rows as soon as all that it reads has.
            while let Some(of) = free().find(|of| self.frontier.ready(*of) > 0) {
                self.frontier.take(of, &mut self.taken);
                let feeds = arrivals.batch().levels().feeds;
                let waits = ends && !model.functions[FunctionId(of)].is_read(feeds);
                let to = if waits { &mut self.waiting } else { &mut plan.unscheduled };
                to.extend_from_slice(&self.taken);
                self.go_on(model, arrivals, FunctionId(of), most_steps)?;
            }
            if !self.deciding.is_empty() {
                return Ok(WaveEnd::Deciding);
            }
            let choice = match ends && !has_sections {
                true => self.frontier.fullest(),
                false => self.frontier.choose(&self.policy),
            };
            let Some(choice) = choice else {
                let batch = arrivals.batch();
                self.waiting.sort_unstable_by_key(|vertex| batch.graph_and_number(*vertex));
                plan.unscheduled.append(&mut self.waiting);
                return Ok(WaveEnd::Handed);
            };
            self.frontier.take(choice, &mut self.taken);
            if choice != self.frontier.grow() {
                plan.push(choice, &self.taken);
                self.go_on(model, arrivals, FunctionId(choice), most_steps)?;
                continue;
            }
            if !ends {
                let mut resting = self.taken.iter().peekable();
                for state in graphs {
                    state.resting = resting.next_if(|graph| **graph == state.place).is_some();
                }
                return Ok(WaveEnd::Handed);
            }
        }
    }

    /// Lets the vertices that have just been taken go on, as far as that is known before they run.
    fn go_on<T: Element>(
        &mut self,
        model: &BoundModel,
        arrivals: &mut Arrivals<T>,
        function: FunctionId,
        most_steps: u32,
    ) -> Result<(), EngineError> {
        if !arrivals.has_paths() {
            self.taken.iter().for_each(|vertex| self.frontier.done(*vertex));
            return Ok(());
        }
        let targets = model.functions[function].targets();
        for place in 0..self.taken.len() {
            let vertex = self.taken[place];
            arrivals.resolve(vertex);
            match targets {
                [] => self.frontier.done(arrivals.batch().owner(vertex)),
                [next] => self.follow(model, arrivals, vertex, *next, most_steps)?,
                _ => self.undecided.push(vertex),
            }
        }
        if targets.len() > 1 {
            self.deciding.push((function, self.taken.len() as u32));
        }
        Ok(())
    }

    /// Lets a vertex go on with a section.
    fn follow<T: Element>(
        &mut self,
        model: &BoundModel,
        arrivals: &mut Arrivals<T>,
        vertex: u32,
        next: FunctionId,
        most_steps: u32,
    ) -> Result<(), EngineError> {
        if arrivals.steps(vertex) >= most_steps {
            let graph = arrivals.batch().graphs()[vertex as usize];
            return Err(EngineError::EndlessVertex {
                graph: graph as usize,
                vertex: arrivals.batch().number(vertex) as usize,
                function: model.as_added(next).name.clone(),
                steps: most_steps,
            });
        }
        arrivals.go_on(model, vertex, next)?;
        self.frontier.go_on(next.0);
        Ok(())
    }

    /// Lets the sections go on that have run and decided: `decided` gives what each vertex of a
    /// function chose.
    pub(crate) fn decide<T: Element>(
        &mut self,
        model: &BoundModel,
        arrivals: &mut Arrivals<T>,
        decided: impl Fn(FunctionId, u32) -> u32,
        most_steps: u32,
    ) -> Result<(), EngineError> {
        let (deciding, undecided) =
            (std::mem::take(&mut self.deciding), std::mem::take(&mut self.undecided));
        let mut vertices = undecided.iter();
        for &(function, count) in &deciding {
            let targets = model.functions[function].targets();
            for &vertex in vertices.by_ref().take(count as usize) {
                let next = targets[decided(function, vertex) as usize];
                self.follow(model, arrivals, vertex, next, most_steps)?;
            }
        }
        (self.deciding, self.undecided) = (deciding, undecided);
        self.deciding.clear();
        self.undecided.clear();
        Ok(())
    }

    /// The functions whose sections are to decide what comes next.
    pub(crate) fn deciding(&self) -> impl Iterator<Item = FunctionId> {
        self.deciding.iter().map(|(function, _)| *function)
    }
}
