//! Runs of a [`Tangent`]: how fast losses and outputs change if the parameters move along a direction, and products of
//! the direction with second derivatives.

use std::borrow::Cow;

use ndarray::ArrayViewD;

use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::layout::find::{check_owns, or_nothing};
use crate::engine::results::run::Run;
use edb_kernels::element::Element;
use edb_learn::learn::{Gradient, Gradients, ParameterId};
use edb_model::graph::{FlatBatch, Minibatch, inside};
use edb_model::model::derived::Derived;
use edb_model::model::tangent::{Directions, IndexField};
use edb_model::model::{BoundModel, Model, Tangent};

/// A run along a direction. [`Engine::forward_along`] makes it.
#[derive(Debug)]
pub struct TangentRun<'a, T: Element = f32> {
    run: Run<'a, T>,
    of: &'a Model<T>,
    /// For each parameter of the model, the parameter of the tangent that has its values.
    parameters: &'a [ParameterId],
}

impl<T: Element> Engine<T> {
    /// Runs a minibatch of a model together with its tangents along a direction of the parameters. The direction
    /// has the form of a gradient. `tangent` is the tangent of the model, from [`Model::tangent`]. `step` and the
    /// seed decide what is drawn, as in [`forward`](Self::forward).
    ///
    /// Vertices decide as in a run of the model. If numbers almost tie, they might decide in another way; to exclude
    /// this, give the [minibatch that has run](Run::minibatch).
    ///
    /// ```
    /// # extern crate edb_core as edb;
    /// # use edb::engine::{Engine, EngineError};
    /// # use edb::graph::Minibatch;
    /// # use edb::learn::Gradients;
    /// # use edb::model::{Model, Tangent};
    /// # fn product(model: &Model, tangent: &mut Tangent, batch: &Minibatch) -> Result<(), EngineError> {
    /// let mut engine = Engine::new();
    /// // The second derivative of the loss in the direction of its gradient.
    /// let gradient = engine.forward(model, batch, 0)?.backward()?;
    /// let mut along = engine.forward_along(tangent, model, batch, 0, &gradient)?;
    /// let slopes: Vec<f64> = along.slopes()?; // of each graph's loss
    /// let product: Gradients<f32> = along.product()?; // of the Hessian and the gradient
    /// println!("{}: curvature {}", slopes.iter().sum::<f64>(), product.dot(&gradient));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the tangent, the minibatch or the direction belong to another model, or as in
    /// [`forward`](Self::forward).
    pub fn forward_along<'a>(
        &'a mut self,
        tangent: &'a mut Tangent<T>,
        model: &'a Model<T>,
        batch: &Minibatch<T>,
        step: u64,
        direction: &Gradients<T>,
    ) -> Result<TangentRun<'a, T>, EngineError> {
        let Directions { derived, of: directions, tables } = Directions::of(tangent);
        follow(derived, model, batch)?;
        if !direction.fit(model.parameters()) {
            return Err(EngineError::Direction);
        }
        for (((id, parameter), to), table) in model.parameters().iter().zip(directions).zip(tables)
        {
            let values = derived.parameters_mut().get_mut(*to).values_mut()?;
            let direction = direction.get(id);
            match table {
                Some(fields) => {
                    let width = parameter.shape().iter().skip(1).product();
                    place_rows(
                        values,
                        direction,
                        width,
                        rows_at(model.bound(), FlatBatch::of(batch), fields),
                    );
                }
                None => place(values, direction),
            }
        }
        let batch = inside::with_tangents(batch, model.bound(), derived)?;
        let run = self.begin_run(derived.model(), Cow::Owned(batch), Some(step))?;
        Ok(TangentRun { run, of: model, parameters: derived.parameters() })
    }
}

/// Gives a derived model the current values of the model from which it was derived, for a run of this minibatch.
///
/// # Errors
/// When it was derived from another model, or the model does not own the minibatch.
pub(crate) fn follow<T: Element>(
    derived: &mut Derived<T>,
    model: &Model<T>,
    batch: &Minibatch<T>,
) -> Result<(), EngineError> {
    if !derived.is_of(model) {
        return Err(EngineError::ForeignDerived);
    }
    check_owns(model, batch)?;
    Ok(derived.take_values(model)?)
}

/// Copies a direction into the values of a parameter. Values that the direction does not have become zero.
fn place<T: Element>(values: &mut [T], direction: &Gradient<T>) {
    let mut end = 0;
    for (start, piece) in direction.pieces() {
        values[end..start].fill(T::zero());
        end = start + piece.len();
        values[start..end].copy_from_slice(piece);
    }
    values[end..].fill(T::zero());
}

/// Copies these rows of a direction into the rows of a table. The other rows are not read, and may have any values.
fn place_rows<T: Element>(
    values: &mut [T],
    direction: &Gradient<T>,
    width: usize,
    rows: impl Iterator<Item = u32>,
) {
    let places = rows.map(|row| row as usize * width..(row as usize + 1) * width);
    if let Gradient::Dense(direction) = direction {
        places.for_each(|row| values[row.clone()].copy_from_slice(&direction[row]));
        return;
    }
    places.for_each(|row| values[row].fill(T::zero()));
    for (start, piece) in direction.pieces() {
        values[start..start + piece.len()].copy_from_slice(piece);
    }
}

/// All indices in these fields of all vertices. An index that occurs several times is returned several times.
fn rows_at(
    model: &BoundModel,
    batch: &FlatBatch,
    fields: &[IndexField],
) -> impl Iterator<Item = u32> {
    (0..batch.vertex_count() as u32).flat_map(move |vertex| {
        let function = model.as_added(batch.functions()[vertex as usize]).id;
        let of_function = fields.iter().filter(move |of| of.function == function);
        let cells = of_function.filter_map(move |of| batch.inputs(vertex).get(of.field));
        cells.flat_map(|cell| batch.indices(cell)).copied()
    })
}

impl<T: Element> TangentRun<'_, T> {
    /// For each graph, how fast its loss changes along the direction: the inner product of the gradient of the
    /// graph with the direction.
    ///
    /// # Errors
    /// When the device has failed.
    pub fn slopes(&self) -> Result<Vec<f64>, EngineError> {
        let batch = self.run.batch();
        let mut slopes = vec![0.0; batch.graph_count()];
        for vertex in 0..batch.vertex_count() as u32 {
            slopes[batch.graphs()[vertex as usize] as usize] += self.run.loss_of(vertex)?;
        }
        Ok(slopes)
    }

    /// How fast the loss of one vertex changes along the direction; 0 if it has no loss. `graph` is the place of the
    /// graph in the minibatch, `vertex` the number of the vertex in the graph.
    ///
    /// # Errors
    /// When there is no such vertex, or the device has failed.
    pub fn slope_at(&self, graph: usize, vertex: usize) -> Result<f64, EngineError> {
        self.run.vertex_loss(graph, vertex)
    }

    /// How fast a field that a vertex pushes changes along the direction. `graph` is the place of the graph in the
    /// minibatch, `vertex` the number of the vertex in the graph.
    ///
    /// # Errors
    /// When there is no such vertex, or the vertex pushes no such tensor.
    pub fn output_at(
        &self,
        graph: usize,
        vertex: usize,
        field: &str,
    ) -> Result<ArrayViewD<'_, T>, EngineError> {
        let found = self.run.output_at(graph, vertex, &edb_ir::tangent::name(field));
        // The error names fields as the user does, and not their tangents.
        found.map_err(|error| match error {
            EngineError::UnknownOutput { function, known, .. } => {
                let tangent = edb_ir::tangent::name("");
                let known: Vec<&str> =
                    known.split(", ").filter_map(|of| of.strip_suffix(&tangent)).collect();
                let known = or_nothing(&known);
                EngineError::UnknownOutput { function, field: field.into(), known }
            }
            error => error,
        })
    }

    /// The product of the direction with the Hessian of the sum of all losses, or with its Gauss-Newton matrix. The
    /// tangent was [compiled](Model::tangent) for one of the two.
    ///
    /// The gradient of some ops is not their derivative (`round`, `detach`). For these ops, the product uses the
    /// derivative of their gradient, as a second backward pass would.
    ///
    /// # Errors
    /// When this was called before.
    pub fn product(&mut self) -> Result<Gradients<T>, EngineError> {
        let mut found = self.run.backward()?;
        let mut product = Gradients::new(self.of.parameters());
        for ((id, _), from) in self.of.parameters().iter().zip(self.parameters) {
            product.add(id, found.take(*from))?;
        }
        Ok(product)
    }
}
