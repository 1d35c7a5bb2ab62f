//! Parameters that no loss reaches: most often, a function that should have shared them.

use super::Trainer;
use super::error::TrainError;
use edb_core::graph::Minibatch;
use edb_kernels::element::Element;
use edb_kernels::trace::TARGET;

impl<T: Element> Trainer<T> {
    /// Fails in the first step if there is a parameter that no loss reaches, which is otherwise only
    /// a warning event of that step. Frozen parameters are not meant.
    ///
    /// Whether a loss reaches a parameter follows from the types of what vertices gather and pull. Of the
    /// graphs of the first step it matters only whether some vertex pulls what another one pushes: then
    /// any vertex that pushes may be pulled from. Where graphs grow, or ranks train together, it is taken
    /// for granted that some does.
    #[must_use]
    pub fn refuse_unreached(mut self) -> Self {
        self.refuses_unreached = true;
        self
    }

    /// Before the first step, names the parameters that no loss reaches.
    pub(super) fn check_reached(&mut self, batches: &[&Minibatch<T>]) -> Result<(), TrainError> {
        if self.steps > 0 {
            return Ok(());
        }
        // Of graphs that grow it is not known yet what they are going to pull.
        let feeds = batches.is_empty() || batches.iter().any(|batch| batch.levels().feeds);
        let unreached = self.model.unreached(feeds);
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
}
