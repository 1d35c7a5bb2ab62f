//! Refuses parameters that no loss reaches: most often, a function should have shared them with another one. Also
//! refuses a first step without any loss: most often, its graphs have no labels.

use super::Trainer;
use super::error::TrainError;
use edb_core::graph::{FlatBatch, Minibatch};
use edb_core::model::bound::BoundFunction;
use edb_kernels::element::Element;

impl<T: Element> Trainer<T> {
    /// Takes steps even if no loss can reach some parameter, or if no vertex of the first step has a loss. Without
    /// this setting, the first step then returns an error before anything changes
    /// ([`TrainError::Unreached`], [`TrainError::NoLabels`]).
    ///
    /// A parameter that no loss reaches would keep its initial values. Most often its function should have
    /// [shared](edb_core::model::Setup::share) it with another. Frozen parameters do not count.
    ///
    /// Which parameters are reached depends only on the model, not on the graphs of the step; `Model::summary` names
    /// the same parameters. The gradient of a loss reaches everything from which the loss is computed, except through
    /// an index or a condition. Through a field of a state that a vertex gathers, it reaches every function that
    /// scatters this state. Through a tensor that a vertex pulls, it reaches every function that pushes a tensor with
    /// the same number of elements, since a graph may connect the two. Some steps take gradients from the caller
    /// ([`GrowingStep::step_with`](super::GrowingStep::step_with), [`grow_shared`](Self::grow_shared)). They do not
    /// refuse parameters from which an output is computed, since these gradients may reach them, in this step or in
    /// a later one.
    ///
    /// Whether a vertex has a loss is checked of graphs that do not grow: in the first step of a trainer, over all
    /// ranks that train together. Later steps may have no labels. Private training does not check it, since it must
    /// tell nothing about the graphs.
    #[must_use]
    pub fn allow_unreached(mut self) -> Self {
        self.allows_unreached = true;
        self
    }

    /// Before the first step, refuses parameters that no loss reaches. `seeded` says whether the step takes
    /// gradients from the caller.
    pub(super) fn check_reached(&mut self, seeded: bool) -> Result<(), TrainError> {
        // A step that failed may have had losses.
        self.has_seen_loss = false;
        if self.steps > 0 || self.allows_unreached {
            return Ok(());
        }
        let unreached = self.model.unreached(seeded);
        if unreached.is_empty() {
            return Ok(());
        }
        let parameters = self.model.parameters();
        let (tunings, _) = self
            .settings
            .tune(parameters, 1, 0)
            .map_err(|error| TrainError::Learn { step: self.steps, error })?;
        let learning = unreached.iter().filter(|id| !tunings[id.index()].frozen);
        let names: Vec<&str> = learning.map(|id| parameters.get(*id).name()).collect();
        match names.is_empty() {
            true => Ok(()),
            false => Err(TrainError::Unreached { parameters: names.join(", ") }),
        }
    }

    /// In the first step, looks for a vertex that has a loss, or may have one after it has decided how it goes on.
    pub(super) fn look_for_losses(&mut self, batches: &[&Minibatch<T>]) {
        if self.steps > 0 || self.has_seen_loss {
            return;
        }
        let model = self.model.bound();
        let has_loss = |of: &BoundFunction| !of.plan.program.losses.is_empty();
        let functions: Vec<bool> = (model.functions.iter())
            .map(|function| {
                // A vertex of the function may go on with a section that has a loss.
                let is_next = |of: &BoundFunction| of.as_added() == function.as_added();
                let goes_on = !function.targets().is_empty();
                has_loss(function)
                    || goes_on && model.functions.iter().any(|of| is_next(of) && has_loss(of))
            })
            .collect();
        let mut vertices = batches.iter().flat_map(|batch| FlatBatch::of(batch).functions());
        self.has_seen_loss = vertices.any(|function| functions[function.index()]);
    }

    /// Fails in the first step if no vertex of it has a loss. `is_seen` says whether one has.
    pub(super) fn check_labels(&self, is_seen: bool) -> Result<(), TrainError> {
        let is_checked = self.steps == 0 && self.private.is_none() && !self.allows_unreached;
        match is_checked && !is_seen {
            true => Err(TrainError::NoLabels { step: self.steps }),
            false => Ok(()),
        }
    }
}
