//! The graphs of a step, in the forms in which a caller can give them.

use edb_core::graph::{Graph, Minibatch};
use edb_core::model::Model;
use edb_kernels::element::Element;

/// The graphs of a step.
pub(super) enum StepGraphs<'s, 'g, T: Element> {
    /// The graphs of these minibatches, one minibatch after the other.
    Minibatches(&'s [&'g Minibatch<T>]),
    Graphs(&'s [&'g Graph<T>]),
    /// `count` graphs. Each is made when it is needed.
    Made {
        count: usize,
        graph: &'s mut dyn FnMut(&Model<T>, usize) -> Graph<T>,
    },
}

impl<T: Element> StepGraphs<'_, '_, T> {
    /// The number of graphs.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Minibatches(batches) => batches.iter().map(|batch| batch.graph_count()).sum(),
            Self::Graphs(graphs) => graphs.len(),
            Self::Made { count, .. } => *count,
        }
    }
}
