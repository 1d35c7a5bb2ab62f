//! A routine with numbers for its dimensions: the engine executes it.

use std::ops::Range;

use edb_ir::routine::ProductKind;
use edb_ir::{
    Bindings, Domain, FunctionId, Home, IdVec, Instruction, Kernel, KernelId, Op, Phase, Plan,
    Program, RecordId, Routine, Span, Stack, StackId, Transition,
};

use super::outer::{Outer, outers};
use super::stack::{
    BoundRecord, BoundStack, Field, Matrices, PerRow, ValueBlock, WeightBlock, Weights, WeightsId,
    stride,
};
use crate::model::error::ModelProblem;
use edb_kernels::fused::Interpreted;
use edb_learn::learn::ParameterId;

/// A routine with numbers for its dimensions.
#[derive(Clone, Debug, Default)]
pub struct BoundRoutine {
    /// The records.
    pub records: IdVec<RecordId, BoundRecord>,
    /// The products.
    pub stacks: IdVec<StackId, BoundStack>,
    /// For each record, the parameter of which it is the whole gradient, if nothing else reads the record. It
    /// is then summed in place, in the parameter's gradient.
    pub gradients: IdVec<RecordId, Option<ParameterId>>,
    /// The gradients that can be kept as factors.
    pub outers: Vec<Outer>,
    /// Whether instructions of forward phases read or write each record.
    pub forward: IdVec<RecordId, bool>,
    /// For each record, whether the backward phases of its vertices, or of their parents, may read it.
    pub saved: IdVec<RecordId, bool>,
    /// For each kernel, the outputs that overwrite its inputs.
    pub overwritten: IdVec<KernelId, Vec<Option<u16>>>,
    /// For each kernel, how it is interpreted, if it is.
    pub interpreted: IdVec<KernelId, Interpreted>,
    /// For each phase, the range of its instructions in the routine.
    phases: [Range<usize>; Phase::ALL.len()],
    /// About how many multiplications a phase takes for one vertex, and for one edge.
    work: [PerRow; Phase::ALL.len()],
    /// About how many multiplications a phase takes for one vertex, without products with parameters.
    work_between: [usize; Phase::ALL.len()],
}

impl BoundRoutine {
    /// Binds the routine of a function with the parameters `params`. Its stacked matrices are added to those of
    /// the model.
    pub(crate) fn new(
        function: FunctionId,
        plan: &Plan,
        bindings: &Bindings,
        params: &[ParameterId],
        weights: &mut IdVec<WeightsId, Weights>,
    ) -> Result<Self, ModelProblem> {
        let Plan { program, routine, .. } = plan;
        let mut bound = BoundRoutine::default();
        for record in &routine.records {
            let mut offsets = vec![0];
            for piece in &record.pieces {
                let sizes = bindings.shape(function, piece, "a part of a record")?;
                let width: usize = sizes.iter().product();
                offsets.push(offsets[offsets.len() - 1] + width);
            }
            bound.records.push(BoundRecord {
                domain: record.domain,
                training: record.training,
                inference: record.inference,
                stride: stride(offsets[offsets.len() - 1]),
                is_index: record.is_index(),
                offsets,
            });
        }
        for stack in &routine.stacks {
            let stack = bound.stack(function, plan, bindings, params, stack, weights)?;
            bound.stacks.push(stack);
        }
        bound.gradients = gradients(program, routine, params);
        bound.outers = outers(routine, &bound.records, &bound.stacks, &bound.gradients);
        bound.forward = forward(routine);
        bound.saved = saved(program, routine);
        bound.number(routine);
        for phase in Phase::ALL {
            bound.work[phase as usize] = routine
                .phase(phase)
                .fold(PerRow::default(), |sum, instruction| bound.add_work(plan, instruction, sum));
            let between = routine.phase(phase).filter(|of| !bound.multiplies_weights(of));
            bound.work_between[phase as usize] =
                between.map(|instruction| bound.work_of_vertex(plan, instruction)).sum();
        }
        Ok(bound)
    }

    /// A routine with the same records and products, but with other kernels and instructions.
    pub(crate) fn with_instructions(&self, routine: &Routine) -> Self {
        let mut bound = self.clone();
        bound.number(routine);
        bound
    }

    /// Finds the instructions of each phase, and the outputs of kernels that overwrite inputs.
    fn number(&mut self, routine: &Routine) {
        self.overwritten = routine.kernels.iter().map(Kernel::overwritten).collect();
        self.interpreted = routine.kernels.iter().map(|_| Interpreted::default()).collect();
        let mut first = 0;
        for phase in Phase::ALL {
            let instructions = routine.instructions[first..].iter();
            let count = instructions.take_while(|instruction| instruction.0 == phase).count();
            self.phases[phase as usize] = first..first + count;
            first += count;
        }
    }

    /// The instructions of a phase.
    pub(crate) fn instructions<'a>(
        &self,
        routine: &'a Routine,
        phase: Phase,
    ) -> &'a [(Phase, Instruction)] {
        &routine.instructions[self.phases[phase as usize].clone()]
    }

    /// About how many multiplications a phase takes for one vertex, and for one edge. Work that is done once
    /// per step counts as if it were done for a vertex.
    pub fn work(&self, phase: Phase) -> PerRow {
        self.work[phase as usize]
    }

    /// About how many multiplications a phase takes for one vertex, without products with parameters.
    pub fn work_between(&self, phase: Phase) -> usize {
        self.work_between[phase as usize]
    }

    /// Whether an instruction is a product with parameters.
    pub fn multiplies_weights(&self, instruction: &Instruction) -> bool {
        let Instruction::Product(stack) = instruction else { return false };
        matches!(self.stacks[*stack].matrices, Matrices::Weights(_))
    }

    /// The record and the elements of a span.
    pub fn field(&self, span: Span) -> Field {
        let offsets = &self.records[span.record].offsets;
        let [start, end] = [span.start, span.end].map(|piece| offsets[usize::from(piece)]);
        Field { record: span.record, start, width: end - start }
    }

    /// For each piece of a span, its first element, counted from the beginning of the span, and its length.
    fn lanes(&self, span: Span) -> Vec<(usize, usize)> {
        let offsets = &self.records[span.record].offsets;
        let offsets = &offsets[usize::from(span.start)..=usize::from(span.end)];
        offsets.windows(2).map(|pair| (pair[0] - offsets[0], pair[1] - pair[0])).collect()
    }

    fn stack(
        &self,
        function: FunctionId,
        plan: &Plan,
        bindings: &Bindings,
        params: &[ParameterId],
        stack: &Stack,
        weights: &mut IdVec<WeightsId, Weights>,
    ) -> Result<BoundStack, ModelProblem> {
        let (outs, args) = (self.lanes(stack.out), self.lanes(stack.args));
        let [out, arg] = [stack.out, stack.args].map(|span| self.field(span));
        let mut of_params = Vec::new();
        let mut of_values = Vec::new();
        for (block, (out, arg)) in stack
            .blocks
            .iter()
            .zip(outs.iter().flat_map(|out| args.iter().map(move |arg| (*out, *arg))))
        {
            let number =
                |axis: usize| bindings.size(function, &block.start[axis], "a block of a matrix");
            let start = [number(0)?, number(1)?];
            let transposed = stack.kind == ProductKind::DotTransposed;
            let (rows, columns) = if transposed { (arg, out) } else { (out, arg) };
            match self.records[block.matrix.record].training {
                Home::Parameter(param) if stack.kind != ProductKind::OuterSum => {
                    of_params.push(WeightBlock {
                        param: params[usize::from(param)],
                        start,
                        size: [rows.1, columns.1],
                        place: [rows.0, columns.0],
                    });
                }
                _ => {}
            }
            let shape = &plan.routine.pieces(block.matrix)[0];
            let shape = bindings.shape(function, shape, &plan.program.name)?;
            let columns = shape.get(1).copied().unwrap_or(1);
            let matrix = self.field(block.matrix);
            of_values.push(ValueBlock { matrix, columns, start, out, args: arg });
        }
        let matrices = if of_params.len() == stack.blocks.len() {
            let transposed = stack.kind == ProductKind::DotTransposed;
            let size = if transposed { [arg.width, out.width] } else { [out.width, arg.width] };
            let own = Weights { blocks: joined(of_params), size, transposed };
            let known = weights.iter_enumerated().find(|(_, known)| **known == own);
            let known = known.map(|(id, _)| id);
            Matrices::Weights(known.unwrap_or_else(|| weights.push(own)))
        } else {
            Matrices::Values(of_values)
        };
        let Stack { kind, domain, accumulate, .. } = *stack;
        Ok(BoundStack { kind, domain, out, args: arg, accumulate, matrices })
    }

    /// About how many multiplications an instruction takes for one vertex, if it runs over vertices.
    pub fn work_of_vertex(&self, plan: &Plan, instruction: &Instruction) -> usize {
        match self.work_of(plan, instruction) {
            (Domain::Vertex, work) => work,
            (Domain::Step | Domain::Edge, _) => 0,
        }
    }

    /// The domain of the rows over which an instruction runs, and about how many multiplications it takes per
    /// row.
    fn work_of(&self, plan: &Plan, instruction: &Instruction) -> (Domain, usize) {
        match instruction {
            Instruction::Product(stack) => {
                let stack = &self.stacks[*stack];
                (stack.domain, stack.out.width * stack.args.width)
            }
            Instruction::Kernel(kernel) => {
                let kernel = &plan.routine.kernels[*kernel];
                let width = kernel.outputs.first().map_or(0, |(out, _)| self.field(*out).width);
                // In cache, an op of a kernel takes about as long as four multiplications.
                (kernel.domain, 4 * width * kernel.body.len())
            }
            // Each row costs a call, and each element an exponential or a function like it.
            Instruction::Op { value, out: Some(out), args }
                if matches!(
                    plan.program.value(*value).op,
                    Op::Reduction(_) | Op::RowReduction(_) | Op::Indexing(_)
                ) =>
            {
                let width: usize = args.iter().map(|arg| self.field(*arg).width).sum();
                (self.records[out.record].domain, 1000 + 16 * width)
            }
            // Each term costs an exponential. There are `m k n` of them, the root of `m k · k n · m n`.
            Instruction::Op { value, out: Some(out), args }
                if matches!(plan.program.value(*value).op, Op::SemiringContraction(_)) =>
            {
                let width = |span: &Span| self.field(*span).width as u128;
                let result = args.get(2).unwrap_or(out);
                let terms = (width(&args[0]) * width(&args[1]) * width(result)).isqrt() as usize;
                (self.records[out.record].domain, 1000 + 16 * terms)
            }
            Instruction::Op { out: Some(out), .. } | Instruction::Copy { to: out, .. } => {
                (self.records[out.record].domain, 4 * self.field(*out).width)
            }
            Instruction::Op { .. } => (Domain::Step, 0),
        }
    }

    fn add_work(&self, plan: &Plan, instruction: &Instruction, sum: PerRow) -> PerRow {
        match self.work_of(plan, instruction) {
            (Domain::Edge, work) => PerRow { edge: sum.edge + work, ..sum },
            (_, work) => PerRow { vertex: sum.vertex + work, ..sum },
        }
    }
}

/// Whether instructions of forward phases read or write each record.
fn forward(routine: &Routine) -> IdVec<RecordId, bool> {
    let mut forward = IdVec::filled(false, routine.records.len());
    for phase in [Phase::Prepare, Phase::Eager, Phase::Recurrent, Phase::Lazy] {
        for instruction in routine.phase(phase) {
            let spans = routine.reads(instruction).into_iter().chain(routine.writes(instruction));
            spans.for_each(|span| forward[span.record] = true);
        }
    }
    forward
}

/// For each record, whether backward phases may read it, including those of parents.
fn saved(program: &Program, routine: &Routine) -> IdVec<RecordId, bool> {
    let mut saved = IdVec::filled(false, routine.records.len());
    for phase in [Phase::BackwardEager, Phase::BackwardRecurrent, Phase::BackwardLazy] {
        let reads = routine.phase(phase).flat_map(|instruction| routine.reads(instruction));
        reads.for_each(|span| saved[span.record] = true);
    }
    let scattered = program.scatter.iter().filter_map(|id| routine.shown(*id));
    scattered.for_each(|span| saved[span.record] = true);
    saved
}

/// Joins blocks that are neighbours both in their parameter and in the stacked matrix, and sorts them by row.
/// So gates that were sliced from one matrix become that matrix again: a device can use it in place, and
/// packing copies long lines.
fn joined(blocks: Vec<WeightBlock>) -> Vec<WeightBlock> {
    [0, 1].into_iter().fold(blocks, |mut blocks, axis| {
        let across = 1 - axis;
        blocks.sort_by_key(|block| (block.place[across], block.place[axis]));
        let mut joined: Vec<WeightBlock> = Vec::with_capacity(blocks.len());
        for block in blocks {
            let follows = |last: &&mut WeightBlock| {
                let next = |of: [usize; 2]| of[axis] + last.size[axis];
                (last.param, last.start[across], last.place[across], last.size[across])
                    == (block.param, block.start[across], block.place[across], block.size[across])
                    && (next(last.start), next(last.place))
                        == (block.start[axis], block.place[axis])
            };
            match joined.last_mut().filter(follows) {
                Some(last) => last.size[axis] += block.size[axis],
                None => joined.push(block),
            }
        }
        joined
    })
}

/// For each record, the parameter of which it is the gradient, if the record has no other use.
fn gradients(
    program: &Program,
    routine: &Routine,
    params: &[ParameterId],
) -> IdVec<RecordId, Option<ParameterId>> {
    let mut gradients = IdVec::filled(None, routine.records.len());
    for (param, parts) in params.iter().zip(&program.gradients.params) {
        // Several parts must be added up first. This also holds for two parameters of the function that are one
        // parameter of the model.
        let [part] = parts[..] else { continue };
        let only = params.iter().filter(|other| *other == param).count() == 1;
        let Some(span) = routine.shown(part).filter(|_| only) else { continue };
        let record = routine.record(span);
        let whole = usize::from(span.end - span.start) == record.pieces.len();
        let elsewhere = routine.shown.iter().filter(|(_, of)| of.record == span.record).count() > 1
            || program.gradients.params.iter().flatten().filter(|of| **of == part).count() > 1;
        let read = routine.instructions.iter().any(|(_, instruction)| {
            routine.reads(instruction).iter().any(|read| read.record == span.record)
        });
        // Only sums over rows can be added to the sums of other functions.
        let sums = |instruction: &Instruction| match instruction {
            Instruction::Op { value, .. } => {
                matches!(
                    program.value(*value).op,
                    Op::Transition(Transition::Reduce(_) | Transition::WeightedSum(..))
                )
            }
            Instruction::Product(stack) => routine.stacks[*stack].kind == ProductKind::OuterSum,
            Instruction::Kernel(_) | Instruction::Copy { .. } => false,
        };
        let mut writers =
            routine.instructions.iter().map(|(_, instruction)| instruction).filter(|instruction| {
                routine.writes(instruction).iter().any(|written| written.record == span.record)
            });
        let is_step = record.training == Home::Step;
        if is_step && whole && !elsewhere && !read && writers.all(sums) {
            gradients[span.record] = Some(*param);
        }
    }
    gradients
}
