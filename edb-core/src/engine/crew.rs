//! Parts of a minibatch that run at the same time, each on one thread.
//!
//! Threads that share the batches of a schedule wait for one another, and some of a step runs on one
//! thread only: schedules, layouts, sums of losses. Threads that run whole parts, forward and
//! backward, do all of this side by side.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use edb_ir::FunctionId;
use tracing::debug_span;

use super::Engine;
use super::backend::{Backend, Frame};
use super::dependencies::Dependencies;
use super::error::EngineError;
use super::layout::Layout;
use super::part_memory::{CountTerms, PartMemory, PartSums, ThreadMemory};
use super::parts::Prepared;
use super::pass::Destination;
use super::planner::Planner;
use super::report::StepReport;
use super::run_memory::RunMemory;
use super::runner::Runner;
use super::seeds::Seeds;
use edb_kernels::element::Element;
use edb_kernels::trace;
use edb_learn::learn::Gradients;
use edb_model::model::stack::RowCounts;
use edb_schedule::Scheduler;

/// What all parts of a minibatch run with.
struct PartsRun<'a, T: Element> {
    prepared: &'a Prepared<'a, T>,
    /// Its policies are known, or none is needed.
    scheduler: &'a Scheduler,
    /// The seed and the step of the draws.
    draws: (u64, Option<u64>),
    loss_scale: f64,
    most_steps: u32,
    count: &'a CountTerms<'a, T>,
}

impl<T: Element> PartsRun<'_, T> {
    /// Runs a part forward and backward, into these sums. Returns what was counted in it, and how it
    /// ran.
    fn run(
        &self,
        part: usize,
        backend: &mut dyn Backend<T>,
        memory: &mut ThreadMemory<T>,
        sums: &mut PartSums<T>,
    ) -> Result<(usize, StepReport), EngineError> {
        let Prepared { model, batch: whole, dependencies, parts } = self.prepared;
        let ThreadMemory { part: batch, layout, runs } = memory;
        batch.refill(whole, parts[part].clone());
        // The vertices of a part decide if those of its minibatch do.
        let known = dependencies.as_ref().map(|_| Dependencies::of(model.bound(), batch));
        let mut report = StepReport::default();
        let mut runner = Runner {
            backend,
            layout,
            memory: runs,
            planner: Planner::Known(self.scheduler),
            draws: self.draws,
            loss_scale: self.loss_scale,
            most_steps: self.most_steps,
            spent: &mut false,
            report: &mut report,
        };
        let grown = runner.forward(model, batch, known.as_ref(), false)?;
        let batch = grown.as_ref().unwrap_or(batch);
        runner.pass(model, batch).backward(&Seeds::new(), Destination::Part(sums))?;
        Ok(((self.count)(batch), report))
    }
}

impl<T: Element> Engine<T> {
    /// Runs the parts of a minibatch forward and backward as part of training step `step`, as many at a
    /// time as there are threads, and keeps their losses and gradients, summed in the order of the
    /// parts. Returns what `count` counts in all of them.
    pub(super) fn run_in_parts(
        &mut self,
        prepared: &Prepared<'_, T>,
        step: u64,
        count: &CountTerms<'_, T>,
    ) -> Result<usize, EngineError> {
        let Prepared { model, batch, parts, .. } = prepared;
        let start = Instant::now();
        let _span = debug_span!(target: trace::TARGET, "parts", parts = parts.len()).entered();
        let loss_scale = self.loss_factor();
        let rows = self.expected_rows(prepared);
        let Self { backend, layout, parts: PartMemory { threads, sums }, scheduler, .. } = self;
        let crew = backend.crew().expect("only a crew runs parts");
        threads.resize_with(crew.threads(), || {
            let (layout, runs) = (Layout::default(), RunMemory::default());
            Mutex::new(ThreadMemory { part: batch.hollow(), layout, runs })
        });
        for of_part in sums.iter_mut() {
            let PartSums { gradients, .. } = lock_mut(of_part);
            match gradients.fit(model.parameters()) {
                true => gradients.reset(),
                false => *gradients = Gradients::new(model.parameters()),
            }
        }
        while sums.len() < parts.len() {
            sums.push(Mutex::new(PartSums::new(model.parameters())));
        }
        let (draws, most_steps) = ((self.seed, Some(step)), self.most_steps);
        let frame = Frame::new(model, batch, layout, draws, loss_scale);
        let of_all = PartsRun { prepared, scheduler, draws, loss_scale, most_steps, count };
        let run = |part: usize, thread: usize, backend: &mut dyn Backend<T>| {
            let mut memory = threads[thread].lock().unwrap_or_else(PoisonError::into_inner);
            let mut sums = sums[part].lock().unwrap_or_else(PoisonError::into_inner);
            sums.ran = of_all.run(part, backend, &mut memory, &mut sums);
        };
        crew.run_parts(frame, &rows, parts.len(), &run)?;
        let (mut all, mut terms) = (StepReport::default(), 0);
        for (number, of_part) in sums.iter_mut().take(parts.len()).enumerate() {
            let PartSums { loss, ran, .. } = lock_mut(of_part);
            let ran = std::mem::replace(ran, Ok((0, StepReport::default())));
            let first = parts[number].start;
            let (of_part, report) = ran.map_err(|error| error.of_graphs_from(first))?;
            terms += of_part;
            match number {
                0 => all = report,
                _ => all.add(&report),
            }
            self.sums.add_loss(*loss);
        }
        all.arena_bytes *= threads.len().min(parts.len());
        let sum = self.sums.next(model.parameters(), backend.as_mut());
        let more = sums[..parts.len()].iter_mut().map(|of_part| &mut lock_mut(of_part).gradients);
        let crew = backend.crew().expect("it has run the parts");
        sum.absorb_parts(&mut more.collect::<Vec<_>>(), &mut |pieces, work| {
            crew.share(pieces, work);
        });
        self.report = all.in_time(start.elapsed());
        Ok(terms)
    }

    /// How many rows each function is going to have in a minibatch. Where vertices decide, about as
    /// many as the last ones had, and at least one of all that they may go on with.
    fn expected_rows(&mut self, prepared: &Prepared<'_, T>) -> Vec<RowCounts> {
        let Prepared { model, batch, dependencies, parts } = prepared;
        let functions = &model.bound().functions;
        let mut rows = vec![RowCounts::default(); functions.len()];
        batch.functions().iter().for_each(|of| rows[of.index()].vertices += 1);
        if dependencies.is_some() {
            return rows;
        }
        let mut found: Vec<FunctionId> =
            functions.ids().filter(|of| rows[of.index()].vertices > 0).collect();
        while let Some(function) = found.pop() {
            for next in functions[function].targets() {
                let rows = &mut rows[next.index()].vertices;
                if *rows == 0 {
                    *rows = 1;
                    found.push(*next);
                }
            }
        }
        let Self { memory, parts: PartMemory { threads, .. }, .. } = self;
        let of_part = threads.first_mut().map(|thread| &lock_mut(thread).runs);
        let of_part = of_part.and_then(|runs| runs.rooms(model.bound()));
        let known = of_part.map(|rooms| (rooms, parts.len()));
        let known = known.or_else(|| Some((memory.rooms(model.bound())?, 1)));
        if let Some((rooms, count)) = known {
            for (rows, room) in rows.iter_mut().zip(rooms).filter(|(rows, _)| rows.vertices > 0) {
                rows.vertices = rows.vertices.max(count * room.vertices);
                rows.edges = count * room.edges;
            }
        }
        rows
    }
}

fn lock_mut<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}
