//! Runs a minibatch forward: both a minibatch whose sections are known, and one whose vertices decide.

use std::time::Instant;

use tracing::{debug_span, field};

use super::Growing;
use crate::engine::error::EngineError;
use crate::engine::layout::dependencies::Dependencies;
use crate::engine::pass::runner::Runner;
use edb_kernels::element::Element;
use edb_kernels::trace;
use edb_model::graph::{FlatBatch, Minibatch};
use edb_model::model::Model;

impl<T: Element> Runner<'_, T> {
    /// Runs a minibatch of this model forward. `dependencies` are those of its functions; `None` if vertices decide
    /// how they go on. In that case it returns the minibatch that it has become, with the sections that have run.
    /// If `dependencies` are given, it waits for the results only if `waits`.
    pub(crate) fn forward(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
        dependencies: Option<&Dependencies>,
        waits: bool,
    ) -> Result<Option<Minibatch<T>>, EngineError> {
        *self.spent = false;
        let Some(dependencies) = dependencies else {
            self.weigh(model.bound());
            return Growing::run(self, model, batch).map(Some);
        };
        let begun = Instant::now();
        let (_, step) = self.draws;
        let proof = {
            let span =
                debug_span!(target: trace::TARGET, "schedule", batches = field::Empty).entered();
            let proof =
                self.lay_out(model.bound(), FlatBatch::of(batch), dependencies, step.is_some())?;
            span.record("batches", self.layout.batches.len());
            proof
        };
        self.pass(model, batch).forward(begun, proof, waits)?;
        Ok(None)
    }
}
