//! Sums over all vertices of a minibatch: the gradients of parameters.

use edb_ir::{Domain, Op, Phase, ValueId};

use super::product;
use super::{CpuBackend, MIN_PARALLEL_WORK};
use crate::element::Element;
use crate::engine::backend::Frame;
use crate::engine::layout::{Place, TypeLayout};
use crate::graph::InputCell;
use crate::learn::{Gradient, Gradients, LearnError};
use crate::model::bound::BoundFunction;

/// A stripe of a weight gradient is so many rows, or a multiple.
const STRIPE: usize = 16;

impl<T: Element> CpuBackend<T> {
    pub(super) fn accumulate_function(
        &mut self,
        frame: Frame<'_, T>,
        at: usize,
        gradients: &mut Gradients<T>,
    ) -> Result<(), LearnError> {
        let function = &frame.model.functions[at];
        let layout = &frame.layout.types[at];
        if layout.vertices.is_empty() {
            return Ok(());
        }
        for &id in function.phase(Phase::Accumulate) {
            let value = function.plan.program.value(id);
            let Place::Arena(start) = layout.places[id.index()] else { continue };
            let width = function.value(id).width;
            match value.op {
                Op::Reduce(_) => {
                    let rows = self.rows(function, layout, value.args[0]);
                    let mut sum = vec![T::zero(); width];
                    for row in rows.chunks_exact(width) {
                        sum.iter_mut().zip(row).for_each(|(sum, &x)| *sum += x);
                    }
                    self.arena[start..start + width].copy_from_slice(&sum);
                }
                Op::OuterSum => self.outer_sum(function, layout, id, start),
                Op::RowSum(_) => {
                    let sparse = self.sparse_rows(frame, function, layout, id);
                    let out = &mut self.arena[start..start + width];
                    out.fill(T::zero());
                    for (first, values) in sparse.pieces() {
                        out[first..first + values.len()].copy_from_slice(values);
                    }
                }
                _ => self.run_block(frame, at, &[id], 0..0, 0..0),
            }
        }
        for (param, parts) in function.params.iter().zip(&function.plan.program.gradients.params) {
            for &id in parts {
                let width = function.value(id).width;
                let gradient = match layout.places[id.index()] {
                    Place::Arena(start) => {
                        Gradient::Dense(self.arena[start..start + width].to_vec())
                    }
                    _ => self.sparse_rows(frame, function, layout, id),
                };
                gradients.add(*param, gradient)?;
            }
        }
        Ok(())
    }

    /// All rows of a vertex or edge value.
    fn rows(&self, function: &BoundFunction, layout: &TypeLayout, id: ValueId) -> &[T] {
        let count = match function.domain(id) {
            Domain::Step => 1,
            Domain::Vertex => layout.vertices.len(),
            Domain::Edge => layout.rest.len(),
        };
        match layout.places[id.index()] {
            Place::Arena(start) => &self.arena[start..start + count * function.value(id).width],
            place => unreachable!("what is summed over all rows is kept, not in {place:?}"),
        }
    }

    /// `Σ y xᵀ` in stripes of rows of the result, which need no order among each other.
    fn outer_sum(
        &mut self,
        function: &BoundFunction,
        layout: &TypeLayout,
        id: ValueId,
        start: usize,
    ) {
        let args = &function.plan.program.value(id).args;
        let [m, n] = [args[0], args[1]].map(|arg| function.value(arg).width);
        let mut out = std::mem::take(&mut self.sums);
        out.resize(m * n, T::zero());
        {
            let y = self.rows(function, layout, args[0]);
            let x = self.rows(function, layout, args[1]);
            let work = y.len() * n;
            let stripes = if work < MIN_PARALLEL_WORK { 1 } else { self.threads() };
            let stripe = m.div_ceil(stripes).next_multiple_of(STRIPE);
            let run = |(at, out): (usize, &mut [T])| {
                let first = at * stripe;
                product::outer_sum(out, first..first + out.len() / n, (y, m), (x, n));
            };
            match &self.pool {
                Some(pool) if stripes > 1 => pool.scope(|scope| {
                    for part in out.chunks_mut(stripe * n).enumerate() {
                        scope.spawn(move |_| run(part));
                    }
                }),
                _ => out.chunks_mut(stripe * n).enumerate().for_each(run),
            }
        }
        self.arena[start..start + m * n].copy_from_slice(&out);
        self.sums = out;
    }

    /// The touched rows of a table's gradient, each summed in the order of the vertices' rows.
    fn sparse_rows(
        &self,
        frame: Frame<'_, T>,
        function: &BoundFunction,
        layout: &TypeLayout,
        id: ValueId,
    ) -> Gradient<T> {
        let value = function.plan.program.value(id);
        let Op::RowSum(field) = value.op else { return Gradient::Zero };
        let arg = value.args[0];
        let width = function.value(arg).width;
        let is_edge = function.domain(arg) == Domain::Edge;
        let summands = self.rows(function, layout, arg);
        let field = function.input_fields[usize::from(field)];
        let index = |at: usize| {
            let row = if is_edge { layout.rest_owners[at] as usize } else { at };
            match frame.batch.inputs(layout.vertices[row])[field] {
                InputCell::Index(index) => index,
                _ => unreachable!("the minibatch was checked: the field holds an index"),
            }
        };
        let mut order: Vec<(u32, u32)> =
            (0..summands.len() / width).map(|at| (index(at), at as u32)).collect();
        order.sort_unstable();
        let mut rows: Vec<u32> = Vec::new();
        let mut values: Vec<T> = Vec::new();
        for (row, at) in order {
            let summand = &summands[at as usize * width..][..width];
            if rows.last() == Some(&row) {
                let start = values.len() - width;
                values[start..].iter_mut().zip(summand).for_each(|(sum, &x)| *sum += x);
            } else {
                rows.push(row);
                values.extend_from_slice(summand);
            }
        }
        Gradient::Rows { width, rows, values }
    }
}
