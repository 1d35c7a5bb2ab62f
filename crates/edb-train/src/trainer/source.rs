//! The source of a step: minibatches, graphs that have grown round by round, or graphs that grow to their end.
//! Every source runs forward and backward here, and leaves the gradients for the step.

use edb_core::engine::Seeds;
use edb_core::engine::training::{Growers, Growing};
use edb_core::graph::{FlatBatch, Minibatch};
use edb_kernels::element::Element;
use smallvec::SmallVec;

use super::error::TrainError;
use super::sums::Sums;
use super::{Step, StepReport, Trainer};

/// The source of a step: what the step runs forward and backward.
pub(super) enum Source<'s, 'g, T: Element> {
    /// Minibatches, one after the other.
    Minibatches(&'s [&'s Minibatch<T>]),
    /// Graphs that have grown round by round, and gradients of their outputs.
    Rounds(&'s mut Growing<T>, &'s Seeds<T>),
    /// Graphs that grow to their end, and the minibatches that their parts have become.
    ToTheEnd(&'s Growers<'g, T>, Vec<Minibatch<T>>),
}

/// Where the gradients are after a source has run.
pub(super) enum Left<T> {
    /// The engine keeps the losses and gradients.
    WithEngine(StepReport),
    /// The gradients of each graph were summed.
    Each(Sums<T>),
}

impl<T: Element> Source<'_, '_, T> {
    /// The minibatches that have run, in the order of their graphs.
    pub(super) fn ran(&self) -> SmallVec<[&Minibatch<T>; 1]> {
        match self {
            Self::Minibatches(batches) => batches.iter().copied().collect(),
            Self::Rounds(growing, _) => growing.grown().into_iter().collect(),
            Self::ToTheEnd(_, grown) => grown.iter().collect(),
        }
    }
}

impl<T: Element> Trainer<T> {
    /// Runs a source forward and backward. Returns where its gradients are, and the
    /// [terms](super::Reduction::terms) of its losses.
    pub(super) fn run(
        &mut self,
        source: &mut Source<'_, '_, T>,
    ) -> Result<(Left<T>, usize), TrainError> {
        let each = self.sums_each();
        match source {
            Source::Minibatches(batches) if each => {
                self.look_for_losses(batches);
                let sums = self.run_each(batches)?;
                let terms = sums.terms;
                Ok((Left::Each(sums), terms))
            }
            Source::Minibatches(batches) => {
                self.look_for_losses(batches);
                let (report, terms) = self.run_batches(batches)?;
                Ok((Left::WithEngine(report), terms))
            }
            Source::Rounds(growing, seeds) => {
                growing.settle(&mut self.engine, &self.model)?;
                let batch = growing.grown().expect("they are settled");
                let terms = self.reduction.terms(&self.model, FlatBatch::of(batch));
                let left = match each {
                    true => Left::Each(self.sum_each(growing, seeds)?),
                    false => Left::WithEngine(self.learn(growing, seeds)?),
                };
                Ok((left, terms))
            }
            Source::ToTheEnd(growers, grown) => {
                let left = match each {
                    true => Left::Each(self.grow_and_sum_each(growers, grown)?),
                    false => Left::WithEngine(self.run_growers(growers, grown)?),
                };
                let terms = grown
                    .iter()
                    .map(|batch| self.reduction.terms(&self.model, FlatBatch::of(batch)));
                Ok((left, terms.sum()))
            }
        }
    }

    /// Takes one step over minibatches, without other ranks.
    pub(super) fn step_alone(&mut self, batches: &[&Minibatch<T>]) -> Result<Step, TrainError> {
        let graphs = batches.iter().map(|batch| batch.graph_count()).sum();
        self.step_along(Source::Minibatches(batches), graphs)
    }

    /// Runs a source of `graphs` graphs, and takes a step along the gradient of its mean loss.
    pub(super) fn step_along(
        &mut self,
        mut source: Source<'_, '_, T>,
        graphs: usize,
    ) -> Result<Step, TrainError> {
        let (left, terms) = self.run(&mut source)?;
        if matches!(source, Source::Minibatches(_)) {
            self.check_labels(self.has_seen_loss)?;
        }
        let terms = self.divisor(terms);
        let ran = source.ran();
        let (outcome, report) = match left {
            Left::WithEngine(report) => self.update(&ran, terms, None, report)?,
            Left::Each(sums) => self.update_along(&ran, Sums { terms, ..sums })?,
        };
        Ok(self.finish_step(outcome, report, graphs, terms))
    }
}
