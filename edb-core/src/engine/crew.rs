//! Parts of a minibatch that run at the same time, each on one thread.
//!
//! Threads that share the batches of a schedule wait for one another, and some of a step runs on one
//! thread only: schedules, layouts, sums of losses. Threads that run whole parts, forward and
//! backward, do all of this side by side.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use tracing::{debug_span, field};

use super::backend::{Backend, Frame};
use super::error::EngineError;
use super::find::check_owns;
use super::lanes::{Lane, PartSums, Parts};
use super::layout::{Layout, entangled};
use super::report::StepReport;
use super::rows::Order;
use super::{Engine, losses, needed, run_backward_phases, run_forward};
use edb_kernels::element::{Each, Element, Family};
use edb_kernels::trace;
use edb_learn::learn::Gradients;
use edb_model::graph::Minibatch;
use edb_model::model::Model;
use edb_schedule::Proof;

/// [`Engine::run_in_parts`].
struct InParts;

impl Family for InParts {
    type Member<T: Element> = fn(
        &mut Engine<T>,
        &Model<T>,
        &Minibatch<T>,
        &[Range<usize>],
        u64,
    ) -> Result<(), EngineError>;
}

static IN_PARTS: Each<InParts> =
    Each { f32: Engine::run_in_parts_each, f64: Engine::run_in_parts_each };

impl<T: Element> Engine<T> {
    /// Runs parts of a minibatch (which has [parts](Self::parts)) forward and backward as part of
    /// training step `step`, as many at a time as there are threads, and keeps their losses and
    /// gradients, summed in the order of the parts.
    #[doc(hidden)]
    pub fn run_in_parts(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
        parts: &[Range<usize>],
        step: u64,
    ) -> Result<(), EngineError> {
        IN_PARTS.of::<T>()(self, model, batch, parts, step)
    }

    fn run_in_parts_each(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
        parts: &[Range<usize>],
        step: u64,
    ) -> Result<(), EngineError> {
        check_owns(model, batch)?;
        let start = Instant::now();
        let _span = debug_span!(target: trace::TARGET, "parts", parts = parts.len()).entered();
        let scale = self.loss_factor();
        let Self { backend, layout, parts: Parts { lanes, sums }, seed, .. } = self;
        let crew = backend.crew().expect("only a crew runs parts");
        lanes.resize_with(crew.threads(), || {
            let (part, layout) = (batch.hollow(), Layout::default());
            Mutex::new(Lane { part, layout, order: Vec::new() })
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
            let mut lane = lanes[thread].lock().unwrap_or_else(PoisonError::into_inner);
            let mut sums = sums[part].lock().unwrap_or_else(PoisonError::into_inner);
            lane.part.refill(batch, parts[part].clone());
            sums.report = lane.run(backend, model, (draws, scale), &mut sums);
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
        all.arena_bytes *= lanes.len().min(parts.len());
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

impl<T: Element> Lane<T> {
    /// Runs the part forward and backward.
    fn run(
        &mut self,
        backend: &mut dyn Backend<T>,
        model: &Model<T>,
        (draws, scale): ((u64, Option<u64>), f64),
        sums: &mut PartSums<T>,
    ) -> Result<StepReport, EngineError> {
        let Self { part, layout, order } = self;
        let (start, bound) = (Instant::now(), model.bound());
        let span = debug_span!(target: trace::TARGET, "schedule", batches = field::Empty).entered();
        let entangled = entangled(bound.functions.len(), part);
        let is_ordered = part.levels().order(&needed(bound, &entangled), order);
        assert!(is_ordered, "a part's functions depend on each other as those of its minibatch do");
        layout.lay_out(bound, part, Order::Levels(order), &entangled, true);
        span.record("batches", layout.batches.len());
        drop(span);
        backend.reserve(layout.size)?;
        let scheduled = Instant::now();
        let frame = Frame::new(model, part, layout, draws, scale);
        {
            let graphs = part.graph_count();
            let _span = debug_span!(target: trace::TARGET, "forward", graphs).entered();
            run_forward(backend, frame)?;
            sums.loss = losses::sum(backend, frame)?;
        }
        let forward = Instant::now();
        let _span = debug_span!(target: trace::TARGET, "backward").entered();
        run_backward_phases(backend, frame)?;
        backend.accumulate(frame, &mut sums.gradients)?;
        let copies = backend.take_copies();
        Ok(StepReport {
            schedule: scheduled - start,
            forward: forward - scheduled,
            backward: forward.elapsed(),
            batches: layout.batches.len(),
            proof: Some(Proof::Levels),
            copied_bytes: copies.gathered,
            gather_kernels: copies.gathers,
            moved_bytes: copies.moved,
            memory_kernels: copies.moves,
            arena_bytes: layout.size * backend.element_bytes(),
            ..StepReport::default()
        })
    }
}
