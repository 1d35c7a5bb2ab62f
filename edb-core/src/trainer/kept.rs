//! Training steps on a back end that holds the parameters: only the loss and the norm reach the
//! host.

use std::time::Instant;

use super::{StepReport, TrainError, Trainer};
use crate::element::Element;
use crate::engine::EngineError;
use crate::engine::STEPPER;
use crate::engine::backend::{StepOutcome, Updates};
use crate::graph::Minibatch;
use crate::learn::{Gradients, LearnError};
use crate::trace::TARGET;

/// Why the back end did not take a step.
enum NotTaken {
    /// Something failed.
    Failed(EngineError),
    /// The optimiser has a rule that only the host can apply.
    NoFormula,
    /// The loss is not finite.
    Loss,
    /// A value that was not finite is finite when it is computed again: the device is not
    /// deterministic.
    Unsteady,
}

impl From<EngineError> for NotTaken {
    fn from(error: EngineError) -> Self {
        Self::Failed(error)
    }
}

impl From<LearnError> for NotTaken {
    fn from(error: LearnError) -> Self {
        Self::Failed(error.into())
    }
}

impl<T: Element> Trainer<T> {
    /// Takes a step on a back end that holds the parameters; returns its result and report.
    pub(super) fn step_kept(
        &mut self,
        batches: &[&Minibatch<T>],
        terms: usize,
    ) -> Result<(StepOutcome, StepReport), TrainError> {
        let begun = self.engine.stepper().expect(STEPPER).begin_step();
        begun.map_err(|error| self.failed(error))?;
        let mut report: Option<StepReport> = None;
        for batch in batches {
            self.in_parts(batch, |trainer, part, _| {
                let Self { model, engine, steps, .. } = trainer;
                let ran = engine.run_kept(model, part, *steps);
                ran.map_err(|error| trainer.failed(error))?;
                let own = trainer.engine.report();
                match &mut report {
                    Some(report) => report.add(&own),
                    None => report = Some(own),
                }
                Ok(())
            })?;
        }
        let mut report = report.unwrap_or_default();
        let update = Instant::now();
        let _span = tracing::debug_span!(target: TARGET, "update").entered();
        let moved = match self.apply_kept(terms) {
            Ok(moved) => moved,
            Err(NotTaken::NoFormula) => self.apply_given(batches, terms)?,
            Err(NotTaken::Unsteady) => return Err(TrainError::Unsteady { step: self.steps }),
            Err(NotTaken::Loss) => return Err(self.loss_not_finite(batches)),
            Err(NotTaken::Failed(error)) => return Err(self.failed(error)),
        };
        report.update = update.elapsed();
        // The host has only queued the work: these are the times that the device measured.
        if let Some(times) = self.engine.device_times() {
            (report.forward, report.backward) = (times.forward, times.backward);
            report.update = times.update;
        }
        Ok((moved, report))
    }

    /// Lets the back end update the parameters along the gradients that it has kept.
    fn apply_kept(&mut self, terms: usize) -> Result<StepOutcome, NotTaken> {
        let mut moved = self.try_kept(terms, true)?;
        if !moved.loss.is_finite() {
            self.optimizer.forget_moves();
            return Err(NotTaken::Loss);
        }
        if self.engine.overflows(|| moved.taken) {
            self.optimizer.forget_moves();
            return Ok(StepOutcome { norm: None, ..moved });
        }
        if !moved.taken {
            self.optimizer.forget_moves();
            // The host finds which value is not finite. There is none if only the sum of the
            // squares exceeds the range; such a step is taken.
            if self.update.guarded {
                let mut gradients = Gradients::new(&self.model.parameters);
                self.engine.stepper().expect(STEPPER).give(&mut gradients)?;
                gradients.check_finite()?;
            }
            moved = self.try_kept(terms, false)?;
        }
        if moved.taken { Ok(moved) } else { Err(NotTaken::Unsteady) }
    }

    fn try_kept(&mut self, terms: usize, guarded: bool) -> Result<StepOutcome, NotTaken> {
        let Self { model, engine, optimizer, update, ema, steps, .. } = self;
        let parameters = &mut model.parameters;
        let averages = ema.as_mut().map(|ema| ema.averages_of(parameters)).transpose()?;
        let (tunings, mut scaling) = update.tune(parameters, terms, *steps)?;
        // A loss scale is adjusted by whether gradients are finite.
        scaling.guarded = guarded && (scaling.guarded || engine.loss_scale().is_some());
        let stepper = engine.stepper().expect(STEPPER);
        let moves = optimizer.moves(parameters, &|id| stepper.has_gradient(id), tunings)?;
        let moves = moves.filter(|moves| moves.iter().all(|one| stepper.knows(one)));
        let moves = moves.ok_or(NotTaken::NoFormula)?;
        let mut updates = Updates { step: *steps, moves, averages, scaling };
        let moved = stepper.take(&mut updates)?;
        if moved.taken {
            updates.moves.into_iter().for_each(|one| one.finish());
            if let Some(ema) = ema {
                ema.took();
            }
        }
        Ok(moved)
    }

    /// Copies the gradients that the back end has kept, and takes the step on the host.
    fn apply_given(
        &mut self,
        batches: &[&Minibatch<T>],
        terms: usize,
    ) -> Result<StepOutcome, TrainError> {
        self.optimizer.forget_moves();
        let mut gradients = Gradients::new(&self.model.parameters);
        let stepper = self.engine.stepper().expect(STEPPER);
        let given = stepper.loss().and_then(|loss| stepper.give(&mut gradients).map(|()| loss));
        let loss = given.map_err(|error| self.failed(error))?;
        if !loss.is_finite() {
            return Err(self.loss_not_finite(batches));
        }
        if self.engine.overflows(|| gradients.check_finite().is_ok()) {
            return Ok(StepOutcome { loss, norm: None, taken: false });
        }
        let norm = self.apply(&gradients, terms);
        let norm = norm.map_err(|error| TrainError::Learn { step: self.steps, error })?;
        Ok(StepOutcome { loss, norm, taken: true })
    }

    /// Finds where a loss that is not finite arose. The backward pass has overwritten the values
    /// that would show it, so the minibatches run once more, with the same parameters and random
    /// draws.
    fn loss_not_finite(&mut self, batches: &[&Minibatch<T>]) -> TrainError {
        for batch in batches {
            if let Err(error) = self.run(batch, None, false) {
                return error;
            }
        }
        TrainError::Unsteady { step: self.steps }
    }

    /// An error of a step that the device did not take.
    fn failed(&self, error: EngineError) -> TrainError {
        match error {
            EngineError::Device(_) => {
                // Fetches what can still be read: the device may only be out of memory.
                let parameters = &self.model.parameters;
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
