//! Parameters that no loss reaches: most often, a function that should have shared them. And steps without any
//! loss: most often, of graphs without labels.

use super::Trainer;
use super::error::TrainError;
use edb_core::graph::Minibatch;
use edb_core::model::bound::BoundFunction;
use edb_kernels::element::Element;
use edb_kernels::trace::TARGET;

impl<T: Element> Trainer<T> {
    /// Fails in the first step if there is a parameter that no loss reaches, whatever the graphs are: it
    /// would keep the values with which it begins. Without this setting, the step only warns of it, in an
    /// event. Frozen parameters are not meant.
    ///
    /// This goes by the model alone, not by the graphs of the step; `Model::summary` names the same
    /// parameters. The gradient of a loss reaches what the loss is computed from, except where that is
    /// only through an index or a condition. By a field of a state that a vertex gathers, it reaches every
    /// function that scatters this state; by a tensor that a vertex pulls, every function that pushes a
    /// tensor of as many elements, since a graph may feed the one with the other. Steps that take
    /// gradients from outside ([`GrowingStep::step_with`](super::GrowingStep::step_with),
    /// [`grow_shared`](Self::grow_shared)) do not refuse what anything that is pushed is computed from:
    /// these gradients may reach it, in this step or in a later one.
    #[must_use]
    pub fn refuse_unreached(mut self) -> Self {
        self.refuses_unreached = true;
        self
    }

    /// Before the first step, names the parameters that no loss reaches. `seeded`: whether the step takes
    /// gradients from outside.
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

    /// Warns, once, of a step whose vertices have no loss, as where none has its label: it takes no
    /// gradient. What a private step is of is not told.
    pub(super) fn check_some_loss(&mut self, batches: &[&Minibatch<T>], loss: f64) {
        if loss != 0.0 || self.told_of_no_loss || self.private.is_some() {
            return;
        }
        let model = self.model.bound();
        let has_loss = |of: &BoundFunction| !of.plan.program.losses.is_empty();
        let functions: Vec<bool> = (model.functions.iter())
            .map(|function| {
                // It may go on with a section that has one.
                let is_next = |of: &BoundFunction| of.as_added() == function.as_added();
                let goes_on = !function.targets().is_empty();
                has_loss(function)
                    || goes_on && model.functions.iter().any(|of| is_next(of) && has_loss(of))
            })
            .collect();
        let mut vertices = batches.iter().flat_map(|batch| batch.functions());
        self.told_of_no_loss = !vertices.any(|function| functions[function.index()]);
        if self.told_of_no_loss {
            let step = self.steps;
            let says = "no vertex of a step has a loss, so that nothing is learned from it: are labels missing?";
            tracing::warn!(target: TARGET, step, "{says}");
        }
    }
}
