//! A fused kernel: pointwise ops in one pass.

use serde::{Deserialize, Serialize};

use crate::dim::Shape;
use crate::op::{Domain, Op};

use super::Span;

/// Pointwise ops in one pass over rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// Over which rows.
    pub domain: Domain,
    /// The shape of what it works on, element by element.
    pub shape: Shape,
    /// What it reads: pieces of this shape, or scalars.
    pub inputs: Vec<Span>,
    /// What it computes, each expression once, behind those that it uses.
    pub body: Vec<Expr>,
    /// What it writes: pieces of this shape, and the expression (by its number) for each.
    pub outputs: Vec<(Span, u16)>,
    /// What is computed from a row of these as soon as it is there.
    pub ends: Vec<End>,
}

impl Kernel {
    /// The output that overwrites an input, element by element, if one does.
    pub fn in_place(&self, input: usize) -> Option<usize> {
        self.outputs.iter().position(|(out, _)| *out == self.inputs[input])
    }

    /// The same for each input, in time that is in proportion to their number: for those who ask often.
    pub fn overwritten(&self) -> Vec<Option<u16>> {
        let mut outputs: Vec<(Span, u16)> =
            (0..).zip(&self.outputs).map(|(at, out)| (out.0, at)).collect();
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
    /// An op of the reduction class.
    pub op: Op,
    /// The output that it reads, by its number. If only ends read it, its record is nowhere.
    pub output: u16,
    /// Where the result goes.
    pub out: Span,
}

/// An op of a kernel; without arguments, a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expr {
    /// Any op of the pointwise class but dropout, [`Op::Copy`] and [`Op::Expand`] (which are the
    /// argument itself), [`Op::Constant`], [`Op::LossScale`] or [`Op::Zeros`].
    pub op: Op,
    /// The arguments: an input, or behind these an expression.
    pub args: Vec<u16>,
}
