//! The parts of a training step: minibatches run forward and backward and leave their losses and
//! gradients with the [`Stepper`](crate::engine::backend::Stepper); then the parameters move.

use crate::engine::backend::{DeviceTimes, Frame, ShareSums};
use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::parts::Prepared;
use crate::engine::pass::Destination;
use crate::engine::pass::host::{is_waited_for, with_stepper};
use crate::engine::pass::losses;
use crate::engine::pass::part_memory::CountTerms;
use crate::engine::pass::seeds::Seeds;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_learn::learn::{Gradients, ParameterStep, Parameters, StepOutcome, Workers};
use edb_model::graph::Minibatch;
use edb_model::model::Model;

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
        Ok(step.take(loss, gradients, &mut self.workers())?)
    }

    /// The threads of the back end.
    #[doc(hidden)]
    pub fn workers(&mut self) -> Workers<'_, T> {
        self.backend.workers()
    }

    /// See [`Backend::keep_rows_apart`](crate::engine::backend::Backend::keep_rows_apart).
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

compiled_here! {
    impl Engine {
        /// Runs a minibatch forward and backward as part of training step `step`, and keeps its
        /// losses and gradients. Returns what `count` counts in it, which has run: the sections of
        /// its vertices are among its vertices.
        #[doc(hidden)]
        pub fn run_training(
            &mut self,
            prepared: &Prepared<'_, T>,
            step: u64,
            count: &CountTerms<'_, T>,
        ) -> Result<usize, EngineError> {
            let Prepared { model, batch, dependencies, parts, .. } = prepared;
            if parts.len() > 1 {
                return self.run_in_parts(prepared, step, count);
            }
            let (mut runner, _) = self.runner(Some(step));
            let waits = is_waited_for(runner.backend);
            let grown = runner.forward(model, batch, dependencies.as_ref(), waits)?;
            let batch = grown.as_ref().unwrap_or(batch);
            self.learn(model, batch, step, &Seeds::new())?;
            Ok(count(batch))
        }

        /// Runs what has run forward in training step `step` backward, with gradients for what it
        /// pushes, and keeps its losses and gradients.
        pub(super) fn learn(
            &mut self,
            model: &Model<T>,
            batch: &Minibatch<T>,
            step: u64,
            seeds: &Seeds<T>,
        ) -> Result<(), EngineError> {
            let (mut runner, sums) = self.runner(Some(step));
            runner.pass(model, batch).backward(seeds, Destination::Stepper(sums))
        }
    }
}
