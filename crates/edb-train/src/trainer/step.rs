//! One training step: minibatches run forward and backward, and then the parameters are updated, on the host or on
//! the GPU.

use std::time::Instant;

use smallvec::SmallVec;

use super::error::{LARGE, LargeParameter, TrainError};
use super::{Step, StepReport, Trainer};
use edb_core::engine::backend::DeviceTimes;
use edb_core::engine::training::{self, CutFor, Growing};
use edb_core::engine::{EngineError, GradientNotFinite, Seeds};
use edb_core::graph::{FlatBatch, Minibatch};
use edb_core::schedule::{Signature, TypeGraph};
use edb_kernels::element::Element;
use edb_kernels::trace::TARGET;
use edb_learn::learn::{Gradients, LearnError, ParameterStep, StepOutcome};

/// The sum of losses and the gradients along which a step is taken, if the engine does not keep them.
#[derive(Debug)]
pub(super) struct Along<T> {
    pub(super) loss: f64,
    pub(super) gradients: Gradients<T>,
}

/// The samples that the engine has collected to learn policies that are not known yet. If a step fails, they are
/// restored.
pub(super) struct Unlearned {
    /// The samples for the policy of minibatches, then the samples for the policy of graphs that grow; `None` if
    /// the policy is known.
    samples: [Option<Vec<TypeGraph>>; 2],
    /// Which policies the other ranks know, if there are other ranks.
    shared: Option<[bool; 2]>,
}

impl<T: Element> Trainer<T> {
    /// Takes a step. If it fails, the samples that were collected in it to learn policies are forgotten. A step
    /// that fails must change nothing, and how far ranks come in it depends on their number.
    pub(super) fn learn_if(
        &mut self,
        grows: bool,
        step: impl FnOnce(&mut Self) -> Result<Step, TrainError>,
    ) -> Result<Step, TrainError> {
        let unlearned = self.unlearned(grows);
        step(self).inspect_err(|_| self.forget_since(unlearned))
    }

    /// The samples of the policies that are not known yet. `grows` says whether graphs grow or vertices decide in the
    /// step: only then a policy for graphs that grow is used.
    pub(super) fn unlearned(&self, grows: bool) -> Unlearned {
        let types = self.model.signature();
        let samples = |types: &Signature| training::scheduler(&self.engine).samples(types).to_vec();
        let fixed = (!training::scheduler(&self.engine).knows(types)).then(|| samples(types));
        let growing = (grows && !training::scheduler(&self.engine).knows_growth(types))
            .then(|| samples(&types.growing()));
        let shared = self.distributed.as_ref().map(|ranks| ranks.policies_shared);
        Unlearned { samples: [fixed, growing], shared }
    }

    /// Forgets the samples and the policies that the engine has got since then.
    pub(super) fn forget_since(&mut self, Unlearned { samples, shared }: Unlearned) {
        let [fixed, growing] = samples;
        if let Some(samples) = fixed {
            training::scheduler_mut(&mut self.engine).restore(
                self.model.signature(),
                None,
                samples,
            );
        }
        if let Some(samples) = growing {
            training::scheduler_mut(&mut self.engine).restore(
                &self.model.signature().growing(),
                None,
                samples,
            );
        }
        if let Some((ranks, shared)) = self.distributed.as_mut().zip(shared) {
            ranks.policies_shared = shared;
        }
    }

    /// Takes a step along gradients, divided by `terms`: the gradients in `along`, or those that the engine has
    /// kept.
    pub(super) fn update(
        &mut self,
        batches: &[&Minibatch<T>],
        terms: usize,
        along: Option<&Along<T>>,
        mut report: StepReport,
    ) -> Result<(StepOutcome, StepReport), TrainError> {
        let begun = Instant::now();
        let _span = tracing::debug_span!(target: TARGET, "update").entered();
        let outcome = self.take_step(batches, terms, along)?;
        report.update = begun.elapsed();
        self.take_times(&mut report);
        Ok((outcome, report))
    }

    /// Puts the times that the device has measured into a report, since the host has only queued the work. If the
    /// device has not run a stage since its times were last taken, the time of the host stays.
    pub(super) fn take_times(&mut self, report: &mut StepReport) {
        let Some(DeviceTimes { forward, backward, update }) =
            training::device_times(&mut self.engine)
        else {
            return;
        };
        let stages = [
            (forward, &mut report.forward),
            (backward, &mut report.backward),
            (update, &mut report.update),
        ];
        for (measured, stage) in stages.into_iter().filter(|(measured, _)| !measured.is_zero()) {
            *stage = measured;
        }
    }

    /// Runs minibatches forward and backward, each in the parts into which the engine cuts it. The engine keeps
    /// their losses and gradients. Returns the report, and the terms of the losses.
    pub(super) fn run_batches(
        &mut self,
        batches: &[&Minibatch<T>],
    ) -> Result<(StepReport, usize), TrainError> {
        let Self { model, engine, reduction, steps, .. } = self;
        let mut run = || {
            let prepared =
                batches.iter().map(|batch| training::prepare(engine, model, batch, CutFor::Step));
            let prepared: SmallVec<[_; 1]> = prepared.collect::<Result<_, EngineError>>()?;
            let alone = prepared.len() == 1 && prepared[0].parts().len() == 1;
            training::begin_step(engine, model.parameters(), alone)?;
            let (mut all, mut terms): (Option<StepReport>, usize) = (None, 0);
            let mut before = 0;
            for (prepared, batch) in prepared.iter().zip(batches) {
                let count = |ran: &FlatBatch| reduction.terms(model, ran);
                let ran = training::run(engine, prepared, *steps, &count);
                terms += ran.map_err(|error| error.of_graphs_from(before))?;
                before += batch.graph_count();
                let report = engine.report();
                match &mut all {
                    Some(all) => all.add(&report),
                    None => all = Some(report),
                }
            }
            Ok((all.unwrap_or_default(), terms))
        };
        run().map_err(|error| self.failed(error))
    }

    /// Settles graphs that have grown, and runs them backward. The engine keeps their losses and gradients.
    pub(super) fn learn(
        &mut self,
        growing: &mut Growing<T>,
        seeds: &Seeds<T>,
    ) -> Result<StepReport, TrainError> {
        let Self { model, engine, .. } = self;
        let begun = training::begin_step(engine, model.parameters(), true);
        let learned = begun.and_then(|()| growing.learn(engine, model, seeds));
        learned.map_err(|error| self.failed(error))?;
        Ok(self.engine.report())
    }

    /// Calls `run` for each part of a minibatch, one after the other, with the place of its first graph in the
    /// minibatch.
    pub(super) fn in_parts(
        &mut self,
        batch: &Minibatch<T>,
        mut run: impl FnMut(&mut Self, &Minibatch<T>, usize) -> Result<(), TrainError>,
    ) -> Result<(), TrainError> {
        let parts = training::prepare(&mut self.engine, &self.model, batch, CutFor::EachGraph)?
            .into_parts();
        if parts.len() == 1 {
            return run(self, batch, 0);
        }
        let mut memory = self.part.take().unwrap_or_else(|| batch.hollow());
        for part in parts {
            memory.refill(batch, part.clone());
            run(self, &memory, part.start)?;
        }
        self.part = Some(memory);
        Ok(())
    }

    /// Updates the parameters with the gradients in `along`, or with those that the engine has kept. Finds the
    /// cause if a loss or a gradient is not finite.
    fn take_step(
        &mut self,
        batches: &[&Minibatch<T>],
        terms: usize,
        along: Option<&Along<T>>,
    ) -> Result<StepOutcome, TrainError> {
        let mut outcome = self.try_step(terms, along, true)?;
        if !outcome.loss.is_finite() {
            return Err(self.loss_not_finite(batches));
        }
        if training::overflows(&mut self.engine, || outcome.taken) {
            return Ok(StepOutcome { norm: None, ..outcome });
        }
        if !outcome.taken {
            // Names a gradient that is not finite. If all gradients are finite, only their norm is out of range;
            // then the step is taken, unless the norm is clipped.
            if self.settings.guarded {
                let checked = match along {
                    Some(along) => along.gradients.check_finite().map_err(EngineError::from),
                    None => {
                        let kept =
                            training::kept_gradients(&mut self.engine, self.model.parameters());
                        kept.and_then(|gradients| Ok(gradients.check_finite()?))
                    }
                };
                checked.map_err(|error| self.gradient_failed(batches, error))?;
                if self.settings.clips_norms() && outcome.norm.is_some_and(f64::is_infinite) {
                    return Err(self.failed(LearnError::NormRange.into()));
                }
            }
            outcome = self.try_step(terms, along, false)?;
        }
        match outcome.taken {
            true => Ok(outcome),
            false => Err(TrainError::Unsteady { step: self.steps }),
        }
    }

    fn try_step(
        &mut self,
        terms: usize,
        along: Option<&Along<T>>,
        guarded: bool,
    ) -> Result<StepOutcome, TrainError> {
        let Self { model, engine, optimizer, settings, ema, steps, .. } = self;
        let parameters = model.parameters_mut();
        let tuned = settings.tune(parameters, terms, *steps);
        let taken = tuned.map_err(EngineError::from).and_then(|(tunings, mut scaling)| {
            // With a loss scale, gradients are always checked: the scale is adjusted if they are not finite.
            scaling.guarded = guarded && (scaling.guarded || engine.loss_scale().is_some());
            let (number, optimizer, ema) = (*steps, optimizer.as_mut(), ema.as_mut());
            let mut step = ParameterStep { number, parameters, optimizer, ema, tunings, scaling };
            match along {
                Some(along) => {
                    Ok(step.take(along.loss, &along.gradients, &mut engine.workers())?)
                }
                None => training::take_step(engine, &mut step),
            }
        });
        if !taken.as_ref().is_ok_and(|outcome| outcome.taken) {
            self.optimizer.forget_updates();
        }
        taken.map_err(|error| self.failed(error))
    }

    /// Finds where a loss that is not finite arose. The backward pass has overwritten the values that would show
    /// it, so the minibatches run again, with the same parameters and random draws.
    pub(super) fn loss_not_finite(&mut self, batches: &[&Minibatch<T>]) -> TrainError {
        // Places of graphs count from the first graph of the first minibatch.
        let (mut sum, mut before) = (0.0, 0);
        for batch in batches {
            let found = self.in_parts(batch, |trainer, part, first| {
                let first = before + first;
                let Self { model, engine, steps, .. } = trainer;
                let run = engine.forward(model, part, *steps)?;
                sum += run.loss()?;
                let Some((graph, vertex, function, loss)) = run.first_loss_not_finite()? else {
                    return Ok(());
                };
                let (step, mut origin) = (*steps, run.first_not_finite()?.map(Box::new));
                if let Some(origin) = &mut origin {
                    origin.graph += first;
                }
                let graph = first + graph;
                Err(TrainError::Loss { step, graph, vertex, function, loss, origin, large: None })
            });
            if let Err(mut error) = found {
                if let TrainError::Loss { large, .. } = &mut error {
                    *large = self.large_parameter();
                }
                return error;
            }
            before += batch.graph_count();
        }
        match sum.is_finite() {
            true => TrainError::Unsteady { step: self.steps },
            false => TrainError::SumOfLosses { step: self.steps, sum },
        }
    }

    /// Makes the error of gradients that cannot be used from the error of the engine. If a gradient is not finite,
    /// finds where it arose, in the first graph that has such a gradient when it runs alone.
    fn gradient_failed(&mut self, batches: &[&Minibatch<T>], error: EngineError) -> TrainError {
        match error {
            EngineError::Learn(error @ LearnError::NotFinite { .. }) => {
                let origin = self.gradient_not_finite(batches).unwrap_or_default().map(Box::new);
                let (error, large) = (Box::new(error), self.large_parameter());
                TrainError::Gradient { step: self.steps, error, origin, large }
            }
            error => self.failed(error),
        }
    }

    /// Finds where a gradient that is not finite arose. Each graph runs again alone, with the same parameters and
    /// random draws.
    fn gradient_not_finite(
        &mut self,
        batches: &[&Minibatch<T>],
    ) -> Result<Option<GradientNotFinite>, EngineError> {
        let Self { model, engine, steps, .. } = self;
        let mut before = 0;
        for batch in batches {
            let mut one = batch.hollow();
            for graph in 0..batch.graph_count() {
                one.refill(batch, graph..graph + 1);
                let gradients = engine.forward(model, &one, *steps)?.backward()?;
                let is_finite = gradients.check_finite().is_ok();
                engine.recycle(gradients);
                if !is_finite {
                    let origin =
                        engine.forward(model, &one, *steps)?.first_gradient_not_finite()?;
                    return Ok(origin.map(|mut origin| {
                        origin.graph = before + graph;
                        origin
                    }));
                }
            }
            before += batch.graph_count();
        }
        Ok(None)
    }

    /// Finds the parameter with the largest values, if these are out of the ordinary.
    fn large_parameter(&mut self) -> Option<Box<LargeParameter>> {
        let Self { model, optimizer, settings, steps, .. } = self;
        let parameters = model.parameters();
        let before = steps.checked_sub(1);
        let mut largest: Option<LargeParameter> = None;
        for (number, (_, parameter)) in parameters.iter().enumerate() {
            // The step before has not moved a parameter that is frozen, or whose rate is 0.
            let factor =
                before.map(|step| settings.rate_of(number, parameters, step).unwrap_or(0.0));
            let rate = factor.map(|factor| optimizer.learning_rate() * factor);
            if rate == Some(0.0) {
                continue;
            }
            // If the device has failed, its error is more important than this.
            let values = parameter.values().ok()?;
            // `f64::max` leaves NaN out, which the error names anyway.
            let magnitude = values.iter().map(|value| value.as_f64().abs()).fold(LARGE, f64::max);
            if magnitude > largest.as_ref().map_or(LARGE, |largest| largest.magnitude) {
                let parameter = parameter.name().to_owned();
                largest = Some(LargeParameter { parameter, magnitude, rate });
            }
        }
        largest.map(Box::new)
    }

    /// Makes the error of a step that was not taken from the error of the engine.
    pub(super) fn failed(&self, error: EngineError) -> TrainError {
        match error {
            EngineError::Device(_) => {
                // Fetches the parameters if they can still be read: the device may only be out of memory.
                let parameters = self.model.parameters();
                let kept = match parameters.fetch() {
                    Ok(()) => self.steps,
                    Err(_) => parameters.step_on_host(),
                };
                TrainError::Device { step: self.steps, kept, error }
            }
            EngineError::Learn(error) => TrainError::Learn { step: self.steps, error },
            error => TrainError::Engine(error),
        }
    }
}
