//! Jacobians: derivatives of outputs with respect to inputs of vertices of the same graph.
//!
//! The values of a graph are copied once for each element of the output. All copies run backward together, each from
//! the unit vector of its element. So the copies of many graphs are a minibatch, which is batched like any other.
//! Losses do not count in this backward pass.

use ndarray::Array2;

use crate::engine::error::EngineError;
use crate::engine::layout::find::find_at;
use crate::engine::pass::seeds::Seeds;
use crate::engine::results::graph_copies::blocks;
use crate::engine::results::run::Run;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_model::model::Function;
use edb_vertex::cell::InputCell;
use edb_vertex::function::{Vertex, VertexFunction};

/// Says which Jacobian is wanted: of a field that a vertex pushes, with respect to fields that vertices of the same
/// graph pull. The graph is given by its place in the minibatch, vertices by their numbers in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JacobianOf<'a> {
    /// The graph.
    pub graph: usize,
    /// The vertex that pushes, and its field.
    pub output: (usize, &'a str),
    /// The vertices that pull, and their fields.
    pub inputs: &'a [(usize, &'a str)],
}

/// A row of a Jacobian.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The number of the Jacobian among those that are wanted.
    of: usize,
    /// The element of the output.
    element: usize,
    /// How many elements the output has.
    length: usize,
}

impl<T: Element> Run<'_, T> {
    /// The Jacobian of a field that a vertex of `f` pushes, with respect to a tensor that a vertex of `g` pulls. Both
    /// vertices are of one graph, and may be the same vertex. The shape is `[m, n]` for `m` elements that are
    /// pushed and `n` elements that are pulled, both in row-major order. Losses do not count. The run can still go
    /// backward after this.
    ///
    /// ```
    /// # extern crate edb_core as edb;
    /// # use edb::engine::{EngineError, Run};
    /// # use edb::function::{Vertex, VertexFunction};
    /// # use edb::model::Function;
    /// # fn jacobian<F: VertexFunction>(
    /// #     run: &mut Run<'_>, step: &Function<F>, first: Vertex<F::State>, last: Vertex<F::State>,
    /// # ) -> Result<(), EngineError> {
    /// // How the last output of a recurrent network depends on its first input.
    /// let jacobian = run.jacobian((step, last, "y"), (step, first, "x"))?;
    /// # let _ = jacobian;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`jacobians`](Self::jacobians).
    pub fn jacobian<F: VertexFunction, G: VertexFunction>(
        &mut self,
        (f, pushing, output): (&Function<F>, Vertex<F::State>, &str),
        (g, pulling, input): (&Function<G>, Vertex<G::State>, &str),
    ) -> Result<Array2<T>, EngineError> {
        let place = |run: &Self, vertex: u32| {
            let batch = run.batch();
            (batch.graphs()[vertex as usize] as usize, batch.number(vertex) as usize)
        };
        let (graph, pushing) = place(self, self.find_as(f, pushing)?);
        let (other, pulling) = place(self, self.find_as(g, pulling)?);
        if graph != other {
            return Err(EngineError::OtherGraph { graph, other });
        }
        let of = JacobianOf { graph, output: (pushing, output), inputs: &[(pulling, input)] };
        let mut found = self.jacobians(&[of])?;
        Ok(found.pop().and_then(|mut by| by.pop()).expect("one Jacobian was asked for"))
    }

    /// Computes several Jacobians, for example one of each graph. Returns for each wanted Jacobian one matrix for
    /// each of its inputs, as [`jacobian`](Self::jacobian) returns it. The rows of all Jacobians are computed
    /// together.
    ///
    /// # Errors
    /// When the run was forward only or has gone backward. When a vertex does not exist, does not push or pull the
    /// tensor, or pushes a list. When memory does not suffice, or the device scales losses.
    pub fn jacobians(
        &mut self,
        wanted: &[JacobianOf<'_>],
    ) -> Result<Vec<Vec<Array2<T>>>, EngineError> {
        jacobians(self, wanted)
    }

    /// The number of elements of an output.
    fn output_length(&self, of: &JacobianOf<'_>) -> Result<usize, EngineError> {
        let (vertex, field) = of.output;
        Ok(self.output_at(of.graph, vertex, field)?.len())
    }

    /// The number of elements of an input.
    fn input_length(
        &self,
        graph: usize,
        (vertex, field): (usize, &str),
    ) -> Result<usize, EngineError> {
        let found = find_at(self.batch(), graph, vertex)?;
        let function = self.function(found);
        let number = function.input.iter().position(|input| input.name == field);
        if number.is_some() && self.batch().inputs(found).is_empty() {
            let function = self.model.bound().as_added(function.id).name.clone();
            return Err(EngineError::NoInput { graph, vertex, function, field: field.into() });
        }
        let cell = number.map(|number| self.batch().inputs(found)[number]);
        match cell {
            Some(InputCell::Data { length, .. }) => Ok(length as usize),
            Some(InputCell::Pushed { vertex, field }) => {
                let by = self.model.bound().result_of(self.batch().functions()[vertex as usize]);
                Ok(by.value(by.output[usize::from(field)].value).width)
            }
            Some(InputCell::Index(_) | InputCell::Indices { .. }) => {
                Err(EngineError::IsIndex { field: field.into() })
            }
            None => {
                let known: Vec<&str> =
                    function.input.iter().map(|input| input.name.as_str()).collect();
                Err(EngineError::UnknownInput {
                    function: function.name.clone(),
                    field: field.into(),
                    known: if known.is_empty() { "nothing".into() } else { known.join(", ") },
                })
            }
        }
    }

    /// Computes these rows of the wanted Jacobians, and writes them into `found`. `graphs` has the graph of each row.
    fn run_rows(
        &mut self,
        wanted: &[JacobianOf<'_>],
        rows: &[Row],
        graphs: &[u32],
        found: &mut [Vec<Array2<T>>],
    ) -> Result<(), EngineError> {
        let mut seeds = Seeds::new();
        for (copy, row) in rows.iter().enumerate() {
            let JacobianOf { output: (vertex, field), .. } = wanted[row.of];
            let mut unit = vec![T::zero(); row.length];
            unit[row.element] = T::one();
            seeds.push_at(copy, vertex, field, &unit);
        }
        let inputs = rows.iter().enumerate().flat_map(|(copy, row)| {
            wanted[row.of].inputs.iter().map(move |(vertex, _)| (copy, *vertex))
        });
        self.with_copies(graphs, &seeds, Some(inputs.collect()), |run| {
            for (copy, row) in rows.iter().enumerate() {
                for (number, (vertex, field)) in wanted[row.of].inputs.iter().enumerate() {
                    let Some(view) = run.input_gradient_at(copy, *vertex, field)? else { continue };
                    let mut to = found[row.of][number].row_mut(row.element);
                    to.iter_mut().zip(&view).for_each(|(to, x)| *to = *x);
                }
            }
            Ok(())
        })
    }
}

compiled_here! {
    /// See [`Run::jacobians`].
    fn jacobians(
        run: &mut Run<'_, T>,
        wanted: &[JacobianOf<'_>],
    ) -> Result<Vec<Vec<Array2<T>>>, EngineError> {
        run.tape()?;
        if run.engine.backend.scales_losses() {
            return Err(EngineError::NoGraphSums);
        }
        let mut rows = Vec::new();
        let mut found = Vec::with_capacity(wanted.len());
        for (number, of) in wanted.iter().enumerate() {
            let length = run.output_length(of)?;
            let widths = of.inputs.iter().map(|input| run.input_length(of.graph, *input));
            let widths = widths.collect::<Result<Vec<usize>, EngineError>>()?;
            found.push(widths.iter().map(|width| Array2::zeros((length, *width))).collect());
            rows.extend((0..length).map(|element| Row { of: number, element, length }));
        }
        for (part, graphs) in run.part_graphs().into_iter().enumerate() {
            let is_here = |row: &&Row| graphs.contains(&wanted[row.of].graph);
            let rows: Vec<Row> = rows.iter().filter(is_here).copied().collect();
            let place = |row: &Row| (wanted[row.of].graph - graphs.start) as u32;
            let graphs: Vec<u32> = rows.iter().map(place).collect();
            run.in_part(part, |run| {
                let blocks = blocks(run.batch(), &run.engine.layout, &graphs);
                blocks.into_iter().try_for_each(|block| {
                    let (rows, graphs) = (&rows[block.clone()], &graphs[block]);
                    run.run_rows(wanted, rows, graphs, &mut found)
                })
            })?;
        }
        Ok(found)
    }
}
