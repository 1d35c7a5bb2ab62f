//! Finds where the first value that is infinite or NaN arose.

use std::any::TypeId;
use std::fmt;

use edb_ir::ValueId;
use ndarray::ArrayViewD;
use serde::{Deserialize, Serialize};

use crate::engine::error::EngineError;
use crate::engine::results::run::Run;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_learn::learn::{ParameterId, any_number};
use edb_model::graph::{ABSENT, InputCell, inside};
use edb_model::interpreter::origin_of;
use edb_vertex::eager::context::{EagerState, EagerVertex};
use edb_vertex::eager::scope;
use edb_vertex::port::{FieldView, PortValue};
use edb_vertex::tensor::{Index, Indices, Tensor};

/// The first value of a run that is infinite or NaN.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NotFinite {
    /// The graph, by its place in the minibatch.
    pub graph: usize,
    /// The vertex, by its number in its graph.
    pub vertex: usize,
    /// Its function.
    pub function: String,
    /// What is not finite there: a parameter, a field of the input or of the state, an output, the
    /// loss, or the argument of a decision.
    pub place: String,
    /// The op that computed it; `None` for parameters and inputs.
    pub op: Option<String>,
    /// The value, which is infinite or NaN.
    #[serde(with = "any_number")]
    pub value: f64,
}

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { graph, vertex, function, place, op, value } = self;
        write!(f, "{place} of vertex {vertex} of graph {graph} (`{function}`) is {value}")?;
        match op {
            Some(op) => write!(f, ", from `{op}`"),
            None => Ok(()),
        }
    }
}

/// A value of a vertex that is not finite: where it is, the value, and its id in the program, if the vertex has
/// computed it.
struct Found {
    place: String,
    value: f64,
    op: Option<ValueId>,
}

/// The first value of a row that is not finite.
fn first<T: Element>(row: &[T]) -> Option<f64> {
    row.iter().find(|value| !value.is_finite()).map(|value| value.as_f64())
}

impl<T: Element> Run<'_, T> {
    /// Finds where the first value that is infinite or NaN arose. Among the vertices that have such a value, it
    /// takes the first one that depends on none of the others.
    ///
    /// It reads parameters, inputs, states, outputs and losses. It also reads whether a vertex has decided on NaN
    /// by an argmax, a sample, or a condition of a branch or loop. The other values of a vertex are not kept. So the
    /// vertex runs again, op by op in `f64`. From the value that is not finite, the search goes back to the op that
    /// computed such a value from finite numbers within the range of `T`. If the value is finite in `f64`, only
    /// rounding to `T` made it infinite or NaN; then the op that computed this value is reported.
    ///
    /// # Errors
    /// When the device has failed.
    pub fn first_not_finite(&self) -> Result<Option<NotFinite>, EngineError> {
        find(self)
    }

    /// The first value of a vertex that is not finite, if there is one.
    fn not_finite_in(&self, vertex: u32) -> Result<Option<Found>, EngineError> {
        let function = self.function(vertex);
        let program = &function.plan.program;
        let from_outside = || -> Result<Option<(String, f64)>, EngineError> {
            for (declared, id) in program.params.iter().zip(&function.params) {
                if let Some(value) = first(self.model.parameters().get(*id).values()?) {
                    return Ok(Some((format!("parameter `{}`", declared.name), value)));
                }
            }
            let inputs = self.batch().inputs(vertex);
            Ok(inputs.iter().zip(&function.input).find_map(|(cell, field)| match *cell {
                InputCell::Data { start, length } => {
                    let data =
                        &inside::data(&self.batch)[start as usize..(start + length) as usize];
                    first(data).map(|value| (format!("input `{}`", field.name), value))
                }
                _ => None,
            }))
        };
        let computed = || {
            let fields = program.scattered.map(|state| &program.states[usize::from(state)].fields);
            let states = fields.into_iter().flatten().zip(&program.scatter);
            let states = states.map(|(field, id)| (format!("state `{}`", field.name), *id));
            let outputs = function.output.iter();
            let outputs = outputs.map(|field| (format!("output `{}`", field.name), field.value));
            let losses = program.losses.iter().map(|id| ("the loss".to_owned(), *id));
            let doubt = program.doubt.map(|id| ("the argument of a decision".to_owned(), id));
            let values = states.chain(outputs).chain(losses).chain(doubt);
            let mut values: Vec<(String, ValueId)> = values.collect();
            // The values are checked in the order in which they are computed.
            values.sort_by_key(|(_, id)| *id);
            for (place, id) in values {
                if let Some(value) = self.row(vertex, id)?.and_then(first) {
                    return Ok(Some(Found { place, value, op: Some(id) }));
                }
            }
            Ok(None)
        };
        match from_outside()? {
            Some((place, value)) => Ok(Some(Found { place, value, op: None })),
            None => computed(),
        }
    }

    /// Describes a value that is not finite by the names of its function and its op.
    fn described(&self, vertex: u32, found: Found) -> Result<NotFinite, EngineError> {
        let function = self.function(vertex);
        let op = match found.op {
            Some(kept) => Some(self.origin_of(kept, vertex)?.unwrap_or(kept)),
            None => None,
        };
        let op = op.map(|id| function.plan.program.value(id).op.row().name.to_owned());
        let Found { place, value, .. } = found;
        let graph = self.batch().graphs()[vertex as usize] as usize;
        let number = self.batch().number(vertex) as usize;
        let function = function.name.clone();
        Ok(NotFinite { graph, vertex: number, function, place, op, value })
    }

    /// Finds the value at which a value that is not finite arose, by running the vertex again in `f64`. `None` if
    /// inference has forgotten a state that the vertex read.
    fn origin_of(&self, kept: ValueId, vertex: u32) -> Result<Option<ValueId>, EngineError> {
        let function = self.function(vertex);
        let is_forgotten = |child: &u32| *child != ABSENT && self.seen(*child).is_forgotten();
        if self.batch().children(vertex).iter().any(is_forgotten) {
            return Ok(None);
        }
        scope(|| {
            let params = function.params.iter().map(|id| self.eager_parameter(*id));
            let params: Vec<Tensor> = params.collect::<Result<_, EngineError>>()?;
            let eager = self.eager_vertex(vertex)?;
            let (program, bound) = (&function.plan.program, &function.values);
            let largest = T::max_value().as_f64();
            Ok(origin_of(kept, program, bound, &params, &eager, largest).map(|(id, _)| id))
        })
    }

    /// A parameter as a tensor of the interpreter, to run vertices again.
    pub(crate) fn eager_parameter(&self, id: ParameterId) -> Result<Tensor, EngineError> {
        Ok(eager_tensor(self.model.parameters().get(id).view()?))
    }

    /// Everything that a vertex has read, to run it again. Fields are in the order of its program.
    pub(crate) fn eager_vertex(&self, vertex: u32) -> Result<EagerVertex, EngineError> {
        let function = self.function(vertex);
        let program = &function.plan.program;
        let child = |(place, child): (usize, &u32)| {
            let state = program.slot_state(function.slot(place)).filter(|_| *child != ABSENT);
            let Some(state) = state else { return Ok(None) };
            let fields = program.states[usize::from(state)].fields.iter();
            let fields = fields.map(|field| match self.field(*child, &field.name)? {
                FieldView::Tensor(view) => Ok(PortValue::Tensor(eager_tensor(view))),
                FieldView::Index(view) => {
                    let index = view.iter().next().copied().unwrap_or(0);
                    Ok(PortValue::Index(Index(index)))
                }
            });
            let fields = fields.collect::<Result<_, EngineError>>()?;
            Ok(Some(EagerState { id: TypeId::of::<()>(), fields }))
        };
        let input = |field: &usize| {
            Ok(match self.batch().inputs(vertex)[*field] {
                InputCell::Index(index) => PortValue::Index(Index(index)),
                cell @ InputCell::Indices { .. } => {
                    PortValue::Indices(Indices::from_values(self.batch().indices(&cell)))
                }
                InputCell::Pushed { vertex, field } => {
                    let pushed = self.function(vertex).output[usize::from(field)].value;
                    PortValue::Tensor(eager_tensor(self.view(vertex, pushed)?))
                }
                InputCell::Data { start, length } => {
                    let data =
                        &inside::data(&self.batch)[start as usize..(start + length) as usize];
                    let values: Vec<f64> = data.iter().map(|value| value.as_f64()).collect();
                    let sizes = function.input[*field].sizes.clone();
                    let shape = sizes.unwrap_or_else(|| [values.len()].into_iter().collect());
                    PortValue::Tensor(Tensor::from_values(&shape, &values))
                }
            })
        };
        let seed = self.engine.seed;
        let key = |step| self.batch().vertex_key(function.key, vertex, (seed, step));
        let children = self.batch().children(vertex).iter().enumerate().map(child);
        let inputs = function.input_fields.iter().map(input);
        Ok(EagerVertex {
            children: children.collect::<Result<_, EngineError>>()?,
            fixed: function.fixed(),
            input: inputs.collect::<Result<_, EngineError>>()?,
            draws: self.step.map(key),
            samples: Some(key(self.step.unwrap_or(0))),
            decisions: self.decisions_of_section(vertex)?,
        })
    }
}

fn eager_tensor<T: Element>(view: ArrayViewD<'_, T>) -> Tensor {
    let values: Vec<f64> = view.iter().map(|value| value.as_f64()).collect();
    Tensor::from_values(view.shape(), &values)
}

compiled_here! {
    /// See [`Run::first_not_finite`].
    fn find(run: &Run<'_, T>) -> Result<Option<NotFinite>, EngineError> {
        let vertices = 0..run.batch().functions().len() as u32;
        let mut bad = vec![false; vertices.len()];
        for vertex in vertices.clone() {
            bad[vertex as usize] = run.not_finite_in(vertex)?.is_some();
        }
        let origin = vertices.into_iter().find(|&vertex| {
            bad[vertex as usize] && !run.batch().dependencies(vertex).any(|of| bad[of as usize])
        });
        let Some(origin) = origin else { return Ok(None) };
        let found = run.not_finite_in(origin)?;
        found.map(|found| run.described(origin, found)).transpose()
    }
}
