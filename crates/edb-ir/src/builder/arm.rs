//! An arm of a branch while it is being built, and what it may consist of.

use std::collections::HashMap;

use crate::program::{Indexing, Movement, Op, Transition, ValueId};

/// An arm that is being built.
#[derive(Debug)]
pub(crate) struct Arm {
    /// 1 where it is taken, with all arms around it, else 0.
    pub(crate) taken: ValueId,
    /// The first value in it.
    pub(crate) first: u32,
    /// What it reads from outside, masked.
    pub(crate) masked: HashMap<ValueId, ValueId>,
}

impl Arm {
    pub(crate) fn new(taken: ValueId, first: u32) -> Self {
        Self { taken, first, masked: HashMap::new() }
    }
}

impl Op {
    /// Whether it may be computed in an arm where that is not taken: its cost is that of passing
    /// over the elements of its row, and nothing but its value depends on its being computed, such
    /// as which row of a table is read, or how often has been drawn.
    pub fn is_cheap(&self) -> bool {
        match self {
            Op::Leaf(_) | Op::Pointwise(_) | Op::Reduction(_) | Op::RowReduction(_) => true,
            Op::Movement(op) => !matches!(op, Movement::Row | Movement::BagSum(_)),
            Op::Indexing(op) => !matches!(op, Indexing::Argmax { .. } | Indexing::Sample { .. }),
            Op::Draw(_) | Op::Contraction(_) | Op::SemiringContraction(_) => false,
            Op::Transition(op) => matches!(op, Transition::EdgeMaxMask),
        }
    }
}
