//! One phase of one function over one block of rows: step by step, the intermediate values in
//! scratch that stays in cache.

use std::ops::Range;
use std::sync::Mutex;

use edb_ir::{Class, Domain, Op, Phase, Slot, Span, Step, ValueId};

use smallvec::SmallVec;

use super::fused::{self, KernelRows};
use super::kernels;
use super::memory::Shared;
use super::operand::{Operand, Rows};
use super::panels::Panels;
use super::product;
use super::tile::Left;
use super::weights::Packed;
use crate::element::Element;
use crate::engine::backend::Frame;
use crate::engine::layout::{Place, TypeLayout};
use crate::graph::{ABSENT, InputCell};
use crate::math::{exceeds, greater_of};
use crate::model::bound::{BoundFunction, BoundValue};
use crate::model::stack::{BoundStack, Field, Matrices, stride};
use crate::random::VertexKey;
use crate::trace;

/// A block of rows of one function.
pub(super) struct Block<'a, T> {
    pub(super) frame: Frame<'a, T>,
    pub(super) function: &'a BoundFunction,
    pub(super) layout: &'a TypeLayout,
    pub(super) arena: Shared<'a, T>,
    pub(super) scratch: Shared<'a, T>,
    pub(super) weights: &'a Packed<T>,
    /// What this thread packs while it multiplies matrices of vertices.
    pub(super) panels: &'a Mutex<Panels<T>>,
    /// The rows of vertices, and of the edges that enter them in `gather_all` loops.
    pub(super) rows: Range<usize>,
    pub(super) edges: Range<usize>,
}

impl<'a, T: Element> Block<'a, T> {
    /// Runs a phase.
    pub(super) fn run(&self, phase: Phase) {
        self.function.steps(phase).iter().for_each(|(_, step)| self.step(step));
    }

    /// Runs one step.
    pub(super) fn step(&self, step: &Step) {
        let _span = trace::step(&self.function.plan.program, step, self.rows.len());
        match step {
            Step::Op { value, out, args } => {
                if let Some(out) = out.and_then(|out| self.operand(out)) {
                    self.op(*value, out, args);
                }
            }
            Step::Product(at) => self.product(&self.function.routine.stacks[usize::from(*at)]),
            Step::Kernel(at) => self.kernel(usize::from(*at)),
            Step::Copy { from, to } => {
                let domain = self.domain(*to);
                if let Some(mut out) = self.operand(*to) {
                    let x = self.read_by(domain, *from);
                    self.each(domain, &mut out, &x, |_, out, x| out.copy_from_slice(x));
                }
            }
        }
    }

    fn domain(&self, span: Span) -> Domain {
        self.function.routine.records[usize::from(span.record)].domain
    }

    fn rows_of(&self, domain: Domain) -> Range<usize> {
        match domain {
            Domain::Step => 0..1,
            Domain::Vertex => self.rows.clone(),
            Domain::Edge => self.edges.clone(),
        }
    }

    /// The block's rows of a span, one for each row of its own domain; `None` if they are nowhere.
    pub(super) fn operand(&self, span: Span) -> Option<Operand<'a, T>> {
        self.field_operand(self.function.routine.field(span))
    }

    fn field_operand(&self, field: Field) -> Option<Operand<'a, T>> {
        let record = &self.function.routine.records[field.record];
        let mut rows = Rows::Each;
        let (memory, start) = match self.layout.places[field.record] {
            Place::Nowhere | Place::Gradient(_) => return None,
            Place::Child { slot, start } => {
                rows = Rows::Gather(self.children(slot));
                (self.arena, start + field.start)
            }
            Place::Parameter(param) => {
                (Shared::of(self.frame.parameters.get(param).values()), field.start)
            }
            Place::Arena(start) => {
                let row = self.rows_of(record.domain).start;
                (self.arena, start + row * record.stride + field.start)
            }
            Place::Scratch { vertex, edge } => {
                let start = vertex * self.rows.len() + edge * self.edges.len();
                (self.scratch, start + field.start)
            }
        };
        // SAFETY: records have disjoint places and so have the pieces of a record; blocks have
        // disjoint rows or columns, the scratch is this block's alone, and what exists once a step is computed
        // by one block only. Nobody reads a piece while it is computed: a step's arguments are other
        // pieces, and reads of other rows (states of children, gradients of parents' edges) are of
        // earlier batches. Parameters are not written while a minibatch runs.
        Some(unsafe { Operand::new(memory, start, (record.stride, field.width), rows) })
    }

    /// The element of the arena where a value of the step begins.
    pub(super) fn start_of(&self, field: Field) -> usize {
        match self.layout.places[field.record] {
            Place::Arena(start) => start + field.start,
            place => unreachable!("values of a step are in the arena, not in {place:?}"),
        }
    }

    /// An argument of a step over the rows of `domain`.
    fn read_by(&self, domain: Domain, span: Span) -> Operand<'a, T> {
        self.field_read_by(domain, self.function.routine.field(span))
    }

    pub(super) fn field_read_by(&self, domain: Domain, field: Field) -> Operand<'a, T> {
        let mut operand = self.field_operand(field).expect("what a step reads has a place");
        operand.rows = match (self.function.routine.records[field.record].domain, domain) {
            (own, domain) if own == domain => operand.rows,
            (Domain::Step, Domain::Vertex | Domain::Edge) => Rows::One,
            (Domain::Vertex, Domain::Edge) => Rows::Owner {
                owners: &self.layout.rest_owners[self.edges.clone()],
                first: self.rows.start as u32,
            },
            _ => Rows::Each,
        };
        operand
    }

    /// Applies `f` to each row of a domain, that of the result and that of the argument.
    fn each(
        &self,
        domain: Domain,
        out: &mut Operand<'a, T>,
        x: &Operand<'a, T>,
        mut f: impl FnMut(usize, &mut [T], &[T]),
    ) {
        for at in 0..self.rows_of(domain).len() {
            f(at, out.row_mut(at), x.row(at));
        }
    }

    /// Elements of the arena that lie in rows of earlier batches, or of other functions.
    fn read(&self, range: Range<usize>) -> &'a [T] {
        // SAFETY: what an earlier batch or phase has written is not written again in this one.
        unsafe { self.arena.read(range) }
    }

    fn kernel(&self, at: usize) {
        let kernel = &self.function.plan.routine.kernels[at];
        let field = kernel.outputs.first().map(|(out, _)| self.function.routine.field(*out));
        let length = field.map_or(0, |field| field.width);
        // Nobody may want an end.
        let outs: SmallVec<[Option<Operand<'a, T>>; 4]> =
            kernel.ends.iter().map(|end| self.operand(end.out)).collect();
        let end = |at: usize, row: usize, x: &[T]| {
            let Some(mut out) = outs[at] else { return };
            let index = |field| self.index(row, field, kernel.domain);
            kernels::reduce(&kernel.ends[at].op, out.row_mut(row), x, index);
        };
        let mut rows = KernelRows::new(self.rows_of(kernel.domain).len(), length);
        kernel.outputs.iter().for_each(|(out, _)| rows.output(self.operand(*out)));
        let overwritten = &self.function.routine.overwritten[at];
        for (input, _) in kernel.inputs.iter().zip(overwritten).filter(|(_, by)| by.is_none()) {
            rows.input(self.read_by(kernel.domain, *input));
        }
        rows.overwritten(overwritten);
        rows.ends(kernel.ends.iter().map(|end| usize::from(end.output)), &end);
        fused::run(kernel, self.function.kernels.get(at), rows);
    }

    /// How many panels the weights have that a step multiplies with, if it does, and how many
    /// multiplications it is.
    pub(super) fn panels_of(&self, step: &Step) -> Option<(usize, usize)> {
        let Step::Product(at) = step else { return None };
        let stack = &self.function.routine.stacks[usize::from(*at)];
        let work = self.rows_of(stack.domain).len() * stack.out.width * stack.args.width;
        match stack.matrices {
            Matrices::Weights(at) => Some((self.weights.panels(at).panels().0, work)),
            Matrices::Values(_) => None,
        }
    }

    /// Some panels of a product with weights: of its results those columns.
    pub(super) fn product_panels(&self, step: &Step, part: Range<usize>) {
        let Step::Product(at) = step else { return };
        let stack = &self.function.routine.stacks[usize::from(*at)];
        if let Matrices::Weights(at) = stack.matrices {
            self.multiply_panels(stack, self.weights.panels(at), part);
        }
    }

    fn multiply_panels(&self, stack: &BoundStack, panels: &Panels<T>, part: Range<usize>) {
        let Some(out) = self.field_operand(stack.out) else { return };
        let (_, columns) = panels.panels();
        // SAFETY (of what `field_operand` promises): the columns of panels are disjoint.
        let own = part.start * columns..out.width.min(part.end * columns);
        let out = out.narrowed(own);
        let args = self.field_read_by(stack.domain, stack.args);
        let rows = self.rows_of(stack.domain).len();
        panels.multiply_panels(part, rows, out, Left::Rows(&args), stack.accumulate);
    }

    fn product(&self, stack: &BoundStack) {
        match &stack.matrices {
            Matrices::Weights(at) => {
                let panels = self.weights.panels(*at);
                self.multiply_panels(stack, panels, 0..panels.panels().0);
            }
            Matrices::Values(blocks) => {
                let Some(mut out) = self.field_operand(stack.out) else { return };
                let args = self.field_read_by(stack.domain, stack.args);
                let rows = self.rows_of(stack.domain).len();
                let matrices: SmallVec<[Operand<'_, T>; 4]> = (blocks.iter())
                    .map(|block| self.field_read_by(stack.domain, block.matrix))
                    .collect();
                product::contract(rows, &mut out, &args, stack, blocks, &matrices);
            }
        }
    }

    /// Computes a value, or a piece of it.
    fn op(&self, id: ValueId, mut out: Operand<'a, T>, args: &[Span]) {
        let function = self.function;
        let value = function.plan.program.value(id);
        let BoundValue { start, length, .. } = *function.value(id);
        let domain = value.domain;
        let rows = self.rows_of(domain).len();
        let arg = |at: usize| self.read_by(domain, args[at]);
        let out = &mut out;
        match &value.op {
            Op::Constant(number) => out.row_mut(0).fill(T::from_f64(*number)),
            Op::LossScale => out.row_mut(0).fill(T::one()),
            Op::Length(_) => out.row_mut(0).fill(T::from_f64(length as f64)),
            Op::Zeros => out.row_mut(0).fill(T::zero()),
            Op::Pull(field) => self.pull(out, *field),
            Op::Child { slot, field } => self.child(out, *slot, *field),
            Op::StateGradient(field) => self.state_gradient(out, *field),
            Op::OutputGradient(field) => self.output_gradient(out, *field),
            Op::Dropout { rate, site, shared } => self.each(domain, out, &arg(0), |at, out, x| {
                let key = self.draws(at, domain);
                match key.map(|(key, edge)| match shared {
                    true => key.shared_site(*site),
                    false => key.site(*site, edge),
                }) {
                    None => out.copy_from_slice(x),
                    Some(draws) => kernels::dropout(out, x, *rate, draws),
                }
            }),
            Op::Noise { deviation, site } => self.each(domain, out, &arg(0), |at, out, x| {
                out.copy_from_slice(x);
                if let Some((key, edge)) = self.draws(at, domain) {
                    let draws = key.site(*site, edge);
                    let noise = |element| T::from_f64(deviation * draws.normal(element));
                    out.iter_mut().enumerate().for_each(|(element, x)| *x += noise(element));
                }
            }),
            Op::WhereAbsent(slot) => {
                let children = &self.layout.fixed[usize::from(*slot)][self.rows.clone()];
                self.each(domain, out, &arg(0), |at, out, x| match children[at] {
                    ABSENT => out.copy_from_slice(x),
                    _ => out.fill(T::zero()),
                });
            }
            Op::Outer => {
                let (a, b) = (arg(0), arg(1));
                for at in 0..rows {
                    for (out, &a) in out.row_mut(at).chunks_exact_mut(b.width).zip(a.row(at)) {
                        out.iter_mut().zip(b.row(at)).for_each(|(out, &b)| *out = a * b);
                    }
                }
            }
            Op::MatMul | Op::MatMulLeftTransposed | Op::MatMulRightTransposed => {
                let transposed = match value.op {
                    Op::MatMulLeftTransposed => [true, false],
                    Op::MatMulRightTransposed => [false, true],
                    _ => [false, false],
                };
                let sizes = &function.value(id).sizes;
                let size = [sizes[0], sizes[1]];
                let mut panels = self.panels.lock().unwrap_or_else(|poison| poison.into_inner());
                let args = (&arg(0), &arg(1));
                product::matrix_product(&mut panels, rows, out, args, size, transposed);
            }
            Op::Transpose => {
                let columns = function.value(id).sizes[1];
                self.each(domain, out, &arg(0), |_, out, x| {
                    for (row, out) in out.chunks_exact_mut(columns).enumerate() {
                        let column = x[row..].iter().step_by(x.len() / columns);
                        out.iter_mut().zip(column).for_each(|(out, &x)| *out = x);
                    }
                });
            }
            Op::Reshape => self.each(domain, out, &arg(0), |_, out, x| out.copy_from_slice(x)),
            Op::Concat => {
                for at in 0..rows {
                    let mut rest = out.row_mut(at);
                    for part in 0..args.len() {
                        let part = arg(part);
                        let (own, others) = rest.split_at_mut(part.width);
                        own.copy_from_slice(part.row(at));
                        rest = others;
                    }
                }
            }
            Op::Slice { .. } => self.each(domain, out, &arg(0), |_, out, x| {
                out.copy_from_slice(&x[start..start + out.len()]);
            }),
            Op::Pad { .. } => self.each(domain, out, &arg(0), |_, out, x| {
                out.fill(T::zero());
                out[start..start + x.len()].copy_from_slice(x);
            }),
            Op::Row(field) => {
                let table = arg(0);
                let columns = function.value(id).width;
                for at in 0..rows {
                    let row = self.index(at, *field, domain) * columns;
                    out.row_mut(at).copy_from_slice(&table.row(at)[row..row + columns]);
                }
            }
            Op::BagSum(field) => {
                let table = arg(0);
                let columns = function.value(id).width;
                for at in 0..rows {
                    let out = out.row_mut(at);
                    out.fill(T::zero());
                    for &row in self.indices(at, *field, domain) {
                        let row = row as usize * columns;
                        add(out, &table.row(at)[row..row + columns]);
                    }
                }
            }
            Op::BagSize(field) => {
                for at in 0..rows {
                    let size = self.indices(at, *field, domain).len();
                    out.row_mut(at)[0] = T::from_f64(size as f64);
                }
            }
            Op::OneHot(field) => self.each(domain, out, &arg(0), |at, out, x| {
                out.fill(T::zero());
                out[self.index(at, *field, domain)] = x[0];
            }),
            Op::Pick(field) => self.each(domain, out, &arg(0), |at, out, x| {
                out[0] = x[self.index(at, *field, domain)];
            }),
            Op::Reduce(Domain::Vertex) => {
                self.fold_edges(out, args[0], T::zero(), |sum, x| sum + x)
            }
            Op::ReduceMax => {
                self.fold_edges(out, args[0], T::neg_infinity(), greater_of);
            }
            Op::EdgeMaxMask => self.mark_greatest(out, &arg(0)),
            op if op.row().class == Class::Reduction => {
                self.each(domain, out, &arg(0), |at, out, x| {
                    kernels::reduce(op, out, x, |field| self.index(at, field, domain));
                });
            }
            op => unreachable!("`{}` is no step of a block", op.row().name),
        }
    }

    /// The vertex of a row of the block: the vertex itself, or the one that an edge enters.
    fn owner(&self, at: usize, domain: Domain) -> usize {
        match domain {
            Domain::Edge => self.layout.rest_owners[self.edges.start + at] as usize,
            _ => self.rows.start + at,
        }
    }

    fn cell(&self, row: usize, field: u16) -> &'a InputCell {
        let vertex = self.layout.vertices[row];
        &self.frame.batch.inputs(vertex)[self.function.input_fields[usize::from(field)]]
    }

    /// The pulled index of a row.
    fn index(&self, at: usize, field: u16, domain: Domain) -> usize {
        self.indices(at, field, domain)[0] as usize
    }

    /// The pulled indices of a row: one, or those of a bag.
    fn indices(&self, at: usize, field: u16, domain: Domain) -> &'a [u32] {
        self.frame.batch.indices(self.cell(self.owner(at, domain), field))
    }

    fn pull(&self, rows: &mut Operand<'a, T>, field: u16) {
        let Frame { model, batch, layout, .. } = self.frame;
        for at in 0..self.rows.len() {
            let out = rows.row_mut(at);
            match *self.cell(self.rows.start + at, field) {
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
                InputCell::Index(_) | InputCell::Indices { .. } => {
                    unreachable!("the minibatch was checked: the field holds a tensor")
                }
            }
        }
    }

    /// The rows of the children in a slot, in their state.
    fn children(&self, slot: Slot) -> &'a [u32] {
        match slot {
            Slot::Fixed(at) => &self.layout.fixed[usize::from(at)][self.rows.clone()],
            Slot::Rest => &self.layout.rest[self.edges.clone()],
        }
    }

    /// Gathers the children's rows of a state field; absent children read as zeros.
    fn child(&self, out: &mut Operand<'a, T>, slot: Slot, field: u16) {
        let (state, field) =
            self.function.child_field(slot, field).expect("the field was bound with the model");
        let start = self.frame.layout.states[state][field];
        let width = out.width;
        for (at, &row) in self.children(slot).iter().enumerate() {
            let out = out.row_mut(at);
            if row == ABSENT {
                out.fill(T::zero());
            } else {
                let start = start + row as usize * stride(width);
                out.copy_from_slice(self.read(start..start + width));
            }
        }
    }

    /// Sums the gradients of a state field over the edges from the vertex to its parents.
    fn state_gradient(&self, out: &mut Operand<'a, T>, field: u16) {
        let state = self.function.plan.program.scattered.expect("it scatters what has a gradient");
        let field = self.function.states[usize::from(state)].1[usize::from(field)];
        let width = out.width;
        for (at, row) in self.rows.clone().enumerate() {
            let out = out.row_mut(at);
            let [start, end] = [row, row + 1].map(|at| self.layout.parent_offsets[at] as usize);
            let mut first = true;
            for edge in &self.layout.parents[start..end] {
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
        }
    }

    /// The gradient of a pushed field: from the outside, and from those that pull it.
    fn output_gradient(&self, out: &mut Operand<'a, T>, field: u16) {
        let feeds = &self.layout.feeds;
        let width = out.width;
        for (at, row) in self.rows.clone().enumerate() {
            let out = out.row_mut(at);
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

    /// The edges of a row of the block, by their place among its edges.
    fn edges_of(&self, row: usize) -> Range<usize> {
        let offset = |at: usize| self.layout.rest_offsets[self.rows.start + at] as usize;
        offset(row) - self.edges.start..offset(row + 1) - self.edges.start
    }

    /// What comes of the edges of each vertex, from its first to its last.
    fn fold_edges(
        &self,
        out: &mut Operand<'a, T>,
        edges: Span,
        first: T,
        pair: impl Fn(T, T) -> T,
    ) {
        let edges = self.read_by(Domain::Edge, edges);
        for at in 0..self.rows.len() {
            let out = out.row_mut(at);
            out.fill(first);
            for edge in self.edges_of(at) {
                out.iter_mut().zip(edges.row(edge)).for_each(|(out, &x)| *out = pair(*out, x));
            }
        }
    }

    /// 1 at the first of a vertex's edges that has the greatest element, else 0.
    fn mark_greatest(&self, out: &mut Operand<'a, T>, x: &Operand<'a, T>) {
        for at in 0..self.rows.len() {
            let edges = self.edges_of(at);
            edges.clone().for_each(|edge| out.row_mut(edge).fill(T::zero()));
            let Some(first) = edges.clone().next() else { continue };
            for element in 0..out.width {
                let better = |best, edge| {
                    let [new, old] = [edge, best].map(|edge: usize| x.row(edge)[element]);
                    if exceeds(new, old) { edge } else { best }
                };
                let greatest = edges.clone().fold(first, better);
                out.row_mut(greatest)[element] = T::one();
            }
        }
    }

    /// What a row draws by: its vertex, and which of the vertex's edges it is; `None` where nothing
    /// is drawn.
    fn draws(&self, at: usize, domain: Domain) -> Option<(VertexKey, u32)> {
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
        let key = VertexKey::new(seed, step, batch.samples[graph], self.function.key, number);
        Some((key, edge as u32))
    }
}

fn add<T: Element>(out: &mut [T], x: &[T]) {
    out.iter_mut().zip(x).for_each(|(out, &x)| *out += x);
}
