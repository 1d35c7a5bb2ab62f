//! Parts of a minibatch that run at the same time, each on one thread.
//!
//! Threads that share the batches of a schedule wait for one another, and some of a step runs on one
//! thread only: schedules, layouts, sums of losses. Threads that run whole parts, forward and
//! backward, do all of this side by side.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use tracing::{debug_span, field};

use super::Engine;
use super::backend::{Backend, Frame};
use super::dependencies::Dependencies;
use super::error::EngineError;
use super::layout::Layout;
use super::part_memory::{PartMemory, PartSums, ThreadMemory};
use super::parts::Prepared;
use super::pass::{Destination, Pass};
use super::report::StepReport;
use super::rows::Order;
use super::seeds::Seeds;
use edb_kernels::element::Element;
use edb_kernels::trace;
use edb_learn::learn::Gradients;
use edb_model::model::Model;
use edb_schedule::Proof;

impl<T: Element> Engine<T> {
    /// Runs the parts of a minibatch forward and backward as part of training step `step`, as many at a
    /// time as there are threads, and keeps their losses and gradients, summed in the order of the
    /// parts.
    pub(super) fn run_in_parts(
        &mut self,
        prepared: &Prepared<'_, T>,
        step: u64,
    ) -> Result<(), EngineError> {
        let Prepared { model, batch, parts, .. } = prepared;
        let start = Instant::now();
        let _span = debug_span!(target: trace::TARGET, "parts", parts = parts.len()).entered();
        let scale = self.loss_factor();
        let Self { backend, layout, parts: PartMemory { threads, sums }, seed, .. } = self;
        let crew = backend.crew().expect("only a crew runs parts");
        threads.resize_with(crew.threads(), || {
            Mutex::new(ThreadMemory { part: batch.hollow(), layout: Layout::default() })
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
        let draws = (*seed, Some(step));
        let frame = Frame::new(model, batch, layout, draws, scale);
        let run = |part: usize, thread: usize, backend: &mut dyn Backend<T>| {
            let mut memory = threads[thread].lock().unwrap_or_else(PoisonError::into_inner);
            let mut sums = sums[part].lock().unwrap_or_else(PoisonError::into_inner);
            memory.part.refill(batch, parts[part].clone());
            sums.report = memory.run(backend, model, (draws, scale), &mut sums);
        };
        crew.run_parts(frame, parts.len(), &run)?;
        let mut all = StepReport::default();
        for (number, of_part) in sums.iter_mut().take(parts.len()).enumerate() {
            let PartSums { loss, report, .. } = lock_mut(of_part);
            let report = std::mem::replace(report, Ok(StepReport::default()))?;
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
        Ok(())
    }
}

fn lock_mut<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}

impl<T: Element> ThreadMemory<T> {
    /// Runs the part forward and backward.
    fn run(
        &mut self,
        backend: &mut dyn Backend<T>,
        model: &Model<T>,
        (draws, loss_scale): ((u64, Option<u64>), f64),
        sums: &mut PartSums<T>,
    ) -> Result<StepReport, EngineError> {
        let Self { part: batch, layout } = self;
        let (begun, bound) = (Instant::now(), model.bound());
        let span = debug_span!(target: trace::TARGET, "schedule", batches = field::Empty).entered();
        let Dependencies { entangled, levels, .. } = Dependencies::of(bound, batch);
        let levels = levels.expect("a part's functions depend on each other as its minibatch's do");
        layout.lay_out(bound, batch, Order::Levels(&levels), &entangled, true);
        span.record("batches", layout.batches.len());
        drop(span);
        let (mut report, spent) = (StepReport::default(), &mut false);
        let mut pass =
            Pass { backend, layout, model, batch, draws, loss_scale, spent, report: &mut report };
        pass.forward(begun, Some(Proof::Levels), false)?;
        pass.backward(&Seeds::new(), Destination::Part(sums))?;
        Ok(report)
    }
}
