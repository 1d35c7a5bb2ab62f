//! The pieces of a training step: minibatches run forward and backward and leave their losses and
//! gradients with the [`Stepper`](super::backend::Stepper); then the parameters move.
//!
//! This is what a trainer does with an engine. `edb` does not re-export it: the pieces fit together in one
//! order only, which `Trainer` of `edb-train` knows. First [`prepare`] all minibatches, then [`begin_step`],
//! [`run`] each, and [`take_step`].

use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_learn::learn::{Gradients, ParameterStep, Parameters, StepOutcome};
use edb_model::graph::Minibatch;
use edb_model::model::Model;
use edb_schedule::Scheduler;

use crate::engine::backend::{DeviceTimes, ShareSums};
use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::pass::Destination;
use crate::engine::pass::host::{is_waited_for, with_stepper};
use crate::engine::pass::loss_scale::LossScale;
use crate::engine::pass::part_memory::CountTerms;
use crate::engine::pass::seeds::Seeds;

pub use crate::engine::gradients::each::add_whole_numbers;
pub use crate::engine::growing::Growing;
pub use crate::engine::growing::grow_each::{
    Growers, GrowsFor, grow_and_clip, grow_part_forward, grow_to_the_end,
};
pub use crate::engine::layout::find::check_owns;
pub use crate::engine::parts::clip::{Clip, clip_in_parts};
pub use crate::engine::parts::{CutFor, Prepared, prepare};

/// Begins a step over these parameters; `alone` says that it has one minibatch only.
///
/// # Errors
/// When the device has failed.
pub fn begin_step<T: Element>(
    engine: &mut Engine<T>,
    parameters: &Parameters<T>,
    alone: bool,
) -> Result<(), EngineError> {
    let Engine { backend, sums, .. } = engine;
    with_stepper(backend.as_mut(), sums, |stepper| stepper.begin_step(parameters, alone))
}

/// Runs a minibatch forward and backward as part of training step `step`, and keeps its losses and
/// gradients. Returns what `count` counts in it, which has run: the sections of its vertices are among
/// its vertices.
///
/// # Errors
/// When memory does not suffice, or the device has failed.
pub fn run<T: Element>(
    engine: &mut Engine<T>,
    prepared: &Prepared<'_, T>,
    step: u64,
    count: &CountTerms<'_, T>,
) -> Result<usize, EngineError> {
    engine.run_training(prepared, step, count)
}

/// Moves the parameters along the gradients that are kept.
///
/// # Errors
/// When the optimiser refuses, or the device has failed.
pub fn take_step<T: Element>(
    engine: &mut Engine<T>,
    step: &mut ParameterStep<'_, T>,
) -> Result<StepOutcome, EngineError> {
    let Engine { backend, sums, .. } = engine;
    with_stepper(backend.as_mut(), sums, |stepper| stepper.take(step))
}

/// A copy of the gradients that are kept.
///
/// # Errors
/// When the device has failed.
pub fn kept_gradients<T: Element>(
    engine: &mut Engine<T>,
    parameters: &Parameters<T>,
) -> Result<Gradients<T>, EngineError> {
    let mut gradients = Gradients::new(parameters);
    let Engine { backend, sums, .. } = engine;
    with_stepper(backend.as_mut(), sums, |stepper| stepper.give(&mut gradients))?;
    Ok(gradients)
}

/// Moves the losses and gradients that are kept out: the gradients to `gradients`, whose memory is used
/// for the next ones; returns the sum of the losses.
///
/// # Errors
/// When the device has failed.
pub fn take_sums<T: Element>(
    engine: &mut Engine<T>,
    gradients: &mut Gradients<T>,
) -> Result<f64, EngineError> {
    if let Some(stepper) = engine.backend.stepper() {
        gradients.reset();
        return stepper.give(gradients);
    }
    let (loss, sum) = engine.sums.total(engine.backend.as_mut());
    std::mem::swap(sum, gradients);
    Ok(loss)
}

/// What adds up the gradients of shares on the device, if it does.
pub fn share_sums<T: Element>(engine: &mut Engine<T>) -> Option<&mut dyn ShareSums<T>> {
    engine.backend.share_sums()
}

/// See [`Backend::keep_rows_apart`](super::backend::Backend::keep_rows_apart).
pub fn keep_rows_apart<T: Element>(engine: &mut Engine<T>) {
    engine.backend.keep_rows_apart();
}

/// How long the phases of a step took by the device's own clock, if it has one.
pub fn device_times<T: Element>(engine: &mut Engine<T>) -> Option<DeviceTimes> {
    engine.backend.take_times()
}

/// The factor of the backward pass.
pub fn loss_factor<T: Element>(engine: &Engine<T>) -> f64 {
    engine.loss_factor()
}

/// Whether gradients overflowed because of the loss scale, which is then halved for the next pass.
/// `finite` returns whether they are finite, and is called only if there is a scale.
pub fn overflows<T: Element>(engine: &mut Engine<T>, finite: impl FnOnce() -> bool) -> bool {
    engine.overflows(finite)
}

/// What decides in which order vertices run, and learns it.
pub fn scheduler<T: Element>(engine: &Engine<T>) -> &Scheduler {
    &engine.scheduler
}

/// The same, to be told what a saved engine had learned, or whether it may learn now.
pub fn scheduler_mut<T: Element>(engine: &mut Engine<T>) -> &mut Scheduler {
    &mut engine.scheduler
}

/// What was set by which minibatches of a model are scheduled, as text.
pub fn settings<T: Element>(engine: &Engine<T>, model: &Model<T>) -> [(&'static str, String); 2] {
    let Engine { scheduler, most_steps, .. } = engine;
    [
        ("the most rounds of a graph that grows", most_steps.to_string()),
        ("the policy", scheduler.policies(model.signature())),
    ]
}

/// The seed of the draws.
pub fn seed<T: Element>(engine: &Engine<T>) -> u64 {
    engine.seed
}

/// Restores the seed of a saved engine, and its loss scale, if there was one and the device needs one.
pub fn restore<T: Element>(engine: &mut Engine<T>, seed: u64, loss_scale: Option<LossScale>) {
    engine.seed = seed;
    engine.scheduler.seed(seed);
    let own = engine.loss_scale;
    engine.loss_scale = own.map(|own| loss_scale.map_or(own, LossScale::checked));
}

compiled_here! {
    impl Engine {
        /// Runs a minibatch forward and backward as part of training step `step`, and keeps its
        /// losses and gradients. Returns what `count` counts in it, which has run: the sections of
        /// its vertices are among its vertices.
        pub(super) fn run_training(
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
