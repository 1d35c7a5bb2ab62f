//! One phase of one function over one block of rows: op by op, the intermediate values in scratch
//! that stays in cache.

use std::ops::Range;

use edb_ir::{Domain, Op, Phase, Slot, ValueId};

use super::kernels::{self, each, map, rows, zip};
use super::memory::Shared;
use super::old_operand::{Operand, Rows};
use super::product::{self, Weights};
use crate::element::Element;
use crate::engine::backend::Frame;
use crate::engine::layout::{Place, TypeLayout};
use crate::graph::{ABSENT, InputCell};
use crate::model::bound::{BoundFunction, BoundValue};
use crate::random::{SiteKey, VertexKey};

/// A block of rows of one function.
pub(super) struct Block<'a, T> {
    pub(super) frame: Frame<'a, T>,
    pub(super) function: &'a BoundFunction,
    pub(super) layout: &'a TypeLayout,
    pub(super) arena: Shared<'a, T>,
    pub(super) scratch: Shared<'a, T>,
    pub(super) weights: &'a Weights<T>,
    /// The rows of vertices, and of the edges that enter them in `gather_all` loops.
    pub(super) rows: Range<usize>,
    pub(super) edges: Range<usize>,
}

impl<'a, T: Element> Block<'a, T> {
    /// Computes the values of a phase, in order.
    pub(super) fn run(&self, phase: Phase) {
        for &id in self.function.phase(phase) {
            self.compute(id);
        }
    }

    fn rows_of(&self, domain: Domain) -> Range<usize> {
        match domain {
            Domain::Step => 0..1,
            Domain::Vertex => self.rows.clone(),
            Domain::Edge => self.edges.clone(),
        }
    }

    /// Where the block's rows of a value lie, and whether that is the scratch.
    fn range(&self, id: ValueId) -> Option<(bool, Range<usize>)> {
        let width = self.function.value(id).width;
        let rows = self.rows_of(self.function.domain(id));
        match self.layout.places[id.index()] {
            Place::Arena(start) => {
                Some((false, start + rows.start * width..start + rows.end * width))
            }
            Place::Scratch { vertex, edge } => {
                let start = vertex * self.rows.len() + edge * self.edges.len();
                Some((true, start..start + rows.len() * width))
            }
            Place::Parameter(_) | Place::Nowhere => None,
        }
    }

    /// The rows of a value, to be written.
    fn out(&self, id: ValueId) -> Option<&'a mut [T]> {
        let (scratch, range) = self.range(id)?;
        let memory = if scratch { self.scratch } else { self.arena };
        // SAFETY: values have disjoint places, blocks have disjoint rows, the scratch is this
        // block's alone, and a step value is computed by one block only. Nobody reads a value
        // while it is computed: an op's arguments are other values, and reads of other rows (states
        // of children, gradients of parents' edges) are of earlier batches.
        Some(unsafe { memory.write(range) })
    }

    /// Argument `at` of a value, as its kernel reads it.
    fn operand(&self, id: ValueId, at: usize) -> Operand<'a, T> {
        let value = self.function.plan.program.value(id);
        let arg = value.args[at];
        let width = self.function.value(arg).width;
        let rows = match (self.function.domain(arg), value.domain) {
            (Domain::Step, _) => Rows::One,
            (Domain::Vertex, Domain::Edge) => Rows::Owner {
                owners: &self.layout.rest_owners[self.edges.clone()],
                first: self.rows.start as u32,
            },
            _ => Rows::Each,
        };
        let data = match (self.layout.places[arg.index()], self.range(arg)) {
            (Place::Parameter(param), _) => self.frame.parameters.get(param).values(),
            (_, Some((scratch, range))) => {
                let memory = if scratch { self.scratch } else { self.arena };
                // SAFETY: see `out`: the argument was computed before, and is not written now.
                unsafe { memory.read(range) }
            }
            (_, None) => unreachable!("a value that an op reads has a place"),
        };
        Operand { data, width, rows }
    }

    /// Elements of the arena that lie in rows of earlier batches, or of other functions.
    fn read(&self, range: Range<usize>) -> &'a [T] {
        // SAFETY: what an earlier batch or phase has written is not written again in this one.
        unsafe { self.arena.read(range) }
    }

    /// Computes one value.
    pub(super) fn compute(&self, id: ValueId) {
        let function = self.function;
        let value = function.plan.program.value(id);
        let BoundValue { width, start, length, .. } = *function.value(id);
        let Some(out) = self.out(id) else { return };
        let x = || self.operand(id, 0);
        let pair = || (self.operand(id, 0), self.operand(id, 1));
        match &value.op {
            Op::Param(_) => {}
            Op::Constant(number) => out.fill(T::from_f64(*number)),
            Op::Length(_) => out.fill(T::from_f64(length as f64)),
            Op::Zeros => out.fill(T::zero()),
            Op::Pull(field) => self.pull(out, width, *field),
            Op::Child { slot, field } => self.child(out, width, *slot, *field),
            Op::StateGradient(field) => self.state_gradient(out, width, *field),
            Op::OutputGradient(field) => self.output_gradient(out, width, *field),
            Op::Neg => map::<kernels::Neg, T>(out, &x()),
            Op::Sigmoid => map::<kernels::Sigmoid, T>(out, &x()),
            Op::Tanh => map::<kernels::Tanh, T>(out, &x()),
            Op::Relu => map::<kernels::Relu, T>(out, &x()),
            Op::Exp => map::<kernels::Exp, T>(out, &x()),
            Op::Ln => map::<kernels::Ln, T>(out, &x()),
            Op::Positive => map::<kernels::Positive, T>(out, &x()),
            Op::Copy(_) => map::<kernels::Copy, T>(out, &x()),
            Op::Add => zip::<kernels::Add, T>(out, width, pair()),
            Op::Sub => zip::<kernels::Sub, T>(out, width, pair()),
            Op::Mul => zip::<kernels::Mul, T>(out, width, pair()),
            Op::Div => zip::<kernels::Div, T>(out, width, pair()),
            Op::Dropout { rate, site } => {
                self.dropout(out, width, &x(), *rate, *site, value.domain)
            }
            Op::WhereAbsent(slot) => {
                let children = &self.layout.fixed[usize::from(*slot)][self.rows.clone()];
                each(out, width, &x(), |at, out, x| match children[at] {
                    ABSENT => out.copy_from_slice(x),
                    _ => out.fill(T::zero()),
                });
            }
            Op::Dot | Op::DotTransposed => {
                let transposed = value.op == Op::DotTransposed;
                let (matrix, vector) = pair();
                let panels = match self.layout.places[value.args[0].index()] {
                    Place::Parameter(param) => self.weights.panels(param, transposed),
                    _ => None,
                };
                match panels {
                    Some(panels) => product::contract_packed(out, width, panels, &vector),
                    None => {
                        let sizes = &function.value(value.args[0]).sizes;
                        let shape = (sizes[0], sizes[1]);
                        product::contract(out, width, &matrix, shape, &vector, transposed);
                    }
                }
            }
            Op::Outer => {
                let (a, b) = pair();
                for (at, out) in out.chunks_exact_mut(width).enumerate() {
                    for (out, &a) in out.chunks_exact_mut(b.width).zip(a.row(at)) {
                        out.iter_mut().zip(b.row(at)).for_each(|(out, &b)| *out = a * b);
                    }
                }
            }
            Op::Concat => {
                let mut column = 0;
                for part in 0..value.args.len() {
                    let part = self.operand(id, part);
                    for (at, out) in out.chunks_exact_mut(width).enumerate() {
                        out[column..column + part.width].copy_from_slice(part.row(at));
                    }
                    column += part.width;
                }
            }
            Op::Slice { .. } => each(out, width, &x(), |_, out, x| {
                out.copy_from_slice(&x[start..start + width]);
            }),
            Op::Pad { .. } => each(out, width, &x(), |_, out, x| {
                out.fill(T::zero());
                out[start..start + x.len()].copy_from_slice(x);
            }),
            Op::Sum => each(out, width, &x(), |_, out, x| out[0] = kernels::sum(x)),
            Op::Max => each(out, width, &x(), |_, out, x| out[0] = x[kernels::first_greatest(x)]),
            Op::MaxMask => each(out, width, &x(), |_, out, x| {
                out.fill(T::zero());
                out[kernels::first_greatest(x)] = T::one();
            }),
            Op::Expand => each(out, width, &x(), |_, out, x| out.fill(x[0])),
            Op::Softmax => rows::<kernels::Softmax, T>(out, width, &x()),
            Op::LogSoftmax => rows::<kernels::LogSoftmax, T>(out, width, &x()),
            Op::Row(field) => {
                let (table, domain) = (x().data, value.domain);
                for (at, out) in out.chunks_exact_mut(width).enumerate() {
                    let row = self.index(at, *field, domain) * width;
                    out.copy_from_slice(&table[row..row + width]);
                }
            }
            Op::CrossEntropy(field) => {
                rows::<kernels::LogSumExp, T>(out, width, &x());
                for (at, out) in out.iter_mut().enumerate() {
                    *out -= x().row(at)[self.index(at, *field, value.domain)];
                }
            }
            Op::OneHot(field) => each(out, width, &x(), |at, out, x| {
                out.fill(T::zero());
                out[self.index(at, *field, value.domain)] = x[0];
            }),
            Op::Pick(field) => each(out, width, &x(), |at, out, x| {
                out[0] = x[self.index(at, *field, value.domain)];
            }),
            Op::Reduce(Domain::Vertex) => self.sum_edges(out, width, id),
            Op::Reduce(_) | Op::RowSum(_) | Op::OuterSum => {
                unreachable!("sums over all rows are accumulated, not run in blocks")
            }
        }
    }

    /// The vertex of a row of the block: the vertex itself, or the one that an edge enters.
    fn owner(&self, at: usize, domain: Domain) -> usize {
        match domain {
            Domain::Edge => self.layout.rest_owners[self.edges.start + at] as usize,
            _ => self.rows.start + at,
        }
    }

    fn cell(&self, row: usize, field: u16) -> InputCell {
        let vertex = self.layout.vertices[row];
        self.frame.batch.inputs(vertex)[self.function.input_fields[usize::from(field)]]
    }

    /// The pulled index of a row.
    fn index(&self, at: usize, field: u16, domain: Domain) -> usize {
        match self.cell(self.owner(at, domain), field) {
            InputCell::Index(index) => index as usize,
            _ => unreachable!("the minibatch was checked: the field holds an index"),
        }
    }

    fn pull(&self, out: &mut [T], width: usize, field: u16) {
        let Frame { model, batch, layout, .. } = self.frame;
        for (at, out) in out.chunks_exact_mut(width).enumerate() {
            match self.cell(self.rows.start + at, field) {
                InputCell::Data { start, length } => {
                    let start = start as usize;
                    out.copy_from_slice(&batch.data[start..start + length as usize]);
                }
                InputCell::Pushed { vertex, field } => {
                    let of = usize::from(batch.functions[vertex as usize]);
                    let source = &model.functions[of];
                    let id = source.output[usize::from(field)].value;
                    let range = layout.row_of(of, source, id, vertex);
                    out.copy_from_slice(self.read(range.expect("pushed values are kept")));
                }
                InputCell::Index(_) => {
                    unreachable!("the minibatch was checked: the field holds a tensor")
                }
            }
        }
    }

    /// Gathers the children's rows of a state field; absent children read as zeros.
    fn child(&self, out: &mut [T], width: usize, slot: Slot, field: u16) {
        let (state, field) =
            self.function.child_field(slot, field).expect("the field was bound with the model");
        let start = self.frame.layout.states[state][field];
        let rows = match slot {
            Slot::Fixed(at) => &self.layout.fixed[usize::from(at)][self.rows.clone()],
            Slot::Rest => &self.layout.rest[self.edges.clone()],
        };
        for (out, &row) in out.chunks_exact_mut(width).zip(rows) {
            if row == ABSENT {
                out.fill(T::zero());
            } else {
                let start = start + row as usize * width;
                out.copy_from_slice(self.read(start..start + width));
            }
        }
    }

    /// Sums the gradients of a state field over the edges from the vertex to its parents.
    fn state_gradient(&self, out: &mut [T], width: usize, field: u16) {
        let state = self.function.plan.program.scattered.expect("it scatters what has a gradient");
        let field = self.function.states[usize::from(state)].1[usize::from(field)];
        for (out, row) in out.chunks_exact_mut(width).zip(self.rows.clone()) {
            out.fill(T::zero());
            let [start, end] = [row, row + 1].map(|at| self.layout.parent_offsets[at] as usize);
            for edge in &self.layout.parents[start..end] {
                let Some(start) = self.frame.layout.blocks[edge.block as usize][field] else {
                    continue;
                };
                let start = start + edge.row as usize * width;
                add(out, self.read(start..start + width));
            }
        }
    }

    /// The gradient of a pushed field: from the outside, and from those that pull it.
    fn output_gradient(&self, out: &mut [T], width: usize, field: u16) {
        let feeds = &self.layout.feeds;
        for (out, row) in out.chunks_exact_mut(width).zip(self.rows.clone()) {
            match self.layout.seeds[usize::from(field)] {
                Some(start) => {
                    let start = start + row * width;
                    out.copy_from_slice(self.read(start..start + width));
                }
                None => out.fill(T::zero()),
            }
            let first =
                feeds.partition_point(|feed| (feed.row as usize, feed.field) < (row, field));
            for feed in
                feeds[first..].iter().take_while(|f| (f.row as usize, f.field) == (row, field))
            {
                add(out, self.read(feed.gradient..feed.gradient + width));
            }
        }
    }

    fn sum_edges(&self, out: &mut [T], width: usize, id: ValueId) {
        let edges = self.operand(id, 0);
        for (out, row) in out.chunks_exact_mut(width).zip(self.rows.clone()) {
            out.fill(T::zero());
            let [start, end] = [row, row + 1].map(|at| self.layout.rest_offsets[at] as usize);
            for edge in start..end {
                add(out, edges.row(edge - self.edges.start));
            }
        }
    }

    fn dropout(
        &self,
        out: &mut [T],
        width: usize,
        x: &Operand<'_, T>,
        rate: f64,
        site: u32,
        domain: Domain,
    ) {
        each(out, width, x, |at, out, x| match self.draws(at, site, domain) {
            None => out.copy_from_slice(x),
            Some(draws) => kernels::dropout(out, x, rate, draws),
        });
    }

    fn draws(&self, at: usize, site: u32, domain: Domain) -> Option<SiteKey> {
        let (seed, step) = self.frame.draws?;
        let batch = self.frame.batch;
        let row = self.owner(at, domain);
        let edge = match domain {
            Domain::Edge => self.edges.start + at - self.layout.rest_offsets[row] as usize,
            _ => 0,
        };
        let vertex = self.layout.vertices[row];
        let graph = batch.graphs[vertex as usize] as usize;
        let number = vertex - batch.graph_offsets[graph];
        let key = VertexKey::new(seed, step, batch.samples[graph], number);
        Some(key.site(site, edge as u32))
    }
}

fn add<T: Element>(out: &mut [T], x: &[T]) {
    out.iter_mut().zip(x).for_each(|(out, &x)| *out += x);
}
