//! Branches and loops: blocks, and the variables that they change.

use super::{Builder, LateError};
use crate::program::{Block, Branch, Carried, Flow, Leaf, Loop, Merge, Op, Step, ValueId};
use crate::rules::ShapeError;
use crate::shapes::Clash;

impl Builder {
    /// Notes that a loop over children begins, the one of this number.
    pub fn begin_children(&mut self, number: u32) {
        self.step(Step::Children(number));
    }

    /// Begins a block: an arm of a branch, or the body of a loop.
    pub fn begin_block(&mut self) {
        self.blocks.push(Block::default());
    }

    /// Ends the innermost block.
    ///
    /// # Panics
    /// When none has begun.
    pub fn end_block(&mut self) -> Block {
        assert!(self.blocks.len() > 1, "a block has begun");
        self.blocks.pop().unwrap_or_default()
    }

    /// What a variable is behind the [branch](Self::branch) that is added next, given what it is at
    /// the end of each arm.
    ///
    /// # Errors
    /// When its shapes differ; the operand of the error is the arm.
    pub fn behind(&mut self, from: [ValueId; 2]) -> Result<ValueId, ShapeError> {
        if from[0] == from[1] {
            return Ok(from[0]);
        }
        self.same_shape(1, from)?;
        let value = self.merge(from[0]);
        self.merges.push(Merge { value, from });
        Ok(value)
    }

    /// Runs the first block where a condition is 1, and the second where it is 0.
    pub fn branch(&mut self, condition: ValueId, arms: [Block; 2]) {
        let merges = std::mem::take(&mut self.merges);
        self.step(Step::Branch(Branch { condition, arms, merges }));
    }

    /// What a variable is where the body of a loop begins, given what it is before.
    pub fn begin_variable(&mut self, before: ValueId) -> ValueId {
        self.merge(before)
    }

    /// Runs a block while a condition holds: `first` before the loop, `again` at the block's end.
    /// For each variable: what it is before the loop, where the body
    /// [begins](Self::begin_variable), and at its end. Returns what they are behind the loop.
    ///
    /// # Errors
    /// When a variable has another shape at the end of the body; the operand of the error is its
    /// place.
    pub fn repeat(
        &mut self,
        first: ValueId,
        body: Block,
        again: ValueId,
        variables: &[[ValueId; 3]],
    ) -> Result<Vec<ValueId>, ShapeError> {
        let mut carried = Vec::with_capacity(variables.len());
        for (place, &[before, begin, end]) in variables.iter().enumerate() {
            self.same_shape(place, [before, end])?;
            carried.push(Carried { before, begin, end, behind: self.merge(before) });
        }
        let behind = carried.iter().map(|variable| variable.behind).collect();
        self.step(Step::Loop(Loop { first, body, again, variables: carried }));
        Ok(behind)
    }

    /// A value of the shape of another, which a branch or a loop gives.
    fn merge(&mut self, like: ValueId) -> ValueId {
        let shape = self.shape_as_known(like);
        self.push(Op::Leaf(Leaf::Merge), &[], shape)
    }

    fn same_shape(&mut self, place: usize, pair: [ValueId; 2]) -> Result<(), ShapeError> {
        let [a, b] = pair.map(|id| self.shape_as_known(id));
        self.solver.unify(&a, &b).map_err(|Clash| {
            let [a, b] = [a, b].map(|shape| self.solver.show(&shape));
            ShapeError::new(place, format!("it is {a} in one case and {b} in the other"))
        })
    }

    /// The finished function, with its branches and loops.
    ///
    /// # Errors
    /// As [`Builder::finish`].
    ///
    /// # Panics
    /// When a block has not ended.
    pub fn finish_flow(mut self) -> Result<Flow, Vec<LateError>> {
        assert!(self.blocks.len() == 1, "every block has ended");
        let body = std::mem::take(self.block());
        let lists = self.lists;
        let mut program = self.finish()?;
        let list = if lists { program.output.take() } else { None };
        Ok(Flow { program, body, list })
    }
}
