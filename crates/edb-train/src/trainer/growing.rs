//! A training step over graphs that grow.

use super::error::TrainError;
use super::source::Source;
use super::{Step, Trainer};
use edb_core::engine::training::Growing;
use edb_core::engine::{EngineError, Growth, Round, Seeds};
use edb_core::graph::{Graph, Minibatch};
use edb_core::schedule::{Competition, SearchOptions};
use edb_kernels::compiled_here;
use edb_kernels::element::Element;

/// A training step over graphs that grow from what they compute. [`Trainer::grow`] begins it.
///
/// The [rounds](Self::round) are as in [`Growth`](edb_core::engine::Growth), with dropout. Then
/// [`step`](Self::step) runs backward through everything that was computed, and updates the parameters.
#[derive(Debug)]
pub struct GrowingStep<'a, T = f32> {
    trainer: &'a mut Trainer<T>,
    /// The graphs that grow; `None` if there are no graphs.
    pub(super) growing: Option<Growing<T>>,
    /// Whether the step has been taken.
    pub(super) taken: bool,
}

impl<T: Element> Trainer<T> {
    /// Begins a step over graphs that grow. No parameter changes before the step is
    /// [taken](GrowingStep::step). In [private](Self::private) training there may be no graph; then the step adds
    /// only noise.
    ///
    /// # Errors
    /// When the graphs do not form a minibatch, or memory does not suffice. When several ranks train together; they
    /// use [`grow_shared`](Self::grow_shared).
    pub fn grow(
        &mut self,
        graphs: impl IntoIterator<Item = Graph<T>>,
    ) -> Result<GrowingStep<'_, T>, TrainError> {
        if self.distributed.is_some() {
            return Err(TrainError::NotShared { step: self.steps });
        }
        self.growing(graphs.into_iter().collect())
    }

    /// Begins to grow these graphs in a step.
    pub(super) fn growing(
        &mut self,
        graphs: Vec<Graph<T>>,
    ) -> Result<GrowingStep<'_, T>, TrainError> {
        self.check_of_model()?;
        let Self { model, engine, steps, .. } = self;
        let growing = match graphs.is_empty() && self.private.is_some() {
            true => None,
            false => Some(Growing::new(engine, model, graphs, Some(*steps))?),
        };
        Ok(GrowingStep { trainer: self, growing, taken: false })
    }

    pub(super) fn check_of_model(&self) -> Result<(), TrainError> {
        let of_model = self.check_own_parameters();
        of_model.map_err(|error| TrainError::Learn { step: self.steps, error })
    }

    /// Checks that a step over this many graphs that grow can be taken. Begins a private run, if training is
    /// private.
    pub(super) fn begin_growing(&mut self, graphs: usize) -> Result<(), TrainError> {
        self.check_state()?;
        self.check_private(graphs)?;
        self.begin_private()
    }
}

impl<T: Element> Trainer<T> {
    /// Runs graphs forward while they grow from what they compute, without dropout. No tape is kept for a backward
    /// pass. This is to [`grow`](Self::grow) what [`infer`](Self::infer) is to [`step`](Self::step).
    ///
    /// # Errors
    /// As [`grow`](Self::grow).
    pub fn grow_infer(
        &mut self,
        graphs: impl IntoIterator<Item = Graph<T>>,
    ) -> Result<Growth<'_, T>, EngineError> {
        self.learn_policies_if_alone();
        self.engine.grow(&self.model, graphs)
    }
}

impl<T: Element> GrowingStep<'_, T> {
    /// Runs the graphs until the next round, as [`Growth::round`](edb_core::engine::Growth::round) does.
    ///
    /// # Errors
    /// As [`Growth::round`](edb_core::engine::Growth::round).
    pub fn round(&mut self) -> Result<Option<Round<'_, T>>, TrainError> {
        let Trainer { model, engine, .. } = &mut *self.trainer;
        let Some(growing) = &mut self.growing else { return Ok(None) };
        Ok(growing.next_round(engine, model)?)
    }

    /// The graphs, with all that they have got.
    pub fn graphs(&self) -> &[Graph<T>] {
        self.growing.as_ref().map_or(&[], Growing::graphs)
    }

    /// The minibatch that the graphs have become, once the step is taken. It has the schedule by which it ran.
    pub fn grown(&self) -> Option<&Minibatch<T>> {
        self.growing.as_ref()?.grown()
    }

    /// As [`Growth::competition`](edb_core::engine::Growth::competition), once the step is taken.
    ///
    /// # Errors
    /// As [`Growth::competition`](edb_core::engine::Growth::competition).
    pub fn competition(&self, options: &SearchOptions) -> Result<Option<Competition>, EngineError> {
        let Some(growing) = &self.growing else { return Ok(None) };
        growing.competition(self.trainer.model.bound(), options)
    }

    /// Returns the graphs to the caller, with all that they have got.
    pub fn into_graphs(self) -> Vec<Graph<T>> {
        self.growing.map_or_else(Vec::new, Growing::into_graphs)
    }

    /// Takes the step along the gradient of the mean loss of the minibatch that the graphs have become, as
    /// [`Trainer::step`] does.
    ///
    /// # Errors
    /// As [`Trainer::step`] and [`round`](Self::round), and when the step has been taken already.
    pub fn step(&mut self) -> Result<Step, TrainError> {
        self.take(None)
    }

    /// Takes the step with gradients of outputs, such as gradients of rewards. The step is along the gradient of
    /// `Σ losses + Σ ⟨seed, output⟩`, divided as the losses are.
    ///
    /// # Errors
    /// As [`step`](Self::step), and when a seed does not fit.
    pub fn step_with(&mut self, seeds: &Seeds<T>) -> Result<Step, TrainError> {
        self.take(Some(seeds))
    }

    fn take(&mut self, seeds: Option<&Seeds<T>>) -> Result<Step, TrainError> {
        if std::mem::replace(&mut self.taken, true) {
            return Err(EngineError::Spent.into());
        }
        let number = self.trainer.steps;
        let _span =
            tracing::debug_span!(target: edb_kernels::trace::TARGET, "step", number).entered();
        let unlearned = self.trainer.unlearned(true);
        take_once(self, seeds).inspect_err(|_| self.trainer.forget_since(unlearned))
    }
}

compiled_here! {
    /// Takes the step. `seeds` are gradients from the caller, if it has given any.
    fn take_once(
        step: &mut GrowingStep<'_, T>,
        seeds: Option<&Seeds<T>>,
    ) -> Result<Step, TrainError> {
        let GrowingStep { trainer, growing, .. } = step;
        let graphs = growing.as_ref().map_or(0, |growing| growing.graphs().len());
        let (none, seeded) = (Seeds::new(), seeds.is_some());
        let seeds = seeds.unwrap_or(&none);
        if seeds.is_empty() {
            trainer.check_losses_of(graphs)?;
        }
        trainer.check_reached(seeded)?;
        trainer.begin_growing(graphs)?;
        match growing {
            Some(growing) => trainer.step_along(Source::Rounds(growing, seeds), graphs),
            None => trainer.step_alone(&[]),
        }
    }
}
