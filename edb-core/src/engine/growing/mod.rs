//! The run of graphs that grow: wave by wave.
//!
//! A wave is what the graphs have got since the last one. Its vertices are scheduled, get rows
//! behind those that there are, and run; then the graphs are handed out, and what they get is the
//! next wave. When they get nothing more, what has run is laid out as the minibatch that it has
//! become, with the schedule that it ran by. From there on it is a minibatch like any other.
//!
//! By most policies all that the graphs have runs in a wave. A policy that chooses by what is ready
//! alone may [end it earlier](self::early_waves): then only the graphs that rest are handed out, and
//! what the others have left runs in later waves. A wave also ends where sections have to run
//! before it is known what their vertices go on with; then no graph is handed out. A minibatch whose
//! vertices decide so runs in the same way, without rounds.
//!
//! A function runs as in a whole minibatch, except that what a decision is read from cannot wait:
//! where a function pushes an index, all of its phases follow the schedule.
//!
//! Graphs come in, or a minibatch whose vertices decide how they go on (`forward.rs`). `wave_plan.rs` schedules a
//! wave, and `early_waves.rs` chooses by what is ready; the person adds to graphs in rounds (`growth.rs`), or a
//! function of theirs does for each graph (`grow_each.rs`); `forget.rs` drops what nothing reads any more. Out
//! goes the minibatch that they have become, laid out (`settle.rs`). Users call it, and training steps.
//!
//! Invariant: a decision is an index that rows have computed, and nothing else decides how a graph
//! grows. What graphs have become is a minibatch with the schedule by which it ran: run again, it
//! has the same bits.

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

/// Graphs that grow, and how far they have run.
#[derive(Debug)]
pub struct Growing<T> {
    pub(crate) arrivals: Arrivals<T>,
    /// Those that may still get vertices, in the order of their places.
    pub(crate) growing: Vec<GraphState>,
    /// The policy, if it chooses by what is ready alone.
    online: Option<Online>,
    /// When graphs were handed out.
    rounds: Rounds,
    types: IdVec<FunctionId, TypeState>,
    /// The training step, if a tape is kept.
    pub(crate) step: Option<u64>,
    /// The batches that have run, of vertices by the order in which they came.
    record: Schedule,
    /// Whether these are a schedule of what the graphs become: not if vertices that needed none
    /// have run before another vertex pulled what one of their function pushes, since then all need
    /// one.
    is_recorded: bool,
    plan: WavePlan,
    /// Where the indices are that functions push.
    pub(crate) outputs: PushedIndices,
    /// Where the indices are by which sections go on.
    nexts: IdVec<FunctionId, Option<KeptRows>>,
    /// Whether rows were forgotten.
    forgot: bool,
    stage: Stage,
    /// What was wrong with graphs and has not been told yet.
    errors: VecDeque<EngineError>,
    report: StepReport,
    /// What the graphs have become.
    grown: Option<Minibatch<T>>,
}

/// A function of graphs that grow.
#[derive(Clone, Copy, Debug, Default)]
struct TypeState {
    /// Whether its vertices are scheduled.
    scheduled: bool,
    /// Whether its values of the step have been computed.
    prepared: bool,
    /// For how many of its rows the lazy phase has run.
    complete: u32,
    /// The rows that it had before the present wave.
    before: u32,
    /// The rows that it has with it.
    needed: RowCounts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Vertices from this one on have come and have not run.
    Waiting(u32),
    /// All have run, and the graphs are handed out.
    Resting,
    /// They have become a minibatch.
    Settled,
    /// A device or an allocation has failed.
    Failed,
}

/// For each function and field of its output, what it is, and where its rows are if it is an index.
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
    /// Graphs before anything has run, in a training step if one is given.
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

    /// Runs a minibatch whose vertices have sections that decide how they go on. Returns what it
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

    /// Graphs before anything is known of what runs them.
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

    /// Begins their run.
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
        // As many as the last time.
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
        let (backend, frame) = runner.split(model, self.arrivals.batch());
        backend.begin(frame)
    }

    /// Runs what the graphs have got. Returns whether they got anything, and are to be handed out.
    pub(crate) fn round(
        &mut self,
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
    ) -> Result<bool, EngineError> {
        self.run_on(runner, model, false)
    }

    /// Runs what the graphs have got, up to the next time that graphs are handed out, or, if none
    /// is any more (`ends`), all of it. Returns whether graphs are to be handed out.
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
                    // What the sections go on with is known to the policy.
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

    /// Takes what the graphs have got in a round. A graph that has got nothing, or something wrong,
    /// grows no more.
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

    /// Where new vertices pull what others push, both run batch by batch from now on; what those
    /// others have pushed so far is computed now.
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

    /// Runs the lazy phase of a function for all rows for which it has not run.
    fn complete(
        &mut self,
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
        function: FunctionId,
    ) -> Result<(), EngineError> {
        let (backend, frame) = runner.split(model, self.arrivals.batch());
        let rows = frame.layout.types[function].vertices.len() as u32;
        let of = &mut self.types[function];
        let missing = std::mem::replace(&mut of.complete, rows)..rows;
        run_phase(backend, frame, function, Phase::Lazy, missing)
    }

    /// Counts the rows that there are with those that are planned.
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

    /// Makes room for what is planned.
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
        let (backend, frame) = runner.split(model, batch);
        backend.relocate(frame, &moves)
    }

    /// Fails unless the graphs have begun to grow here, with this model, and nothing else has run since.
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

    /// What the graphs have become, once they are settled.
    pub fn grown(&self) -> Option<&Minibatch<T>> {
        self.grown.as_ref()
    }

    /// The same, to keep.
    pub(crate) fn take_grown(&mut self) -> Minibatch<T> {
        self.grown.take().expect("they are settled")
    }

    /// The graphs.
    pub fn graphs(&self) -> &[Graph<T>] {
        self.arrivals.graphs()
    }

    /// The graphs, to keep.
    pub fn into_graphs(self) -> Vec<Graph<T>> {
        self.arrivals.into_graphs()
    }

    /// Gives rows and edges to what is planned.
    fn append_planned(&mut self, layout: &mut Layout, model: &BoundModel) {
        let batch = self.arrivals.batch();
        layout.rows.resize(batch.functions().len(), FORGOTTEN_ROW);
        layout.batches.clear();
        let mut vertices = &mut self.plan.vertices[..];
        for &(of, count) in &self.plan.batches {
            let (of_batch, rest) = vertices.split_at_mut(count as usize);
            // The order of the minibatch that the graphs become, so that rows stay where they are.
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
        let (backend, frame) = runner.split(model, self.arrivals.batch());
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

    /// Where the indices are that these rows have pushed, and those by which their sections go on.
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

    /// Lets sections go on by what has been fetched.
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
        /// Runs a wave: the vertices from `first` on are new, and no graph is handed out any more if it
        /// `ends`.
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
