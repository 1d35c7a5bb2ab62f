//! The numbers of a model and of its gradients, in one vector: `f64` holds those of `f32` exactly.

use edb::learn::Gradients;
use edb::{Element, Model};

/// The values of all parameters.
///
/// # Panics
/// When they cannot be read.
pub fn values<T: Element>(model: &Model<T>) -> Vec<f64> {
    let values = model.parameters().iter().flat_map(|(_, parameter)| parameter.values().unwrap());
    values.map(|value| value.as_f64()).collect()
}

/// Their bits.
///
/// # Panics
/// As [`values`].
pub fn bits<T: Element>(model: &Model<T>) -> Vec<u64> {
    values(model).into_iter().map(f64::to_bits).collect()
}

/// The bits of the gradients of all parameters.
pub fn gradient_bits<T: Element>(model: &Model<T>, gradients: &Gradients<T>) -> Vec<u64> {
    let numbers = model.parameters().iter().flat_map(|(id, _)| gradients.to_dense(id));
    numbers.map(|number| number.as_f64().to_bits()).collect()
}
