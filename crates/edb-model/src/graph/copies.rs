//! Minibatches that are made of another one: of a model that was derived from its model, or of copies of its graphs.

use super::error::MinibatchError;
use super::flat::{FlatBatch, place_for};
use super::levels::Levels;
use super::minibatch::Minibatch;
use super::{ABSENT, InputCell};
use crate::model::derived::Derived;
use crate::model::{BoundModel, Model};
use edb_kernels::element::Element;
use edb_vertex::port::FieldKind;

/// The minibatch as a minibatch of a model that was derived from its own model and has the same input.
///
/// # Errors
/// When the model was derived from another one, or its input has further fields.
pub fn of_derived<T: Element>(
    batch: &Minibatch<T>,
    derived: &Derived<T>,
) -> Result<Minibatch<T>, MinibatchError> {
    if !derived.follows(batch.lists.model, false) {
        return Err(MinibatchError::ForeignMinibatch);
    }
    Ok(Minibatch { lists: batch.lists.as_one_of(derived.model()), data: batch.data.clone() })
}

impl FlatBatch {
    /// A copy as a minibatch of a derived model. Its schedule may not fit that model, so it is checked again.
    fn as_one_of<T: Element>(&self, model: &Model<T>) -> Self {
        let mut batch = Self { model: model.bound().id, ..self.clone() };
        if let Some(own) = &mut batch.schedule {
            own.is_vouched_for = false;
        }
        batch
    }
}

/// The minibatch for the tangent of its model: each tensor that is pulled gets a tangent. If another vertex
/// pushes the tensor, it is the tangent of that output; for numbers from outside it is zero.
///
/// # Errors
/// When the model is not the tangent of the minibatch's model, or the result is too large.
pub fn with_tangents<T: Element>(
    minibatch: &Minibatch<T>,
    model: &BoundModel,
    tangent: &Derived<T>,
) -> Result<Minibatch<T>, MinibatchError> {
    let of = &minibatch.lists;
    if of.model != model.id || !tangent.follows(model.id, true) {
        return Err(MinibatchError::ForeignMinibatch);
    }
    let is_tensor = |kind: FieldKind| kind == FieldKind::Tensor;
    let longest = of.inputs.iter().map(|cell| match cell {
        InputCell::Data { length, .. } => *length as usize,
        _ => 0,
    });
    let longest = longest.max().unwrap_or(0);
    let zeros = place_for(minibatch.data.len(), longest, "numbers of input")?;
    place_for(0, 2 * of.inputs.len(), "inputs")?;
    let mut batch = FlatBatch {
        input_offsets: Vec::with_capacity(of.input_offsets.len()),
        inputs: Vec::with_capacity(2 * of.inputs.len()),
        ..of.as_one_of(tangent.model())
    };
    batch.input_offsets.push(0);
    for vertex in 0..of.functions.len() as u32 {
        let cells = of.inputs(vertex);
        batch.inputs.extend_from_slice(cells);
        let fields = &model.functions[of.functions[vertex as usize]].input;
        let tensors = cells.iter().zip(fields).filter(|(_, field)| is_tensor(field.kind));
        batch.inputs.extend(tensors.map(|(cell, _)| match *cell {
            InputCell::Data { length, .. } => InputCell::Data { start: zeros, length },
            InputCell::Pushed { vertex, field } => {
                let by = model.result_of(of.functions[vertex as usize]);
                let before = by.output.iter().take(usize::from(field));
                let tensors = before.filter(|field| is_tensor(field.kind)).count();
                let field = (by.output.len() + tensors) as u16;
                InputCell::Pushed { vertex, field }
            }
            cell => cell,
        }));
        batch.input_offsets.push(batch.inputs.len() as u32);
    }
    let mut data = minibatch.data.clone();
    data.resize(minibatch.data.len() + longest, T::zero());
    Ok(Minibatch { lists: batch, data })
}

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
