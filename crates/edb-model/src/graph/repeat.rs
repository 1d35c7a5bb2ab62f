//! Makes a minibatch of copies of the graphs of another one.

use super::error::MinibatchError;
use super::flat::{FlatBatch, place_for};
use super::levels::Levels;
use super::minibatch::Minibatch;
use super::{ABSENT, InputCell};
use crate::model::BoundModel;
use edb_kernels::element::Element;

impl FlatBatch {
    /// The lists of [`repeated`] graphs.
    fn repeated(&self, graphs: &[u32], of: &BoundModel) -> Result<Self, MinibatchError> {
        if self.model != of.id {
            return Err(MinibatchError::ForeignMinibatch);
        }
        let count = self.graph_count();
        if let Some(graph) = graphs.iter().find(|graph| **graph as usize >= count) {
            return Err(MinibatchError::NoSuchGraph { graph: *graph as usize, graphs: count });
        }
        let mut batch = Self {
            model: of.without_losses().id,
            indices: self.indices.clone(),
            levels: Levels::unknown(self.levels.feeds),
            ..self.hollow()
        };
        batch.graph_offsets.push(0);
        batch.child_offsets.push(0);
        batch.input_offsets.push(0);
        // Tensors of the copies are never replaced, so the offsets are not needed.
        batch.data_offsets.resize(graphs.len() + 1, 0);
        for (copy, &graph) in (0..).zip(graphs) {
            let [start, end] = [graph, graph + 1].map(|graph| self.graph_offsets[graph as usize]);
            let vertices = start as usize..end as usize;
            let first = place_for(batch.functions.len(), vertices.len(), "vertices")?;
            // A graph's vertices are consecutive, so one number moves all of them, forwards or backwards.
            let moved =
                |vertex: &u32| if *vertex == ABSENT { ABSENT } else { vertex - start + first };
            batch.samples.extend(self.samples.get(graph as usize));
            batch.ids.push(self.ids[graph as usize]);
            batch.graphs.extend(std::iter::repeat_n(copy, vertices.len()));
            batch.functions.extend_from_slice(&self.functions[vertices.clone()]);
            batch.numbers.extend(self.numbers.get(vertices.clone()).unwrap_or_default());
            batch.sites.extend(self.sites.get(vertices.clone()).unwrap_or_default());
            for (to, of) in [(&mut batch.owners, &self.owners), (&mut batch.ends, &self.ends)] {
                to.extend(of.get(vertices.clone()).unwrap_or_default().iter().map(moved));
            }
            for vertex in start..end {
                let (children, cells) = (self.children(vertex), self.inputs(vertex));
                place_for(batch.children.len(), children.len(), "edges")?;
                place_for(batch.inputs.len(), cells.len(), "inputs")?;
                batch.children.extend(children.iter().map(moved));
                batch.child_offsets.push(batch.children.len() as u32);
                batch.inputs.extend(cells.iter().map(|cell| match *cell {
                    InputCell::Pushed { vertex, field } => {
                        InputCell::Pushed { vertex: moved(&vertex), field }
                    }
                    cell => cell,
                }));
                batch.input_offsets.push(batch.inputs.len() as u32);
            }
            batch.graph_offsets.push(batch.functions.len() as u32);
        }
        Ok(batch)
    }
}

/// A minibatch of copies of these graphs, which are given by their places. There is one copy for each time
/// that a graph is named, in this order. It is for the model [without losses](BoundModel::without_losses).
/// Copies make the same draws as their graphs. The levels of the vertices are not known, so the minibatch
/// needs a schedule.
///
/// # Errors
/// When this minibatch is of another model, a graph does not exist, or there are too many copies.
pub fn repeated<T: Element>(
    batch: &Minibatch<T>,
    graphs: &[u32],
    of: &BoundModel,
) -> Result<Minibatch<T>, MinibatchError> {
    Ok(Minibatch { lists: batch.lists.repeated(graphs, of)?, data: batch.data.clone() })
}
