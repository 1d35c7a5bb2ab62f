//! An engine runs a minibatch: forward, which makes a [`Run`], and then backward.

use std::borrow::Cow;

use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_learn::learn::{Gradients, Workers};
use edb_model::graph::{FlatBatch, Minibatch};
use edb_model::model::Model;

use crate::engine::backend::Frame;
use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::layout::dependencies::Dependencies;
use crate::engine::layout::find::{check_owns, check_settled};
use crate::engine::pass::seeds::Seeds;
use crate::engine::pass::{Destination, losses};
use crate::engine::results::run::Run;

impl<T: Element> Engine<T> {
    /// Runs a minibatch forward, and keeps nothing for a backward pass.
    ///
    /// # Errors
    /// When the minibatch is of another model, or memory does not suffice.
    pub fn infer<'a>(
        &'a mut self,
        model: &'a Model<T>,
        batch: &'a Minibatch<T>,
    ) -> Result<Run<'a, T>, EngineError> {
        self.begin_run(model, Cow::Borrowed(batch), None)
    }

    /// Runs a minibatch forward as part of training step `step`, so that it can be run backward.
    /// Dropout is on; its masks depend on the engine's seed, the step and the vertex.
    ///
    /// # Errors
    /// When the minibatch is of another model, or memory does not suffice.
    pub fn forward<'a>(
        &'a mut self,
        model: &'a Model<T>,
        batch: &'a Minibatch<T>,
        step: u64,
    ) -> Result<Run<'a, T>, EngineError> {
        self.begin_run(model, Cow::Borrowed(batch), Some(step))
    }

    /// How many bytes of memory a training step on a minibatch needs for values and their gradients. This
    /// includes values that exist only while a few rows are computed. It does not include the parameters and
    /// their gradients. [`each_bytes`](Self::each_bytes) says how much memory the gradients of each graph need in
    /// addition, as in private training.
    ///
    /// # Errors
    /// When the minibatch is of another model, or its vertices decide how they go on.
    pub fn training_bytes(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
    ) -> Result<usize, EngineError> {
        self.lay_out_training(model, batch)?;
        let arena = self.layout.size.saturating_mul(self.backend.element_bytes());
        Ok(arena.saturating_add(self.backend.scratch_bytes(&self.layout)))
    }

    /// Lays out a minibatch in the way that a training step does.
    pub(super) fn lay_out_training(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
    ) -> Result<(), EngineError> {
        check_owns(model, batch)?;
        let batch = FlatBatch::of(batch);
        check_settled(batch, model.bound())?;
        let dependencies = Dependencies::of(model.bound(), batch);
        let (mut runner, _) = self.runner(None);
        runner.lay_out(model.bound(), batch, &dependencies, true).map(drop)
    }

    /// Returns gradients of zero. They reuse the memory of earlier gradients, if there are any.
    pub(super) fn spare_gradients(&mut self, model: &Model<T>) -> Gradients<T> {
        let spare = self.gradients.take().filter(|spare| spare.fit(model.parameters()));
        spare.unwrap_or_else(|| Gradients::new(model.parameters()))
    }

    /// Runs backward once, with the current loss scale.
    pub(super) fn run_backward_once(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
        step: u64,
        seeds: &Seeds<T>,
    ) -> Result<Gradients<T>, EngineError> {
        let mut gradients = self.spare_gradients(model);
        let (mut runner, _) = self.runner(Some(step));
        let destination = Destination::Gradients(&mut gradients);
        runner.pass(model, batch).backward(seeds, destination)?;
        Ok(gradients)
    }

    /// Runs backward, and repeats it with a smaller scale as long as gradients overflow because of the loss
    /// scale. If the gradients are not finite even without scaling, the scale was not the cause, and is restored.
    pub(super) fn run_scaled_backward(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
        step: u64,
        seeds: &Seeds<T>,
    ) -> Result<Gradients<T>, EngineError> {
        let before = self.loss_scale;
        loop {
            let gradients = self.run_backward_once(model, batch, step, seeds)?;
            let finite = gradients.check_finite().is_ok();
            if self.overflows(|| finite) {
                self.recycle(gradients);
                // The backward pass has overwritten the values that it read, so they are computed again.
                self.run_forward(model, batch, Some(step), true)?;
                continue;
            }
            if !finite {
                self.loss_scale = before;
            }
            return Ok(gradients);
        }
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

    /// The threads of the back end. If you write a training step by hand, pass them to the
    /// [optimiser](edb_learn::learn::Optimizer::step).
    pub fn workers(&mut self) -> Workers<'_, T> {
        self.backend.workers()
    }
}

compiled_here! {
    impl Engine {
        /// Runs forward, and waits for the results if `waits`. If vertices have sections that decide how they
        /// go on, it returns what the minibatch has become, with the sections that have run.
        pub(super) fn run_forward(
            &mut self,
            model: &Model<T>,
            batch: &Minibatch<T>,
            step: Option<u64>,
            waits: bool,
        ) -> Result<Option<Minibatch<T>>, EngineError> {
            check_owns(model, batch)?;
            let lists = FlatBatch::of(batch);
            let is_settled = lists.is_settled(model.bound());
            let dependencies = is_settled.then(|| Dependencies::of(model.bound(), lists));
            self.runner(step).0.forward(model, batch, dependencies.as_ref(), waits)
        }

        /// Runs backward. If there is a loss scale, it repeats this as long as gradients overflow because of
        /// the scale.
        pub(super) fn run_backward(
            &mut self,
            model: &Model<T>,
            batch: &Minibatch<T>,
            step: u64,
            seeds: &Seeds<T>,
        ) -> Result<Gradients<T>, EngineError> {
            match self.loss_scale() {
                None => self.run_backward_once(model, batch, step, seeds),
                Some(_) => self.run_scaled_backward(model, batch, step, seeds),
            }
        }

        /// Runs backward without summing the gradients of parameters.
        pub(super) fn run_backward_rows(
            &mut self,
            model: &Model<T>,
            batch: &Minibatch<T>,
            step: u64,
            seeds: &Seeds<T>,
        ) -> Result<(), EngineError> {
            let (mut runner, _) = self.runner(Some(step));
            runner.pass(model, batch).backward(seeds, Destination::Rows)
        }
    }
}
