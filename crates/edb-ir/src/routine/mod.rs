//! The routine of a vertex function: what a back end runs, instruction by instruction, over ranges
//! of records.
//!
//! It is all that a back end needs. Every operand of every instruction is one range of one record,
//! and every copy is an instruction of its own. Slices and concatenations are ranges of records;
//! one remains an op only if its bounds cannot be compared at build time.
//!
//! The compiler makes it of a program and the [phases](phase) of its values; a [plan](crate::plan)
//! holds it. Its invariants are checked by [`verify()`], before a model binds it. The CPU's back end
//! and those of GPUs run it. Where only the gradients count that come from outside, and not the
//! losses, they run what is [left of it](without_losses()).
//!
//! Invariant: a value is in exactly one place in memory, and no two values share elements while
//! both are needed. A kernel may write where it reads, element by element.

mod kernel;
pub mod phase;
mod print;
mod verify;
mod without_losses;

use serde::{Deserialize, Serialize};

use crate::id::IdVec;
use crate::program::{Domain, Movement, Op, Slot, Transition, ValueId};
use crate::shapes::{Dim, Shape};

pub use kernel::{End, Expr, Kernel, KernelOp};
pub use phase::Phase;
pub use verify::{RoutineError, debug_verify, verify};
pub use without_losses::without_losses;

crate::id_types! {
    /// A record of a routine, by its number.
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct RecordId(u16);

    /// A product of a routine, by its number.
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct StackId(u16);

    /// A fused kernel of a routine, by its number.
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct KernelId(u16);
}

/// Consecutive pieces of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The record.
    pub record: RecordId,
    /// The first of its pieces.
    pub start: u16,
    /// One past the last piece.
    pub end: u16,
}

impl Span {
    /// Whether the two have a piece in common.
    pub fn overlaps(self, other: Span) -> bool {
        self.record == other.record && self.start < other.end && other.start < self.end
    }
}

/// The memory of a record's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Home {
    /// The parameter itself, as it was declared.
    Parameter(u16),
    /// Memory that exists once a step.
    Step,
    /// The rows of this field of the scattered state, shared with other vertex types.
    State(u16),
    /// A row for each vertex (or edge) of the type in the minibatch.
    Rows,
    /// The rows of this field of the children in this slot: read where they are, not copied.
    Child(Slot, u16),
    /// This field of the input, an index: read where it is, not copied.
    Pulled(u16),
    /// Scratch memory of the current block of rows: only this phase reads it.
    Scratch(Phase),
    /// No memory: it is never read.
    Nowhere,
}

/// Values side by side in memory, with a row for each step, vertex or edge; or one index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The domain, which determines the number of rows.
    pub domain: Domain,
    /// The shapes of its pieces.
    pub pieces: Vec<Shape>,
    /// Where its rows live in training.
    pub training: Home,
    /// Where they live in inference.
    pub inference: Home,
}

/// What a product computes, for a matrix `W` with a block for each pair of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ProductKind {
    /// [`Contraction::Dot`](crate::Contraction::Dot): `y += W x`.
    Dot,
    /// [`Contraction::DotTransposed`](crate::Contraction::DotTransposed): `x += Wᵀ y`.
    DotTransposed,
    /// [`Transition::OuterSum`]: `W += y xᵀ` over all rows. [`Stack::out`] is then `y`, which is
    /// read; the results are the blocks.
    OuterSum,
}

/// A block of a matrix that a stack multiplies with or adds to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatrixBlock {
    /// The matrix.
    pub matrix: Span,
    /// Its first row and column; its size follows from the pieces.
    pub start: [Dim; 2],
}

/// A product with stacked weights: `out += W · args` for [`ProductKind::Dot`], `out += Wᵀ · args`
/// for [`ProductKind::DotTransposed`], and `W += out · argsᵀ`, summed over all rows, for
/// [`ProductKind::OuterSum`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stack {
    /// What is computed.
    pub kind: ProductKind,
    /// Over which rows.
    pub domain: Domain,
    /// The stacks of one group have one signature: a back end may run them as one batched call.
    pub group: u16,
    /// The results: a piece for each row of blocks (column, if transposed).
    pub out: Span,
    /// The arguments: a piece for each column of blocks (row, if transposed).
    pub args: Span,
    /// Whether to add to what `out` holds instead of overwriting it.
    pub accumulate: bool,
    /// The blocks, those of the first piece of `out` first, in the order of `args`.
    pub blocks: Vec<MatrixBlock>,
}

/// An instruction of a phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Instruction {
    /// The op of a value. An instruction of a [piecewise](is_piecewise) op may compute one piece of
    /// the value only.
    Op {
        /// The value.
        value: ValueId,
        /// Where the result goes; none for a [`Transition::RowSum`] that stays sparse.
        out: Option<Span>,
        /// Its arguments.
        args: Vec<Span>,
    },
    /// A product.
    Product(StackId),
    /// A fused kernel.
    Kernel(KernelId),
    /// A copy that the layout could not avoid: of pieces that an instruction needs side by side.
    Copy {
        /// The source.
        from: Span,
        /// The destination, with pieces of the same shapes.
        to: Span,
    },
}

/// The routine of a vertex function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Routine {
    /// The records.
    pub records: IdVec<RecordId, Record>,
    /// The products.
    pub stacks: IdVec<StackId, Stack>,
    /// The fused kernels.
    pub kernels: IdVec<KernelId, Kernel>,
    /// The instructions of every phase, phase by phase.
    pub instructions: Vec<(Phase, Instruction)>,
    /// The spans of the values that ports show, ascending by value.
    pub shown: Vec<(ValueId, Span)>,
}

impl Routine {
    /// The instructions of a phase, in order.
    pub fn phase(&self, phase: Phase) -> impl Iterator<Item = &Instruction> {
        self.instructions
            .iter()
            .filter(move |(of, _)| *of == phase)
            .map(|(_, instruction)| instruction)
    }

    /// What an instruction reads.
    pub fn reads(&self, instruction: &Instruction) -> Vec<Span> {
        match instruction {
            Instruction::Op { args, .. } => args.clone(),
            Instruction::Copy { from, .. } => vec![*from],
            Instruction::Kernel(kernel) => {
                let kernel = &self.kernels[*kernel];
                kernel.inputs.iter().copied().chain(kernel.indices()).collect()
            }
            Instruction::Product(stack) => {
                let stack = &self.stacks[*stack];
                let matrices = stack.blocks.iter().map(|block| block.matrix);
                match stack.kind {
                    ProductKind::OuterSum => vec![stack.out, stack.args],
                    ProductKind::Dot | ProductKind::DotTransposed => {
                        matrices.chain([stack.args]).collect()
                    }
                }
            }
        }
    }

    /// What an instruction computes.
    pub fn writes(&self, instruction: &Instruction) -> Vec<Span> {
        match instruction {
            Instruction::Op { out, .. } => out.iter().copied().collect(),
            Instruction::Copy { to, .. } => vec![*to],
            Instruction::Kernel(kernel) => {
                let kernel = &self.kernels[*kernel];
                let ends = kernel.ends.iter().map(|end| end.out);
                kernel.outputs.iter().map(|out| out.0).chain(ends).collect()
            }
            Instruction::Product(stack) => {
                let stack = &self.stacks[*stack];
                match stack.kind {
                    ProductKind::OuterSum => {
                        stack.blocks.iter().map(|block| block.matrix).collect()
                    }
                    ProductKind::Dot | ProductKind::DotTransposed => vec![stack.out],
                }
            }
        }
    }

    /// The span of a value that a port shows; `None` for the others, and for sparse gradients.
    pub fn shown(&self, id: ValueId) -> Option<Span> {
        let place = self.shown.binary_search_by_key(&id, |(value, _)| *value).ok()?;
        Some(self.shown[place].1)
    }

    /// The shapes of the pieces of a span.
    pub fn pieces(&self, span: Span) -> &[Shape] {
        &self.record(span).pieces[usize::from(span.start)..usize::from(span.end)]
    }

    /// The record of a span.
    pub fn record(&self, span: Span) -> &Record {
        &self.records[span.record]
    }
}

impl Record {
    /// Whether it is of an index; such a record is of nothing else.
    pub fn is_index(&self) -> bool {
        self.pieces.iter().any(Shape::is_index)
    }
}

/// Whether an op can be a part of a kernel: it computes each element from the same elements of its
/// arguments.
pub fn is_kernel_op(op: &Op) -> bool {
    KernelOp::of(op).is_some_and(|op| op.arity() > 0)
}

/// Whether an op computes each piece of its result from the same piece of its arguments. Operands
/// and results of other ops are contiguous, in the order of their elements.
pub fn is_piecewise(op: &Op) -> bool {
    match op {
        Op::Pointwise(_) => true,
        Op::Movement(op) => {
            matches!(
                op,
                Movement::Copy(_) | Movement::WhereAbsent(_) | Movement::Expand | Movement::Detach
            )
        }
        Op::Transition(op) => {
            matches!(op, Transition::Reduce(_) | Transition::ReduceMax | Transition::EdgeMaxMask)
        }
        // Draws depend on the index of an element in the whole value.
        Op::Leaf(_)
        | Op::Draw(_)
        | Op::Contraction(_)
        | Op::Reduction(_)
        | Op::RowReduction(_)
        | Op::SemiringContraction(_)
        | Op::Indexing(_) => false,
    }
}
