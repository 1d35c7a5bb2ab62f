//! Training steps that need the gradients of each graph: private steps, and steps that measure the gradient noise
//! scale.

use std::time::Instant;

use super::error::TrainError;
use super::ledger::{Ledger, PrivateRun};
use super::step::Along;
use super::sums::{SummedGradients, Sums};
use super::{StepReport, Trainer};
use edb_core::engine::training::{self, Clip, CutFor, Growers, Growing};
use edb_core::engine::{EngineError, NoiseScale, Run, Seeds};
use edb_core::graph::{FlatBatch, Minibatch};
use edb_kernels::element::Element;
use edb_learn::learn::gradients;
use edb_learn::learn::privacy::{Grid, set_noisy};
use edb_learn::learn::{Accountant, Gradients, ParameterId, StepOutcome};
use edb_learn::secret::{Use, draws};

/// The privacy accounts before a step was counted.
struct Uncounted {
    run: PrivateRun,
    ledger: Ledger,
    accountant: Accountant,
    drawn: u64,
}

impl<T: Element> Trainer<T> {
    /// Measures the gradient noise scale in the steps whose number is a multiple of `every`; in none if `every` is
    /// 0. [`StepReport::noise_scale`] has the result. A step that measures it takes some percent longer on the
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

    /// Runs minibatches forward and backward, and sums the gradients of their graphs. If training is private, the
    /// gradient of each graph is clipped first.
    pub(super) fn run_each(&mut self, batches: &[&Minibatch<T>]) -> Result<Sums<T>, TrainError> {
        let (trained, grid) = (self.trained()?, self.grid());
        let (mut sums, mut before) = (self.no_sums(), 0);
        for batch in batches {
            if self.clip_in_parts(batch, &trained, &mut sums, before)? {
                before += batch.graph_count();
                continue;
            }
            self.in_parts(batch, |trainer, part, first| {
                let first = before + first;
                let run = trainer.engine.forward(&trainer.model, part, trainer.steps);
                let summed = run.and_then(|run| {
                    sums.terms +=
                        trainer.reduction.terms(&trainer.model, FlatBatch::of(run.minibatch()));
                    sums.add(run, &trained, grid.as_ref(), &Seeds::new())
                });
                summed.map_err(|error| trainer.failed(error.of_graphs_from(first)))
            })?;
            before += batch.graph_count();
        }
        Ok(sums)
    }

    /// Clips and sums the gradients of the graphs of a minibatch, if it has several parts that can run side by
    /// side. Returns whether it did so. Policies are not learned from such a run.
    fn clip_in_parts(
        &mut self,
        batch: &Minibatch<T>,
        trained: &[ParameterId],
        sums: &mut Sums<T>,
        before: usize,
    ) -> Result<bool, TrainError> {
        let Self { model, engine, reduction, steps, .. } = self;
        let (Some(grid), SummedGradients::Clipped(clipped)) =
            (self.private.as_ref().map(|p| p.grid()), &mut sums.gradients)
        else {
            return Ok(false);
        };
        let prepared = training::prepare(engine, model, batch, CutFor::EachGraph)?;
        if prepared.parts().len() == 1 || !prepared.is_known() {
            return Ok(false);
        }
        let factor = |norm, values| grid.factor(norm, values);
        let clip = Clip { parameters: trained, factor: &factor };
        if !clip.is_small(model) {
            return Ok(false);
        }
        let count = |ran: &FlatBatch| reduction.terms(model, ran);
        let ran = training::clip_in_parts(engine, &prepared, *steps, (&clip, clipped), &count);
        let (loss, terms) = ran.map_err(|error| self.failed(error.of_graphs_from(before)))?;
        sums.terms += terms;
        sums.add_run(loss, batch.graph_count(), self.engine.report());
        Ok(true)
    }

    /// Sums the gradients of graphs that have grown round by round, as [`run_each`](Self::run_each) does for
    /// minibatches. `seeds` are gradients of outputs.
    pub(super) fn sum_each(
        &mut self,
        growing: &mut Growing<T>,
        seeds: &Seeds<T>,
    ) -> Result<Sums<T>, TrainError> {
        let (trained, grid) = (self.trained()?, self.grid());
        let mut sums = self.no_sums();
        let run = growing.finish(&mut self.engine, &self.model);
        let added = run.and_then(|run| sums.add(run, &trained, grid.as_ref(), seeds));
        added.map_err(|error| self.failed(error))?;
        Ok(sums)
    }

    /// Lets graphs grow to their end, part by part, and sums their gradients. Puts the minibatches that the parts
    /// have become into `grown`.
    pub(super) fn grow_and_sum_each(
        &mut self,
        growers: &Growers<'_, T>,
        grown: &mut Vec<Minibatch<T>>,
    ) -> Result<Sums<T>, TrainError> {
        let (trained, grid) = (self.trained()?, self.grid());
        let mut sums = self.no_sums();
        let factor =
            |norm, values| grid.as_ref().map_or(1.0, |grid: &Grid| grid.factor(norm, values));
        let clip = Clip { parameters: &trained, factor: &factor };
        let together = growers.run_side_by_side() && clip.is_small(&self.model);
        if let (SummedGradients::Clipped(clipped), true) = (&mut sums.gradients, together) {
            let Self { model, engine, steps, .. } = self;
            let ran = training::grow_and_clip(engine, model, growers, *steps, (&clip, clipped));
            let (loss, ran) = ran.map_err(|error| self.failed(error))?;
            *grown = ran;
            sums.add_run(loss, growers.graph_count(), self.engine.report());
            return Ok(sums);
        }
        for (part, graphs) in growers.parts().iter().enumerate() {
            let run = training::grow_part_forward(
                &mut self.engine,
                &self.model,
                growers,
                part,
                self.steps,
            );
            let summed = run.and_then(|run| {
                grown.push(run.minibatch().clone());
                let added = sums.add(run, &trained, grid.as_ref(), &Seeds::new());
                added.map_err(|error| error.of_graphs_from(graphs.start))
            });
            summed.map_err(|error| self.failed(error))?;
        }
        Ok(sums)
    }

    /// The grid to which gradients are rounded, if training is private.
    fn grid(&self) -> Option<Grid> {
        self.private.as_ref().map(|private| private.grid())
    }

    /// The sums of no graphs.
    pub(super) fn no_sums(&mut self) -> Sums<T> {
        let gradients = match self.private {
            Some(_) => SummedGradients::Clipped(Gradients::shaped(self.model.parameters())),
            None => SummedGradients::Whole(self.memory()),
        };
        Sums::of(gradients)
    }

    /// The parameters that are not frozen.
    fn trained(&mut self) -> Result<Vec<ParameterId>, TrainError> {
        let Self { model, settings, steps, .. } = self;
        let step = *steps;
        let tuned = settings.tune(model.parameters(), 1, step);
        let (tunings, _) = tuned.map_err(|error| TrainError::Learn { step, error })?;
        let ids = (0..tunings.len()).map(ParameterId::new);
        Ok(ids.filter(|id| !tunings[id.index()].frozen).collect())
    }

    /// Takes a step along the gradients in `sums`, divided by `terms`. Adds noise first if training is private.
    pub(super) fn update_along(
        &mut self,
        batches: &[&Minibatch<T>],
        sums: Sums<T>,
    ) -> Result<(StepOutcome, StepReport), TrainError> {
        let Sums { loss, gradients, squares, graphs, terms, report } = sums;
        let mut report = report.unwrap_or_default();
        let trained = self.trained()?;
        let begun = Instant::now();
        let gradients = match gradients {
            SummedGradients::Whole(gradients) => {
                let sum = trained.iter().map(|id| gradients.sum_of_squares(*id)).sum();
                report.noise_scale = NoiseScale::new(graphs, squares, sum);
                gradients
            }
            SummedGradients::Clipped(mut sums) => {
                let mut gradients = self.memory();
                let room = gradients::make_room(&mut sums, &trained)
                    .and_then(|()| gradients::make_room(&mut gradients, &trained));
                room.map_err(|error| TrainError::Learn { step: self.steps, error })?;
                let Self { engine, private, private_run, steps, .. } = self;
                let (Some(private), Some(run)) = (private, private_run) else {
                    unreachable!("gradients are clipped in a run of private steps")
                };
                let draws = || draws(&run.secret, Use::Noise, *steps);
                let grid = private.grid();
                let workers = &mut engine.workers();
                set_noisy(&mut gradients, &mut sums, &trained, &grid, &draws, workers);
                gradients
            }
            SummedGradients::InEngine | SummedGradients::OnDevice(_) => {
                unreachable!("gradients of graphs are summed on the host")
            }
        };
        let along = Along { loss, gradients };
        let noised = begun.elapsed();
        let versions = |trainer: &Self| -> Vec<u64> {
            trainer.model.parameters().iter().map(|(_, parameter)| parameter.version()).collect()
        };
        let (before, uncounted) = (versions(self), self.count_private());
        let updated = self.update(batches, terms, Some(&along), report);
        if let Some(uncounted) = uncounted {
            match &updated {
                Ok(_) => self.private_run = Some(uncounted.run),
                // A parameter has changed, which tells something about the graphs: the step stays counted.
                Err(_) if versions(self) != before => {}
                Err(_) => {
                    let Uncounted { ledger, accountant, drawn, .. } = uncounted;
                    (self.ledger, self.accountant, self.drawn) = (ledger, accountant, drawn);
                }
            }
        }
        let (outcome, mut report) = updated?;
        report.update += noised;
        Ok((outcome, report))
    }

    /// If training is private, enters the step that is about to be taken into the accounts, and ends the private
    /// run. So the noise of this step is never drawn again, even if the optimiser panics while it has the gradient.
    /// Returns the earlier accounts, in case the step is not taken.
    fn count_private(&mut self) -> Option<Uncounted> {
        self.private.as_ref()?;
        let (ledger, accountant) = (self.ledger.clone(), self.accountant.clone());
        let drawn = self.drawn;
        self.account();
        Some(Uncounted { run: self.private_run.take()?, ledger, accountant, drawn })
    }
}

impl<T: Element> Sums<T> {
    /// Runs backward, and adds the gradients of each graph for the trained parameters. They are clipped if there is
    /// a grid.
    fn add(
        &mut self,
        mut run: Run<'_, T>,
        trained: &[ParameterId],
        grid: Option<&Grid>,
        seeds: &Seeds<T>,
    ) -> Result<(), EngineError> {
        let loss = run.loss()?;
        if !loss.is_finite() {
            // The step is not taken, and its error names the loss.
            self.loss += loss;
            return Ok(());
        }
        let mut each = run.backward_each_with(seeds)?;
        let begun = Instant::now();
        let graphs = each.count();
        match (&mut self.gradients, grid) {
            (SummedGradients::Clipped(sums), Some(grid)) => {
                let factor = |norm, values| grid.factor(norm, values);
                training::add_whole_numbers(&mut each, trained, &factor, sums)?;
            }
            (SummedGradients::Whole(sums), None) => {
                let norms = each.norms_of(|id| trained.contains(&id))?;
                sums.add_all(each.weighted(|_| 1.0)?)?;
                self.squares += norms.iter().map(|norm| norm * norm).sum::<f64>();
            }
            _ => unreachable!("gradients are clipped where there is a grid"),
        }
        let mut report = run.report();
        report.backward += begun.elapsed();
        self.add_run(loss, graphs, report);
        Ok(())
    }

    /// Adds the loss, the number of graphs and the report of a run.
    fn add_run(&mut self, loss: f64, graphs: usize, report: StepReport) {
        self.loss += loss;
        self.graphs += graphs;
        self.add_report(Some(report));
    }
}
