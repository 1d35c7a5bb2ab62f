//! Second derivatives against differences of gradients.

use super::Mismatch;
use super::oracle::Objective;
use crate::engine::{Engine, EngineError};
use edb_learn::learn::{Gradient, Gradients};
use edb_model::graph::Minibatch;
use edb_model::model::{Model, Tangent};

/// Compares the product of a model's Hessian and a random direction with central differences of
/// gradients along it, from steps of two sizes, by Richardson's extrapolation: what the rest of the
/// differences' error is depends on the fifth derivative only.
///
/// `step` is the size of the larger one, such as 1e-5; `tolerance` is relative to the length of the
/// product. Vertices that decide do what they decide without a step. Returns `false`, and compares
/// nothing, where the two differences are farther apart than a thousand times the tolerance, as near
/// a kink of `relu` or of a branch.
///
/// # Errors
/// When the product is another one; and when the minibatch does not run.
pub fn hessian_check(
    model: &mut Model<f64>,
    tangent: &mut Tangent<f64>,
    batch: &Minibatch<f64>,
    step: f64,
    tolerance: f64,
) -> Result<bool, Mismatch> {
    let mut direction = Gradients::new(model.parameters());
    let objective = Objective { direction: 1, draws: None };
    for (id, parameter) in model.parameters().iter() {
        let elements = 0..parameter.len();
        let values = elements.map(|element| objective.of_parameter(id.index(), element)).collect();
        direction.add(id, Gradient::Dense(values)).map_err(EngineError::from)?;
    }
    let mut engine = Engine::new();
    let batch = engine.forward(model, batch, 0)?.minibatch().clone();
    let product = engine.forward_along(tangent, model, &batch, 0, &direction)?.product()?;
    let product = flat(model, &product);

    let original: Vec<Vec<f64>> =
        model.parameters().iter().map(|(_, parameter)| parameter.fetched().to_vec()).collect();
    let mut gradient_at = |model: &mut Model<f64>, by: f64| -> Result<Vec<f64>, EngineError> {
        for ((id, parameter), original) in model.parameters_mut().iter_mut().zip(&original) {
            parameter.set_values(original)?;
            let (_, values) = parameter.storage_mut().fetched_mut();
            for (start, piece) in direction.get(id).pieces() {
                values[start..].iter_mut().zip(piece).for_each(|(value, x)| *value += by * x);
            }
        }
        let gradients = engine.forward(model, &batch, 0)?.backward()?;
        Ok(flat(model, &gradients))
    };
    let mut difference = |step: f64| -> Result<Vec<f64>, EngineError> {
        let [up, down] = [gradient_at(model, step)?, gradient_at(model, -step)?];
        Ok(up.iter().zip(down).map(|(up, down)| (up - down) / (2.0 * step)).collect())
    };
    let differences = difference(step).and_then(|far| Ok((far, difference(step / 2.0)?)));
    gradient_at(model, 0.0)?;
    let (far, near) = differences?;

    let length = length(&product).max(f64::MIN_POSITIVE);
    if distance(&far, &near) > 1e3 * tolerance * length {
        return Ok(false);
    }
    let expected: Vec<f64> =
        near.iter().zip(&far).map(|(near, far)| (4.0 * near - far) / 3.0).collect();
    let apart = distance(&expected, &product) / length;
    if apart > tolerance || !apart.is_finite() {
        return Err(Mismatch::Product { apart });
    }
    Ok(true)
}

/// All values of gradients, one parameter after the other.
fn flat(model: &Model<f64>, gradients: &Gradients<f64>) -> Vec<f64> {
    model.parameters().iter().flat_map(|(id, _)| gradients.to_dense(id)).collect()
}

fn length(values: &[f64]) -> f64 {
    values.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}
