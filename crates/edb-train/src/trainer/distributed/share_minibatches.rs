//! Makes minibatches of some of the graphs of a step.

use std::borrow::Cow;
use std::ops::Range;

use crate::trainer::Trainer;
use crate::trainer::error::TrainError;
use crate::trainer::step_graphs::StepGraphs;
use edb_core::graph::{Graph, Minibatch};
use edb_kernels::element::Element;

impl<T: Element> Trainer<T> {
    /// Makes minibatches of these graphs of the step, in order, each within the memory budget.
    pub(in crate::trainer) fn minibatches<'g>(
        &mut self,
        step_graphs: &mut StepGraphs<'_, 'g, T>,
        graphs: Range<usize>,
    ) -> Result<Vec<Cow<'g, Minibatch<T>>>, TrainError> {
        let mut made = Vec::new();
        if graphs.is_empty() {
            return Ok(made);
        }
        match step_graphs {
            StepGraphs::Minibatches(batches) => {
                let mut first = 0;
                for batch in batches.iter() {
                    let end = first + batch.graph_count();
                    let within = graphs.start.max(first)..graphs.end.min(end);
                    if within == (first..end) {
                        made.push(Cow::Borrowed(*batch));
                    } else if !within.is_empty() {
                        let mut part = batch.hollow();
                        part.refill(batch, within.start - first..within.end - first);
                        made.push(Cow::Owned(part));
                    }
                    first = end;
                }
            }
            StepGraphs::Graphs(all) => return split(self, &all[graphs.clone()], graphs.start),
            StepGraphs::Made { graph, .. } => {
                let some: Vec<Graph<T>> = graphs.clone().map(|at| graph(&self.model, at)).collect();
                return split(self, &some.iter().collect::<Vec<_>>(), graphs.start);
            }
        }
        Ok(made)
    }
}

/// Makes minibatches of graphs, each within the trainer's memory budget. `first` is the place of the first graph in the
/// step.
fn split<'g, T: Element>(
    trainer: &mut Trainer<T>,
    graphs: &[&Graph<T>],
    first: usize,
) -> Result<Vec<Cow<'g, Minibatch<T>>>, TrainError> {
    let mut batches = Vec::new();
    trainer.split(graphs, &mut batches).map_err(|error| error.of_minibatch_from(first))?;
    Ok(batches.into_iter().map(Cow::Owned).collect())
}
