//! Finds parameters that no loss reaches. Most often, a function should have shared them with another one. Also
//! warns of steps without any loss. Most often, their graphs have no labels.

use super::Trainer;
use super::error::TrainError;
use edb_core::graph::{FlatBatch, Minibatch};
use edb_core::model::bound::BoundFunction;
use edb_kernels::element::Element;
use edb_kernels::trace::TARGET;

impl<T: Element> Trainer<T> {
    /// Makes the first step fail if no loss can reach some parameter, whatever the graphs are: the parameter would
    /// keep its initial values. Without this setting, the step only warns, in an event. Frozen parameters do not
    /// count.
    ///
    /// This depends only on the model, not on the graphs of the step; `Model::summary` names the same parameters.
    /// The gradient of a loss reaches everything from which the loss is computed, except through an index or a
    /// condition. Through a field of a state that a vertex gathers, it reaches every function that scatters this
    /// state. Through a tensor that a vertex pulls, it reaches every function that pushes a tensor with the same
    /// number of elements, since a graph may connect the two. Some steps take gradients from the caller
    /// ([`GrowingStep::step_with`](super::GrowingStep::step_with), [`grow_shared`](Self::grow_shared)). They do not
    /// refuse parameters from which an output is computed, since these gradients may reach them, in this step or in
    /// a later one.
    #[must_use]
    pub fn refuse_unreached(mut self) -> Self {
        self.refuses_unreached = true;
        self
    }

    /// Before the first step, names the parameters that no loss reaches. `seeded` says whether the step takes
    /// gradients from the caller.
    pub(super) fn check_reached(&mut self, seeded: bool) -> Result<(), TrainError> {
        if self.steps > 0 {
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
        let parameters = names.join(", ");
        match parameters.is_empty() {
            true => Ok(()),
            false if self.refuses_unreached => Err(TrainError::Unreached { parameters }),
            false => {
                let says =
                    "no loss reaches some parameters: should they be shared (`Setup::share`)?";
                tracing::warn!(target: TARGET, %parameters, "{says}");
                Ok(())
            }
        }
    }

    /// Warns once if no vertex of a step has a loss, for example because all labels are missing. Nothing is
    /// learned from such a step. It never warns in private training, which must tell nothing about the graphs.
    pub(super) fn check_some_loss(&mut self, batches: &[&Minibatch<T>], loss: f64) {
        if loss != 0.0 || self.told_of_no_loss || self.private.is_some() {
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
        self.told_of_no_loss = !vertices.any(|function| functions[function.index()]);
        if self.told_of_no_loss {
            let step = self.steps;
            let says = "no vertex of a step has a loss, so that nothing is learned from it: are labels missing?";
            tracing::warn!(target: TARGET, step, "{says}");
        }
    }
}
