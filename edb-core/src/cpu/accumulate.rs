//! Sums over all vertices of a minibatch: the gradients of parameters.

use std::ops::Range;
use std::sync::Mutex;

use edb_ir::routine::ProductKind;
use edb_ir::{Domain, Instruction, Op, Phase, Span, Transition, ValueId};
use edb_pool::Pool;
use smallvec::SmallVec;

use super::block::RowBlock;
use super::isa::{Loop, dispatch};
use super::memory::Shared;
use super::operand::Operand;
use super::panels::Panels;
use super::product::{self, Sum};
use super::{CpuBackend, MIN_PARALLEL_WORK};
use crate::element::Element;
use crate::engine::EngineError;
use crate::engine::backend::Frame;
use crate::learn::gradients::MOST_SUMS;
use crate::learn::{Factors, Gradient, Gradients, ParameterId};
use crate::model::outer::{Outer, Piece};
use crate::model::stack::{BoundStack, Matrices, ValueBlock};

/// A stripe of a weight gradient has this many rows, or a multiple.
const STRIPE: usize = 16;

impl<T: Element> CpuBackend<T> {
    pub(super) fn accumulate_function(
        &mut self,
        frame: Frame<'_, T>,
        at: usize,
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError> {
        let function = &frame.model.functions[at];
        let layout = &frame.layout.types[at];
        if layout.vertices.is_empty() {
            return Ok(());
        }
        let factored = self.factor(frame, at, gradients);
        let direct = function.routine.gradients.iter().flatten().copied();
        let direct: SmallVec<[ParameterId; MOST_SUMS]> =
            direct.filter(|id| !factored.iter().any(|outer| outer.param == *id)).collect();
        let mut sums = Sums::new(gradients.sums(&direct));
        let (rows, edges) = (0..layout.vertices.len(), 0..layout.rest.len());
        self.pack(frame, at, Phase::Accumulate)?;
        for (_, instruction) in function.instructions(Phase::Accumulate) {
            match instruction {
                Instruction::Product(stack)
                    if function.routine.stacks[usize::from(*stack)].kind
                        == ProductKind::OuterSum =>
                {
                    self.sum_products(frame, at, *stack, (&sums, &factored));
                }
                Instruction::Op { value, out: Some(out), args } => {
                    match function.plan.program.value(*value).op {
                        Op::Transition(Transition::Reduce(_)) => {
                            self.sum_rows(frame, at, *out, args[0], &mut sums)
                        }
                        Op::Transition(Transition::RowSum(_) | Transition::BagRowSum(_)) => {
                            let memory = Default::default();
                            let sparse = self.sparse_rows(frame, at, *value, args[0], memory);
                            let (block, ..) = self.block(frame, at);
                            let mut out = block.output(*out).expect("sums have a place");
                            let out = out.row_mut(0);
                            out.fill(T::zero());
                            for (first, values) in sparse.pieces() {
                                out[first..first + values.len()].copy_from_slice(values);
                            }
                        }
                        _ => self.run_block(frame, at, instruction, rows.clone(), edges.clone()),
                    }
                }
                // Sparse gradients are summed below, without a record.
                Instruction::Op { out: None, .. } => {}
                Instruction::Copy { .. } | Instruction::Kernel(_) | Instruction::Product(_) => {
                    self.run_block(frame, at, instruction, rows.clone(), edges.clone());
                }
            }
        }
        drop(sums);
        for (param, parts) in function.params.iter().zip(&function.plan.program.gradients.params) {
            for &id in parts {
                let gradient = match function.plan.routine.shown(id) {
                    // It was summed in place.
                    Some(span)
                        if function.routine.gradients[usize::from(span.record)].is_some() =>
                    {
                        continue;
                    }
                    Some(span) => {
                        let (block, ..) = self.block(frame, at);
                        let sum = block.read_by(Domain::Step, span);
                        Gradient::Dense(sum.row(0).to_vec())
                    }
                    None => {
                        let of = |instruction: &&(Phase, Instruction)| matches!(instruction.1, Instruction::Op { value, out: None, .. } if value == id);
                        let instruction = function.instructions(Phase::Accumulate).iter().find(of);
                        let Some((_, Instruction::Op { args, .. })) = instruction else {
                            unreachable!("the plan was verified: what is not shown is a sparse sum")
                        };
                        let memory = gradients.spare_rows(*param);
                        self.sparse_rows(frame, at, id, args[0], memory)
                    }
                };
                gradients.add(*param, gradient)?;
            }
        }
        Ok(())
    }

    /// All rows of a function as one block, and the threads that may share it.
    fn block<'a>(
        &'a mut self,
        frame: Frame<'a, T>,
        at: usize,
    ) -> (RowBlock<'a, T>, &'a mut Pool, &'a [Mutex<Panels<T>>]) {
        let layout = &frame.layout.types[at];
        let block = RowBlock {
            frame,
            function: &frame.model.functions[at],
            layout,
            arena: Shared::new(&mut self.arena),
            scratch: Shared::new(&mut []),
            weights: &self.weights,
            panels: &self.panels[0],
            rows: 0..layout.vertices.len(),
            edges: 0..layout.rest.len(),
        };
        (block, &mut self.pool, &self.panels)
    }

    /// Keeps the factors of gradients that have few terms, and returns which these are.
    fn factor<'a>(
        &mut self,
        frame: Frame<'a, T>,
        at: usize,
        gradients: &mut Gradients<T>,
    ) -> SmallVec<[&'a Outer; MOST_SUMS]> {
        let routine = &frame.model.functions[at].routine;
        let mut factored = SmallVec::new();
        for outer in &routine.outers {
            let stack = &routine.stacks[outer.stack];
            let terms = Self::terms(frame, at, stack);
            // Nothing can be added to factors, so no other function may use the parameter.
            let uses = frame.model.functions.iter().filter(|of| of.params.contains(&outer.param));
            if !Factors::<T>::are_cheaper(terms, outer.size) || uses.count() > 1 {
                continue;
            }
            let spare = gradients.spare_factors(outer.param, outer.size);
            let Some(mut factors) = spare else { continue };
            factors.reset(terms, outer.size);
            let (block, ..) = self.block(frame, at);
            let operands = [stack.out, stack.args];
            let operands = operands.map(|field| block.field_read_by(stack.domain, field));
            for term in 0..terms {
                let of_term = factors.term_mut(term).into_iter().zip(&operands).zip(&outer.pieces);
                for ((factor, operand), pieces) in of_term {
                    let row = operand.row(term);
                    for Piece { from, count, to } in pieces {
                        factor[*to..to + count].copy_from_slice(&row[*from..from + count]);
                    }
                }
            }
            factors.finish();
            gradients.set_factors(outer.param, factors);
            factored.push(outer);
        }
        factored
    }

    /// How many terms a sum of products has.
    fn terms(frame: Frame<'_, T>, at: usize, stack: &BoundStack) -> usize {
        Self::count(frame, at, stack.args.record).max(Self::count(frame, at, stack.out.record))
    }

    /// How many rows a record has.
    fn count(frame: Frame<'_, T>, at: usize, record: usize) -> usize {
        let layout = &frame.layout.types[at];
        match frame.model.functions[at].routine.records[record].domain {
            Domain::Step => 1,
            Domain::Vertex => layout.vertices.len(),
            Domain::Edge => layout.rest.len(),
        }
    }

    fn sum_rows(
        &mut self,
        frame: Frame<'_, T>,
        at: usize,
        out: Span,
        summed: Span,
        sums: &mut Sums<'_, T>,
    ) {
        let rows = Self::count(frame, at, usize::from(summed.record));
        let routine = &frame.model.functions[at].routine;
        let field = routine.field(out);
        let (block, pool, _) = self.block(frame, at);
        let summed = block.read_by(block.domain(summed), summed);
        let mut own = block.output(out);
        let (out, added) = match (routine.gradients[field.record], &mut own) {
            (Some(param), _) => sums.part(param, field.start..field.start + field.width),
            (None, Some(own)) => (own.row_mut(0), false),
            (None, None) => return,
        };
        if !added {
            out.fill(T::zero());
        }
        // An addition takes about as long as four multiplications of a product.
        let threads = if 4 * rows * out.len() < MIN_PARALLEL_WORK { 1 } else { pool.threads() };
        let stripe = out.len().div_ceil(threads).next_multiple_of(STRIPE);
        let sum = Shared::new(out);
        pool.run(sum.len().div_ceil(stripe), &|_, at| {
            let own = at * stripe..sum.len().min((at + 1) * stripe);
            let summed = summed.narrowed(own.clone());
            // SAFETY: stripes are disjoint.
            dispatch(AddRows { sum: unsafe { sum.write(own) }, summed: &summed, rows });
        });
    }

    /// `Σ y xᵀ` in stripes of rows of the result, which do not depend on each other.
    fn sum_products(
        &mut self,
        frame: Frame<'_, T>,
        at: usize,
        stack: u16,
        (sums, factored): (&Sums<'_, T>, &[&Outer]),
    ) {
        let function = &frame.model.functions[at];
        let stack = &function.routine.stacks[usize::from(stack)];
        let Matrices::Values(blocks) = &stack.matrices else {
            unreachable!("sums go to matrices that are values")
        };
        let is_left =
            |block: &&ValueBlock| !factored.iter().any(|outer| outer.record == block.matrix.record);
        let blocks: SmallVec<[ValueBlock; MOST_SUMS]> =
            blocks.iter().filter(is_left).copied().collect();
        if blocks.is_empty() {
            return;
        }
        let rows = Self::terms(frame, at, stack);
        let work = rows * stack.out.width * stack.args.width;
        let (block, pool, panels) = self.block(frame, at);
        let stripes = if work < MIN_PARALLEL_WORK { 1 } else { pool.threads() };
        let m = stack.out.width;
        let stripe = m.div_ceil(stripes).next_multiple_of(STRIPE);
        let [y, x] = [stack.out, stack.args].map(|field| block.field_read_by(stack.domain, field));
        let place = |of: &ValueBlock| match function.routine.gradients[of.matrix.record] {
            Some(param) => {
                let (memory, added) = sums.of(param);
                Sum { memory, start: of.matrix.start, added }
            }
            None => Sum { memory: block.arena, start: block.start_of(of.matrix), added: false },
        };
        let run = |thread: usize, at: usize| {
            let mut panels = panels[thread].lock().unwrap_or_else(|poison| poison.into_inner());
            let part = at * stripe..m.min((at + 1) * stripe);
            product::outer_sum(&mut panels, rows, part, (&y, &x), &blocks, place);
        };
        pool.run(m.div_ceil(stripe), &run);
    }

    /// The rows of a table's gradient to which something is added, each summed in the order of the
    /// vertices' rows.
    fn sparse_rows(
        &mut self,
        frame: Frame<'_, T>,
        at: usize,
        id: ValueId,
        summands: Span,
        (mut rows, mut values): (Vec<u32>, Vec<T>),
    ) -> Gradient<T> {
        let function = &frame.model.functions[at];
        let layout = &frame.layout.types[at];
        let op = &function.plan.program.value(id).op;
        let field = op.index().expect("a sum of rows knows what they were read by");
        let record = usize::from(summands.record);
        let is_edge = function.routine.records[record].domain == Domain::Edge;
        let count = Self::count(frame, at, record);
        let mut order = std::mem::take(&mut self.order);
        let (block, ..) = self.block(frame, at);
        let summands = block.read_by(block.domain(summands), summands);
        let width = summands.width;
        let field = function.input_fields[usize::from(field)];
        let indices = |at: usize| {
            let row = if is_edge { layout.rest_owners[at] as usize } else { at };
            frame.batch.indices(&frame.batch.inputs(layout.vertices[row])[field])
        };
        order.clear();
        for at in 0..count {
            order.extend(indices(at).iter().map(|&index| (index, at as u32)));
        }
        order.sort_unstable();
        for &(row, at) in &order {
            let summand = summands.row(at as usize);
            if rows.last() == Some(&row) {
                let start = values.len() - width;
                values[start..].iter_mut().zip(summand).for_each(|(sum, &x)| *sum += x);
            } else {
                rows.push(row);
                values.extend_from_slice(summand);
            }
        }
        self.order = order;
        Gradient::Rows { width, rows, values }
    }
}

/// Adds up the first `rows` rows of an operand.
struct AddRows<'a, 's, T> {
    sum: &'a mut [T],
    summed: &'a Operand<'s, T>,
    rows: usize,
}

impl<T: Element> Loop for AddRows<'_, '_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for row in 0..self.rows {
            for (sum, &x) in self.sum.iter_mut().zip(self.summed.row(row)) {
                *sum += x;
            }
        }
    }
}

/// The gradients that are summed in place: parameter, elements, and whether sums are added to the
/// present contents.
struct Sums<'a, T>(SmallVec<[(ParameterId, Shared<'a, T>, bool); MOST_SUMS]>);

impl<'a, T> Sums<'a, T> {
    fn new(sums: SmallVec<[(ParameterId, &'a mut [T], bool); MOST_SUMS]>) -> Self {
        let shared = |(id, values, added)| (id, Shared::new(values), added);
        Self(sums.into_iter().map(shared).collect())
    }

    fn of(&self, param: ParameterId) -> (Shared<'a, T>, bool) {
        let found = self.0.iter().find(|sum| sum.0 == param);
        let (_, memory, added) = found.expect("there is a sum for each such parameter");
        (*memory, *added)
    }

    fn part(&mut self, param: ParameterId, range: Range<usize>) -> (&mut [T], bool) {
        let (memory, added) = self.of(param);
        // SAFETY: nobody else has the gradients, which are borrowed exclusively, as is `self`.
        (unsafe { memory.write(range) }, added)
    }
}
