//! Graphs that grow by an online policy. Such a policy chooses only by the vertices that are ready. It also decides
//! when graphs that rest are handed out, while other graphs still run. Vertices of functions with several sections
//! always run by an online policy, because each section decides which section comes next.

use edb_ir::FunctionId;

use super::wave_plan::WavePlan;
use crate::engine::error::EngineError;
use crate::engine::layout::dependencies::Flags;
use edb_kernels::element::Element;
use edb_model::graph::Arrivals;
use edb_model::model::BoundModel;
use edb_schedule::{GrowingFrontier, OnlinePolicy};

/// The state of a graph that grows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GraphState {
    /// The place of the graph.
    pub(crate) place: u32,
    /// How often the graph has been handed out.
    pub(crate) rounds: u32,
    /// How many of its vertices had run when it was handed out the previous time.
    pub(crate) seen: u32,
    /// Whether the graph rests: all of its vertices have run, and it is handed out.
    pub(crate) resting: bool,
}

/// An online policy, and the vertices that are ready.
#[derive(Debug)]
pub(crate) struct Online {
    policy: OnlinePolicy,
    frontier: GrowingFrontier,
    /// The vertices of the batch that is being planned.
    taken: Vec<u32>,
    /// Vertices that need no schedule and that nothing reads. They get their rows at the end, in the order of the
    /// minibatch, so that the rows need not move later.
    waiting: Vec<u32>,
    /// The functions whose planned sections decide which section comes next, and how many sections of each are in
    /// `undecided`.
    deciding: Vec<(FunctionId, u32)>,
    undecided: Vec<u32>,
}

/// What a plan is for: the new vertices, the graphs, and how far they run.
pub(crate) struct Horizon<'a> {
    /// The vertices from this one on are new.
    pub(crate) first: u32,
    /// The functions that are scheduled.
    pub(crate) scheduled: &'a Flags,
    /// The graphs that may grow. Those that rest were handed out, and have got the new vertices.
    pub(crate) graphs: &'a mut [GraphState],
    /// Whether no graph is handed out any more. If so, all vertices of the graphs are planned.
    pub(crate) ends: bool,
    /// The most sections of a vertex.
    pub(crate) most_steps: u32,
}

/// Why a wave ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaveEnd {
    /// Graphs are handed out, or all vertices have been planned.
    Handed,
    /// Sections have to run, because they decide which sections come next.
    Deciding,
}

impl Online {
    /// The state before any vertex is known, with room for `vertices` vertices.
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

    /// Plans a wave. It ends when graphs are handed out, and marks these graphs as resting. Or it ends when sections
    /// have to run, because they decide which sections come next.
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
        // A vertex that was added as a record may have children with higher numbers.
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
            // Vertices that need no schedule get their rows as soon as all vertices that they read have rows.
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

    /// Lets the vertices that have just been taken go on, if it is known before they run how they go on.
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

    /// Lets a vertex go on with a section of the function `next`.
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

    /// Lets the sections go on that have run and decided. `decided` returns which of its function's targets a section
    /// has chosen.
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

    /// The functions whose planned sections decide which section comes next.
    pub(crate) fn deciding(&self) -> impl Iterator<Item = FunctionId> {
        self.deciding.iter().map(|(function, _)| *function)
    }
}
