//! Runs the parts of a minibatch side by side, and keeps the memory of the parts, so that their results can be read and
//! they can go backward.
//!
//! A minibatch runs in parts like this if its vertices decide how they go on, and in inference if it needs a policy
//! ([`CutFor::Inference`]). Each part keeps its layout, its arena and the minibatch that it has become, if its vertices
//! decide. The vertices of all parts, one part after the other, are the vertices of the minibatch that the run
//! [shows](Run::minibatch). Some computations, such as Jacobians, work on one arena. They take one part after the other;
//! the memory of this part is then exchanged with that of the engine.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use smallvec::SmallVec;

use super::crew::{PartsRun, add_up};
use super::{CutFor, Prepared, most_settled_parts, prepare};
use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::layout::Layout;
use crate::engine::layout::find::check_owns;
use crate::engine::pass::Destination;
use crate::engine::pass::losses::{self, LossRows};
use crate::engine::pass::part_memory::{PartMemory, PartSums, RanPart, ThreadOwn};
use crate::engine::pass::report::StepReport;
use crate::engine::pass::runner::Runner;
use crate::engine::pass::seeds::Seeds;
use crate::engine::results::run::Run;
use crate::engine::results::seen::{RanParts, Seen, Values};
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_learn::learn::Gradients;
use edb_model::graph::{FlatBatch, Minibatch};
use edb_model::model::Model;
use edb_model::model::stack::RowCounts;

/// Works on one part. The arguments are the number of the part, the runner of the thread, the memory of the thread, the
/// part, and the sums of the part. The runner uses the layout and the arena of the part meanwhile.
type PartWork<'a, T> = dyn Fn(
        usize,
        &mut Runner<'_, T>,
        &mut ThreadOwn<T>,
        &mut RanPart<T>,
        &mut PartSums<T>,
    ) -> Result<(), EngineError>
    + Sync
    + 'a;

impl<T: Element> Engine<T> {
    /// Runs a minibatch forward. `step` is the training step, if this is part of one.
    pub(crate) fn begin_run<'a>(
        &'a mut self,
        model: &'a Model<T>,
        batch: Cow<'a, Minibatch<T>>,
        step: Option<u64>,
    ) -> Result<Run<'a, T>, EngineError> {
        let (grown, parts) = self.run_kept(model, &batch, step)?;
        let batch = grown.map_or(batch, Cow::Owned);
        Ok(Run { parts, ..Run::new(self, model, batch, step) })
    }

    /// Runs the parts of a minibatch forward, side by side, and keeps them. Returns the minibatch that they have
    /// become together, if its vertices decide, and its parts.
    fn forward_in_parts(
        &mut self,
        prepared: &Prepared<'_, T>,
        step: Option<u64>,
    ) -> Result<(Option<Minibatch<T>>, RanParts), EngineError> {
        let rows = self.expected_rows(prepared);
        let Prepared { model, batch: whole, parts, .. } = prepared;
        (self.spent, self.layout.growth) = (false, 0);
        let of = PartsRun { model, parts, rows: &rows, step };
        self.on_parts(&of, &|part, runner, own, ran, _| {
            let batch = own.refill(whole, parts[part].clone());
            ran.batch = runner.forward(model, batch, prepared.of_part(batch).as_ref(), false)?;
            Ok(())
        })?;
        let ran = &self.parts.ran[..parts.len()];
        let grown: Option<Vec<_>> = ran.iter().map(|part| part.batch.as_ref()).collect();
        let grown = grown.map(|parts| Minibatch::joined(&parts)).transpose()?;
        let lists = FlatBatch::of(grown.as_ref().unwrap_or(whole));
        let first = parts.iter().map(|graphs| lists.graph_offsets()[graphs.start]).collect();
        Ok((grown, RanParts { graphs: parts.clone(), first, rows }))
    }

    /// Calls `work` for each part, side by side. The memory that is kept of a part is in use by its runner meanwhile.
    fn on_parts(
        &mut self,
        of: &PartsRun<'_, T>,
        work: &PartWork<'_, T>,
    ) -> Result<(), EngineError> {
        let mut ran = std::mem::take(&mut self.parts.ran);
        ran.resize_with(ran.len().max(of.parts.len()), RanPart::default);
        let cells: Vec<Mutex<&mut RanPart<T>>> = ran.iter_mut().map(Mutex::new).collect();
        let worked = self.run_side_by_side(of, &|part, runner, own, sums| {
            let mut ran = cells[part].lock().unwrap_or_else(PoisonError::into_inner);
            ran.exchange(runner.layout, runner.backend);
            let worked = work(part, runner, own, &mut ran, sums);
            ran.exchange(runner.layout, runner.backend);
            worked.map(|()| 0).map_err(|error| error.of_graphs_from(of.parts[part].start))
        });
        drop(cells);
        let of_part = |part: &RanPart<T>| part.layout.size * self.backend.element_bytes();
        self.report.arena_bytes = ran[..of.parts.len()].iter().map(of_part).sum();
        self.parts.ran = ran;
        worked.map(drop)
    }
}

compiled_here! {
    impl Engine {
        /// Runs a minibatch forward. If it is cut, its parts run side by side and are kept. Returns the
        /// minibatch that it has become, if its vertices decide, and its parts, if it was cut.
        fn run_kept(
            &mut self,
            model: &Model<T>,
            batch: &Minibatch<T>,
            step: Option<u64>,
        ) -> Result<(Option<Minibatch<T>>, Option<RanParts>), EngineError> {
            check_owns(model, batch)?;
            // If vertices pull what others push, parts may differ in which functions follow the schedule.
            let lists = FlatBatch::of(batch);
            let may_be_cut = match lists.is_settled(model.bound()) {
                true => step.is_none() && most_settled_parts(lists).min(self.threads()) > 1,
                false => true,
            };
            if may_be_cut && !lists.levels().feeds {
                let cut = if step.is_some() { CutFor::Step } else { CutFor::Inference };
                let prepared = prepare(self, model, batch, cut)?;
                if prepared.parts.len() > 1 {
                    let (grown, parts) = self.forward_in_parts(&prepared, step)?;
                    return Ok((grown, Some(parts)));
                }
            }
            Ok((self.run_forward(model, batch, step, true)?, None))
        }

        /// Takes the parts that were kept, and runs them backward side by side. `seeds` are gradients of outputs.
        /// Adds the gradients of the parameters to `sum`, if it is given.
        pub(crate) fn backward_in_parts(
            &mut self,
            model: &Model<T>,
            whole: &FlatBatch,
            parts: &RanParts,
            step: u64,
            seeds: &Seeds<T>,
            sum: Option<&mut Gradients<T>>,
        ) -> Result<(), EngineError> {
            let place = |vertex| parts.place(vertex);
            let seeds = seeds.of_parts(model.bound(), whole, parts.graphs.len(), place)?;
            let (start, mut report) = (Instant::now(), self.report);
            // A backward pass is about twice the work of a forward pass.
            let twice = |of: &RowCounts| RowCounts { vertices: 2 * of.vertices, edges: 2 * of.edges };
            let rows: Vec<RowCounts> = parts.rows.iter().map(twice).collect();
            let of = PartsRun { model, parts: &parts.graphs, rows: &rows, step: Some(step) };
            let rows_alone = sum.is_none();
            if !rows_alone {
                self.parts.begin_sums(model, parts.graphs.len());
            }
            self.spent = true;
            self.on_parts(&of, &|part, runner, _, ran, sums| {
                let destination = match rows_alone {
                    true => Destination::Rows,
                    false => Destination::Part(sums),
                };
                runner.pass(model, ran.batch()).backward(&seeds[part], destination)
            })?;
            if let Some(sum) = sum {
                let Self { backend, parts: PartMemory { sums: of_parts, .. }, .. } = self;
                add_up(backend.as_mut(), &mut of_parts[..parts.graphs.len()], sum);
            }
            let proof = report.proof;
            report.add(&self.report.in_time(start.elapsed()));
            self.report = StepReport { proof, ..report };
            Ok(())
        }
    }
}

impl<T: Element> Run<'_, T> {
    /// Finds where the values of a vertex of the minibatch are.
    pub(crate) fn seen(&self, vertex: u32) -> Seen<'_, T> {
        let Engine { backend, layout, parts: PartMemory { ran, .. }, .. } = &*self.engine;
        let Some(parts) = &self.parts else {
            return Seen { part: 0, layout, vertex, memory: Values::Present(backend.as_ref()) };
        };
        let (part, vertex) = parts.place(vertex);
        let RanPart { layout, kept, .. } = &ran[part];
        Seen { part, layout, vertex, memory: Values::Kept(kept) }
    }

    /// The layouts of the parts that have run. If there are no parts, this is the layout of the whole minibatch.
    pub(crate) fn layouts(&self) -> impl Iterator<Item = &Layout> {
        let Engine { layout, parts: PartMemory { ran, .. }, .. } = &*self.engine;
        let count = self.parts.as_ref().map_or(0, |parts| parts.graphs.len());
        let whole = self.parts.is_none().then_some(layout);
        whole.into_iter().chain(ran[..count].iter().map(|part| &part.layout))
    }

    /// The sum of all losses of the parts, added up in the order of the vertices, as for a minibatch without parts.
    pub(crate) fn losses_of_parts(&self) -> Result<f64, EngineError> {
        let model = self.model.bound();
        let losses: Vec<LossRows> =
            self.layouts().map(|layout| losses::rows(model, layout)).collect();
        losses::sum_of(self.batch(), |vertex, function, sum| {
            let seen = self.seen(vertex);
            if !seen.is_forgotten() {
                for rows in &losses[seen.part][function.index()] {
                    *sum += seen.row(rows)?[0].as_f64();
                }
            }
            Ok(())
        })
    }

    /// The graphs of each part that has run. If there are no parts, this is one range of all graphs.
    pub(crate) fn part_graphs(&self) -> SmallVec<[Range<usize>; 16]> {
        match &self.parts {
            Some(parts) => parts.graphs.clone(),
            None => std::iter::once(0..self.batch().graph_count()).collect(),
        }
    }

    /// Calls `work` with one part as a separate run. In this run, the first graph of the part has the place 0.
    pub(crate) fn in_part<R>(&mut self, part: usize, work: impl FnOnce(&mut Run<'_, T>) -> R) -> R {
        let Self { engine, model, batch, step, parts } = self;
        if parts.is_none() {
            return work(&mut Run::new(engine, model, Cow::Borrowed(batch), *step));
        }
        let mut ran = std::mem::take(&mut engine.parts.ran);
        let of_part = &mut ran[part];
        of_part.exchange(&mut engine.layout, engine.backend.as_mut());
        let result = work(&mut Run::new(engine, model, Cow::Borrowed(of_part.batch()), *step));
        of_part.exchange(&mut engine.layout, engine.backend.as_mut());
        engine.parts.ran = ran;
        result
    }
}
