//! Settles graphs that have stopped growing: it makes the minibatch that they have become, with the schedule by
//! which they ran.

use std::borrow::Cow;
use std::time::Instant;

use super::{Growing, Stage};
use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::layout::TypeLayout;
use crate::engine::layout::dependencies::{Dependencies, Flags};
use crate::engine::layout::rows::Order;
use crate::engine::layout::type_graph::{type_graph, vertices_of, whole_type_graph};
use crate::engine::pass::host::is_waited_for;
use crate::engine::pass::report::StepReport;
use crate::engine::pass::runner::{Runner, VOUCH};
use crate::engine::pass::seeds::Seeds;
use crate::engine::results::run::Run;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_model::graph::{FlatBatch, Minibatch, inside};
use edb_model::model::stack::RowCounts;
use edb_model::model::{BoundModel, Model};
use edb_schedule::{Competition, Schedule, SearchOptions, TypeGraph, Unlearned};

/// The vertices that have grown and needed a schedule, as graphs for the scheduler.
struct RecordedGraph {
    graph: TypeGraph,
    /// For each vertex of `graph`, its number in the order in which vertices came.
    vertices: Vec<u32>,
    /// The graph `graph` with the rounds as further vertices.
    recorded: TypeGraph,
}

impl<T: Element> Growing<T> {
    /// Runs the vertices of the graphs that have not run yet, and makes the graphs a minibatch.
    ///
    /// # Errors
    /// When the graphs began to grow with another engine or model, or the engine has run something else since.
    pub fn settle(&mut self, engine: &mut Engine<T>, model: &Model<T>) -> Result<(), EngineError> {
        self.check_here(engine, model)?;
        self.settle_as(&mut engine.runner(self.step).0, model, None)
    }

    /// [Settles](Self::settle) the graphs, and returns the run of the minibatch that they have become.
    ///
    /// # Errors
    /// As [`settle`](Self::settle).
    pub fn finish<'a>(
        &'a mut self,
        engine: &'a mut Engine<T>,
        model: &'a Model<T>,
    ) -> Result<Run<'a, T>, EngineError> {
        self.settle(engine, model)?;
        let batch = self.grown.as_ref().expect("they are settled");
        Ok(Run::new(engine, model, Cow::Borrowed(batch), self.step))
    }

    /// [Settles](Self::settle) the graphs, and runs the minibatch that they have become backward. `seeds` are
    /// gradients of its outputs. The engine keeps its losses and gradients for the training step.
    ///
    /// # Errors
    /// When no step was given, the run has gone backward already, or a seed does not fit; or as
    /// [`settle`](Self::settle).
    pub fn learn(
        &mut self,
        engine: &mut Engine<T>,
        model: &Model<T>,
        seeds: &Seeds<T>,
    ) -> Result<(), EngineError> {
        self.settle(engine, model)?;
        let batch = self.grown.as_ref().expect("they are settled");
        let step = self.step.ok_or(EngineError::NoTape)?;
        if engine.spent {
            return Err(EngineError::Spent);
        }
        engine.learn(model, batch, step, seeds)
    }

    /// Makes the graphs a minibatch. `whole` is the minibatch of the graphs before their sections ran, if there is
    /// one.
    pub(in crate::engine) fn settle_as(
        &mut self,
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
        whole: Option<&Minibatch<T>>,
    ) -> Result<(), EngineError> {
        if self.stage == Stage::Settled {
            return Ok(());
        }
        self.run_on(runner, model, true)?;
        self.stage = Stage::Failed;
        self.settle_all(runner, model, whole)?;
        self.stage = Stage::Settled;
        Ok(())
    }

    /// Describes what has grown to the scheduler.
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

    /// See [`Growth::competition`](crate::engine::Growth::competition).
    pub fn competition(
        &self,
        model: &BoundModel,
        options: &SearchOptions,
    ) -> Result<Option<Competition>, EngineError> {
        if self.stage != Stage::Settled || !self.is_recorded {
            return Ok(None);
        }
        if model.id != self.arrivals.batch().model_id() {
            return Err(EngineError::ForeignGrowth);
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

    /// The schedule by which the graphs have run, for the minibatch that they have become. `scheduled` are the
    /// functions that follow the schedule there, and `follow` are the vertices of these functions. `vertices` gives
    /// for each vertex, in the order in which vertices came, its number in the minibatch.
    fn recorded(&self, scheduled: &Flags, vertices: &[u32], follow: &[u32]) -> Schedule {
        let mut numbers = vec![0; vertices.len()];
        for (number, vertex) in (0..).zip(follow) {
            numbers[*vertex as usize] = number;
        }
        let number = |vertex: u32| numbers[vertices[vertex as usize] as usize];
        self.renumbered(|of| scheduled[usize::from(of)], number)
    }

    /// The batches that have run. `of` says which types are wanted, and `number` gives new numbers to the vertices.
    fn renumbered(&self, of: impl Fn(u16) -> bool, number: impl Fn(u32) -> u32) -> Schedule {
        let mut schedule = Schedule::new();
        for run in self.record.batches().iter().filter(|run| of(run.vertex_type)) {
            let of_run = self.record.vertices(run).iter().map(|vertex| number(*vertex));
            schedule.push(run.vertex_type, &of_run.collect::<Vec<u32>>());
        }
        schedule
    }
}

compiled_here! {
    impl Growing {
        /// Runs the lazy phases that have not run, and makes the graphs a minibatch. `whole` is the minibatch
        /// of the graphs before their sections ran, if there is one.
        fn settle_all(
            &mut self,
            runner: &mut Runner<'_, T>,
            model: &Model<T>,
            whole: Option<&Minibatch<T>>,
        ) -> Result<(), EngineError> {
            let start = Instant::now();
            let bound = model.bound();
            for function in &bound.functions {
                self.complete(runner, model, function.id)?;
            }
            let completed = Instant::now();
            let (mut batch, vertices) = self.arrivals.settled(bound, whole)?;
            let lists = FlatBatch::of(&batch);
            let Dependencies { entangled, scheduled, .. } = Dependencies::of(bound, lists);
            let follow: Vec<u32> =
                vertices_of(lists, 0..vertices.len() as u32, &scheduled).collect();
            let schedule = match self.is_recorded {
                true => self.recorded(&scheduled, &vertices, &follow),
                false => {
                    let (graph, _) = whole_type_graph(bound, lists, &scheduled);
                    runner.planner.schedule_later_wave(&bound.signature, &graph)?
                }
            };
            debug_assert_eq!(
                schedule.check(&whole_type_graph(bound, lists, &scheduled).0),
                Ok(()),
                "what has run is a schedule of what the graphs have become"
            );
            let decides = self.arrivals.has_paths();
            if self.is_recorded && (decides || !self.rounds.is_empty()) {
                let unlearned = if decides { Unlearned::Fullest } else { Unlearned::Waves };
                let recorded = || self.recorded_graph(bound).recorded;
                runner.planner.record(&bound.signature, unlearned, recorded)?;
            }
            // If there is too little room, rows have to move. Minibatches differ, so room that was not
            // needed is given up slowly. But at most twice the room is kept that was needed, because room
            // also says how much work the next graphs are expected to be.
            let room = |rows: usize, room: usize| {
                rows.max((room - room.div_ceil(64)).min(2 * rows))
            };
            let room = |of: &TypeLayout| match self.forgot {
                true => of.room,
                false => RowCounts {
                    vertices: room(of.vertices.len(), of.room.vertices),
                    edges: room(of.rest.len(), of.room.edges),
                },
            };
            let rooms = runner.layout.types.iter().map(room).collect();
            runner.memory.known_rooms = Some((bound.id, rooms));
            runner.memory.known_vertices = vertices.len();
            if self.step.is_none() && self.is_recorded {
                // From now on only results are read, which may be indices of states.
                runner.layout.renumber(&vertices, &self.record, &scheduled);
                runner.backend.fetch_indices(std::slice::from_ref(&(0..runner.layout.indices)))?;
            } else {
                let mut layout = std::mem::take(&mut runner.memory.other_layout);
                let order = Order::Schedule(&schedule, &follow);
                let grown = (&*runner.layout, &vertices[..]);
                let training = self.step.is_some();
                let moves = layout.settle(bound, lists, order, (&entangled, training), grown);
                runner.memory.other_layout = std::mem::replace(runner.layout, layout);
                let (backend, frame) = runner.split(model, &batch);
                backend.relocate(frame, &moves)?;
                backend.update(frame)?;
            }
            inside::set_known_schedule(&mut batch, schedule, VOUCH);
            let Runner { backend, layout, report, .. } = runner;
            if self.step.is_none() || is_waited_for(*backend) {
                backend.finish()?;
            }
            self.grown = Some(batch);
            self.report.forward += completed - start;
            self.report.schedule += completed.elapsed();
            let (arena_bytes, rounds) = (layout.size * backend.element_bytes(), self.rounds.len());
            **report = StepReport { arena_bytes, rounds, ..self.report };
            report.add_copies(backend.take_copies());
            Ok(())
        }
    }
}
