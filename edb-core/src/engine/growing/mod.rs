//! Runs graphs that grow, wave by wave.
//!
//! A wave has the vertices that the graphs have got since the last wave. These vertices are scheduled, get rows
//! after the existing rows, and run. Then the graphs are handed out to the user, and the vertices that they get are
//! the next wave. When the graphs get nothing more, all that has run becomes a minibatch: it is laid out, together
//! with the schedule by which it ran. From then on it is a minibatch like any other.
//!
//! With most policies, a wave runs all vertices that the graphs have. An online policy chooses only by the vertices
//! that are ready; with it, a wave may [end earlier](self::early_waves). Then only the graphs that rest are handed
//! out, and the remaining vertices of the other graphs run in later waves. A wave also ends when sections have to
//! run before it is known with which section their vertices go on. Then no graph is handed out. A minibatch whose
//! vertices decide how they go on runs in the same way, but without rounds.
//!
//! A function runs as it does in a whole minibatch, with one exception: decisions cannot wait. So if a function
//! pushes an index, all of its phases follow the schedule.
//!
//! Input: graphs, or a minibatch whose vertices decide how they go on (`forward.rs`). `wave_plan.rs` schedules a
//! wave, and `early_waves.rs` chooses by what is ready. The user adds vertices to graphs in rounds (`growth.rs`), or
//! a function of the user does so for each graph (`grow_each.rs`). `forget.rs` forgets rows that nothing reads any
//! more. Output: the minibatch that the graphs have become, laid out (`settle.rs`). Users call this module, and so do
//! training steps.
//!
//! Invariant: a decision is an index that a row has computed, and only decisions determine how a graph grows. Graphs
//! become a minibatch with the schedule by which it ran. If it runs again, it computes the same bits.

pub(crate) mod early_waves;
pub(crate) mod forget;
pub(crate) mod forward;
pub(crate) mod grow_each;
pub(crate) mod growth;
pub(crate) mod settle;
pub(crate) mod wave_plan;

use std::collections::VecDeque;
use std::ops::Range;
use std::time::Instant;

use edb_ir::{FunctionId, IdVec, Phase};
use smallvec::SmallVec;
use tracing::debug_span;

use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::layout::append::FORGOTTEN_ROW;
use crate::engine::layout::dependencies::{Flags, is_scheduled};
use crate::engine::layout::{KeptRows, Layout};
use crate::engine::pass::phases::{run_batches, run_phase};
use crate::engine::pass::report::StepReport;
use crate::engine::pass::runner::{Runner, VOUCH};
use early_waves::{GraphState, Horizon, Online, WaveEnd};
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_kernels::trace;
use edb_model::graph::{Arrivals, Graph, InputCell, Minibatch};
use edb_model::model::bound::{BoundFunction, OutputField};
use edb_model::model::stack::RowCounts;
use edb_model::model::{BoundModel, Model};
use edb_schedule::{OnlinePolicy, Rounds, Schedule};
use edb_vertex::port::FieldKind;
use wave_plan::WavePlan;

/// Graphs that grow, and the state of their run.
#[derive(Debug)]
pub struct Growing<T> {
    pub(crate) arrivals: Arrivals<T>,
    /// The graphs that may still get vertices, in the order of their places.
    pub(crate) growing: Vec<GraphState>,
    /// The policy, if it is an online policy: its choice depends only on the ready vertices.
    online: Option<Online>,
    /// A record of when graphs were handed out.
    rounds: Rounds,
    types: IdVec<FunctionId, TypeState>,
    /// The training step, if a tape is kept for a backward pass.
    pub(crate) step: Option<u64>,
    /// The batches that have run. Their vertices are numbered in the order in which they came.
    record: Schedule,
    /// Whether `record` is a schedule of the minibatch that the graphs become. It is not if vertices of a function
    /// have run without a schedule, and later a vertex pulled what this function pushes: then all vertices of the
    /// function need a schedule.
    is_recorded: bool,
    plan: WavePlan,
    /// Where the indices are that functions push.
    pub(crate) outputs: PushedIndices,
    /// For each function, where the indices are that decide with which section its vertices go on.
    nexts: IdVec<FunctionId, Option<KeptRows>>,
    /// Whether rows have been forgotten.
    forgot: bool,
    stage: Stage,
    /// Errors of graphs that have not been returned to the user yet.
    errors: VecDeque<EngineError>,
    report: StepReport,
    /// The minibatch that the graphs have become, once they are settled.
    grown: Option<Minibatch<T>>,
}

/// The state of one function while graphs grow.
#[derive(Clone, Copy, Debug, Default)]
struct TypeState {
    /// Whether its vertices are scheduled.
    scheduled: bool,
    /// Whether its prepare phase has run.
    prepared: bool,
    /// For how many of its rows, from the first on, the lazy phase has run.
    complete: u32,
    /// How many rows it had before the current wave.
    before: u32,
    /// How many rows it needs in the current wave, with those that it had before.
    needed: RowCounts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The vertices from this one on have come, and have not run yet.
    Waiting(u32),
    /// The wave has run, and graphs are handed out.
    Resting,
    /// The graphs have become a minibatch.
    Settled,
    /// A wave or settling has failed, so nothing goes on.
    Failed,
}

/// For each function and each field of its output: the kind of the field, and where its rows are if it is an index.
pub(crate) type PushedIndices = IdVec<FunctionId, SmallVec<[(FieldKind, Option<KeptRows>); 2]>>;

fn pushed_indices(model: &BoundModel, layout: &Layout) -> PushedIndices {
    let of_function = |function: &BoundFunction| {
        let rows = |field: &OutputField| match field.kind {
            FieldKind::Index => (field.kind, layout.rows_of(function, field.value)),
            FieldKind::Tensor | FieldKind::Indices => (field.kind, None),
        };
        function.output.iter().map(rows).collect()
    };
    model.functions.iter().map(of_function).collect()
}

fn next_sections(model: &BoundModel, layout: &Layout) -> IdVec<FunctionId, Option<KeptRows>> {
    let rows = |function: &BoundFunction| layout.rows_of(function, function.plan.program.next?);
    model.functions.iter().map(rows).collect()
}

impl<T: Element> Growing<T> {
    /// Begins to grow these graphs; no vertex has run yet. `step` is the training step, if this is one.
    pub fn new(
        engine: &mut Engine<T>,
        model: &Model<T>,
        mut graphs: Vec<Graph<T>>,
        step: Option<u64>,
    ) -> Result<Self, EngineError> {
        model.check_parameters()?;
        let arrivals = Arrivals::new(model, &mut graphs, VOUCH)?;
        let mut growing = Self::before(model.bound(), arrivals, step);
        growing.begin(&mut engine.runner(step).0, model)?;
        Ok(growing)
    }

    /// Runs a minibatch whose vertices have sections that decide how they go on. Returns the minibatch that it
    /// has become.
    pub(crate) fn run(
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
        batch: &Minibatch<T>,
    ) -> Result<Minibatch<T>, EngineError> {
        let arrivals = Arrivals::of_minibatch(model.bound(), batch, VOUCH);
        let mut growing = Self::before(model.bound(), arrivals, runner.draws.1);
        growing.begin(runner, model)?;
        growing.settle_as(runner, model, Some(batch))?;
        Ok(growing.take_grown())
    }

    /// The state of these graphs before [`begin`](Self::begin) gives them a layout and a policy.
    pub(crate) fn before(model: &BoundModel, arrivals: Arrivals<T>, step: Option<u64>) -> Self {
        let begun = |place| GraphState { place, rounds: 0, seen: 0, resting: true };
        let growing = (0..arrivals.graphs().len() as u32).map(begun).collect();
        let of_type = |function: &BoundFunction| {
            let scheduled = is_scheduled(function, function.decides());
            TypeState { scheduled, ..TypeState::default() }
        };
        Self {
            arrivals,
            growing,
            online: None,
            rounds: Rounds::default(),
            types: model.functions.iter().map(of_type).collect(),
            step,
            record: Schedule::new(),
            is_recorded: true,
            plan: WavePlan::default(),
            outputs: IdVec::new(),
            nexts: IdVec::new(),
            forgot: false,
            stage: Stage::Waiting(0),
            errors: VecDeque::new(),
            report: StepReport::default(),
            grown: None,
        }
    }

    /// Begins the run of the graphs.
    pub(crate) fn begin(
        &mut self,
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
    ) -> Result<(), EngineError> {
        let (bound, arrivals) = (model.bound(), &mut self.arrivals);
        let types = bound.functions.len();
        *runner.spent = false;
        runner.weigh(bound);
        let mut policy = runner.planner.online(&bound.signature)?;
        if policy.is_none() && arrivals.has_paths() {
            policy = Some(OnlinePolicy::fullest(types as u16));
        }
        let graphs = arrivals.batch().graph_count();
        // There is room for as many rows and vertices as the last graphs had.
        let (rooms, vertices) = match runner.memory.rooms(bound) {
            Some(rooms) => (rooms.to_vec(), runner.memory.known_vertices),
            None => (vec![RowCounts::default(); bound.functions.len()], 0),
        };
        self.online = policy.map(|policy| Online::new(policy, (types, graphs), vertices));
        if arrivals.has_paths() {
            arrivals.reserve(vertices);
        }
        runner.layout.begin_growing(bound, rooms, self.step.is_some());
        runner.layout.growth = arrivals.id();
        runner.backend.reserve(runner.layout.size)?;
        self.outputs = pushed_indices(bound, runner.layout);
        self.nexts = next_sections(bound, runner.layout);
        let (backend, frame) = runner.split(model, self.arrivals.minibatch());
        backend.begin(frame)
    }

    /// Runs the vertices that the graphs have got. Returns whether graphs are to be handed out.
    pub(crate) fn round(
        &mut self,
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
    ) -> Result<bool, EngineError> {
        self.run_on(runner, model, false)
    }

    /// Runs the vertices that the graphs have got, until graphs are handed out again. If `ends`, no graph is handed
    /// out any more, and all vertices run. Returns whether graphs are to be handed out.
    fn run_on(
        &mut self,
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
        ends: bool,
    ) -> Result<bool, EngineError> {
        self.take(runner, model.bound());
        if let Some(error) = self.errors.pop_front() {
            return Err(error);
        }
        match self.stage {
            Stage::Waiting(first) => {
                let came = self.arrivals.batch().functions().len();
                if first as usize == came && self.online.is_none() {
                    self.stage = Stage::Resting;
                    return Ok(false);
                }
                self.stage = Stage::Failed;
                let mut first = first;
                while self.run_wave(runner, model, first, ends)? == WaveEnd::Deciding {
                    // The policy already knows the sections with which vertices go on, so they are not new.
                    first = self.arrivals.batch().functions().len() as u32;
                }
                self.stage = Stage::Resting;
                if ends || !self.growing.iter().any(|state| state.resting) {
                    return Ok(false);
                }
                let resting = self.growing.iter_mut().filter(|state| state.resting);
                let handed_out = resting.map(|state| {
                    state.rounds += 1;
                    state.place
                });
                let came = self.arrivals.batch().functions().len() as u32;
                self.rounds.push(came, self.record.batches().len(), handed_out);
                Ok(true)
            }
            Stage::Resting | Stage::Settled => Ok(false),
            Stage::Failed => Err(EngineError::Ended),
        }
    }

    /// Takes the vertices that the graphs have got in a round. A graph that has got nothing, or something that
    /// breaks a rule, does not grow any more.
    fn take(&mut self, runner: &Runner<'_, T>, model: &BoundModel) {
        if self.stage != Stage::Resting {
            return;
        }
        let first = self.arrivals.batch().functions().len() as u32;
        let Self { arrivals, growing, errors, .. } = self;
        growing.retain_mut(|state| {
            if !state.resting {
                return true;
            }
            let number = state.place as usize;
            let known = arrivals.known(number);
            state.seen = known as u32;
            let graph = &arrivals.graphs()[number];
            if graph.len() == known && graph.problem().is_none() {
                return false;
            }
            let taken = match state.rounds < runner.most_steps {
                true => arrivals.take(model, number).map_err(EngineError::from),
                false => Err(EngineError::Endless { graph: number, rounds: state.rounds }),
            };
            taken
                .map_err(|error| {
                    arrivals.refuse(number);
                    errors.push_back(error);
                })
                .is_ok()
        });
        self.stage = Stage::Waiting(first);
    }

    /// If new vertices pull what other vertices push, the functions of both are entangled from now on: all of their
    /// phases run batch by batch. Outputs of these functions that have not been computed yet are computed now.
    fn follow_feeds(
        &mut self,
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
        first: u32,
    ) -> Result<(), EngineError> {
        let (batch, bound) = (self.arrivals.batch(), model.bound());
        if !batch.levels().feeds {
            return Ok(());
        }
        let mut found: Flags = std::iter::repeat_n(false, self.types.len()).collect();
        for vertex in first..batch.functions().len() as u32 {
            for cell in batch.inputs(vertex) {
                if let InputCell::Pushed { vertex: source, .. } = *cell {
                    found[self.arrivals.function(vertex).index()] = true;
                    let pushes = self.arrivals.function(source);
                    bound.ends(pushes).for_each(|end| found[end.id.index()] = true);
                }
            }
        }
        for function in &model.bound().functions {
            let entangled = &mut runner.layout.types[function.id].entangled;
            if !found[function.id.index()] || std::mem::replace(entangled, true) {
                continue;
            }
            let ran = !runner.layout.types[function.id].vertices.is_empty();
            self.is_recorded &= !ran || self.types[function.id].scheduled;
            self.complete(runner, model, function.id)?;
            self.types[function.id].scheduled = true;
        }
        Ok(())
    }

    /// Runs the lazy phase of a function for all rows for which it has not run yet.
    fn complete(
        &mut self,
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
        function: FunctionId,
    ) -> Result<(), EngineError> {
        let (backend, frame) = runner.split(model, self.arrivals.minibatch());
        let rows = frame.layout.types[function].vertices.len() as u32;
        let of = &mut self.types[function];
        let missing = std::mem::replace(&mut of.complete, rows)..rows;
        run_phase(backend, frame, function, Phase::Lazy, missing)
    }

    /// Counts for each function the rows that it has and the rows that are planned.
    fn count_needed(&mut self, layout: &Layout, model: &BoundModel) {
        let (batch, types) = (self.arrivals.batch(), &mut self.types);
        for (of, layout) in types.raw.iter_mut().zip(&layout.types) {
            of.needed = layout.row_counts();
        }
        for &vertex in self.plan.vertices.iter().chain(&self.plan.unscheduled) {
            let of = batch.functions()[vertex as usize];
            let needed = &mut types[of].needed;
            needed.vertices += 1;
            let function = &model.functions[of];
            if function.plan.program.rest.is_some() {
                needed.edges += batch.children(vertex).len() - function.fixed();
            }
        }
    }

    /// Makes room for the rows that are planned.
    fn make_room(
        &mut self,
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
    ) -> Result<(), EngineError> {
        self.count_needed(runner.layout, model.bound());
        if self.forget(runner, model)? {
            self.count_needed(runner.layout, model.bound());
        }
        let (batch, types) = (self.arrivals.batch(), &self.types);
        let (needed, training) = (|of: FunctionId| types[of].needed, self.step.is_some());
        let moves = runner.layout.make_room(model.bound(), batch, needed, training);
        let Some(moves) = moves else { return Ok(()) };
        self.outputs = pushed_indices(model.bound(), runner.layout);
        self.nexts = next_sections(model.bound(), runner.layout);
        let (backend, frame) = runner.split(model, self.arrivals.minibatch());
        backend.relocate(frame, &moves)
    }

    /// Fails unless the graphs have begun to grow on this engine and with this model, and nothing else has run on
    /// the engine since then.
    pub(crate) fn check_here(
        &self,
        engine: &Engine<T>,
        model: &Model<T>,
    ) -> Result<(), EngineError> {
        let is_here = engine.layout.growth == self.arrivals.id();
        match is_here && model.bound().id == self.arrivals.batch().model_id() {
            true => Ok(model.check_parameters()?),
            false => Err(EngineError::ForeignGrowth),
        }
    }

    /// The minibatch that the graphs have become, once they are settled.
    pub fn grown(&self) -> Option<&Minibatch<T>> {
        self.grown.as_ref()
    }

    /// Takes the minibatch that the graphs have become. They must be settled.
    pub(crate) fn take_grown(&mut self) -> Minibatch<T> {
        self.grown.take().expect("they are settled")
    }

    /// The graphs.
    pub fn graphs(&self) -> &[Graph<T>] {
        self.arrivals.graphs()
    }

    /// Returns the graphs to the caller.
    pub fn into_graphs(self) -> Vec<Graph<T>> {
        self.arrivals.into_graphs()
    }

    /// Gives rows and edges to the vertices that are planned.
    fn append_planned(&mut self, layout: &mut Layout, model: &BoundModel) {
        let batch = self.arrivals.batch();
        layout.rows.resize(batch.functions().len(), FORGOTTEN_ROW);
        layout.batches.clear();
        let mut vertices = &mut self.plan.vertices[..];
        for &(of, count) in &self.plan.batches {
            let (of_batch, rest) = vertices.split_at_mut(count as usize);
            // This is the order of the minibatch that the graphs become, so that rows need not move later.
            of_batch.sort_unstable_by_key(|vertex| batch.graph_and_number(*vertex));
            let rows = layout.append(of, of_batch);
            layout.batches.push((of, rows));
            self.record.push(of.0, of_batch);
            vertices = rest;
        }
        for &vertex in &self.plan.unscheduled {
            layout.append(batch.functions()[vertex as usize], &[vertex]);
        }
        layout.append_edges(model, batch);
    }

    /// Runs the rows that have been appended.
    fn run_appended(
        &mut self,
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
    ) -> Result<(), EngineError> {
        let (backend, frame) = runner.split(model, self.arrivals.minibatch());
        backend.update(frame)?;
        for (function, of) in model.bound().functions.ids().zip(&mut self.types.raw) {
            let layout = &frame.layout.types[function];
            let new = of.before..layout.vertices.len() as u32;
            if new.is_empty() {
                continue;
            }
            if !std::mem::replace(&mut of.prepared, true) {
                run_phase(backend, frame, function, Phase::Prepare, 0..0)?;
            }
            if !layout.entangled {
                run_phase(backend, frame, function, Phase::Eager, new)?;
            }
        }
        run_batches(backend, frame)?;
        for (function, rows) in &frame.layout.batches {
            if frame.layout.types[*function].entangled {
                self.types[*function].complete = rows.end;
            }
        }
        Ok(())
    }

    /// Where the indices are that the new rows have pushed, and the indices that decide how sections go on.
    fn rows_to_fetch(&self, layout: &Layout) -> SmallVec<[Range<usize>; 4]> {
        let pushed = layout.batches.iter().flat_map(|(function, rows)| {
            let kept = self.outputs[*function].iter().filter_map(|(_, kept)| kept.as_ref());
            kept.map(|kept| kept.part(rows))
        });
        let deciding = self.online.iter().flat_map(Online::deciding);
        let next = deciding.filter_map(|function| {
            let rows = self.types[function].before..layout.types[function].vertices.len() as u32;
            Some(self.nexts[function].as_ref()?.part(&rows))
        });
        pushed.chain(next).collect()
    }

    /// Lets sections go on. The indices that have been fetched say which section of each vertex comes next.
    fn decide(&mut self, runner: &Runner<'_, T>, model: &BoundModel) -> Result<(), EngineError> {
        let Self { online: Some(online), nexts, arrivals, .. } = self else { return Ok(()) };
        let (indices, layout) = (runner.backend.indices()?, &*runner.layout);
        let chosen = |function: FunctionId, vertex: u32| {
            let rows = nexts[function].as_ref().expect("what comes next has rows");
            indices[rows.of(layout, vertex).start]
        };
        online.decide(model, arrivals, chosen, runner.most_steps)
    }
}

compiled_here! {
    impl Growing {
        /// Runs a wave. The vertices from `first` on are new. If `ends`, no graph is handed out any more.
        fn run_wave(
            &mut self,
            runner: &mut Runner<'_, T>,
            model: &Model<T>,
            first: u32,
            ends: bool,
        ) -> Result<WaveEnd, EngineError> {
            let start = Instant::now();
            self.follow_feeds(runner, model, first)?;
            let bound = model.bound();
            let scheduled: Flags = self.types.iter().map(|of| of.scheduled).collect();
            let planned = match &mut self.online {
                Some(online) => {
                    let Self { growing, plan, arrivals, .. } = self;
                    let (scheduled, most_steps) = (&scheduled, runner.most_steps);
                    let horizon = Horizon { first, scheduled, graphs: growing, ends, most_steps };
                    online.plan(bound, arrivals, horizon, plan)?
                }
                None => {
                    self.plan.make(runner, model, self.arrivals.batch(), first, &scheduled)?;
                    WaveEnd::Handed
                }
            };
            let end = self.arrivals.batch().functions().len() as u32;
            self.make_room(runner, model)?;
            for (of, layout) in self.types.raw.iter_mut().zip(&runner.layout.types) {
                of.before = layout.vertices.len() as u32;
            }
            self.append_planned(runner.layout, bound);
            let begun = Instant::now();
            self.report.schedule += begun - start;
            self.report.batches += self.plan.batches.len();

            let _span = debug_span!(target: trace::TARGET, "wave", vertices = end - first).entered();
            self.run_appended(runner, model)?;
            runner.backend.fetch_indices(&self.rows_to_fetch(runner.layout))?;
            self.report.forward += begun.elapsed();
            if planned == WaveEnd::Deciding {
                let start = Instant::now();
                self.decide(runner, bound)?;
                self.report.schedule += start.elapsed();
            }
            Ok(planned)
        }
    }
}
