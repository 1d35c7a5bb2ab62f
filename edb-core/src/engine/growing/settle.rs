//! What graphs have become, when they have stopped growing: a minibatch with the schedule by which it
//! has run.

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
use edb_model::graph::Minibatch;
use edb_model::model::stack::RowCounts;
use edb_model::model::{BoundModel, Model};
use edb_schedule::{Competition, Schedule, SearchOptions, TypeGraph, Unlearned};

/// What has grown, as it was scheduled.
struct RecordedGraph {
    graph: TypeGraph,
    /// Its vertices by the order in which they came.
    vertices: Vec<u32>,
    /// The same with the rounds.
    recorded: TypeGraph,
}

impl<T: Element> Growing<T> {
    /// Completes what the graphs have got, as far as it has not run, and makes them a minibatch.
    ///
    /// # Errors
    /// When they grow with another engine or model, or the engine has run something else since.
    pub fn settle(&mut self, engine: &mut Engine<T>, model: &Model<T>) -> Result<(), EngineError> {
        self.check_here(engine, model)?;
        self.settle_as(&mut engine.runner(self.step).0, model, None)
    }

    /// The run of what the graphs have become, once they are [settled](Self::settle).
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

    /// Runs what the graphs have become backward, with gradients for what it pushes, and keeps its losses
    /// and gradients with the engine, for the step that is then taken.
    ///
    /// # Errors
    /// When no step was given, it has gone backward already, or a seed does not fit; or as
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

    /// Makes what has grown a minibatch; `whole` is the minibatch of the graphs, if it is known.
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

    /// [`Growth::competition`](crate::engine::Growth::competition).
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

    /// The schedule by which the graphs have run, of the vertices that `follow` one in what they have
    /// become, those of the functions that are `scheduled`; `vertices` gives the number there of each vertex by the order in which it came.
    fn recorded(&self, scheduled: &Flags, vertices: &[u32], follow: &[u32]) -> Schedule {
        let mut numbers = vec![0; vertices.len()];
        for (number, vertex) in (0..).zip(follow) {
            numbers[*vertex as usize] = number;
        }
        let number = |vertex: u32| numbers[vertices[vertex as usize] as usize];
        self.renumbered(|of| scheduled[usize::from(of)], number)
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
}

compiled_here! {
    impl Growing {
        /// Completes all rows, and makes a minibatch of the graphs: `whole`, if it is known.
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
            let Dependencies { entangled, scheduled, .. } = Dependencies::of(bound, &batch);
            let follow: Vec<u32> =
                vertices_of(&batch, 0..vertices.len() as u32, &scheduled).collect();
            let schedule = match self.is_recorded {
                true => self.recorded(&scheduled, &vertices, &follow),
                false => {
                    let (graph, _) = whole_type_graph(bound, &batch, &scheduled);
                    runner.planner.schedule_later_wave(&bound.signature, &graph)?
                }
            };
            debug_assert_eq!(
                schedule.check(&whole_type_graph(bound, &batch, &scheduled).0),
                Ok(()),
                "what has run is a schedule of what the graphs have become"
            );
            let decides = self.arrivals.has_paths();
            if self.is_recorded && (decides || !self.rounds.is_empty()) {
                let unlearned = if decides { Unlearned::Fullest } else { Unlearned::Waves };
                let recorded = || self.recorded_graph(bound).recorded;
                runner.planner.record(&bound.signature, unlearned, recorded)?;
            }
            // Minibatches differ, and rows that have no room have to move: room that was not needed
            // is given up slowly. But no more is kept than twice what was needed: room also says how
            // much work the next graphs are expected to be.
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
                // Nothing but results is read from here on, indices of states among them.
                runner.layout.renumber(&vertices, &self.record, &scheduled);
                runner.backend.fetch_indices(std::slice::from_ref(&(0..runner.layout.indices)))?;
            } else {
                let mut layout = std::mem::take(&mut runner.memory.other_layout);
                let order = Order::Schedule(&schedule, &follow);
                let grown = (&*runner.layout, &vertices[..]);
                let training = self.step.is_some();
                let moves = layout.settle(bound, &batch, order, (&entangled, training), grown);
                runner.memory.other_layout = std::mem::replace(runner.layout, layout);
                let (backend, frame) = runner.split(model, &batch);
                backend.relocate(frame, &moves)?;
                backend.update(frame)?;
            }
            batch.set_known_schedule(schedule, VOUCH);
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
