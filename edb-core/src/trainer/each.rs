//! Training steps that need the gradients of each graph: private ones, and those that measure the
//! gradient noise scale.

use std::time::Instant;

use super::step::Along;
use super::{Private, StepReport, TrainError, Trainer};
use crate::element::Element;
use crate::engine::{EngineError, NoiseScale, Run, Seeds};
use crate::graph::Minibatch;
use crate::learn::gradients::clip_factor;
use crate::learn::{ParameterId, StepOutcome};
use crate::secret::Use;

/// By which part the gradient of a graph is clipped to less than the bound: norms are rounded.
const ROUNDING: f64 = 1e-4;

/// The sum of the gradients of all graphs of a step, and what was measured of each.
pub(super) struct EachSums<T> {
    pub(super) along: Along<T>,
    /// The sum of the squares of the gradients' norms, before they are clipped.
    pub(super) squares: f64,
    pub(super) graphs: usize,
    /// The terms of the losses.
    pub(super) terms: usize,
    pub(super) trained: Vec<bool>,
    pub(super) report: Option<StepReport>,
}

impl<T: Element> Trainer<T> {
    /// Measures the gradient noise scale in every so many steps, from the next one on: 0 for none.
    /// [`StepReport::noise_scale`] has it. Such a step takes some percent longer on the
    /// processor, and sums gradients in another order.
    #[must_use]
    pub fn measure_noise(mut self, every: u64) -> Self {
        self.noise_every = every;
        self
    }

    /// Whether the step needs the gradients of each graph.
    pub(super) fn sums_each(&self) -> bool {
        let measures = self.noise_every > 0 && self.steps.is_multiple_of(self.noise_every);
        self.private.is_some() || measures
    }

    /// Runs minibatches forward and backward, and sums the gradients of their graphs, clipped if
    /// training is private.
    pub(super) fn run_each(
        &mut self,
        batches: &[&Minibatch<T>],
    ) -> Result<EachSums<T>, TrainError> {
        let mut sums = self.no_sums()?;
        for batch in batches {
            self.in_parts(batch, |trainer, part, _| {
                let run = trainer.engine.forward(&trainer.model, part, trainer.steps);
                let clip = trainer.private.as_ref().map(|private| private.clip);
                let summed = run.and_then(|run| {
                    sums.terms += trainer.reduction.terms(&trainer.model, run.minibatch());
                    sums.add(run, clip, &Seeds::new())
                });
                summed.map_err(|error| trainer.failed(error))
            })?;
        }
        Ok(sums)
    }

    /// The same for what has run forward, with gradients for what it pushes.
    pub(super) fn sum_each(
        &mut self,
        batch: &Minibatch<T>,
        seeds: &Seeds<T>,
    ) -> Result<EachSums<T>, TrainError> {
        let mut sums = self.no_sums()?;
        let Self { model, engine, steps, private, .. } = self;
        let clip = private.as_ref().map(|private| private.clip);
        let run = Run::borrowed(engine, model, (batch, None), Some(*steps));
        sums.add(run, clip, seeds).map_err(|error| self.failed(error))?;
        Ok(sums)
    }

    fn no_sums(&mut self) -> Result<EachSums<T>, TrainError> {
        let trained = self.trained()?;
        let along = Along { loss: 0.0, gradients: self.memory() };
        Ok(EachSums { along, squares: 0.0, graphs: 0, terms: 0, trained, report: None })
    }

    /// Which parameters are not frozen.
    pub(super) fn trained(&mut self) -> Result<Vec<bool>, TrainError> {
        let Self { model, settings, steps, .. } = self;
        let step = *steps;
        let tuned = settings.tune(&model.parameters, 1, step);
        let (tunings, _) = tuned.map_err(|error| TrainError::Learn { step, error })?;
        Ok(tunings.iter().map(|tuning| !tuning.frozen).collect())
    }

    /// Takes a step along the mean over `terms` of such sums, with noise if training is private.
    pub(super) fn update_along(
        &mut self,
        batches: &[&Minibatch<T>],
        terms: usize,
        sums: EachSums<T>,
    ) -> Result<(StepOutcome, StepReport), TrainError> {
        let EachSums { mut along, squares, graphs, trained, report, .. } = sums;
        let mut report = report.unwrap_or_default();
        let trained = trained.iter().zip(0..).filter(|(trained, _)| **trained);
        let trained: Vec<ParameterId> = trained.map(|(_, id)| ParameterId::new(id)).collect();
        let begun = Instant::now();
        let Self { engine, private, steps, .. } = self;
        match private {
            None => {
                let sum = trained.iter().map(|id| along.gradients.sum_of_squares(*id)).sum();
                report.noise_scale = NoiseScale::new(graphs, squares, sum);
            }
            // With no noise, parameters that have no gradient keep none.
            Some(private) if private.noise == 0.0 => {}
            Some(Private { noise, clip, secret, .. }) => engine.with_workers(|workers| {
                let draws = || secret.draws(Use::Noise, *steps);
                along.gradients.add_noise(&trained, *noise * *clip, &draws, workers);
            }),
        }
        let noised = begun.elapsed();
        let (outcome, mut report) = self.update(batches, terms, Some(&along), report)?;
        report.update += noised;
        Ok((outcome, report))
    }
}

impl<T: Element> EachSums<T> {
    /// Runs backward, and adds the gradients of each graph.
    fn add(
        &mut self,
        mut run: Run<'_, T>,
        clip: Option<f64>,
        seeds: &Seeds<T>,
    ) -> Result<(), EngineError> {
        self.along.loss += run.loss()?;
        let mut each = run.backward_each_with(seeds)?;
        let begun = Instant::now();
        let norms = each.norms_of(|id| self.trained[id.index()])?;
        let gradients = each.weighted(|graph| match clip {
            Some(clip) => clip_factor(norms[graph], clip * (1.0 - ROUNDING)),
            None => 1.0,
        })?;
        self.along.gradients.add_all(gradients)?;
        self.squares += norms.iter().map(|norm| norm * norm).sum::<f64>();
        self.graphs += norms.len();
        let mut report = run.report();
        report.backward += begun.elapsed();
        match &mut self.report {
            Some(all) => all.add(&report),
            None => self.report = Some(report),
        }
        Ok(())
    }
}
