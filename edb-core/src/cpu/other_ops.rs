//! Ops that are instructions of their own: they belong neither to kernels nor to products.

use std::ops::Range;

use edb_ir::{
    Contraction, Domain, Draw, Leaf, Movement, Op, Reduction, SemiringContraction, Slot, Span,
    Transition, ValueId,
};

use super::block::RowBlock;
use crate::engine::backend::Frame;
use crate::engine::layout::Feed;
use edb_kernels::element::Element;
use edb_kernels::kernels;
use edb_kernels::math::{exceeds, greater_of};
use edb_kernels::operand::{Operand, OperandMut};
use edb_kernels::product;
use edb_kernels::random::VertexKey;
use edb_kernels::semiring::{self, Weighted};
use edb_kernels::sums::{CHAIN, in_halves};
use edb_model::graph::{ABSENT, InputCell};
use edb_model::model::bound::BoundValue;
use edb_model::model::stack::stride;

/// The value that is computed, or a piece of it.
struct Computed<'s> {
    id: ValueId,
    domain: Domain,
    args: &'s [Span],
}

impl<'a, T: Element> RowBlock<'a, T> {
    /// Computes a value, or a piece of it, whose op is an instruction of its own.
    pub(super) fn op(&self, id: ValueId, mut out: OperandMut<'a, T>, args: &[Span]) {
        let domain = self.function.plan.program.value(id).domain;
        let value = Computed { id, domain, args };
        let out = &mut out;
        match &self.function.plan.program.value(id).op {
            Op::Leaf(op) => self.leaf(op, &value, out),
            Op::Draw(op) => self.draw(*op, &value, out),
            Op::Contraction(op) => self.contraction(*op, &value, out),
            Op::Movement(op) => self.movement(op, &value, out),
            Op::Reduction(Reduction::CrossEntropyGradient) => {
                let (index, factor) =
                    (self.index_by(domain, args[1]), self.read_by(domain, args[2]));
                self.for_each_row(domain, out, &self.read_by(domain, args[0]), |row, out, x| {
                    kernels::cross_entropy_gradient(out, x, index.row(row), factor.row(row)[0]);
                })
            }
            Op::Reduction(op) => {
                let index = args.get(1).map(|index| self.index_by(domain, *index));
                self.for_each_row(domain, out, &self.read_by(domain, args[0]), |row, out, x| {
                    kernels::reduce(*op, out, x, index.as_ref().map_or(0, |index| index.row(row)));
                })
            }
            Op::RowReduction(op) => {
                let rows =
                    self.function.value(self.function.plan.program.value(id).args[0]).sizes[0];
                self.for_each_row(domain, out, &self.read_by(domain, args[0]), |_, out, x| {
                    kernels::reduce_each(op.of_row(), out, x, rows);
                })
            }
            Op::SemiringContraction(op) => self.semiring(*op, &value, out),
            Op::Indexing(_) => self.same(domain, out, args),
            Op::Transition(op) => self.transition(*op, &value, out),
            Op::Pointwise(op) => unreachable!("`{}` is a part of kernels", op.name()),
        }
    }

    fn leaf(&self, op: &Leaf, value: &Computed<'_>, out: &mut OperandMut<'a, T>) {
        let Computed { id, domain, .. } = *value;
        match op {
            Leaf::Constant(number) => out.row_mut(0).fill(T::from_f64(*number)),
            Leaf::LossScale => out.row_mut(0).fill(T::one()),
            Leaf::Length(_) => {
                out.row_mut(0).fill(T::from_f64(self.function.value(id).length as f64))
            }
            Leaf::Zeros => out.row_mut(0).fill(T::zero()),
            Leaf::Pull(field) => self.pull(out, *field),
            Leaf::Child { slot, field } => self.child(out, *slot, *field),
            Leaf::StateGradient(field) => self.state_gradient(out, *field),
            Leaf::OutputGradient(field) => self.output_gradient(out, *field),
            Leaf::BagSize(field) => {
                for row in 0..self.rows_of(domain).len() {
                    let size = self.bag(row, *field, domain).len();
                    out.row_mut(row)[0] = T::from_f64(size as f64);
                }
            }
            Leaf::Param(_) => unreachable!("parameters are where they are"),
            Leaf::Merge | Leaf::HasInput => unreachable!("a plan has neither branches nor loops"),
        }
    }

    fn draw(&self, op: Draw, value: &Computed<'_>, out: &mut OperandMut<'a, T>) {
        let Computed { domain, args, .. } = *value;
        self.for_each_row(domain, out, &self.read_by(domain, args[0]), |row, out, x| {
            if self.frame.step.is_none() {
                return out.copy_from_slice(x);
            }
            let (key, edge) = self.key(row, domain);
            match op {
                Draw::Dropout { rate, site, shared: true } => {
                    kernels::dropout(out, x, rate, key.shared_site(site));
                }
                Draw::Dropout { rate, site, shared: false } => {
                    kernels::dropout(out, x, rate, key.site(site, edge));
                }
                Draw::Noise { deviation, site } => {
                    let draws = key.site(site, edge);
                    for (element, (out, x)) in out.iter_mut().zip(x).enumerate() {
                        *out = *x + T::from_f64(deviation * draws.normal(element));
                    }
                }
            }
        });
    }

    fn contraction(&self, op: Contraction, value: &Computed<'_>, out: &mut OperandMut<'a, T>) {
        let Computed { id, domain, args } = *value;
        let rows = self.rows_of(domain).len();
        let (a, b) = (self.read_by(domain, args[0]), self.read_by(domain, args[1]));
        let transposed = match op {
            Contraction::Outer => {
                for row in 0..rows {
                    for (out, &a) in out.row_mut(row).chunks_exact_mut(b.width()).zip(a.row(row)) {
                        out.iter_mut().zip(b.row(row)).for_each(|(out, &b)| *out = a * b);
                    }
                }
                return;
            }
            Contraction::MatMul => [false, false],
            Contraction::MatMulLeftTransposed => [true, false],
            Contraction::MatMulRightTransposed => [false, true],
            Contraction::Dot | Contraction::DotTransposed => {
                unreachable!("products with vectors are stacked")
            }
        };
        let sizes = &self.function.value(id).sizes;
        let mut workspace = self.workspace.lock().unwrap_or_else(|poison| poison.into_inner());
        let panels = &mut workspace.panels;
        product::matrix_product(panels, rows, out, &a, &b, [sizes[0], sizes[1]], transposed);
    }

    fn semiring(&self, op: SemiringContraction, value: &Computed<'_>, out: &mut OperandMut<'a, T>) {
        let [_, inner, _] = self.function.semiring_sizes(value.id);
        let rows = self.rows_of(value.domain).len();
        match op {
            SemiringContraction::Product(semiring) => {
                let [a, b] = [0, 1].map(|operand| self.read_by(value.domain, value.args[operand]));
                for row in 0..rows {
                    semiring::product(semiring, out.row_mut(row), a.row(row), b.row(row), inner);
                }
            }
            SemiringContraction::Weighted(semiring, role) => {
                let args = [0, 1, 2, 3, 4].map(|at| self.read_by(value.domain, value.args[at]));
                let mut write = |powers: Option<&[T]>| {
                    for row in 0..rows {
                        let [a, b, y, f, g] = args.each_ref().map(|arg| arg.row(row));
                        let (of, factors, scale) = ([a, b, y], [f, g], T::one());
                        let weighted =
                            Weighted { semiring, role, of, factors, scale, inner, powers };
                        weighted.write(out.row_mut(row));
                    }
                };
                match self.function.routine.records[value.args[1].record].domain {
                    Domain::Step => semiring::with_powers(semiring, args[1].row(0), write),
                    Domain::Vertex | Domain::Edge => write(None),
                }
            }
        }
    }

    fn movement(&self, op: &Movement, value: &Computed<'_>, out: &mut OperandMut<'a, T>) {
        // Long, since it is a table: a row for each op.
        let Computed { id, domain, args } = *value;
        let BoundValue { start, width, ref sizes, .. } = *self.function.value(id);
        let rows = self.rows_of(domain).len();
        let arg = |operand: usize| self.read_by(domain, args[operand]);
        match op {
            Movement::WhereAbsent(slot) => {
                let children = &self.layout.fixed[usize::from(*slot)][self.rows.clone()];
                self.for_each_row(domain, out, &arg(0), |row, out, x| match children[row] {
                    ABSENT => out.copy_from_slice(x),
                    _ => out.fill(T::zero()),
                });
            }
            Movement::Transpose => {
                let columns = sizes[1];
                self.for_each_row(domain, out, &arg(0), |_, out, x| {
                    for (row, out) in out.chunks_exact_mut(columns).enumerate() {
                        let column = x[row..].iter().step_by(x.len() / columns);
                        out.iter_mut().zip(column).for_each(|(out, &x)| *out = x);
                    }
                });
            }
            Movement::Reshape => {
                self.for_each_row(domain, out, &arg(0), |_, out, x| out.copy_from_slice(x))
            }
            Movement::Concat | Movement::ConcatRows => {
                for row in 0..rows {
                    let mut rest = out.row_mut(row);
                    for part in 0..args.len() {
                        let part = arg(part);
                        let (own, others) = rest.split_at_mut(part.width());
                        own.copy_from_slice(part.row(row));
                        rest = others;
                    }
                }
            }
            Movement::Slice { .. } | Movement::SliceRows { .. } => {
                self.for_each_row(domain, out, &arg(0), |_, out, x| {
                    out.copy_from_slice(&x[start..start + out.len()]);
                })
            }
            Movement::AsDiagonal => self.for_each_row(domain, out, &arg(0), |_, out, x| {
                out.fill(T::zero());
                out.iter_mut().step_by(x.len() + 1).zip(x).for_each(|(out, &x)| *out = x);
            }),
            Movement::Diagonal => self.for_each_row(domain, out, &arg(0), |_, out, x| {
                let next = out.len() + 1;
                out.iter_mut().zip(x.iter().step_by(next)).for_each(|(out, &x)| *out = x);
            }),
            Movement::Pad { .. } | Movement::PadRows { .. } => {
                self.for_each_row(domain, out, &arg(0), |_, out, x| {
                    out.fill(T::zero());
                    out[start..start + x.len()].copy_from_slice(x);
                })
            }
            Movement::Row => {
                let (table, index) = (arg(0), self.index_by(domain, args[1]));
                for place in 0..rows {
                    let row = index.row(place) * width;
                    out.row_mut(place).copy_from_slice(&table.row(place)[row..row + width]);
                }
            }
            Movement::BagSum(field) => {
                let table = arg(0);
                for place in 0..rows {
                    let out = out.row_mut(place);
                    out.fill(T::zero());
                    let bag = self.bag(place, *field, domain);
                    in_halves(0..bag.len(), CHAIN, out, &mut |some, out| {
                        for &row in &bag[some] {
                            let row = row as usize * width;
                            add(out, &table.row(place)[row..row + width]);
                        }
                    });
                }
            }
            Movement::OneHot => {
                let index = self.index_by(domain, args[1]);
                self.for_each_row(domain, out, &arg(0), |row, out, x| {
                    out.fill(T::zero());
                    out[index.row(row) * x.len()..][..x.len()].copy_from_slice(x);
                });
            }
            Movement::Pick => {
                let index = self.index_by(domain, args[1]);
                self.for_each_row(domain, out, &arg(0), |row, out, x| {
                    let start = index.row(row) * out.len();
                    out.copy_from_slice(&x[start..start + out.len()]);
                });
            }
            Movement::Copy(_) | Movement::Expand | Movement::Detach => {
                unreachable!("copies are parts of kernels")
            }
        }
    }

    fn transition(&self, op: Transition, value: &Computed<'_>, out: &mut OperandMut<'a, T>) {
        let Computed { domain, args, .. } = *value;
        match op {
            Transition::Reduce(Domain::Vertex) => {
                let edges = self.read_by(Domain::Edge, args[0]);
                for row in 0..self.rows.len() {
                    let out = out.row_mut(row);
                    out.fill(T::zero());
                    in_halves(self.edges_of(row), CHAIN, out, &mut |some, out| {
                        some.for_each(|edge| add(out, edges.row(edge)));
                    });
                }
            }
            Transition::ReduceMax => {
                let edges = self.read_by(Domain::Edge, args[0]);
                for row in 0..self.rows.len() {
                    let out = out.row_mut(row);
                    out.fill(T::neg_infinity());
                    for edge in self.edges_of(row) {
                        let greater = |(out, &x): (&mut T, &T)| *out = greater_of(*out, x);
                        out.iter_mut().zip(edges.row(edge)).for_each(greater);
                    }
                }
            }
            Transition::EdgeMaxMask => self.mark_greatest(out, &self.read_by(domain, args[0])),
            Transition::Reduce(_)
            | Transition::RowSum
            | Transition::BagRowSum(_)
            | Transition::OuterSum
            | Transition::WeightedSum(..) => unreachable!("sums over all rows are accumulated"),
        }
    }

    fn pull(&self, rows: &mut OperandMut<'a, T>, field: u16) {
        let Frame { model, batch, data, layout, .. } = self.frame;
        for row in 0..self.rows.len() {
            let out = rows.row_mut(row);
            match *self.cell(self.rows.start + row, field) {
                InputCell::Data { start, length } => {
                    let start = start as usize;
                    out.copy_from_slice(&data[start..start + length as usize]);
                }
                InputCell::Pushed { vertex, field } => {
                    let source = &model.functions[batch.functions()[vertex as usize]];
                    let id = source.output[usize::from(field)].value;
                    let range = layout.row_of(source, id, vertex);
                    out.copy_from_slice(self.read(range.expect("pushed values are kept")));
                }
                InputCell::Index(_) | InputCell::Indices { .. } => {
                    unreachable!("the minibatch was checked: the field holds a tensor")
                }
            }
        }
    }

    /// The rows of the children in a slot, among all rows of their state.
    pub(super) fn children(&self, slot: Slot) -> &'a [u32] {
        match slot {
            Slot::Fixed(slot) => &self.layout.fixed[usize::from(slot)][self.rows.clone()],
            Slot::Rest => &self.layout.rest[self.edges.clone()],
        }
    }

    /// Gathers the children's rows of a state field; absent children read as zeros.
    fn child(&self, out: &mut OperandMut<'a, T>, slot: Slot, field: u16) {
        let (state, field) =
            self.function.child_field(slot, field).expect("the field was bound with the model");
        let start = self.frame.layout.states[state][field];
        let width = out.width();
        for (place, &row) in self.children(slot).iter().enumerate() {
            let out = out.row_mut(place);
            if row == ABSENT {
                out.fill(T::zero());
            } else {
                let start = start + row as usize * stride(width);
                out.copy_from_slice(self.read(start..start + width));
            }
        }
    }

    /// Sums the gradients of a state field over the edges from the vertex to its parents.
    fn state_gradient(&self, out: &mut OperandMut<'a, T>, field: u16) {
        let state = self.function.plan.program.scattered.expect("it scatters what has a gradient");
        let field = self.function.states[usize::from(state)].1[usize::from(field)];
        let width = out.width();
        for (place, row) in self.rows.clone().enumerate() {
            let out = out.row_mut(place);
            let [start, end] = [row, row + 1].map(|row| self.layout.parent_offsets[row] as usize);
            in_halves(start..end, CHAIN, out, &mut |some, out| {
                let mut first = some.start == start;
                for edge in &self.layout.parents[some] {
                    let block = &self.frame.layout.blocks[edge.block as usize];
                    let Some((start, stride)) = block[field] else { continue };
                    let start = start + edge.row as usize * stride;
                    let gradient = self.read(start..start + width);
                    // Most vertices have one parent.
                    if std::mem::take(&mut first) {
                        out.copy_from_slice(gradient);
                    } else {
                        add(out, gradient);
                    }
                }
                if first {
                    out.fill(T::zero());
                }
            });
        }
    }

    /// The gradient of a pushed field: the caller's gradient, plus the gradients of the vertices that pull the
    /// field.
    fn output_gradient(&self, out: &mut OperandMut<'a, T>, field: u16) {
        let feeds = &self.layout.feeds;
        let width = out.width();
        for (place, row) in self.rows.clone().enumerate() {
            let out = out.row_mut(place);
            match self.layout.seeds[usize::from(field)] {
                Some(start) => {
                    let start = start + row * width;
                    out.copy_from_slice(self.read(start..start + width));
                }
                None => out.fill(T::zero()),
            }
            let place = |feed: &Feed| (feed.row as usize, feed.field);
            let first = feeds.partition_point(|feed| place(feed) < (row, field));
            let count = feeds[first..].partition_point(|feed| place(feed) == (row, field));
            in_halves(first..first + count, CHAIN, out, &mut |some, out| {
                for feed in &feeds[some] {
                    add(out, self.read(feed.gradient..feed.gradient + width));
                }
            });
        }
    }

    /// The edges of a row of the block, as positions among the block's edges.
    fn edges_of(&self, row: usize) -> Range<usize> {
        let offset = |row: usize| self.layout.rest_offsets[self.rows.start + row] as usize;
        offset(row) - self.edges.start..offset(row + 1) - self.edges.start
    }

    /// For each element, writes 1 at the first edge of a vertex at which the element is greatest, and 0 at the
    /// other edges.
    fn mark_greatest(&self, out: &mut OperandMut<'a, T>, x: &Operand<'a, T>) {
        for row in 0..self.rows.len() {
            let edges = self.edges_of(row);
            edges.clone().for_each(|edge| out.row_mut(edge).fill(T::zero()));
            let Some(first) = edges.clone().next() else { continue };
            for element in 0..out.width() {
                let better = |best, edge| {
                    let [new, old] = [edge, best].map(|edge: usize| x.row(edge)[element]);
                    if exceeds(new, old) { edge } else { best }
                };
                let greatest = edges.clone().fold(first, better);
                out.row_mut(greatest)[element] = T::one();
            }
        }
    }

    /// The random key of a row's vertex, and the number of the edge among the vertex's edges.
    pub(super) fn key(&self, row: usize, domain: Domain) -> (VertexKey, u32) {
        let owner = self.owner(row, domain);
        let edge = match domain {
            Domain::Edge => self.edges.start + row - self.layout.rest_offsets[owner] as usize,
            _ => 0,
        };
        (self.frame.vertex_key(self.layout.vertices[owner]), edge as u32)
    }
}

fn add<T: Element>(out: &mut [T], x: &[T]) {
    out.iter_mut().zip(x).for_each(|(out, &x)| *out += x);
}
