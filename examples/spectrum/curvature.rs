//! Products of vectors with the Hessian of a training loss, or with its Gauss-Newton matrix.

use edb::learn::{Gradient, Gradients};
use edb::model::{Plan, Tangent};
use edb::prelude::*;

use support::Result;

/// The second derivatives of the mean loss of some graphs.
pub(super) struct Curvature<'a> {
    model: &'a Model<f64>,
    tangent: Tangent<f64>,
    engine: Engine<f64>,
    batches: &'a [Minibatch<f64>],
    /// How many losses there are.
    losses: usize,
}

impl<'a> Curvature<'a> {
    /// `compile` decides which products they are.
    pub(super) fn new(
        model: &'a Model<f64>,
        engine: Engine<f64>,
        batches: &'a [Minibatch<f64>],
        losses: usize,
        compile: fn(&Plan) -> std::result::Result<Plan, String>,
    ) -> Result<Self> {
        Ok(Self { model, tangent: model.tangent_by(compile)?, engine, batches, losses })
    }

    /// The number of parameters: that of rows of the matrix.
    pub(super) fn size(&self) -> usize {
        self.model.parameters().iter().map(|(_, parameter)| parameter.len()).sum()
    }

    /// The product with a vector, which has all parameters one after the other.
    pub(super) fn product(&mut self, vector: &[f64]) -> Result<Vec<f64>> {
        let Self { model, tangent, engine, batches, losses } = self;
        let parameters = model.parameters();
        let mut direction = Gradients::new(parameters);
        let mut rest = vector;
        for (id, parameter) in parameters.iter() {
            let (own, behind) = rest.split_at(parameter.len());
            direction.add(id, Gradient::Dense(own.to_vec()))?;
            rest = behind;
        }
        let mut product = vec![0.0; vector.len()];
        for batch in *batches {
            let found = engine.forward_along(tangent, model, batch, 0, &direction)?.product()?;
            let mut start = 0;
            for (id, parameter) in parameters.iter() {
                for (place, piece) in found.get(id).pieces() {
                    let sums = &mut product[start + place..][..piece.len()];
                    sums.iter_mut().zip(piece).for_each(|(sum, x)| *sum += x / *losses as f64);
                }
                start += parameter.len();
            }
        }
        Ok(product)
    }
}
