//! The routine of a vertex function: what a back end runs, step by step, over ranges of records.
//!
//! A back end needs to know nothing else: no slices or concatenations are left, every operand of
//! every step is one range of one record, and what is copied is a step of its own.
//!
//! What must hold of one: [`verify()`].

mod kernel;
mod print;
mod verify;

use serde::{Deserialize, Serialize};

use crate::dim::{Dim, Shape};
use crate::op::{Domain, Movement, Op, Slot, Transition};
use crate::phase::Phase;
use crate::program::ValueId;

pub use kernel::{End, Expr, Kernel, KernelOp};
pub use verify::{RoutineError, debug_verify, verify};

/// Consecutive pieces of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The record, by its number.
    pub record: u16,
    /// The first of its pieces.
    pub start: u16,
    /// One past the last piece.
    pub end: u16,
}

impl Span {
    /// Whether a piece is in both.
    pub fn overlaps(self, other: Span) -> bool {
        self.record == other.record && self.start < other.end && other.start < self.end
    }
}

/// The memory of a record's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Home {
    /// The parameter itself, as it was declared.
    Parameter(u16),
    /// Once a step.
    Step,
    /// The rows of this field of the scattered state, which other types share.
    State(u16),
    /// A row for each vertex (or edge) of the type in the minibatch.
    Rows,
    /// The rows of this field of the children in this slot: read where they are, not copied.
    Child(Slot, u16),
    /// The row block that is being worked on: nothing outside of this phase reads it.
    Scratch(Phase),
    /// Nobody reads it.
    Nowhere,
}

/// Values side by side in memory: one row for each row of the domain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// How many rows there are.
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
pub enum Kind {
    /// [`Contraction::Dot`]: `y += W x`.
    Dot,
    /// [`Contraction::DotTransposed`]: `x += Wᵀ y`.
    DotTransposed,
    /// [`Transition::OuterSum`]: `W += y xᵀ` over all rows; its result is said to be `y` here, so that a
    /// product's result is always a row of blocks.
    OuterSum,
}

/// A block of a matrix that a stack multiplies with or adds to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The matrix.
    pub matrix: Span,
    /// Its first row and column; how many there are follows from the pieces.
    pub start: [Dim; 2],
}

/// A product with stacked weights: `out += W · args` for [`Kind::Dot`], `out += Wᵀ · args` for
/// [`Kind::DotTransposed`], and `W += out · argsᵀ`, summed over all rows, for [`Kind::OuterSum`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stack {
    /// What is computed.
    pub kind: Kind,
    /// Over which rows.
    pub domain: Domain,
    /// The stacks of one group have one signature: a back end may run them as one batched call.
    pub group: u16,
    /// The rows or columns of blocks.
    pub out: Span,
    /// What they meet.
    pub args: Span,
    /// Whether `out` holds something already, to be added to.
    pub accumulate: bool,
    /// The blocks, those of the first piece of `out` first, in the order of `args`.
    pub blocks: Vec<Block>,
}

/// A step of a phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// The op of a value. A [piecewise](is_piecewise) op computes one
    /// piece of it.
    Op {
        /// The value.
        value: ValueId,
        /// Its place; none for a [`Transition::RowSum`] that stays sparse.
        out: Option<Span>,
        /// Its arguments.
        args: Vec<Span>,
    },
    /// A product, by its number.
    Product(u16),
    /// A fused kernel, by its number.
    Kernel(u16),
    /// What no layout could spare: pieces that a call wants side by side.
    Copy {
        /// From here.
        from: Span,
        /// To there, which is as wide.
        to: Span,
    },
}

/// The routine of a vertex function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Routine {
    /// What memory holds.
    pub records: Vec<Record>,
    /// The products.
    pub stacks: Vec<Stack>,
    /// The fused kernels.
    pub kernels: Vec<Kernel>,
    /// The steps of every phase, phase by phase.
    pub steps: Vec<(Phase, Step)>,
    /// Where the values that ports show lie, ascending by value.
    pub shown: Vec<(ValueId, Span)>,
}

impl Routine {
    /// The steps of a phase, in order.
    pub fn phase(&self, phase: Phase) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |(of, _)| *of == phase).map(|(_, step)| step)
    }

    /// What a step reads.
    pub fn reads(&self, step: &Step) -> Vec<Span> {
        match step {
            Step::Op { args, .. } => args.clone(),
            Step::Copy { from, .. } => vec![*from],
            Step::Kernel(at) => self.kernels[usize::from(*at)].inputs.clone(),
            Step::Product(at) => {
                let stack = &self.stacks[usize::from(*at)];
                let matrices = stack.blocks.iter().map(|block| block.matrix);
                match stack.kind {
                    Kind::OuterSum => vec![stack.out, stack.args],
                    Kind::Dot | Kind::DotTransposed => matrices.chain([stack.args]).collect(),
                }
            }
        }
    }

    /// What a step computes.
    pub fn writes(&self, step: &Step) -> Vec<Span> {
        match step {
            Step::Op { out, .. } => out.iter().copied().collect(),
            Step::Copy { to, .. } => vec![*to],
            Step::Kernel(at) => {
                let kernel = &self.kernels[usize::from(*at)];
                let ends = kernel.ends.iter().map(|end| end.out);
                kernel.outputs.iter().map(|out| out.0).chain(ends).collect()
            }
            Step::Product(at) => {
                let stack = &self.stacks[usize::from(*at)];
                match stack.kind {
                    Kind::OuterSum => stack.blocks.iter().map(|block| block.matrix).collect(),
                    Kind::Dot | Kind::DotTransposed => vec![stack.out],
                }
            }
        }
    }

    /// Where a value that a port shows lies; `None` for the others, and for sparse gradients.
    pub fn shown(&self, id: ValueId) -> Option<Span> {
        let at = self.shown.binary_search_by_key(&id, |(value, _)| *value).ok()?;
        Some(self.shown[at].1)
    }

    /// The shapes of the pieces of a span.
    pub fn pieces(&self, span: Span) -> &[Shape] {
        &self.records[usize::from(span.record)].pieces
            [usize::from(span.start)..usize::from(span.end)]
    }

    /// The record of a span.
    pub fn record(&self, span: Span) -> &Record {
        &self.records[usize::from(span.record)]
    }
}

/// Whether an op can be a part of a kernel: it computes an element from the same elements.
pub fn is_kernel_op(op: &Op) -> bool {
    KernelOp::of(op).is_some_and(|op| op.arity() > 0)
}

/// Whether an op computes each piece of its result from the same piece of its arguments. What other
/// ops read and compute stands in one piece, in its own order.
pub fn is_piecewise(op: &Op) -> bool {
    match op {
        Op::Pointwise(_) => true,
        Op::Movement(op) => {
            matches!(op, Movement::Copy(_) | Movement::WhereAbsent(_) | Movement::Expand)
        }
        Op::Transition(op) => {
            matches!(op, Transition::Reduce(_) | Transition::ReduceMax | Transition::EdgeMaxMask)
        }
        // Draws count the elements of the whole.
        Op::Leaf(_) | Op::Draw(_) | Op::Contraction(_) | Op::Reduction(_) => false,
    }
}
