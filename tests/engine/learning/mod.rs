//! Learning: parameters, gradients, optimisers, initialisers and checkpoints.

mod adam;
mod checkpoint;
mod gradient;
mod hostile;
mod initializer;
mod muon;
mod optimizers;
mod parameter;
mod sgd;
mod workers;

use edb::Element;
use edb::learn::{Gradient, Gradients, Parameter, ParameterId, Parameters};

/// A set of one parameter, named `p`.
fn one_parameter<T: Element>(shape: &[usize], values: &[f64]) -> (Parameters<T>, ParameterId) {
    let mut parameters = Parameters::new();
    let values = values.iter().map(|&value| T::from_f64(value)).collect();
    let id = parameters.push(Parameter::new("p", shape, values).unwrap()).unwrap();
    (parameters, id)
}

/// The gradients of a set, of which one parameter has a gradient.
fn with<T: Element>(
    parameters: &Parameters<T>,
    id: ParameterId,
    gradient: Gradient<T>,
) -> Gradients<T> {
    let mut gradients = Gradients::new(parameters);
    gradients.add(id, gradient).unwrap();
    gradients
}

/// A gradient of rows.
fn rows<T: Element>(width: usize, rows: &[u32], values: &[f64]) -> Gradient<T> {
    let values = values.iter().map(|&value| T::from_f64(value)).collect();
    Gradient::Rows { width, rows: rows.to_vec(), values }
}
