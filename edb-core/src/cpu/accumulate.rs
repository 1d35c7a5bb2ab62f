//! Sums over all vertices of a minibatch: the gradients of parameters.

use std::ops::Range;
use std::sync::Mutex;

use edb_ir::routine::ProductKind;
use edb_ir::{Domain, Instruction, Op, Phase, RecordId, Span, StackId, Transition, ValueId};
use edb_pool::Pool;
use smallvec::SmallVec;

use super::block::RowBlock;
use super::isa::{Loop, dispatch};
use super::memory::Shared;
use super::operand::Operand;
use super::pairs::{self, PairIsa};
use super::product::{self, Sum, Workspace};
use super::{CpuBackend, MIN_PARALLEL_WORK};
use crate::element::Element;
use crate::engine::EngineError;
use crate::engine::backend::Frame;
use crate::learn::gradients::MOST_SUMS;
use crate::learn::{Factors, Gradient, Gradients, ParameterId};
use crate::model::bound::BoundFunction;
use crate::model::outer::{Outer, Piece};
use crate::model::stack::{BoundStack, Matrices, ValueBlock};

/// A stripe of a weight gradient has this many rows, or a multiple.
const STRIPE: usize = 16;

impl<T: Element> CpuBackend<T> {
    pub(super) fn accumulate_function(
        &mut self,
        frame: Frame<'_, T>,
        function: &BoundFunction,
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError> {
        let layout = &frame.layout.types[function.id];
        if layout.vertices.is_empty() {
            return Ok(());
        }
        let factored = self.factor(frame, function, gradients);
        let direct = function.routine.gradients.iter().flatten().copied();
        let direct: SmallVec<[ParameterId; MOST_SUMS]> =
            direct.filter(|id| !factored.iter().any(|outer| outer.param == *id)).collect();
        let mut sums = Sums::new(gradients.sums(&direct));
        let (rows, edges) = (0..layout.vertices.len(), 0..layout.rest.len());
        self.pack(frame, function, Phase::Accumulate)?;
        self.reserve_left(function, Phase::Accumulate, 1, layout.row_counts())?;
        for (_, instruction) in function.instructions(Phase::Accumulate) {
            match instruction {
                Instruction::Product(stack)
                    if function.routine.stacks[*stack].kind == ProductKind::OuterSum =>
                {
                    self.sum_products(frame, function, *stack, &sums, &factored);
                }
                Instruction::Op { value, out: Some(out), args } => {
                    match function.plan.program.value(*value).op {
                        Op::Transition(Transition::Reduce(_)) => {
                            self.sum_rows(frame, function, *out, args[0], &mut sums)
                        }
                        Op::Transition(Transition::RowSum | Transition::BagRowSum(_)) => {
                            let (rows, values) = (Vec::new(), Vec::new());
                            let sparse =
                                self.sparse_rows(frame, function, *value, args, rows, values);
                            let (block, ..) = self.block(frame, function);
                            let mut out = block.output(*out).expect("sums have a place");
                            let out = out.row_mut(0);
                            out.fill(T::zero());
                            for (first, values) in sparse.pieces() {
                                out[first..first + values.len()].copy_from_slice(values);
                            }
                        }
                        _ => self.run_block(
                            frame,
                            function,
                            instruction,
                            rows.clone(),
                            edges.clone(),
                        ),
                    }
                }
                // Sparse gradients are summed below, without a record.
                Instruction::Op { out: None, .. } => {}
                Instruction::Copy { .. } | Instruction::Kernel(_) | Instruction::Product(_) => {
                    self.run_block(frame, function, instruction, rows.clone(), edges.clone());
                }
            }
        }
        drop(sums);
        for (param, parts) in function.params.iter().zip(&function.plan.program.gradients.params) {
            for &id in parts {
                let gradient = match function.plan.routine.shown(id) {
                    // It was summed in place.
                    Some(span) if function.routine.gradients[span.record].is_some() => {
                        continue;
                    }
                    Some(span) => {
                        let (block, ..) = self.block(frame, function);
                        let sum = block.read_by(Domain::Step, span);
                        Gradient::Dense(sum.row(0).to_vec())
                    }
                    None => {
                        let of = |instruction: &&(Phase, Instruction)| matches!(instruction.1, Instruction::Op { value, out: None, .. } if value == id);
                        let instruction = function.instructions(Phase::Accumulate).iter().find(of);
                        let Some((_, Instruction::Op { args, .. })) = instruction else {
                            unreachable!("the plan was verified: what is not shown is a sparse sum")
                        };
                        let (rows, values) = gradients.spare_rows(*param);
                        self.sparse_rows(frame, function, id, args, rows, values)
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
        function: &'a BoundFunction,
    ) -> (RowBlock<'a, T>, &'a mut Pool, &'a [Mutex<Workspace<T>>]) {
        let layout = &frame.layout.types[function.id];
        let block = RowBlock {
            frame,
            function,
            layout,
            arena: Shared::new(&mut self.arena),
            indices: Shared::new(&mut self.indices),
            scratch: Shared::new(&mut []),
            weights: &self.weights,
            workspace: &self.workspaces[0],
            rows: 0..layout.vertices.len(),
            edges: 0..layout.rest.len(),
        };
        (block, &mut self.pool, &self.workspaces)
    }

    /// Keeps the factors of gradients that have few terms, and returns which these are.
    fn factor<'a>(
        &mut self,
        frame: Frame<'_, T>,
        function: &'a BoundFunction,
        gradients: &mut Gradients<T>,
    ) -> SmallVec<[&'a Outer; MOST_SUMS]> {
        let routine = &function.routine;
        let mut factored = SmallVec::new();
        for outer in &routine.outers {
            let stack = &routine.stacks[outer.stack];
            let terms = Self::terms(frame, function, stack);
            // Nothing can be added to factors, so no other function may use the parameter.
            let uses = frame.model.functions.iter().filter(|of| of.params.contains(&outer.param));
            if !Factors::<T>::are_cheaper(terms, outer.size) || uses.count() > 1 {
                continue;
            }
            let spare = gradients.spare_factors(outer.param, outer.size);
            let Some(mut factors) = spare else { continue };
            factors.reset(terms, outer.size);
            let paired = self.weights.is_paired();
            let (block, ..) = self.block(frame, function);
            let operands = [stack.out, stack.args];
            let operands = operands.map(|field| block.field_read_by(stack.domain, field));
            for term in 0..terms {
                let of_term = factors.term_mut(term).into_iter().zip(&operands).zip(&outer.pieces);
                for ((factor, operand), pieces) in of_term {
                    let row = operand.row(term);
                    for Piece { from, count, to } in pieces {
                        factor[*to..to + count].copy_from_slice(&row[*from..from + count]);
                    }
                    if paired {
                        pairs::round(factor);
                    }
                }
            }
            // Pairs that are taken apart have the bits of the rounded numbers, which are multiplied
            // out sooner.
            factors.finish(paired && PairIsa::best().terms() == 1);
            gradients.set_factors(outer.param, factors);
            factored.push(outer);
        }
        factored
    }

    /// How many terms a sum of products has.
    fn terms(frame: Frame<'_, T>, function: &BoundFunction, stack: &BoundStack) -> usize {
        let count = |record| Self::count(frame, function, record);
        count(stack.args.record).max(count(stack.out.record))
    }

    /// How many rows a record has.
    fn count(frame: Frame<'_, T>, function: &BoundFunction, record: RecordId) -> usize {
        let layout = &frame.layout.types[function.id];
        layout.row_counts().of(function.routine.records[record].domain)
    }

    fn sum_rows(
        &mut self,
        frame: Frame<'_, T>,
        function: &BoundFunction,
        out: Span,
        summed: Span,
        sums: &mut Sums<'_, T>,
    ) {
        let rows = Self::count(frame, function, summed.record);
        let routine = &function.routine;
        let field = routine.field(out);
        let (block, pool, _) = self.block(frame, function);
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
        pool.run(sum.len().div_ceil(stripe), &|_, number| {
            let own = number * stripe..sum.len().min((number + 1) * stripe);
            let summed = summed.narrowed(own.clone());
            // SAFETY: stripes are disjoint.
            dispatch(AddRows { sum: unsafe { sum.write(own) }, summed: &summed, rows });
        });
    }

    /// `Σ y xᵀ` in stripes of rows of the result, which do not depend on each other.
    fn sum_products(
        &mut self,
        frame: Frame<'_, T>,
        function: &BoundFunction,
        stack: StackId,
        sums: &Sums<'_, T>,
        factored: &[&Outer],
    ) {
        let stack = &function.routine.stacks[stack];
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
        let rows = Self::terms(frame, function, stack);
        let work = rows * stack.out.width * stack.args.width;
        let (block, pool, workspaces) = self.block(frame, function);
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
        let run = |thread: usize, number: usize| {
            let mut workspace =
                workspaces[thread].lock().unwrap_or_else(|poison| poison.into_inner());
            let part = number * stripe..m.min((number + 1) * stripe);
            product::outer_sum(&mut workspace, rows, part, &y, &x, &blocks, place);
        };
        pool.run(m.div_ceil(stripe), &run);
    }

    /// The rows of a table's gradient to which something is added, each summed in the order of the
    /// vertices' rows.
    fn sparse_rows(
        &mut self,
        frame: Frame<'_, T>,
        function: &BoundFunction,
        id: ValueId,
        args: &[Span],
        mut rows: Vec<u32>,
        mut values: Vec<T>,
    ) -> Gradient<T> {
        let bag = function.plan.program.value(id).op.bag();
        let domain = function.routine.records[args[0].record].domain;
        let count = Self::count(frame, function, args[0].record);
        let mut order = std::mem::take(&mut self.order);
        let (block, ..) = self.block(frame, function);
        let summands = block.read_by(domain, args[0]);
        let width = summands.width;
        order.clear();
        match bag {
            Some(field) => order.extend((0..count).flat_map(|term| {
                block.bag(term, field, domain).iter().map(move |&index| (index, term as u32))
            })),
            None => {
                let index = block.index_by(domain, args[1]);
                order.extend((0..count).map(|term| (index.row(term) as u32, term as u32)));
            }
        }
        order.sort_unstable();
        for &(row, term) in &order {
            let summand = summands.row(term as usize);
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
