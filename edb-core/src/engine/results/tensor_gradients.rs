//! The gradients of tensors that vertices pull, as one vector.

use std::collections::HashMap;

use super::run::Run;
use crate::engine::error::EngineError;
use edb_kernels::element::Element;
use edb_kernels::sums::RunningSum;
use edb_model::graph::{InputCell, inside};
use edb_vertex::tensor::Tensor;

impl<T: Element> Run<'_, T> {
    /// The gradients of these tensors, after [`Run::backward`]: one vector, with the elements of each tensor,
    /// row-major, one tensor behind the other. They are what `Graph::tensor` has returned, and the gradient of one
    /// is the sum over all vertices of its graph that pull it (of the first one, if the graph is in the minibatch
    /// several times); zeros if nothing that has a gradient depends on it. [`Minibatch::set_tensors`](edb_model::graph::Minibatch::set_tensors) takes other values in the same order.
    ///
    /// # Errors
    /// Before the backward pass, or when a tensor is not of this minibatch.
    pub fn tensor_gradients(&self, tensors: &[Tensor]) -> Result<Vec<T>, EngineError> {
        if !self.engine.spent {
            return Err(EngineError::NotYet);
        }
        // Where the gradient of the tensor that begins at an element of the data is in the sums. Tensors without
        // elements begin where others do.
        let mut places: HashMap<usize, usize> = HashMap::with_capacity(tensors.len());
        let mut ranges = Vec::with_capacity(tensors.len());
        let mut count = 0;
        for tensor in tensors {
            let place = inside::place_of_tensor(&self.batch, *tensor);
            let place = place.ok_or(EngineError::ForeignTensor)?;
            if place.is_empty() {
                continue;
            }
            let first = *places.entry(place.start).or_insert_with(|| {
                count += place.len();
                count - place.len()
            });
            ranges.push(first..first + place.len());
        }
        let mut sums = vec![RunningSum::default(); count];
        for vertex in 0..self.batch().vertex_count() as u32 {
            let function = self.function(vertex);
            for (field, cell) in self.batch().inputs(vertex).iter().enumerate() {
                let InputCell::Data { start, .. } = *cell else { continue };
                let Some(first) = places.get(&(start as usize)) else { continue };
                let Some(id) = function.input_gradient(field) else { continue };
                let gradient = self.gradient_view(vertex, id)?;
                sums[*first..].iter_mut().zip(&gradient).for_each(|(sum, x)| {
                    sum.add(*x);
                });
            }
        }
        let sum = |sum: &RunningSum<T>| sum.value();
        Ok(ranges.into_iter().flat_map(|range| sums[range].iter().map(sum)).collect())
    }
}
