//! What the rows of a phase need in addition to memory for their records, and what they copy. The plan alone
//! determines this, so it is computed once and not for each batch.

use std::collections::BTreeSet;

use edb_ir::routine::{KernelOp, ProductKind};
use edb_ir::{
    Contraction, Domain, Home, Instruction, Leaf, Op, Phase, Plan, RecordId, Span, ValueId,
};

use super::routine::BoundRoutine;
use super::stack::{Matrices, PerRow, WeightsId};

/// What a phase needs and copies.
#[derive(Clone, Debug, Default)]
pub struct PhaseNeeds {
    /// For each product, the weights that it multiplies with, and the domain of its rows.
    pub weights: Vec<(WeightsId, Domain)>,
    /// The greatest number of elements of a left and of a right operand of its sums of products; 0 if it has
    /// none.
    pub summed: [usize; 2],
    /// The lines and columns of the values that it multiplies other matrices with.
    pub matrices: Vec<[usize; 2]>,
    /// About how many elements it reads and writes, each once; 0 if it multiplies with matrices that exist once
    /// per step, since all of these are read for any number of rows.
    pub touched: PerRow,
    /// What the phase copies, in inference and in training.
    copied: [Vec<CopiedRows>; 2],
}

/// What is copied for the rows of a domain.
#[derive(Clone, Copy, Debug)]
pub struct CopiedRows {
    /// Whether the copies are of children's states. The other copies are ones that no record layout avoids.
    pub are_gathered: bool,
    /// The domain of the rows.
    pub domain: Domain,
    /// How many elements are copied for each row.
    pub elements: usize,
    /// How many calls copy them, for all rows together.
    pub calls: u64,
}

impl PhaseNeeds {
    /// Computes the needs of each phase of a function whose routine is bound. `size` returns the lines and
    /// columns of a value that is a matrix.
    pub(crate) fn of(
        plan: &Plan,
        routine: &BoundRoutine,
        size: &impl Fn(ValueId) -> [usize; 2],
    ) -> [Self; Phase::ALL.len()] {
        Phase::ALL.map(|phase| {
            let mut needs = Self::default();
            for (_, instruction) in routine.instructions(&plan.routine, phase) {
                needs.add_memory(plan, routine, instruction, size);
                for training in [false, true] {
                    needs.add_copies(plan, routine, instruction, training);
                }
            }
            needs.touched = touched(plan, routine, phase);
            needs
        })
    }

    /// What the phase copies.
    pub fn copied(&self, training: bool) -> &[CopiedRows] {
        &self.copied[usize::from(training)]
    }

    fn add_memory(
        &mut self,
        plan: &Plan,
        routine: &BoundRoutine,
        instruction: &Instruction,
        size: &impl Fn(ValueId) -> [usize; 2],
    ) {
        match instruction {
            Instruction::Product(stack) => {
                let stack = &routine.stacks[*stack];
                match stack.matrices {
                    Matrices::Weights(id) => self.weights.push((id, stack.domain)),
                    Matrices::Values(_) if stack.kind == ProductKind::OuterSum => {
                        let [left, right] = self.summed;
                        self.summed = [left.max(stack.out.width), right.max(stack.args.width)];
                    }
                    Matrices::Values(_) => {}
                }
            }
            Instruction::Op { value: id, args, .. } => {
                let matrices = [
                    Op::Contraction(Contraction::MatMul),
                    Op::Contraction(Contraction::MatMulLeftTransposed),
                    Op::Contraction(Contraction::MatMulRightTransposed),
                ];
                if matrices.contains(&plan.program.value(*id).op) {
                    let [m, n] = size(*id);
                    let inner = routine.field(args[0]).width / m.max(1);
                    self.matrices.push([inner, n]);
                }
            }
            Instruction::Kernel(_) | Instruction::Copy { .. } => {}
        }
    }

    fn add_copies(
        &mut self,
        plan: &Plan,
        routine: &BoundRoutine,
        instruction: &Instruction,
        training: bool,
    ) {
        let is_kept = |record: RecordId| {
            let is_gradient = training && routine.gradients[record].is_some();
            is_gradient || routine.records[record].home(training) != Home::Nowhere
        };
        let mut add = |out: Span, are_gathered: bool, calls: u64| {
            if is_kept(out.record) {
                let domain = routine.records[out.record].domain;
                let elements = routine.field(out).width;
                let more = CopiedRows { are_gathered, domain, elements, calls };
                add_rows(&mut self.copied[usize::from(training)], more);
            }
        };
        match instruction {
            Instruction::Op { value, out: Some(out), .. } => match plan.program.value(*value).op {
                Op::Leaf(Leaf::Child { .. }) => add(*out, true, 1),
                Op::Movement(ref op) if op.copies() => add(*out, false, 1),
                _ => {}
            },
            Instruction::Copy { to, .. } => add(*to, false, 1),
            // An output of a kernel may be just a copy of an input.
            Instruction::Kernel(kernel) => {
                let kernel = &plan.routine.kernels[*kernel];
                let rows =
                    |span: Span| (routine.records[span.record].domain, routine.field(span).width);
                let is_copied = |(out, of): &&(Span, u16)| {
                    let expr = &kernel.body[usize::from(*of)];
                    // Broadcasting a value does not count as a copy.
                    let is_alike = |arg: &u16| {
                        let input = kernel.inputs.get(usize::from(*arg));
                        input.is_some_and(|input| rows(*input) == rows(*out))
                    };
                    is_kept(out.record)
                        && expr.op == KernelOp::Copy
                        && expr.args.iter().all(is_alike)
                };
                let copied = kernel.outputs.iter().filter(is_copied);
                let does_nothing_else = copied.clone().count() == kernel.outputs.len();
                for (number, (out, _)) in copied.enumerate() {
                    add(*out, false, u64::from(does_nothing_else && number == 0));
                }
            }
            Instruction::Op { .. } | Instruction::Product(_) => {}
        }
    }
}

/// The elements of all records that a phase reads or writes; 0 if it multiplies with matrices of the step.
fn touched(plan: &Plan, routine: &BoundRoutine, phase: Phase) -> PerRow {
    let is_shared = |span: &Span| routine.records[span.record].domain == Domain::Step;
    let is_product_of_step = |(_, of): &(Phase, Instruction)| match of {
        Instruction::Product(_) => true,
        Instruction::Op { value, args, .. } => {
            let op = &plan.program.value(*value).op;
            matches!(op, Op::Contraction(_) | Op::SemiringContraction(_))
                && args.iter().any(is_shared)
        }
        Instruction::Kernel(_) | Instruction::Copy { .. } => false,
    };
    let of_instruction = |(_, of): &(Phase, Instruction)| {
        let (reads, writes) = (plan.routine.reads(of), plan.routine.writes(of));
        reads.into_iter().chain(writes).map(|span| span.record)
    };
    let instructions = routine.instructions(&plan.routine, phase);
    if instructions.iter().any(is_product_of_step) {
        return PerRow::default();
    }
    let records: BTreeSet<RecordId> = instructions.iter().flat_map(of_instruction).collect();
    let mut touched = PerRow::default();
    for record in records.into_iter().map(|id| &routine.records[id]) {
        match record.domain {
            Domain::Step => {}
            Domain::Vertex => touched.vertex += record.width(),
            Domain::Edge => touched.edge += record.width(),
        }
    }
    touched
}

/// Adds copies to the copies of the same kind.
fn add_rows(copied: &mut Vec<CopiedRows>, more: CopiedRows) {
    let kind = |of: &CopiedRows| (of.are_gathered, of.domain);
    match copied.iter_mut().find(|known| kind(known) == kind(&more)) {
        Some(known) => {
            known.elements += more.elements;
            known.calls += more.calls;
        }
        None => copied.push(more),
    }
}
