//! Branches that are computed by choosing: both arms run for every row, and a
//! [`Select`](Pointwise::Select) takes the values of the one that is taken.
//!
//! What an arm reads from outside is masked: where the arm is not taken, it computes with zeros,
//! and no gradient comes back out of it. So whatever an arm would compute where it is not taken, an
//! infinity or no number, neither the chosen values nor any gradient outside of the arm see it, bit
//! by bit. (A `where` of two branches lacks the second: 0 · ∞ is no number.)
//!
//! That is worth it only where arms are cheap. [`Op::is_cheap`] says what an arm may consist of.

use super::Builder;
use super::arm::Arm;
use crate::program::{Leaf, Op, Pointwise, ValueId};
use crate::rules::ShapeError;
use crate::shapes::Shape;

impl Builder {
    /// Begins an arm that is taken where a scalar is 1, and not where it is 0.
    pub fn enter_arm(&mut self, condition: ValueId) {
        // In an arm around it this reads what is masked: 0 where that is not taken.
        let taken = match self.arms.last().map(|arm| arm.taken) {
            Some(around) => self.and(around, condition),
            None => condition,
        };
        let first = self.len() as u32;
        self.arms.push(Arm::new(taken, first));
    }

    /// Ends the innermost arm.
    ///
    /// # Panics
    /// When none has begun.
    pub fn leave_arm(&mut self) {
        self.arms.pop().expect("an arm has begun");
    }

    /// The first value from a number on that is too dear for an arm, if one is being built.
    pub fn too_dear(&self, from: usize) -> Option<ValueId> {
        let values = (from..self.len()).map(|number| ValueId(number as u32));
        values.filter(|_| !self.arms.is_empty()).find(|id| !self.op(*id).is_cheap())
    }

    /// A loss that is 0 where the arms around it are not taken.
    pub(crate) fn loss_of_arm(&mut self, id: ValueId) -> ValueId {
        match self.arms.last().map(|arm| arm.taken) {
            Some(taken) => self.condition(Pointwise::Mask, &[taken, id]),
            None => id,
        }
    }

    /// What was computed where a condition holds, or else elsewhere.
    ///
    /// # Errors
    /// When the shapes differ; the operands are the condition and the values.
    pub fn choose(
        &mut self,
        condition: ValueId,
        then: ValueId,
        other: ValueId,
    ) -> Result<ValueId, ShapeError> {
        match then == other {
            true => Ok(then),
            false => self.apply(Pointwise::Select, &[condition, then, other]),
        }
    }

    /// 1 where both conditions hold, else 0.
    pub fn and(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.condition(Pointwise::Mask, &[a, b])
    }

    /// 1 where one of the conditions holds, else 0.
    pub fn or(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.condition(Pointwise::Select, &[a, a, b])
    }

    /// Compares two scalars: 1 where `a > b` (or `a >= b`), else 0.
    ///
    /// # Errors
    /// When one is no scalar.
    pub fn compare(
        &mut self,
        op: Pointwise,
        a: ValueId,
        b: ValueId,
    ) -> Result<ValueId, ShapeError> {
        for (operand, id) in [a, b].into_iter().enumerate() {
            self.scalar(id).map_err(|found| {
                let text = format!("a condition compares scalars, and {{{operand}}} is {found}");
                ShapeError::new(operand, text)
            })?;
        }
        self.apply(op, &[a, b])
    }

    /// An operand as an arm reads it: what comes from outside is masked.
    pub(crate) fn read_in_arm(&mut self, id: ValueId) -> ValueId {
        let Some(arm) = self.arms.last() else { return id };
        // A leaf is shared with what is outside, wherever it was first mentioned.
        let outside = match self.op(id) {
            Op::Leaf(Leaf::Param(_) | Leaf::Pull(_) | Leaf::Child { .. } | Leaf::Merge) => true,
            Op::Leaf(_) => false,
            _ => id.0 < arm.first,
        };
        if !outside || id == arm.taken || self.shape(id).is_index() {
            return id;
        }
        if let Some(masked) = arm.masked.get(&id) {
            return *masked;
        }
        let (taken, shape) = (arm.taken, self.shape_as_known(id));
        let masked = self.push_as_read(Op::Pointwise(Pointwise::Mask), &[taken, id], shape);
        if let Some(arm) = self.arms.last_mut() {
            arm.masked.insert(id, masked);
        }
        masked
    }

    /// A condition of others.
    fn condition(&mut self, op: Pointwise, conditions: &[ValueId]) -> ValueId {
        self.push_as_read(Op::Pointwise(op), conditions, Shape::scalar())
    }
}
