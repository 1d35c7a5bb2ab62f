//! A minibatch passes through a back end: forward, and then backward until its gradients are at their
//! destination. Everything that trains uses this module: whole minibatches and parts of minibatches.
//!
//! Input: a [`Runner`](runner::Runner). It has a back end, a layout, the policies and the memory that is kept from
//! run to run. It belongs to the engine, or to a thread that runs parts. It schedules a minibatch, lays it out, and
//! makes its [`Pass`]. The pass runs the phases (`phases.rs`), writes the gradients that the caller gives into the
//! arena (`seeds.rs`), sums losses (`losses.rs`) and leaves gradients at a [`Destination`].
//!
//! Output: values in the arena, sums of losses and gradients, and a [`StepReport`]. The engine calls this module
//! (`running.rs`), and so do the modules `parts/` and `growing/`.

pub(crate) mod host;
pub(crate) mod loss_scale;
pub(crate) mod losses;
pub(crate) mod part_memory;
pub(crate) mod phases;
pub(crate) mod report;
pub(crate) mod run_memory;
pub(crate) mod runner;
pub(crate) mod seeds;

use std::time::Instant;

use tracing::debug_span;

use crate::engine::backend::Backend;
use crate::engine::backend::frame::Frame;
use crate::engine::error::EngineError;
use crate::engine::layout::Layout;
use edb_kernels::element::Element;
use edb_kernels::trace;
use edb_learn::learn::Gradients;
use edb_model::graph::{FlatBatch, Minibatch};
use edb_model::model::Model;
use edb_schedule::Proof;
use host::{HostSums, is_waited_for, with_stepper};
use part_memory::PartSums;
use report::StepReport;
use seeds::Seeds;

/// A minibatch that is laid out, with the back end that runs it.
pub(crate) struct Pass<'a, T: Element> {
    pub(crate) backend: &'a mut dyn Backend<T>,
    pub(crate) layout: &'a mut Layout,
    pub(crate) model: &'a Model<T>,
    pub(crate) batch: &'a Minibatch<T>,
    /// The seed and the step of its random draws; no step in inference.
    pub(crate) draws: (u64, Option<u64>),
    /// The factor by which the backward pass is scaled; 1 without a loss scale.
    pub(crate) loss_scale: f64,
    /// Whether the minibatch has gone backward. If so, gradients have overwritten its tape.
    pub(crate) spent: &'a mut bool,
    pub(crate) report: &'a mut StepReport,
}

/// Where a pass leaves its losses and the gradients of parameters.
pub(crate) enum Destination<'s, T> {
    /// Nowhere: the caller needs only the gradients of rows.
    Rows,
    /// The gradients are added to this sum. The losses are not summed.
    Gradients(&'s mut Gradients<T>),
    /// Both are left in the sums of a part.
    Part(&'s mut PartSums<T>),
    /// A [`Stepper`](crate::engine::backend::Stepper) keeps both: the stepper of the back end or, if it has none,
    /// the stepper of the host, with these sums.
    Stepper(&'s mut HostSums<T>),
}

impl<T: Element> Pass<'_, T> {
    /// The back end, and the frame of this minibatch for it.
    pub(crate) fn split(&mut self) -> (&mut dyn Backend<T>, Frame<'_, T>) {
        let Self { backend, layout, model, batch, draws, loss_scale, .. } = self;
        (&mut **backend, Frame::new(model, batch, layout, *draws, *loss_scale))
    }

    /// Runs forward, and begins the report. `begun` is when the work on the schedule began. `proof` says why no
    /// schedule has fewer batches, if that is known.
    pub(crate) fn forward(
        &mut self,
        begun: Instant,
        proof: Option<Proof>,
        waits: bool,
    ) -> Result<(), EngineError> {
        self.backend.reserve(self.layout.size)?;
        let scheduled = Instant::now();
        let graphs = self.batch.graph_count();
        let _span = debug_span!(target: trace::TARGET, "forward", graphs).entered();
        let (backend, frame) = self.split();
        phases::forward(backend, frame)?;
        if waits {
            backend.finish()?;
        }
        *self.report = StepReport {
            schedule: scheduled - begun,
            forward: scheduled.elapsed(),
            batches: self.layout.batches.len(),
            proof,
            ..StepReport::default()
        };
        self.count();
        if let Some(times) = waits.then(|| self.backend.take_times()).flatten() {
            self.report.forward = times.forward;
        }
        Ok(())
    }

    /// Runs backward from the losses and from `seeds`, which are gradients of outputs.
    pub(crate) fn backward(
        &mut self,
        seeds: &Seeds<T>,
        mut destination: Destination<'_, T>,
    ) -> Result<(), EngineError> {
        let begun = Instant::now();
        let Self { backend, layout, model, batch, loss_scale, .. } = self;
        seeds.place(model.bound(), FlatBatch::of(batch), layout, *backend, *loss_scale)?;
        *self.spent = true;
        let placed = Instant::now();
        let (backend, frame) = self.split();
        match &mut destination {
            Destination::Rows | Destination::Gradients(_) => {}
            Destination::Part(sums) => sums.loss = losses::sum(backend, frame)?,
            Destination::Stepper(sums) => {
                with_stepper(backend, sums, |stepper| stepper.keep_losses(frame))?;
            }
        }
        let of_losses = placed.elapsed();
        let span = debug_span!(target: trace::TARGET, "backward").entered();
        phases::backward(backend, frame)?;
        let mut waits = true;
        match destination {
            Destination::Rows => {}
            Destination::Gradients(sum) => backend.accumulate(frame, sum)?,
            Destination::Part(sums) => backend.accumulate(frame, &mut sums.gradients)?,
            Destination::Stepper(sums) => {
                with_stepper(backend, sums, |stepper| stepper.keep_gradients(frame))?;
                waits = is_waited_for(backend);
            }
        }
        drop(span);
        self.report.forward += of_losses;
        self.report.backward += begun.elapsed() - of_losses;
        if let Some(times) = waits.then(|| self.backend.take_times()).flatten() {
            self.report.backward = times.backward;
        }
        self.count();
        Ok(())
    }

    /// Adds the copies and the size of the arena to the report. Gradients of outputs that the caller gave have
    /// made the arena larger.
    fn count(&mut self) {
        self.report.add_copies(self.backend.take_copies());
        self.report.arena_bytes = self.layout.size * self.backend.element_bytes();
    }
}
