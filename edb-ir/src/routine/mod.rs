//! The routine of a vertex function: what a back end runs, step by step, over ranges of records.
//!
//! | step | module |
//! | --- | --- |
//! | pieces that calls want side by side become records | `records` |
//! | values and groups become items that read and write pieces; copies where a call wants what no record has | `items` |
//! | items in an order, pointwise ones fused into kernels | `order` |
//! | what each record's memory is | `homes` |
//! | what a kernel overwrites | `in_place` |
//! | what must hold of the result | [`verify()`] |
//!
//! A back end needs to know nothing else: no slices or concatenations are left, every operand of
//! every step is one range of one record, and what is copied is a step of its own.

mod dot;
mod homes;
mod in_place;
mod items;
mod order;
mod print;
mod records;
mod verify;

use serde::{Deserialize, Serialize};

use crate::batching::{Batching, Kind};
use crate::dim::{Dim, Shape};
use crate::op::{Domain, Op};
use crate::phase::Phase;
use crate::program::{Program, ValueId};

pub use homes::Home;
pub use order::{End, Expr, Kernel};
pub use verify::{RoutineError, verify};

/// Consecutive pieces of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The record, by its number.
    pub record: u16,
    /// The first of its pieces.
    pub start: u16,
    /// The first that is not meant any more.
    pub end: u16,
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
    /// The op of a value. A [piecewise](crate::batching::pieces::is_piecewise) op computes one
    /// piece of it.
    Op {
        /// The value.
        value: ValueId,
        /// Its place; none for a [`Op::RowSum`] that stays sparse.
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

/// What a routine makes use of: everything, unless one wants to see what a part of it gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// What needs no schedule runs over all rows of a minibatch at once; otherwise everything runs
    /// batch by batch, but for the gradients of parameters.
    pub lazy: bool,
    /// Pieces lie as the PQ-tree found, and gradients where what was saved for them lay; otherwise in
    /// the order of the program, each for itself, and what calls want side by side is copied together.
    pub layout: bool,
    /// Pointwise ops are fused into kernels; otherwise each is a pass of its own.
    pub fusion: bool,
    /// Kernels read children's states where they are; otherwise all that is read of a child is
    /// gathered.
    pub views: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { lazy: true, layout: true, fusion: true, views: true }
    }
}

impl Routine {
    /// The routine of a joint program whose contractions are batched so.
    pub fn new(
        program: &Program,
        phases: &[Phase],
        batching: &Batching,
        options: Options,
    ) -> Routine {
        let mut memory = records::Memory::new(program, batching, options.layout);
        let items = items::items(program, phases, batching, &mut memory);
        let ordered = order::order(program, &items, &memory, options.fusion);
        let routine = homes::settle(program, memory, &items, ordered, options);
        verify::debug_verify(program, &routine);
        routine
    }

    /// The steps of a phase, in order.
    pub fn phase(&self, phase: Phase) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |(of, _)| *of == phase).map(|(_, step)| step)
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
pub(crate) fn is_kernel_op(op: &Op) -> bool {
    use crate::op::Class;
    match op {
        _ if op.site().is_some() => false,
        Op::Copy(_) | Op::Expand => true,
        _ => op.row().class == Class::Pointwise,
    }
}
