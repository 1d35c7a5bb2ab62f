//! Runs parts of a minibatch at the same time, each on its own thread. If there are more threads than parts, a part has
//! several threads.
//!
//! If threads share the batches of a schedule, they wait for one another, and some work of a step runs on only one
//! thread: schedules, layouts, sums of losses. If each thread runs whole parts forward and backward, all of this runs
//! side by side.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use edb_ir::FunctionId;
use tracing::debug_span;

use super::Prepared;
use crate::engine::backend::Backend;
use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::layout::planner::Planner;
use crate::engine::pass::Destination;
use crate::engine::pass::part_memory::{
    CountTerms, PartMemory, PartSums, ThreadMemory, ThreadOwn, lock_mut,
};
use crate::engine::pass::report::StepReport;
use crate::engine::pass::runner::Runner;
use crate::engine::pass::seeds::Seeds;
use edb_kernels::element::Element;
use edb_kernels::trace;
use edb_learn::learn::{Gradients, part_sums};
use edb_model::graph::FlatBatch;
use edb_model::model::Model;
use edb_model::model::stack::RowCounts;

/// The parts of a training step or of a forward run.
pub(crate) struct PartsRun<'a, T: Element> {
    pub(crate) model: &'a Model<T>,
    /// The graphs of each part.
    pub(crate) parts: &'a [Range<usize>],
    /// About how many rows each function is going to have in all parts, for
    /// [`Crew::run_parts`](crate::engine::backend::Crew::run_parts).
    pub(crate) rows: &'a [RowCounts],
    /// The training step, if this is one.
    pub(crate) step: Option<u64>,
}

/// Runs one part. The arguments are the number of the part, the runner of the thread, the memory of the thread, and the
/// sums to which the part adds its loss and gradients. Returns what was counted in the part. Places of graphs in its
/// errors count from the first graph of all parts.
pub(crate) type RunOne<'a, T> = dyn Fn(usize, &mut Runner<'_, T>, &mut ThreadOwn<T>, &mut PartSums<T>) -> Result<usize, EngineError>
    + Sync
    + 'a;

impl<T: Element> Engine<T> {
    /// Trains on parts, as many at a time as there are threads. Adds up their losses and gradients in the order of
    /// the parts, and keeps the sums. Returns what was counted in all parts.
    pub(crate) fn train_side_by_side(
        &mut self,
        of: &PartsRun<'_, T>,
        work: &RunOne<'_, T>,
    ) -> Result<usize, EngineError> {
        let PartsRun { model, parts, .. } = *of;
        self.parts.begin_sums(model, parts.len());
        let start = Instant::now();
        let counted = self.run_side_by_side(of, work)?;
        let Self { backend, parts: PartMemory { sums, .. }, .. } = self;
        let sums = &mut sums[..parts.len()];
        sums.iter_mut().for_each(|of_part| self.sums.add_loss(lock_mut(of_part).loss));
        let sum = self.sums.next(model.parameters(), backend.as_mut())?;
        add_up(backend.as_mut(), sums, sum);
        self.report = self.report.in_time(start.elapsed());
        Ok(counted)
    }

    /// Runs parts, as many at a time as there are threads. Their policies must be known, or they need none. Returns
    /// what was counted in all parts.
    pub(crate) fn run_side_by_side(
        &mut self,
        of: &PartsRun<'_, T>,
        work: &RunOne<'_, T>,
    ) -> Result<usize, EngineError> {
        let PartsRun { model, parts, rows, step } = *of;
        let start = Instant::now();
        let _span = debug_span!(target: trace::TARGET, "parts", parts = parts.len()).entered();
        let loss_scale = self.loss_factor();
        let (draws, most_steps) = ((self.seed, step), self.most_steps);
        let Self { backend, parts: PartMemory { threads, sums, .. }, scheduler, .. } = self;
        let crew = backend.crew().expect("only a crew runs parts");
        threads.resize_with(crew.threads(), Mutex::default);
        sums.resize_with(sums.len().max(parts.len()), Mutex::default);
        let run = |part: usize, thread: usize, backend: &mut dyn Backend<T>| {
            let mut memory = threads[thread].lock().unwrap_or_else(PoisonError::into_inner);
            let ThreadMemory { layout, runs, own } = &mut *memory;
            let mut sums = sums[part].lock().unwrap_or_else(PoisonError::into_inner);
            let mut report = StepReport::default();
            let mut runner = Runner {
                backend,
                layout,
                memory: runs,
                planner: Planner::Known(scheduler),
                draws,
                loss_scale,
                most_steps,
                spent: &mut false,
                report: &mut report,
            };
            let counted = work(part, &mut runner, own, &mut sums);
            sums.ran = counted.map(|counted| (counted, report));
        };
        crew.run_parts(model, step.is_some(), rows, parts.len(), &run)?;
        let (mut all, mut counted) = (StepReport::default(), 0);
        for (number, of_part) in sums.iter_mut().take(parts.len()).enumerate() {
            let PartSums { ran, .. } = lock_mut(of_part);
            let ran = std::mem::replace(ran, Ok((0, StepReport::default())));
            let (of_part, report) = ran?;
            counted += of_part;
            match number {
                0 => all = report,
                _ => all.add(&report),
            }
        }
        all.arena_bytes *= threads.len().min(parts.len());
        // The parts have more batches than a schedule of all of them.
        all.proof = all.proof.filter(|_| parts.len() == 1);
        self.report = all.in_time(start.elapsed());
        Ok(counted)
    }

    /// Runs the parts of a minibatch forward and backward as part of training step `step`. Returns
    /// what `count` counts in all parts.
    pub(crate) fn run_in_parts(
        &mut self,
        prepared: &Prepared<'_, T>,
        step: u64,
        count: &CountTerms<'_>,
    ) -> Result<usize, EngineError> {
        let Prepared { model, batch: whole, parts, .. } = prepared;
        let rows = &self.expected_rows(prepared);
        let of = PartsRun { model, parts, rows, step: Some(step) };
        self.train_side_by_side(&of, &|part, runner, own, sums| {
            let batch = own.refill(whole, parts[part].clone());
            let known = prepared.of_part(batch);
            let mut run = || {
                let grown = runner.forward(model, batch, known.as_ref(), false)?;
                let batch = grown.as_ref().unwrap_or(batch);
                runner.pass(model, batch).backward(&Seeds::new(), Destination::Part(sums))?;
                Ok(count(FlatBatch::of(batch)))
            };
            run().map_err(|error: EngineError| error.of_graphs_from(parts[part].start))
        })
    }

    /// How many rows each function is going to have in a minibatch. If vertices decide how they go on, this is an
    /// estimate: about as many as in the last run, and at least one for each function with which a vertex may go on.
    pub(crate) fn expected_rows(&mut self, prepared: &Prepared<'_, T>) -> Vec<RowCounts> {
        let Prepared { model, batch, dependencies, parts, .. } = prepared;
        let functions = &model.bound().functions;
        let mut rows = vec![RowCounts::default(); functions.len()];
        FlatBatch::of(batch).functions().iter().for_each(|of| rows[of.index()].vertices += 1);
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
        self.at_least_known(model, parts.len(), &mut rows);
        rows
    }

    /// Raises the expected rows of each function that is going to have rows, to as many as the last parts had. If
    /// there were no parts, it takes the rows of the last minibatch.
    pub(crate) fn at_least_known(
        &mut self,
        model: &Model<T>,
        parts: usize,
        rows: &mut [RowCounts],
    ) {
        let Self { memory, parts: PartMemory { threads, .. }, .. } = self;
        let of_part = threads.first_mut().map(|thread| &lock_mut(thread).runs);
        let of_part = of_part.and_then(|runs| runs.rooms(model.bound()));
        let known = of_part.map(|rooms| (rooms, parts));
        let Some((rooms, count)) = known.or_else(|| Some((memory.rooms(model.bound())?, 1))) else {
            return;
        };
        for (rows, room) in rows.iter_mut().zip(rooms).filter(|(rows, _)| rows.vertices > 0) {
            rows.vertices = rows.vertices.max(count * room.vertices);
            rows.edges = count * room.edges;
        }
    }
}

/// Adds the gradients of parts to `sum`, in the order of the parts.
pub(crate) fn add_up<T: Element>(
    backend: &mut dyn Backend<T>,
    parts: &mut [Mutex<PartSums<T>>],
    sum: &mut Gradients<T>,
) {
    let more = parts.iter_mut().map(|part| &mut lock_mut(part).gradients);
    let crew = backend.crew().expect("it has run the parts");
    part_sums::absorb(sum, &mut more.collect::<Vec<_>>(), &mut |pieces, work| {
        crew.share(pieces, work)
    });
}
