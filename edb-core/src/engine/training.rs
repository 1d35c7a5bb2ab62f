//! The parts of a training step: minibatches run forward and backward and leave their losses and
//! gradients with the [`Stepper`](super::backend::Stepper); then the parameters move.

use std::time::Instant;

use tracing::debug_span;

use super::backend::{DeviceTimes, Frame, ShareSums};
use super::error::EngineError;
use super::host::with_stepper;
use super::seeds::Seeds;
use super::{Engine, losses, run_backward_phases};
use edb_kernels::element::{Each, Element, Family};
use edb_kernels::trace;
use edb_learn::learn::{Gradients, ParameterStep, Parameters, StepOutcome, Workers};
use edb_model::graph::Minibatch;
use edb_model::model::Model;

/// [`Engine::run_training`].
struct Training;

impl Family for Training {
    type Member<T: Element> = fn(
        &mut Engine<T>,
        &Model<T>,
        &Minibatch<T>,
        u64,
    ) -> Result<Option<Minibatch<T>>, EngineError>;
}

static TRAINING: Each<Training> =
    Each { f32: Engine::run_training_each, f64: Engine::run_training_each };

/// [`Engine::learn`].
struct Learning;

impl Family for Learning {
    type Member<T: Element> = fn(
        &mut Engine<T>,
        &Model<T>,
        &Minibatch<T>,
        u64,
        Option<&Seeds<T>>,
    ) -> Result<(), EngineError>;
}

static LEARNING: Each<Learning> = Each { f32: Engine::learn_each, f64: Engine::learn_each };

impl<T: Element> Engine<T> {
    /// Begins a step over these parameters; `alone` says that it has one minibatch only.
    #[doc(hidden)]
    pub fn begin_step(
        &mut self,
        parameters: &Parameters<T>,
        alone: bool,
    ) -> Result<(), EngineError> {
        let Self { backend, sums, .. } = self;
        with_stepper(backend.as_mut(), sums, |stepper| stepper.begin_step(parameters, alone))
    }

    /// Runs a minibatch forward and backward as part of training step `step`, and keeps its losses
    /// and gradients. Returns the minibatch with the sections that have run, if there are some.
    #[doc(hidden)]
    pub fn run_training(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
        step: u64,
    ) -> Result<Option<Minibatch<T>>, EngineError> {
        TRAINING.of::<T>()(self, model, batch, step)
    }

    fn run_training_each(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
        step: u64,
    ) -> Result<Option<Minibatch<T>>, EngineError> {
        // A device that takes steps is not waited for: nothing is read before the step is taken.
        let waits = self.backend.stepper().is_none();
        let grown = self.run_forward(model, batch, Some(step), waits)?;
        self.learn_each(model, grown.as_ref().unwrap_or(batch), step, None)?;
        Ok(grown)
    }

    /// Runs a minibatch that has run forward in training step `step` backward, with gradients for
    /// what it pushes, and keeps its losses and gradients.
    #[doc(hidden)]
    pub fn learn(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
        step: u64,
        seeds: &Seeds<T>,
    ) -> Result<(), EngineError> {
        LEARNING.of::<T>()(self, model, batch, step, Some(seeds))
    }

    fn learn_each(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
        step: u64,
        seeds: Option<&Seeds<T>>,
    ) -> Result<(), EngineError> {
        let waits = self.backend.stepper().is_none();
        let start = Instant::now();
        let scale = self.loss_factor();
        if let Some(seeds) = seeds {
            seeds.place(model.bound(), batch, &mut self.layout, self.backend.as_mut(), scale)?;
        }
        self.spent = true;
        let Self { backend, sums, layout, seed, report, .. } = self;
        let frame = Frame::new(model, batch, layout, (*seed, Some(step)), scale);
        with_stepper(backend.as_mut(), sums, |stepper| stepper.keep_losses(frame))?;
        report.forward += start.elapsed();
        let start = Instant::now();
        {
            let _span = debug_span!(target: trace::TARGET, "backward").entered();
            run_backward_phases(backend.as_mut(), frame)?;
            with_stepper(backend.as_mut(), sums, |stepper| stepper.keep_gradients(frame))?;
        }
        self.report_backward(start, waits);
        Ok(())
    }

    /// Moves the parameters along the gradients that are kept.
    #[doc(hidden)]
    pub fn take_step(
        &mut self,
        step: &mut ParameterStep<'_, T>,
    ) -> Result<StepOutcome, EngineError> {
        let Self { backend, sums, .. } = self;
        with_stepper(backend.as_mut(), sums, |stepper| stepper.take(step))
    }

    /// Moves the parameters along other gradients of this sum of losses, on the host.
    #[doc(hidden)]
    pub fn take_step_along(
        &mut self,
        step: &mut ParameterStep<'_, T>,
        loss: f64,
        gradients: &Gradients<T>,
    ) -> Result<StepOutcome, EngineError> {
        Ok(self.with_workers(|workers| step.take(loss, gradients, workers))?)
    }

    /// Calls `work` with the threads of the back end.
    #[doc(hidden)]
    pub fn with_workers<R>(&mut self, work: impl FnOnce(&mut Workers<'_, T>) -> R) -> R {
        let (mut work, mut result) = (Some(work), None);
        self.backend.with_workers(&mut |workers| {
            result = work.take().map(|work| work(workers));
        });
        result.expect("a back end lends its threads once")
    }

    /// See [`Backend::keep_rows_apart`](super::backend::Backend::keep_rows_apart).
    #[doc(hidden)]
    pub fn keep_rows_apart(&mut self) {
        self.backend.keep_rows_apart();
    }

    /// How long the phases of a step took by the device's own clock, if it has one.
    #[doc(hidden)]
    pub fn device_times(&mut self) -> Option<DeviceTimes> {
        self.backend.take_times()
    }

    /// A copy of the gradients that are kept.
    #[doc(hidden)]
    pub fn kept_gradients(
        &mut self,
        parameters: &Parameters<T>,
    ) -> Result<Gradients<T>, EngineError> {
        let mut gradients = Gradients::new(parameters);
        let Self { backend, sums, .. } = self;
        with_stepper(backend.as_mut(), sums, |stepper| stepper.give(&mut gradients))?;
        Ok(gradients)
    }

    /// Moves the losses and gradients that are kept out: the gradients to `gradients`, whose memory
    /// is used for the next ones; returns the sum of the losses.
    #[doc(hidden)]
    pub fn take_sums(&mut self, gradients: &mut Gradients<T>) -> Result<f64, EngineError> {
        if let Some(stepper) = self.backend.stepper() {
            gradients.reset();
            return stepper.give(gradients);
        }
        let (loss, sum) = self.sums.total(self.backend.as_mut());
        std::mem::swap(sum, gradients);
        Ok(loss)
    }

    /// What adds up the gradients of shares on the device, if it does.
    #[doc(hidden)]
    pub fn share_sums(&mut self) -> Option<&mut dyn ShareSums<T>> {
        self.backend.share_sums()
    }

    /// The sum of the losses of the minibatch that has just run forward.
    pub(super) fn sum_of_losses(
        &self,
        model: &Model<T>,
        batch: &Minibatch<T>,
    ) -> Result<f64, EngineError> {
        let frame = Frame::new(model, batch, &self.layout, (self.seed, None), self.loss_factor());
        losses::sum(self.backend.as_ref(), frame)
    }
}
