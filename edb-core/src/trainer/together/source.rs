//! Where the graphs of a step come from.

use std::borrow::Cow;
use std::ops::Range;

use crate::element::Element;
use crate::graph::{Graph, Minibatch, MinibatchError};
use crate::model::Model;
use crate::trainer::{TrainError, Trainer};

/// A minibatch, and the place of its first graph among those of the step.
pub(in crate::trainer) type Placed<'g, T> = (Cow<'g, Minibatch<T>>, usize);

/// The graphs of a step.
pub(in crate::trainer) enum Source<'s, 'g, T: Element> {
    /// Those of minibatches, one after the other.
    Minibatches(&'s [&'g Minibatch<T>]),
    Graphs(&'s [&'g Graph<T>]),
    /// So many graphs, made when they are needed.
    Made {
        count: usize,
        graph: &'s mut dyn FnMut(&Model<T>, usize) -> Graph<T>,
    },
}

impl<'g, T: Element> Source<'_, 'g, T> {
    /// The number of graphs.
    pub(in crate::trainer) fn count(&self) -> usize {
        match self {
            Self::Minibatches(batches) => batches.iter().map(|batch| batch.graph_count()).sum(),
            Self::Graphs(graphs) => graphs.len(),
            Self::Made { count, .. } => *count,
        }
    }

    /// Some of the graphs, as minibatches within the trainer's memory budget, each with the place of
    /// its first graph.
    pub(in crate::trainer) fn minibatches(
        &mut self,
        trainer: &mut Trainer<T>,
        graphs: Range<usize>,
    ) -> Result<Vec<Placed<'g, T>>, TrainError> {
        let mut made = Vec::new();
        if graphs.is_empty() {
            return Ok(made);
        }
        match self {
            Self::Minibatches(batches) => {
                let mut first = 0;
                for batch in batches.iter() {
                    let end = first + batch.graph_count();
                    let within = graphs.start.max(first)..graphs.end.min(end);
                    if within == (first..end) {
                        made.push((Cow::Borrowed(*batch), first));
                    } else if !within.is_empty() {
                        let mut part = batch.hollow();
                        part.refill(batch, within.start - first..within.end - first);
                        made.push((Cow::Owned(part), within.start));
                    }
                    first = end;
                }
            }
            Self::Graphs(all) => return split(trainer, &all[graphs.clone()], graphs.start),
            Self::Made { graph, .. } => {
                let some: Vec<Graph<T>> =
                    graphs.clone().map(|at| graph(&trainer.model, at)).collect();
                return split(trainer, &some.iter().collect::<Vec<_>>(), graphs.start);
            }
        }
        Ok(made)
    }
}

/// Graphs as minibatches within the trainer's memory budget; `first` is the place of the first.
fn split<'g, T: Element>(
    trainer: &mut Trainer<T>,
    graphs: &[&Graph<T>],
    mut first: usize,
) -> Result<Vec<Placed<'g, T>>, TrainError> {
    let mut batches = Vec::new();
    trainer.split(graphs, &mut batches).map_err(|error| at(error, first))?;
    let placed = batches.into_iter().map(|batch| {
        let place = first;
        first += batch.graph_count();
        (Cow::Owned(batch), place)
    });
    Ok(placed.collect())
}

/// The error, where graphs are counted from the first one of the minibatch of all ranks.
fn at(error: TrainError, first: usize) -> TrainError {
    let TrainError::Minibatch(error) = error else { return error };
    TrainError::Minibatch(match error {
        MinibatchError::EmptyGraph { graph } => MinibatchError::EmptyGraph { graph: first + graph },
        MinibatchError::ForeignGraph { graph } => {
            MinibatchError::ForeignGraph { graph: first + graph }
        }
        MinibatchError::Graph { graph, error } => {
            MinibatchError::Graph { graph: first + graph, error }
        }
        error => error,
    })
}
