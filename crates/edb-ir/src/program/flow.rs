//! A function with branches and loops, as a person writes it: a tree of blocks.
//!
//! A [`Program`] has no control flow. What a person writes has; the compiler brings it into
//! programs: cheap branches [choose](crate::op::Pointwise::Select), and what is left is cut into
//! sections, each of which is a program.

use super::op::{Leaf, Op};
use super::{PortDecl, Program, ValueId};

/// A forward program with branches and loops.
#[derive(Clone, Debug)]
pub struct Flow {
    /// The values, ports and results. Values of the loops and arms are among them; what a variable
    /// comes to behind these, or holds in them, is a [`Leaf::Merge`].
    pub program: Program,
    /// What runs, in order.
    pub body: Block,
    /// What one item holds of the list that the function pushes, if it [pushes](Step::Push) a list.
    pub list: Option<PortDecl>,
}

/// What runs in order. Values without arguments are in no block: they are at hand everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The steps.
    pub steps: Vec<Step>,
}

/// A step of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Computes a value.
    Value(ValueId),
    /// Adds a value to the loss.
    Loss(ValueId),
    /// Pushes an item of a list: a value for each field.
    Push(Vec<ValueId>),
    /// A loop over children begins, the one of this number: draws and decisions in it are told from
    /// those in others by how many such loops the vertex has run before.
    Children(u32),
    /// Runs one of two blocks.
    Branch(Branch),
    /// Runs a block again and again.
    Loop(Loop),
}

/// Runs the first arm where a condition is 1, and the second where it is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// A scalar, 1 or 0.
    pub condition: ValueId,
    /// What runs.
    pub arms: [Block; 2],
    /// What the arms make different.
    pub merges: Vec<Merge>,
}

/// A variable behind a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merge {
    /// What it is behind the branch.
    pub value: ValueId,
    /// What it is at the end of each arm.
    pub from: [ValueId; 2],
}

/// Runs a block while a condition holds, which is tested before it runs for the first time, and at
/// its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The condition before the loop: a scalar, 1 or 0.
    pub first: ValueId,
    /// What runs; at its end, `again` is known.
    pub body: Block,
    /// The condition at the end of the body.
    pub again: ValueId,
    /// The variables that the body changes.
    pub variables: Vec<Carried>,
}

/// A variable of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// What it is before the loop.
    pub before: ValueId,
    /// What it is when the body begins.
    pub begin: ValueId,
    /// What it is at the end of the body.
    pub end: ValueId,
    /// What it is behind the loop.
    pub behind: ValueId,
}

impl From<Program> for Flow {
    /// A program without branches and loops.
    fn from(program: Program) -> Self {
        let forward = program.iter().filter(|(id, _)| !program.is_at_hand(*id));
        let values = forward.map(|(id, _)| Step::Value(id));
        let steps = values.chain(program.losses.iter().map(|loss| Step::Loss(*loss))).collect();
        Self { program, body: Block { steps }, list: None }
    }
}

impl Program {
    /// Whether a value is at hand everywhere, since it depends on no other value and on no branch.
    pub fn is_at_hand(&self, id: ValueId) -> bool {
        let value = self.value(id);
        value.args.is_empty() && value.op != Op::Leaf(Leaf::Merge)
    }
}

impl Block {
    /// Whether nothing runs.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether it has neither branches nor loops.
    pub fn is_straight(&self) -> bool {
        self.steps.iter().all(|step| !matches!(step, Step::Branch(_) | Step::Loop(_)))
    }

    /// Calls `see` with every value that is computed in it, those in its arms and loops included.
    pub fn each_value(&self, see: &mut impl FnMut(ValueId)) {
        for step in &self.steps {
            match step {
                Step::Value(id) => see(*id),
                Step::Loss(_) | Step::Push(_) | Step::Children(_) => {}
                Step::Branch(branch) => {
                    branch.arms.iter().for_each(|arm| arm.each_value(see));
                    branch.merges.iter().for_each(|merge| see(merge.value));
                }
                Step::Loop(repeat) => {
                    repeat.variables.iter().for_each(|variable| see(variable.begin));
                    repeat.body.each_value(see);
                    repeat.variables.iter().for_each(|variable| see(variable.behind));
                }
            }
        }
    }
}
