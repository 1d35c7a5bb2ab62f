//! The pieces of a training step. Minibatches run forward and backward, and leave their losses and
//! gradients with the [`Stepper`](super::backend::Stepper). Then the parameters are updated.
//!
//! A trainer builds its step from these functions. `edb` does not re-export them, because they must be called
//! in one order, which `Trainer` of `edb-train` knows: first [`prepare`] all minibatches, then
//! [`begin_step`], then [`run`] each minibatch, then [`take_step`].

use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_learn::learn::{Gradients, ParameterStep, Parameters, StepOutcome};
use edb_model::graph::{FlatBatch, Minibatch};
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

/// Begins a step over these parameters. `alone` says that the step has only one minibatch.
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
/// gradients. Returns what `count` counts in the minibatch that has run; its sections count as vertices
/// there.
///
/// # Errors
/// When memory does not suffice, or the device has failed.
pub fn run<T: Element>(
    engine: &mut Engine<T>,
    prepared: &Prepared<'_, T>,
    step: u64,
    count: &CountTerms<'_>,
) -> Result<usize, EngineError> {
    engine.run_training(prepared, step, count)
}

/// Updates the parameters with the gradients that are kept.
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

/// Returns a copy of the gradients that are kept.
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

/// Moves the gradients that are kept to `gradients`, and returns the sum of the losses that are kept. On the
/// host, the memory of `gradients` is used for the next gradients.
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

/// The interface that adds up the gradients of shares on the device, if the device can do so.
pub fn share_sums<T: Element>(engine: &mut Engine<T>) -> Option<&mut dyn ShareSums<T>> {
    engine.backend.share_sums()
}

/// See [`Backend::keep_rows_apart`](super::backend::Backend::keep_rows_apart).
pub fn keep_rows_apart<T: Element>(engine: &mut Engine<T>) {
    engine.backend.keep_rows_apart();
}

/// How long the phases of a step took by the clock of the device, if it has one.
pub fn device_times<T: Element>(engine: &mut Engine<T>) -> Option<DeviceTimes> {
    engine.backend.take_times()
}

/// The factor by which the backward pass is scaled; 1 without a loss scale.
pub fn loss_factor<T: Element>(engine: &Engine<T>) -> f64 {
    engine.loss_factor()
}

/// Returns whether gradients overflowed because of the loss scale. If they did, the scale is halved for the
/// next pass. `finite` says whether the gradients are finite; it is called only if there is a scale.
pub fn overflows<T: Element>(engine: &mut Engine<T>, finite: impl FnOnce() -> bool) -> bool {
    engine.overflows(finite)
}

/// The scheduler of the engine: it chooses the order in which vertices run, and learns policies.
pub fn scheduler<T: Element>(engine: &Engine<T>) -> &Scheduler {
    &engine.scheduler
}

/// The scheduler, to change it: a trainer restores what a saved engine had learned, or says whether the
/// scheduler may learn now.
pub fn scheduler_mut<T: Element>(engine: &mut Engine<T>) -> &mut Scheduler {
    &mut engine.scheduler
}

/// The settings on which the schedules of a model depend, as names and texts.
pub fn settings<T: Element>(engine: &Engine<T>, model: &Model<T>) -> [(&'static str, String); 2] {
    let Engine { scheduler, most_steps, .. } = engine;
    [
        ("the most rounds of a graph that grows", most_steps.to_string()),
        ("the policy", scheduler.policies(model.signature())),
    ]
}

/// The seed of the random draws.
pub fn seed<T: Element>(engine: &Engine<T>) -> u64 {
    engine.seed
}

/// Restores the seed of a saved engine. Restores its loss scale too, if it had one and this device needs one.
pub fn restore<T: Element>(engine: &mut Engine<T>, seed: u64, loss_scale: Option<LossScale>) {
    engine.seed = seed;
    engine.scheduler.seed(seed);
    let own = engine.loss_scale;
    engine.loss_scale = own.map(|own| loss_scale.map_or(own, LossScale::checked));
}

compiled_here! {
    impl Engine {
        /// See the function [`run`].
        pub(super) fn run_training(
            &mut self,
            prepared: &Prepared<'_, T>,
            step: u64,
            count: &CountTerms<'_>,
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
            Ok(count(FlatBatch::of(batch)))
        }

        /// Takes a minibatch that has run forward in training step `step`, and runs it backward. `seeds` are
        /// gradients of its outputs. Keeps its losses and gradients.
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
