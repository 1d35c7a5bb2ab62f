//! The run of graphs that grow: wave by wave.
//!
//! A wave is what the graphs have got since the last one. Its vertices are scheduled, get rows
//! behind those that there are, and run; then the graphs are handed out, and what they get is the
//! next wave. When they get nothing more, what has run is laid out as the minibatch that it has
//! become, with the schedule that it ran by. From there on it is a minibatch like any other.
//!
//! By most policies all that the graphs have runs in a wave. A policy that chooses by what is ready
//! alone may [end it earlier](super::online): then only the graphs that rest are handed out, and
//! what the others have left runs in later waves. A wave also ends where sections have to run
//! before it is known what their vertices go on with; then no graph is handed out. A minibatch whose
//! vertices decide so runs in the same way, without rounds.
//!
//! A function runs as in a whole minibatch, except that what a decision is read from cannot wait:
//! where a function pushes an index, all of its phases follow the schedule.
//!
//! Invariant: a decision is an index that rows have computed, and nothing else decides how a graph
//! grows. What graphs have become is a minibatch with the schedule by which it ran: run again, it
//! has the same bits.

mod forget;

use std::collections::VecDeque;
use std::ops::Range;
use std::time::Instant;

use edb_ir::{FunctionId, IdVec, Phase};
use smallvec::SmallVec;
use tracing::debug_span;

use super::append::FORGOTTEN;
use super::backend::Frame;
use super::error::EngineError;
use super::find::check_owns;
use super::layout::{Flags, KeptRows, Layout, TypeLayout, entangled, is_scheduled};
use super::online::{GraphState, Horizon, Online, Planned};
use super::report::StepReport;
use super::rows::Order;
use super::wave_plan::WavePlan;
use super::{Engine, needed, run_batches, run_phase, type_graph};
use edb_kernels::element::{Each, Element, Family};
use edb_kernels::trace;
use edb_model::graph::{Arrivals, Graph, InputCell, Minibatch};
use edb_model::model::bound::{BoundFunction, OutputField};
use edb_model::model::stack::RowCounts;
use edb_model::model::{BoundModel, Model};
use edb_schedule::{
    Competition, OnlinePolicy, Rounds, Schedule, SearchOptions, TypeGraph, Unlearned,
};
use edb_vertex::port::FieldKind;

/// Graphs that grow, and how far they have run.
#[derive(Debug)]
pub struct Growing<T> {
    pub(super) arrivals: Arrivals<T>,
    /// Those that may still get vertices, in the order of their places.
    pub(super) growing: Vec<GraphState>,
    /// The policy, if it chooses by what is ready alone.
    online: Option<Online>,
    /// When graphs were handed out.
    rounds: Rounds,
    types: IdVec<FunctionId, TypeState>,
    /// The training step, if a tape is kept.
    pub(super) step: Option<u64>,
    /// The batches that have run, of vertices by the order in which they came.
    record: Schedule,
    /// Whether these are a schedule of what the graphs become: not if vertices that needed none
    /// have run before another vertex pulled what one of their function pushes, since then all need
    /// one.
    is_recorded: bool,
    plan: WavePlan,
    /// Where the indices are that functions push.
    pub(super) outputs: PushedIndices,
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
pub(super) type PushedIndices = IdVec<FunctionId, SmallVec<[(FieldKind, Option<KeptRows>); 2]>>;

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

/// What has grown, as it was scheduled.
struct RecordedGraph {
    graph: TypeGraph,
    /// Its vertices by the order in which they came.
    vertices: Vec<u32>,
    /// The same with the rounds.
    recorded: TypeGraph,
}

/// [`Growing::run_wave`].
struct Wave;

impl Family for Wave {
    type Member<T: Element> =
        fn(&mut Growing<T>, &mut Engine<T>, &Model<T>, (u32, bool)) -> Result<Planned, EngineError>;
}

static WAVE: Each<Wave> = Each { f32: Growing::run_wave, f64: Growing::run_wave };

/// [`Growing::settle_all`].
struct Settle;

impl Family for Settle {
    type Member<T: Element> = fn(
        &mut Growing<T>,
        &mut Engine<T>,
        &Model<T>,
        Option<&Minibatch<T>>,
    ) -> Result<(), EngineError>;
}

static SETTLE: Each<Settle> = Each { f32: Growing::settle_all, f64: Growing::settle_all };

impl<T: Element> Growing<T> {
    /// Graphs before anything has run, in a training step if one is given.
    #[doc(hidden)]
    pub fn new(
        engine: &mut Engine<T>,
        model: &Model<T>,
        graphs: Vec<Graph<T>>,
        step: Option<u64>,
    ) -> Result<Self, EngineError> {
        model.check_parameters()?;
        let arrivals = Arrivals::new(model, graphs)?;
        let places = 0..arrivals.graphs().len() as u32;
        let begun = |place| GraphState { place, rounds: 0, told: 0, resting: true };
        Self::begin(engine, model, arrivals, places.map(begun).collect(), step)
    }

    /// Runs a minibatch whose vertices have sections that decide how they go on. Returns what it
    /// has become.
    pub(super) fn run(
        engine: &mut Engine<T>,
        model: &Model<T>,
        batch: &Minibatch<T>,
        step: Option<u64>,
    ) -> Result<Minibatch<T>, EngineError> {
        check_owns(model, batch)?;
        let arrivals = Arrivals::of_minibatch(model.bound(), batch);
        let mut growing = Self::begin(engine, model, arrivals, Vec::new(), step)?;
        growing.settle_as(engine, model, Some(batch))?;
        Ok(growing.grown.take().expect("it is settled"))
    }

    fn begin(
        engine: &mut Engine<T>,
        model: &Model<T>,
        mut arrivals: Arrivals<T>,
        growing: Vec<GraphState>,
        step: Option<u64>,
    ) -> Result<Self, EngineError> {
        let bound = model.bound();
        let types = bound.functions.len();
        let mut policy = engine.scheduler.online(&bound.signature)?;
        if policy.is_none() && arrivals.has_paths() {
            policy = Some(OnlinePolicy::fullest(types as u16));
        }
        let graphs = arrivals.batch().graph_count();
        let online = policy.map(|policy| Online::new(policy, types, graphs));
        let of_type = |function: &BoundFunction| {
            let scheduled = is_scheduled(function, function.decides());
            TypeState { scheduled, ..TypeState::default() }
        };
        let types = bound.functions.iter().map(of_type).collect();
        let rooms = match &engine.grown {
            Some((of, rooms)) if *of == bound.id => rooms.clone(),
            _ => vec![RowCounts::default(); bound.functions.len()],
        };
        if arrivals.has_paths() {
            // As many as the last time.
            arrivals.reserve(rooms.iter().map(|rows| rows.vertices).sum());
        }
        let training = step.is_some();
        engine.spent = false;
        engine.layout.begin_growing(bound, rooms, training);
        engine.backend.reserve(engine.layout.size)?;
        let growing = Self {
            arrivals,
            growing,
            online,
            rounds: Rounds::default(),
            types,
            step,
            record: Schedule::new(),
            is_recorded: true,
            plan: WavePlan::default(),
            outputs: pushed_indices(bound, &engine.layout),
            nexts: next_sections(bound, &engine.layout),
            forgot: false,
            stage: Stage::Waiting(0),
            errors: VecDeque::new(),
            report: StepReport::default(),
            grown: None,
        };
        let scale = engine.loss_factor();
        let Engine { backend, layout, seed, .. } = &mut *engine;
        let frame = Frame::new(model, growing.arrivals.batch(), layout, (*seed, step), scale);
        backend.begin(frame)?;
        Ok(growing)
    }

    /// Runs what the graphs have got. Returns whether they got anything, and are to be handed out.
    pub(super) fn round(
        &mut self,
        engine: &mut Engine<T>,
        model: &Model<T>,
    ) -> Result<bool, EngineError> {
        self.run_on(engine, model, false)
    }

    /// Runs what the graphs have got, up to the next time that graphs are handed out, or, if none
    /// is any more (`ends`), all of it. Returns whether graphs are to be handed out.
    fn run_on(
        &mut self,
        engine: &mut Engine<T>,
        model: &Model<T>,
        ends: bool,
    ) -> Result<bool, EngineError> {
        self.take(engine, model.bound());
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
                while WAVE.of::<T>()(self, engine, model, (first, ends))? == Planned::Deciding {
                    // What the sections go on with is known to the policy.
                    first = self.arrivals.batch().functions().len() as u32;
                }
                self.stage = Stage::Resting;
                if ends || !self.growing.iter().any(|state| state.resting) {
                    return Ok(false);
                }
                let resting = self.growing.iter_mut().filter(|state| state.resting);
                let told = resting.map(|state| {
                    state.rounds += 1;
                    state.place
                });
                let came = self.arrivals.batch().functions().len() as u32;
                self.rounds.push(came, self.record.batches().len(), told);
                Ok(true)
            }
            Stage::Resting | Stage::Settled => Ok(false),
            Stage::Failed => Err(EngineError::Ended),
        }
    }

    /// Takes what the graphs have got in a round. A graph that has got nothing, or something wrong,
    /// grows no more.
    fn take(&mut self, engine: &Engine<T>, model: &BoundModel) {
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
            state.told = known as u32;
            let graph = &arrivals.graphs()[number];
            if graph.len() == known && graph.problem().is_none() {
                return false;
            }
            let taken = match state.rounds < engine.most_steps {
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

    /// Runs a wave: the vertices from `first` on are new, and no graph is handed out any more if it
    /// `ends`.
    fn run_wave(
        &mut self,
        engine: &mut Engine<T>,
        model: &Model<T>,
        (first, ends): (u32, bool),
    ) -> Result<Planned, EngineError> {
        let start = Instant::now();
        self.follow_feeds(engine, model, first)?;
        let bound = model.bound();
        let scheduled: Flags = self.types.iter().map(|of| of.scheduled).collect();
        let planned = match &mut self.online {
            Some(online) => {
                let Self { growing, plan, arrivals, .. } = self;
                let (scheduled, most_steps) = (&scheduled, engine.most_steps);
                let horizon = Horizon { first, scheduled, graphs: growing, ends, most_steps };
                online.plan(bound, arrivals, horizon, plan)?
            }
            None => {
                self.plan.make(engine, model, self.arrivals.batch(), first, &scheduled)?;
                Planned::Handed
            }
        };
        let end = self.arrivals.batch().functions().len() as u32;
        self.make_room(engine, model)?;
        for (of, layout) in self.types.raw.iter_mut().zip(&engine.layout.types) {
            of.before = layout.vertices.len() as u32;
        }
        let (batch, layout) = (self.arrivals.batch(), &mut engine.layout);
        layout.rows.resize(end as usize, FORGOTTEN);
        layout.batches.clear();
        let mut vertices = &self.plan.vertices[..];
        for &(of, count) in &self.plan.batches {
            let (of_batch, rest) = vertices.split_at(count as usize);
            let rows = layout.append(of, of_batch);
            layout.batches.push((of, rows));
            self.record.push(of.0, of_batch);
            vertices = rest;
        }
        for &vertex in &self.plan.unscheduled {
            layout.append(batch.functions()[vertex as usize], &[vertex]);
        }
        layout.append_edges(bound, batch);
        let begun = Instant::now();
        self.report.schedule += begun - start;
        self.report.batches += self.plan.batches.len();

        let _span = debug_span!(target: trace::TARGET, "wave", vertices = end - first).entered();
        let scale = engine.loss_factor();
        let Engine { backend, layout, seed, .. } = engine;
        let frame = Frame::new(model, batch, layout, (*seed, self.step), scale);
        backend.update(frame)?;
        for (function, of) in bound.functions.ids().zip(&mut self.types.raw) {
            let new = of.before..layout.types[function].vertices.len() as u32;
            if new.is_empty() {
                continue;
            }
            if !std::mem::replace(&mut of.prepared, true) {
                run_phase(backend.as_mut(), frame, function, Phase::Prepare, 0..0)?;
            }
            if !layout.types[function].entangled {
                run_phase(backend.as_mut(), frame, function, Phase::Eager, new)?;
            }
        }
        run_batches(backend.as_mut(), frame)?;
        let mut decided: SmallVec<[Range<usize>; 4]> = SmallVec::new();
        for (function, rows) in &layout.batches {
            if layout.types[*function].entangled {
                self.types[*function].complete = rows.end;
            }
            let pushed = self.outputs[*function].iter().filter_map(|(_, kept)| kept.as_ref());
            decided.extend(pushed.map(|kept| kept.part(rows)));
        }
        let Self { online, nexts, types, arrivals, .. } = self;
        let deciding = online.iter().flat_map(Online::deciding);
        decided.extend(deciding.filter_map(|function| {
            let rows = types[function].before..layout.types[function].vertices.len() as u32;
            Some(nexts[function].as_ref()?.part(&rows))
        }));
        backend.fetch_indices(&decided)?;
        self.report.forward += begun.elapsed();
        if let (Some(online), Planned::Deciding) = (online, planned) {
            let start = Instant::now();
            let (indices, layout) = (backend.indices()?, &*layout);
            let chosen = |function: FunctionId, vertex: u32| {
                let rows = nexts[function].as_ref().expect("what comes next has rows");
                indices[rows.of(layout, vertex).start]
            };
            online.decide(bound, arrivals, chosen, engine.most_steps)?;
            self.report.schedule += start.elapsed();
        }
        Ok(planned)
    }

    /// Where new vertices pull what others push, both run batch by batch from now on; what those
    /// others have pushed so far is computed now.
    fn follow_feeds(
        &mut self,
        engine: &mut Engine<T>,
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
                    let source = self.arrivals.function(source);
                    found[bound.result_of(source).id.index()] = true;
                }
            }
        }
        for function in &model.bound().functions {
            let entangled = &mut engine.layout.types[function.id].entangled;
            if !found[function.id.index()] || std::mem::replace(entangled, true) {
                continue;
            }
            let ran = !engine.layout.types[function.id].vertices.is_empty();
            self.is_recorded &= !ran || self.types[function.id].scheduled;
            self.complete(engine, model, function.id)?;
            self.types[function.id].scheduled = true;
        }
        Ok(())
    }

    /// Runs the lazy phase of a function for all rows for which it has not run.
    fn complete(
        &mut self,
        engine: &mut Engine<T>,
        model: &Model<T>,
        function: FunctionId,
    ) -> Result<(), EngineError> {
        let scale = engine.loss_factor();
        let Engine { backend, layout, seed, .. } = engine;
        let rows = layout.types[function].vertices.len() as u32;
        let of = &mut self.types[function];
        let missing = std::mem::replace(&mut of.complete, rows)..rows;
        let frame = Frame::new(model, self.arrivals.batch(), layout, (*seed, self.step), scale);
        run_phase(backend.as_mut(), frame, function, Phase::Lazy, missing)
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
    fn make_room(&mut self, engine: &mut Engine<T>, model: &Model<T>) -> Result<(), EngineError> {
        self.count_needed(&engine.layout, model.bound());
        if self.forget(engine, model)? {
            self.count_needed(&engine.layout, model.bound());
        }
        let (batch, types) = (self.arrivals.batch(), &self.types);
        let scale = engine.loss_factor();
        let Engine { backend, layout, seed, .. } = engine;
        let needed = |function: FunctionId| types[function].needed;
        match layout.make_room(model.bound(), batch, needed, self.step.is_some()) {
            Some(moves) => {
                self.outputs = pushed_indices(model.bound(), layout);
                self.nexts = next_sections(model.bound(), layout);
                let frame = Frame::new(model, batch, layout, (*seed, self.step), scale);
                backend.relocate(frame, &moves)
            }
            None => Ok(()),
        }
    }

    /// Completes what the graphs have got, as far as it has not run, and makes them a minibatch.
    #[doc(hidden)]
    pub fn settle(&mut self, engine: &mut Engine<T>, model: &Model<T>) -> Result<(), EngineError> {
        self.settle_as(engine, model, None)
    }

    /// The same; `whole` is the minibatch of the graphs, if it is known.
    fn settle_as(
        &mut self,
        engine: &mut Engine<T>,
        model: &Model<T>,
        whole: Option<&Minibatch<T>>,
    ) -> Result<(), EngineError> {
        if self.stage == Stage::Settled {
            return Ok(());
        }
        self.run_on(engine, model, true)?;
        self.stage = Stage::Failed;
        SETTLE.of::<T>()(self, engine, model, whole)?;
        self.stage = Stage::Settled;
        Ok(())
    }

    fn settle_all(
        &mut self,
        engine: &mut Engine<T>,
        model: &Model<T>,
        whole: Option<&Minibatch<T>>,
    ) -> Result<(), EngineError> {
        let start = Instant::now();
        let bound = model.bound();
        for function in &bound.functions {
            self.complete(engine, model, function.id)?;
        }
        let completed = Instant::now();
        let (mut batch, vertices) = self.arrivals.settled(bound, whole)?;
        let entangled = entangled(bound.functions.len(), &batch);
        let needed = needed(bound, &entangled);
        let all = 0..vertices.len() as u32;
        let scheduled: Vec<u32> = super::scheduled(&batch, all, &needed).collect();
        let schedule = match self.is_recorded {
            true => self.recorded(&needed, &vertices, &scheduled),
            false => {
                let (graph, _) = super::whole_type_graph(bound, &batch, &entangled);
                engine.scheduler.plan(&bound.signature, &graph, false)?
            }
        };
        debug_assert_eq!(
            schedule.check(&super::whole_type_graph(bound, &batch, &entangled).0),
            Ok(()),
            "what has run is a schedule of what the graphs have become"
        );
        let decides = self.arrivals.has_paths();
        if self.is_recorded && (decides || !self.rounds.is_empty()) {
            let unlearned = if decides { Unlearned::Fullest } else { Unlearned::Waves };
            let recorded = || self.recorded_graph(bound).recorded;
            engine.scheduler.record(&bound.signature, unlearned, recorded)?;
        }
        let room = |of: &TypeLayout| match self.forgot {
            true => of.room,
            false => of.row_counts(),
        };
        let rooms = engine.layout.types.iter().map(room).collect();
        engine.grown = Some((bound.id, rooms));
        if self.step.is_none() && self.is_recorded {
            // Nothing but results is read from here on, indices of states among them.
            engine.layout.renumber(&vertices, &self.record, &needed);
            engine.backend.fetch_indices(std::slice::from_ref(&(0..engine.layout.indices)))?;
        } else {
            let mut layout = std::mem::take(&mut engine.other_layout);
            let order = Order::Schedule(&schedule, &scheduled);
            let grown = (&engine.layout, &vertices[..]);
            let training = self.step.is_some();
            let moves = layout.settle(bound, &batch, order, (&entangled, training), grown);
            engine.other_layout = std::mem::replace(&mut engine.layout, layout);
            let scale = engine.loss_factor();
            let Engine { backend, layout, seed, .. } = &mut *engine;
            let frame = Frame::new(model, &batch, layout, (*seed, self.step), scale);
            backend.relocate(frame, &moves)?;
            backend.update(frame)?;
        }
        batch.set_schedule(schedule);
        let Engine { backend, layout, .. } = &mut *engine;
        if self.step.is_none() || backend.stepper().is_none() {
            backend.finish()?;
        }
        self.grown = Some(batch);
        self.report.forward += completed - start;
        self.report.schedule += completed.elapsed();
        let copies = backend.take_copies();
        engine.report = StepReport {
            copied_bytes: copies.gathered,
            gather_kernels: copies.gathers,
            moved_bytes: copies.moved,
            memory_kernels: copies.moves,
            arena_bytes: layout.size * backend.element_bytes(),
            rounds: self.rounds.len(),
            ..self.report
        };
        Ok(())
    }

    /// What has grown, as it was scheduled.
    fn recorded_graph(&self, model: &BoundModel) -> RecordedGraph {
        let batch = self.arrivals.batch();
        let scheduled: Flags = self.types.iter().map(|of| of.scheduled).collect();
        let all = 0..batch.functions().len() as u32;
        let (graph, vertices) = type_graph(model, batch, all, &scheduled);
        let came = |vertex: u32| {
            let number = vertices[vertex as usize];
            (number, batch.graphs()[number as usize])
        };
        let recorded = self.rounds.recorded(&graph, came);
        RecordedGraph { graph, vertices, recorded }
    }

    /// [`Growth::competition`](super::Growth::competition).
    #[doc(hidden)]
    pub fn competition(
        &self,
        model: &BoundModel,
        options: &SearchOptions,
    ) -> Result<Option<Competition>, EngineError> {
        if self.stage != Stage::Settled || !self.is_recorded {
            return Ok(None);
        }
        let RecordedGraph { graph, vertices, recorded } = self.recorded_graph(model);
        let mut numbers = vec![0; self.arrivals.batch().functions().len()];
        for (number, vertex) in (0..).zip(&vertices) {
            numbers[*vertex as usize] = number;
        }
        let schedule = self.renumbered(|_| true, |vertex| numbers[vertex as usize]);
        let schedule = self.rounds.schedule(&graph, &schedule);
        Ok(Some(Competition::of(&schedule, &recorded, options)?))
    }

    /// The schedule by which the graphs have run, of the vertices that are `scheduled` in what they
    /// have become; `vertices` gives the number there of each vertex by the order in which it came.
    fn recorded(&self, needed: &Flags, vertices: &[u32], scheduled: &[u32]) -> Schedule {
        let mut numbers = vec![0; vertices.len()];
        for (number, vertex) in (0..).zip(scheduled) {
            numbers[*vertex as usize] = number;
        }
        let number = |vertex: u32| numbers[vertices[vertex as usize] as usize];
        self.renumbered(|of| needed[usize::from(of)], number)
    }

    /// The batches that have run, of the types that are asked for, with other numbers.
    fn renumbered(&self, of: impl Fn(u16) -> bool, number: impl Fn(u32) -> u32) -> Schedule {
        let mut schedule = Schedule::new();
        for run in self.record.batches().iter().filter(|run| of(run.vertex_type)) {
            let of_run = self.record.vertices(run).iter().map(|vertex| number(*vertex));
            schedule.push(run.vertex_type, &of_run.collect::<Vec<u32>>());
        }
        schedule
    }

    /// What the graphs have become, once they are settled.
    #[doc(hidden)]
    pub fn grown(&self) -> Option<&Minibatch<T>> {
        self.grown.as_ref()
    }

    /// The graphs.
    #[doc(hidden)]
    pub fn graphs(&self) -> &[Graph<T>] {
        self.arrivals.graphs()
    }

    /// The graphs, to keep.
    #[doc(hidden)]
    pub fn into_graphs(self) -> Vec<Graph<T>> {
        self.arrivals.into_graphs()
    }
}
