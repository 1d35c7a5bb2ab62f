//! Turns a minibatch of a model into a minibatch of a model that was derived from it.

use super::InputCell;
use super::error::MinibatchError;
use super::flat::{FlatBatch, place_for};
use super::minibatch::Minibatch;
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
