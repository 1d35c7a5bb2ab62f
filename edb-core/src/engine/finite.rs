//! Where a value that is infinite or not a number arose.

use std::fmt;

use edb_ir::ValueId;

use super::Run;
use crate::element::Element;

/// The first value of a run that is infinite or not a number.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NotFinite {
    /// The graph, by its place in the minibatch.
    pub graph: usize,
    /// The vertex, by its number in its graph.
    pub vertex: usize,
    /// Its function.
    pub function: String,
    /// What is not finite there: a parameter, a field of the input or of the state, an output or
    /// the loss.
    pub place: String,
    /// The op that computed it; `None` for what comes from outside.
    pub op: Option<String>,
    /// The value.
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

/// The first value of a row that is not finite.
fn first<T: Element>(row: &[T]) -> Option<f64> {
    row.iter().find(|value| !value.is_finite()).map(|value| value.as_f64())
}

impl<T: Element> Run<'_, T> {
    /// Where a value that is infinite or not a number arose: of the vertices that have one, the first
    /// whose children have none.
    ///
    /// What is read are parameters, inputs, states, outputs and losses; what a vertex computes in
    /// between is not kept, so the op is that of the first of these.
    pub fn first_not_finite(&self) -> Option<NotFinite> {
        let vertices = 0..self.batch.functions.len() as u32;
        let mut bad = vec![false; vertices.len()];
        for vertex in vertices.clone() {
            bad[vertex as usize] = self.not_finite_in(vertex).is_some();
        }
        let origin = vertices.into_iter().find(|&vertex| {
            bad[vertex as usize] && !self.batch.dependencies(vertex).any(|of| bad[of as usize])
        })?;
        self.not_finite_in(origin)
    }

    /// The first value of a vertex that is not finite.
    fn not_finite_in(&self, vertex: u32) -> Option<NotFinite> {
        let (_, function) = self.function(vertex);
        let program = &function.plan.program;
        let from_outside = || {
            for (declared, id) in program.params.iter().zip(&function.params) {
                if let Some(value) = first(self.model.parameters.get(*id).values()) {
                    return Some((format!("parameter `{}`", declared.name), value));
                }
            }
            let inputs = self.batch.inputs(vertex);
            inputs.iter().zip(&function.input).find_map(|(cell, field)| match *cell {
                crate::graph::InputCell::Data { start, length } => {
                    let data = &self.batch.data[start as usize..(start + length) as usize];
                    first(data).map(|value| (format!("input `{}`", field.name), value))
                }
                _ => None,
            })
        };
        let computed = || {
            let fields = program.scattered.map(|at| &program.states[usize::from(at)].fields);
            let states = fields.into_iter().flatten().zip(&program.scatter);
            let states = states.map(|(field, id)| (format!("state `{}`", field.name), *id));
            let outputs = function.output.iter();
            let outputs = outputs.map(|field| (format!("output `{}`", field.name), field.value));
            let losses = program.losses.iter().map(|id| ("the loss".to_owned(), *id));
            let mut values: Vec<(String, ValueId)> = states.chain(outputs).chain(losses).collect();
            // In the order in which they are computed.
            values.sort_by_key(|(_, id)| *id);
            values.into_iter().find_map(|(place, id)| {
                let value = self.row(vertex, id).and_then(first)?;
                Some((place, value, program.value(id).op.row().name.to_owned()))
            })
        };
        let (place, value, op) = match from_outside() {
            Some((place, value)) => (place, value, None),
            None => computed().map(|(place, value, op)| (place, value, Some(op)))?,
        };
        let graph = self.batch.graphs[vertex as usize] as usize;
        let number = (vertex - self.batch.graph_offsets[graph]) as usize;
        let function = function.name.clone();
        Some(NotFinite { graph, vertex: number, function, place, op, value })
    }
}
