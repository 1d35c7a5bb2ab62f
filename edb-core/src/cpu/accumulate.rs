//! Sums over the vertices of a minibatch, or of one of its graphs: the gradients of parameters.

use std::ops::Range;
use std::sync::Mutex;

use edb_ir::routine::ProductKind;
use edb_ir::{Domain, Instruction, Op, Phase, RecordId, Span, StackId, Transition, ValueId};
use edb_pool::Pool;
use smallvec::SmallVec;

use super::block::RowBlock;
use super::value_blocks::{self, SumPlace};
use super::{CpuBackend, MIN_SHARED_MULTIPLICATIONS};
use crate::engine::EngineError;
use crate::engine::backend::Frame;
use crate::spans;
use edb_kernels::element::Element;
use edb_kernels::isa::{Loop, dispatch};
use edb_kernels::memory::Shared;
use edb_kernels::operand::{Operand, OperandMut};
use edb_kernels::pairs::{self, PairIsa};
use edb_kernels::product::{Workspace, memory_of_halves};
use edb_kernels::room::reserve;
use edb_kernels::sums::{CHAIN, in_halves};
use edb_learn::learn::gradients::{self, MOST_SUMS};
use edb_learn::learn::{Factors, Gradient, Gradients, ParameterId};
use edb_model::model::bound::BoundFunction;
use edb_model::model::outer::{OperandRange, Outer};
use edb_model::model::stack::{BoundStack, Matrices, ValueBlock};

/// Threads share a sum in stripes, whose length is a multiple of this: rows of a matrix, or elements of a
/// vector.
const STRIPE_MULTIPLE: usize = 16;

/// What an instruction of [`Phase::Accumulate`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// It prepares rows that are going to be summed.
    Rows,
    /// It sums rows.
    Sum,
    /// It computes with sums.
    Step,
}

/// What an instruction of [`Phase::Accumulate`] works on.
pub(super) fn work_of(function: &BoundFunction, instruction: &Instruction) -> Work {
    let routine = &function.routine;
    let of = |domain| if domain == Domain::Step { Work::Step } else { Work::Rows };
    let of_record = |span: &Span| of(routine.records[span.record].domain);
    match instruction {
        Instruction::Product(stack) => match &routine.stacks[*stack] {
            stack if stack.kind == ProductKind::OuterSum && stack.domain != Domain::Step => {
                Work::Sum
            }
            stack => of(stack.domain),
        },
        Instruction::Op { value, out, .. } => {
            match (&function.plan.program.value(*value).op, out) {
                (Op::Transition(Transition::Reduce(Domain::Step)), _)
                | (Op::Transition(Transition::RowSum | Transition::BagRowSum(_)), _)
                | (Op::Transition(Transition::WeightedSum(..)), _)
                | (_, None) => Work::Sum,
                (_, Some(out)) => of_record(out),
            }
        }
        Instruction::Kernel(kernel) => of(function.plan.routine.kernels[*kernel].domain),
        Instruction::Copy { to, .. } => of_record(to),
    }
}

/// Which rows of a function are the terms of a sum, and with which factors.
#[derive(Clone, Copy)]
pub(super) enum SummedRows<'a, T> {
    /// All of them.
    All,
    /// All rows, with a factor for each row of vertices and for each edge.
    Weighted {
        /// The factors of vertices.
        vertices: &'a [T],
        /// The factors of edges.
        edges: &'a [T],
    },
    /// These rows, in this order.
    Of {
        /// The rows of vertices.
        vertices: &'a [u32],
        /// The edges.
        edges: &'a [u32],
    },
}

/// The terms of a sum over the rows of a domain.
#[derive(Clone, Copy)]
pub(super) enum Listed<'a, T> {
    All(usize),
    Weighted(&'a [T]),
    Of(&'a [u32]),
}

impl<'a, T: Element> SummedRows<'a, T> {
    /// The terms among the rows of `domain`, which has `count` rows in all.
    pub(super) fn of(self, domain: Domain, count: usize) -> Listed<'a, T> {
        match (self, domain) {
            (SummedRows::All, _) | (_, Domain::Step) => Listed::All(count),
            (SummedRows::Weighted { vertices, .. }, Domain::Vertex) => Listed::Weighted(vertices),
            (SummedRows::Weighted { edges, .. }, Domain::Edge) => Listed::Weighted(edges),
            (SummedRows::Of { vertices, .. }, Domain::Vertex) => Listed::Of(vertices),
            (SummedRows::Of { edges, .. }, Domain::Edge) => Listed::Of(edges),
        }
    }
}

impl<T: Element> Listed<'_, T> {
    pub(super) fn len(&self) -> usize {
        match self {
            Listed::All(count) => *count,
            Listed::Weighted(factors) => factors.len(),
            Listed::Of(rows) => rows.len(),
        }
    }

    /// The row of a term.
    #[inline(always)]
    pub(super) fn row(&self, term: usize) -> usize {
        match self {
            Listed::Of(rows) => rows[term] as usize,
            Listed::All(_) | Listed::Weighted(_) => term,
        }
    }

    /// The factor of a term.
    #[inline(always)]
    pub(super) fn factor(&self, term: usize) -> T {
        match self {
            Listed::Weighted(factors) => factors[term],
            Listed::All(_) | Listed::Of(_) => T::one(),
        }
    }

    /// Copies the terms to `to`, each multiplied by its factor.
    fn copy(&self, from: &Operand<'_, T>, to: &mut Vec<T>) -> Result<(), EngineError> {
        to.clear();
        reserve(to, self.len() * from.width())?;
        for term in 0..self.len() {
            let factor = self.factor(term);
            to.extend(from.row(self.row(term)).iter().map(|&x| factor * x));
        }
        Ok(())
    }
}

impl<T: Element> CpuBackend<T> {
    /// Adds up the gradients of all functions.
    pub(super) fn accumulate_all(
        &mut self,
        frame: Frame<'_, T>,
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError> {
        for function in &frame.model.functions {
            let rows = frame.layout.types[function.id].row_counts();
            if rows.vertices > 0 {
                self.count_copies(frame.layout, function, Phase::Accumulate, rows);
            }
            let _span = spans::phase(&function.name, Phase::Accumulate, rows.vertices);
            self.accumulate_function(frame, function, SummedRows::All, gradients)?;
        }
        Ok(())
    }

    /// Adds up the gradients of the parameters of a function, over these terms.
    pub(super) fn accumulate_function(
        &mut self,
        frame: Frame<'_, T>,
        function: &BoundFunction,
        terms: SummedRows<'_, T>,
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError> {
        let layout = &frame.layout.types[function.id];
        if layout.vertices.is_empty() {
            return Ok(());
        }
        let factored = match terms {
            SummedRows::All => self.factor(frame, function, gradients),
            _ => SmallVec::new(),
        };
        let direct = function.routine.gradients.iter().flatten().copied();
        let direct: SmallVec<[ParameterId; MOST_SUMS]> =
            direct.filter(|id| !factored.iter().any(|outer| outer.param == *id)).collect();
        gradients::make_room(gradients, &direct)?;
        let mut sums = SumsInPlace::new(gradients::sums(gradients, &direct));
        let (rows, edges) = (0..layout.vertices.len(), 0..layout.rest.len());
        self.pack(frame.model, frame.parameters, function, Phase::Accumulate, layout.row_counts())?;
        self.reserve_left(function, Phase::Accumulate, 1, layout.row_counts())?;
        for instruction in function.instructions(Phase::Accumulate) {
            match &instruction.1 {
                // These rows were prepared in `begin_sums`.
                _ if !matches!(terms, SummedRows::All)
                    && work_of(function, &instruction.1) == Work::Rows => {}
                Instruction::Product(stack)
                    if function.routine.stacks[*stack].kind == ProductKind::OuterSum =>
                {
                    self.sum_products(frame, function, *stack, terms, &sums, &factored)?;
                }
                Instruction::Op { value, out: Some(out), args } => {
                    match function.plan.program.value(*value).op {
                        Op::Transition(Transition::Reduce(_)) => {
                            self.sum_rows(frame, function, *out, args[0], terms, &mut sums)
                        }
                        Op::Transition(Transition::RowSum | Transition::BagRowSum(_)) => {
                            self.sum_table(frame, function, (*value, *out), args, terms)?;
                        }
                        Op::Transition(Transition::WeightedSum(semiring, role)) => {
                            let of = (*value, semiring, role);
                            self.sum_weighted(frame, function, of, (*out, args), terms, &mut sums);
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
            for part in parts {
                self.add_part(frame, function, (*param, *part), terms, gradients)?;
            }
        }
        Ok(())
    }

    /// Writes the gradient of a table, whose rows are sums, into a record of the step.
    fn sum_table(
        &mut self,
        frame: Frame<'_, T>,
        function: &BoundFunction,
        (value, out): (ValueId, Span),
        args: &[Span],
        terms: SummedRows<'_, T>,
    ) -> Result<(), EngineError> {
        let memory = (Vec::new(), Vec::new());
        let sparse = self.sparse_rows(frame, function, value, args, terms, memory)?;
        let (block, ..) = self.block(frame, function);
        // SAFETY: there is only one block, and it has no other operand now.
        let out = unsafe { block.output(out) };
        let mut out = out.expect("sums have a place");
        let out = out.row_mut(0);
        out.fill(T::zero());
        for (first, values) in sparse.pieces() {
            out[first..first + values.len()].copy_from_slice(values);
        }
        Ok(())
    }

    /// Adds a value to a parameter's gradient, of which it is a part, unless it was summed there in place.
    fn add_part(
        &mut self,
        frame: Frame<'_, T>,
        function: &BoundFunction,
        (param, id): (ParameterId, ValueId),
        terms: SummedRows<'_, T>,
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError> {
        let gradient = match function.plan.routine.shown(id) {
            Some(span) if function.routine.gradients[span.record].is_some() => return Ok(()),
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
                let memory = gradients::spare_rows(gradients, param);
                self.sparse_rows(frame, function, id, args, terms, memory)?
            }
        };
        Ok(gradients.add(param, gradient)?)
    }

    /// All rows of a function as one block, and the threads that may share it.
    pub(super) fn block<'a>(
        &'a mut self,
        frame: Frame<'a, T>,
        function: &'a BoundFunction,
    ) -> (RowBlock<'a, T>, &'a mut Pool, &'a [Mutex<Workspace<T>>]) {
        let (common, pool, _) = self.common(frame);
        // SAFETY: making another block needs the back end, which is borrowed exclusively.
        (unsafe { common.all_rows(function) }, pool, common.workspaces)
    }

    /// Keeps the factors of those gradients that have few terms, and returns these gradients.
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
            // Nothing can be added to factors, so only one function may use the parameter.
            let uses = frame.model.functions.iter().filter(|of| of.params.contains(&outer.param));
            if !Factors::<T>::are_cheaper(terms, outer.size) || uses.count() > 1 {
                continue;
            }
            let spare = gradients::spare_factors(gradients, outer.param, outer.size);
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
                    for OperandRange { from, count, to } in pieces {
                        factor[*to..to + count].copy_from_slice(&row[*from..from + count]);
                    }
                    if paired {
                        pairs::round(factor);
                    }
                }
            }
            // Pairs of 16-bit numbers that are taken apart have the same bits as the rounded numbers, but the
            // rounded numbers are multiplied out faster.
            factors.finish(paired && PairIsa::best().terms() == 1);
            let set = gradients.set(outer.param, Gradient::Factors(factors));
            set.expect("the factors of a matrix of this size");
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
        terms: SummedRows<'_, T>,
        sums: &mut SumsInPlace<'_, T>,
    ) {
        let rows = Self::count(frame, function, summed.record);
        let terms = terms.of(function.routine.records[summed.record].domain, rows);
        let (block, pool, _) = self.block(frame, function);
        let summed = block.read_by(block.domain(summed), summed);
        // SAFETY: the instruction writes this sum, and it reads other rows.
        let mut own = unsafe { block.output(out) };
        let Some((out, added)) = sums.place(function, out, &mut own) else { return };
        if !added {
            out.fill(T::zero());
        }
        // An addition takes about as long as four multiplications of a product.
        let work = 4 * terms.len() * out.len();
        let threads = if work < MIN_SHARED_MULTIPLICATIONS { 1 } else { pool.threads() };
        let width = out.len();
        let stripe = width.div_ceil(threads).next_multiple_of(STRIPE_MULTIPLE);
        let sum = Shared::new(out);
        pool.run(width.div_ceil(stripe), &|_, number| {
            let own = number * stripe..width.min((number + 1) * stripe);
            let summed = summed.narrowed(own.clone());
            // SAFETY: stripes are disjoint.
            let sum = unsafe { sum.write(own) };
            in_halves(0..terms.len(), CHAIN, sum, &mut |some, sum| {
                dispatch(AddRows { sum, summed: &summed, terms, some });
            });
        });
    }

    /// Computes `Σ y xᵀ`. Threads compute stripes of rows of the result, which do not depend on each other.
    fn sum_products(
        &mut self,
        frame: Frame<'_, T>,
        function: &BoundFunction,
        stack: StackId,
        terms: SummedRows<'_, T>,
        sums: &SumsInPlace<'_, T>,
        factored: &[&Outer],
    ) -> Result<(), EngineError> {
        let stack = &function.routine.stacks[stack];
        let Matrices::Values(blocks) = &stack.matrices else {
            unreachable!("sums go to matrices that are values")
        };
        let is_left =
            |block: &&ValueBlock| !factored.iter().any(|outer| outer.record == block.matrix.record);
        let blocks: SmallVec<[ValueBlock; MOST_SUMS]> =
            blocks.iter().filter(is_left).copied().collect();
        if blocks.is_empty() {
            return Ok(());
        }
        let terms = terms.of(stack.domain, Self::terms(frame, function, stack));
        let (rows, m) = (terms.len(), stack.out.width);
        let work = rows * m * stack.args.width;
        let stripes = if work < MIN_SHARED_MULTIPLICATIONS { 1 } else { self.pool.threads() };
        let stripe = m.div_ceil(stripes).next_multiple_of(STRIPE_MULTIPLE);
        let halves = memory_of_halves(rows, stripe, stack.args.width);
        self.each_workspace().try_for_each(|space| space.halves.extend(halves))?;
        let is_paired = self.weights.is_paired();
        let mut copies = std::mem::take(&mut self.terms);
        let (block, pool, workspaces) = self.block(frame, function);
        let operands = [stack.out, stack.args];
        let [y, x] = operands.map(|field| block.field_read_by(stack.domain, field));
        let [y, x] = match terms {
            Listed::All(_) => [y, x],
            Listed::Weighted(_) if !is_paired => [y, x],
            // To multiply a term by its factor, multiply its `x`.
            Listed::Weighted(_) => {
                terms.copy(&x, &mut copies[1])?;
                [y, Operand::of_slice(&copies[1], x.width())]
            }
            Listed::Of(_) => {
                terms.copy(&y, &mut copies[0])?;
                terms.copy(&x, &mut copies[1])?;
                [Operand::of_slice(&copies[0], y.width()), Operand::of_slice(&copies[1], x.width())]
            }
        };
        let factors = match terms {
            Listed::Weighted(factors) if !is_paired => Some(factors),
            _ => None,
        };
        let place = |of: &ValueBlock| match function.routine.gradients[of.matrix.record] {
            Some(param) => {
                let (memory, added) = sums.of(param);
                SumPlace { memory, start: of.matrix.start, added }
            }
            None => {
                SumPlace { memory: block.arena, start: block.start_of(of.matrix), added: false }
            }
        };
        let run = |thread: usize, number: usize| {
            let mut workspace =
                workspaces[thread].lock().unwrap_or_else(|poison| poison.into_inner());
            let part = number * stripe..m.min((number + 1) * stripe);
            value_blocks::outer_sum(&mut workspace, rows, part, [&y, &x], factors, &blocks, place);
        };
        pool.run(m.div_ceil(stripe), &run);
        self.terms = copies;
        Ok(())
    }

    /// The rows of a table's gradient that are not zero. Each of them is summed in the order of the vertices'
    /// rows.
    fn sparse_rows(
        &mut self,
        frame: Frame<'_, T>,
        function: &BoundFunction,
        id: ValueId,
        args: &[Span],
        terms: SummedRows<'_, T>,
        (mut rows, mut values): (Vec<u32>, Vec<T>),
    ) -> Result<Gradient<T>, EngineError> {
        let bag = function.plan.program.value(id).op.bag();
        let domain = function.routine.records[args[0].record].domain;
        let terms = terms.of(domain, Self::count(frame, function, args[0].record));
        let count = terms.len();
        let mut order = std::mem::take(&mut self.order);
        let (block, ..) = self.block(frame, function);
        let summands = block.read_by(domain, args[0]);
        let width = summands.width();
        order.clear();
        match bag {
            Some(field) => {
                let bag = |term: usize| block.bag(terms.row(term), field, domain);
                reserve(&mut order, (0..count).map(|term| bag(term).len()).sum())?;
                order.extend(
                    (0..count)
                        .flat_map(|term| bag(term).iter().map(move |&index| (index, term as u32))),
                );
            }
            None => {
                reserve(&mut order, count)?;
                let index = block.index_by(domain, args[1]);
                let row = |term: usize| index.row(terms.row(term)) as u32;
                order.extend((0..count).map(|term| (row(term), term as u32)));
            }
        }
        order.sort_unstable();
        let each_row = || order.chunk_by(|one, next| one.0 == next.0);
        let count = each_row().count();
        reserve(&mut rows, count)?;
        reserve(&mut values, count.saturating_mul(width))?;
        for of_row in each_row() {
            rows.push(of_row[0].0);
            let start = values.len();
            values.resize(start + width, T::zero());
            in_halves(0..of_row.len(), CHAIN, &mut values[start..], &mut |some, sum| {
                for &(_, term) in &of_row[some] {
                    let summand = summands.row(terms.row(term as usize));
                    let factor = terms.factor(term as usize);
                    sum.iter_mut().zip(summand).for_each(|(sum, &x)| *sum += factor * x);
                }
            });
        }
        self.order = order;
        Ok(Gradient::Rows { width, rows, values })
    }
}

/// Adds rows of an operand to `sum`.
struct AddRows<'a, 's, T> {
    sum: &'a mut [T],
    summed: &'a Operand<'s, T>,
    terms: Listed<'a, T>,
    /// The range of terms to add.
    some: Range<usize>,
}

impl<T: Element> Loop for AddRows<'_, '_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for term in self.some {
            let (row, factor) = (self.summed.row(self.terms.row(term)), self.terms.factor(term));
            for (sum, &x) in self.sum.iter_mut().zip(row) {
                *sum += factor * x;
            }
        }
    }
}

/// The gradients that are summed in place. Each has its parameter, its elements, and whether sums are added to
/// the present contents.
pub(super) struct SumsInPlace<'a, T>(SmallVec<[(ParameterId, Shared<'a, T>, bool); MOST_SUMS]>);

impl<'a, T> SumsInPlace<'a, T> {
    fn new(sums: SmallVec<[(ParameterId, &'a mut [T], bool); MOST_SUMS]>) -> Self {
        let shared = |(id, values, added)| (id, Shared::new(values), added);
        Self(sums.into_iter().map(shared).collect())
    }

    fn of(&self, param: ParameterId) -> (Shared<'a, T>, bool) {
        let found = self.0.iter().find(|sum| sum.0 == param);
        let (_, memory, added) = found.expect("there is a sum for each such parameter");
        (*memory, *added)
    }

    /// Where an instruction writes a sum, and whether it is added to what is there; `None` if nobody reads it.
    /// `own` is its record, if it has one.
    pub(super) fn place<'s>(
        &'s mut self,
        function: &BoundFunction,
        out: Span,
        own: &'s mut Option<OperandMut<'_, T>>,
    ) -> Option<(&'s mut [T], bool)> {
        let field = function.routine.field(out);
        match (function.routine.gradients[field.record], own) {
            (Some(param), _) => Some(self.part(param, field.start..field.start + field.width)),
            (None, Some(own)) => Some((own.row_mut(0), false)),
            (None, None) => None,
        }
    }

    fn part(&mut self, param: ParameterId, range: Range<usize>) -> (&mut [T], bool) {
        let (memory, added) = self.of(param);
        // SAFETY: the gradients are borrowed exclusively, and so is `self`, so nobody else accesses them.
        (unsafe { memory.write(range) }, added)
    }
}
