//! A fused kernel: pointwise ops in one pass.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::program::{Domain, Leaf, Movement, Op, Pointwise, Reduction};
use crate::shapes::Shape;

use super::Span;

/// Pointwise ops in one pass over rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// Over which rows.
    pub domain: Domain,
    /// The shape of its outputs, which are computed element by element.
    pub shape: Shape,
    /// What it reads: pieces of this shape, or scalars.
    pub inputs: Vec<Span>,
    /// The expressions, each once and after those that it uses.
    pub body: Vec<Expr>,
    /// What it writes: pieces of this shape, and the expression (by its number) for each.
    pub outputs: Vec<(Span, u16)>,
    /// Reductions over rows of the outputs, each computed as soon as its row is complete.
    pub ends: Vec<End>,
}

impl Kernel {
    /// The indices that its ends read.
    pub fn indices(&self) -> impl Iterator<Item = Span> + '_ {
        self.ends.iter().filter_map(|end| end.index)
    }

    /// The output that overwrites an input, element by element, if one does.
    pub fn in_place(&self, input: usize) -> Option<usize> {
        self.outputs.iter().position(|(out, _)| *out == self.inputs[input])
    }

    /// The same for every input, in `O(n log n)` time.
    pub fn overwritten(&self) -> Vec<Option<u16>> {
        let mut outputs: Vec<(Span, u16)> =
            (0..).zip(&self.outputs).map(|(number, out)| (out.0, number)).collect();
        outputs.sort_unstable();
        let by = |input: &Span| {
            let found = outputs.binary_search_by_key(input, |(span, _)| *span).ok()?;
            Some(outputs[found].1)
        };
        self.inputs.iter().map(by).collect()
    }
}

/// A reduction at the end of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// What is computed.
    pub op: Reduction,
    /// The output that it reads, by its number. If only ends read it, its record has no memory
    /// ([`Home::Nowhere`](super::Home::Nowhere)).
    pub output: u16,
    /// Where the result goes.
    pub out: Span,
    /// The index that it reads, if it reads one.
    pub index: Option<Span>,
}

/// An op of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expr {
    /// What it computes.
    pub op: KernelOp,
    /// The arguments by number: inputs come first, then expressions.
    pub args: Vec<u16>,
}

/// What an expression of a kernel computes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum KernelOp {
    /// A number, without arguments.
    Number(#[serde(with = "crate::any_number")] f64),
    /// [`Leaf::LossScale`], without arguments.
    LossScale,
    /// Its argument, unchanged.
    Copy,
    /// A function of elements.
    Pointwise(Pointwise),
}

impl KernelOp {
    /// The kernel op of an op that computes each element from the same elements of its arguments,
    /// or is a number; else `None`.
    pub fn of(op: &Op) -> Option<Self> {
        match op {
            Op::Leaf(Leaf::Constant(number)) => Some(Self::Number(*number)),
            Op::Leaf(Leaf::Zeros) => Some(Self::Number(0.0)),
            Op::Leaf(Leaf::LossScale) => Some(Self::LossScale),
            Op::Movement(Movement::Copy(_) | Movement::Expand | Movement::Detach) => {
                Some(Self::Copy)
            }
            Op::Pointwise(op) => Some(Self::Pointwise(*op)),
            _ => None,
        }
    }

    /// How many arguments it has.
    pub fn arity(self) -> usize {
        match self {
            Self::Number(_) | Self::LossScale => 0,
            Self::Copy => 1,
            Self::Pointwise(op) => op.arity(),
        }
    }
}

impl fmt::Display for KernelOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::LossScale => f.write_str("loss_scale"),
            Self::Copy => f.write_str("copy"),
            Self::Pointwise(op) => f.write_str(op.name()),
        }
    }
}
