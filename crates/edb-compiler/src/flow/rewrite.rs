//! Builds a function anew, with other forms of its branches.

use edb_ir::{Block, Branch, Builder, Flow, Leaf, Loop, Op, Program, Step, ValueId};

/// What becomes of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BranchBecomes {
    /// It stays a branch.
    Branch,
    /// Both arms are computed, and the values of the one that is taken are chosen.
    Select,
    /// One arm is always taken.
    Arm(usize),
}

/// A function whose branches have the forms that `form` gives them; `None` where it would become
/// too large. `has_input`: whether a vertex has the input that it may be without, where that is
/// known.
pub(super) fn rewrite(
    flow: &Flow,
    has_input: Option<bool>,
    form: impl Fn(&Branch) -> BranchBecomes,
) -> Option<Flow> {
    let Flow { program, body, list } = flow;
    let builder = Builder::like(program);
    let mut rewrite =
        Rewrite { map: vec![None; program.values.len()], from: program, builder, has_input, form };
    rewrite.block(body);
    let [scatter, push] = [&program.scatter, &program.push]
        .map(|ids| ids.iter().map(|id| rewrite.value(*id)).collect::<Vec<_>>());
    let mut flow = rewrite.builder.finish_flow().ok()?;
    (flow.program.scatter, flow.program.push) = (scatter, push);
    flow.list = list.clone();
    Some(flow)
}

struct Rewrite<'a, F> {
    from: &'a Program,
    builder: Builder,
    /// The values of before, as they are now.
    map: Vec<Option<ValueId>>,
    has_input: Option<bool>,
    form: F,
}

impl<F: Fn(&Branch) -> BranchBecomes> Rewrite<'_, F> {
    /// A value of before.
    fn value(&mut self, id: ValueId) -> ValueId {
        if let Some(known) = self.map[id.index()] {
            return known;
        }
        let value = self.from.value(id);
        debug_assert!(self.from.is_at_hand(id), "%{} is computed before it is read", id.0);
        let op = match (&value.op, self.has_input) {
            (Op::Leaf(Leaf::HasInput), Some(has)) => {
                Leaf::Constant(f64::from(u8::from(has))).into()
            }
            (op, _) => op.clone(),
        };
        self.note(id, |builder| builder.add(op, &[], value.shape.clone()))
    }

    fn note(&mut self, id: ValueId, add: impl FnOnce(&mut Builder) -> ValueId) -> ValueId {
        let to = add(&mut self.builder);
        self.map[id.index()] = Some(to);
        to
    }

    fn block(&mut self, block: &Block) {
        for step in &block.steps {
            match step {
                Step::Value(id) => {
                    let value = self.from.value(*id);
                    let args: Vec<ValueId> =
                        value.args.iter().map(|arg| self.value(*arg)).collect();
                    self.note(*id, |b| b.add(value.op.clone(), &args, value.shape.clone()));
                }
                Step::Loss(id) => {
                    let loss = self.value(*id);
                    self.builder.add_loss(loss);
                }
                Step::Push(item) => {
                    let item = item.iter().map(|id| self.value(*id)).collect();
                    self.builder.add_item(item);
                }
                Step::Children(number) => self.builder.begin_children(*number),
                Step::Branch(branch) => self.branch(branch),
                Step::Loop(repeat) => self.repeat(repeat),
            }
        }
    }

    fn branch(&mut self, branch: &Branch) {
        let Branch { condition, arms, merges } = branch;
        let condition = self.value(*condition);
        match (self.form)(branch) {
            BranchBecomes::Branch => {
                let arms = arms.each_ref().map(|arm| self.inner(arm));
                for merge in merges {
                    let from = merge.from.map(|id| self.value(id));
                    let behind = self.builder.behind(from).expect("both have one shape");
                    self.map[merge.value.index()] = Some(behind);
                }
                self.builder.branch(condition, arms);
            }
            BranchBecomes::Select => {
                let other = self.builder.not(condition);
                for (taken, arm) in [condition, other].into_iter().zip(arms) {
                    self.builder.enter_arm(taken);
                    self.block(arm);
                    self.builder.leave_arm();
                }
                for merge in merges {
                    let [then, other] = merge.from.map(|id| self.value(id));
                    let chosen = self.builder.choose(condition, then, other);
                    self.map[merge.value.index()] = Some(chosen.expect("both have one shape"));
                }
            }
            BranchBecomes::Arm(arm) => {
                self.block(&arms[arm]);
                for merge in merges {
                    let taken = self.value(merge.from[arm]);
                    self.map[merge.value.index()] = Some(taken);
                }
            }
        }
    }

    fn repeat(&mut self, Loop { first, body, again, variables }: &Loop) {
        let first = self.value(*first);
        let begun: Vec<[ValueId; 2]> = variables
            .iter()
            .map(|variable| {
                let before = self.value(variable.before);
                [before, self.note(variable.begin, |builder| builder.begin_variable(before))]
            })
            .collect();
        let body = self.inner(body);
        let again = self.value(*again);
        let carried: Vec<[ValueId; 3]> = begun
            .into_iter()
            .zip(variables)
            .map(|([before, begin], variable)| [before, begin, self.value(variable.end)])
            .collect();
        let behind = self.builder.repeat(first, body, again, &carried);
        for (variable, behind) in variables.iter().zip(behind.expect("both have one shape")) {
            self.map[variable.behind.index()] = Some(behind);
        }
    }

    fn inner(&mut self, block: &Block) -> Block {
        self.builder.begin_block();
        self.block(block);
        self.builder.end_block()
    }
}
