//! Conversion of branches (Allen et al., 1983, "Conversion of control dependence to data
//! dependence"): where both arms are cheap, both are computed, and the values of the one that is
//! taken are chosen.
//!
//! The [`Builder`] masks what an arm reads from outside, so that no infinity and no NaN leaves an
//! arm that is not taken, forward or backward.

use edb_ir::{Block, Branch, Builder, Flow, Loop, Program, Step, ValueId};

/// Converts the branches whose arms are cheap.
pub fn select(flow: Flow) -> Flow {
    if flow.body.is_straight() {
        return flow;
    }
    let Flow { program, body } = &flow;
    let builder = Builder::like(program);
    let mut rewrite = Rewrite { map: vec![None; program.values.len()], from: program, builder };
    rewrite.block(body);
    let [scatter, push] = [&program.scatter, &program.push]
        .map(|ids| ids.iter().map(|id| rewrite.value(*id)).collect::<Vec<_>>());
    // A function that would be too large by its masks stays as it is: its arms run apart.
    let Ok(mut selected) = rewrite.builder.finish_flow() else { return flow };
    (selected.program.scatter, selected.program.push) = (scatter, push);
    selected
}

/// Whether both arms are computed where one is taken. Indices are not chosen by a mask.
fn is_cheap(program: &Program, branch: &Branch) -> bool {
    let arms = branch.arms.iter().all(|arm| is_cheap_arm(program, arm));
    arms && !branch.merges.iter().any(|merge| program.value(merge.value).shape.is_index())
}

fn is_cheap_arm(program: &Program, arm: &Block) -> bool {
    arm.steps.iter().all(|step| match step {
        Step::Value(id) => program.value(*id).op.is_cheap(),
        Step::Loss(_) => true,
        Step::Branch(branch) => is_cheap(program, branch),
        Step::Loop(_) => false,
    })
}

struct Rewrite<'a> {
    from: &'a Program,
    builder: Builder,
    /// The values of before, as they are now.
    map: Vec<Option<ValueId>>,
}

impl Rewrite<'_> {
    /// A value of before.
    fn value(&mut self, id: ValueId) -> ValueId {
        if let Some(known) = self.map[id.index()] {
            return known;
        }
        let value = self.from.value(id);
        debug_assert!(self.from.is_at_hand(id), "%{} is computed before it is read", id.0);
        self.note(id, |builder| builder.add(value.op.clone(), &[], value.shape.clone()))
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
                Step::Branch(branch) => self.branch(branch),
                Step::Loop(repeat) => self.repeat(repeat),
            }
        }
    }

    fn branch(&mut self, branch: &Branch) {
        let Branch { condition, arms, merges } = branch;
        let condition = self.value(*condition);
        if is_cheap(self.from, branch) {
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
            return;
        }
        let arms = arms.each_ref().map(|arm| self.inner(arm));
        for merge in merges {
            let from = merge.from.map(|id| self.value(id));
            let behind = self.builder.behind(from).expect("both have one shape");
            self.map[merge.value.index()] = Some(behind);
        }
        self.builder.branch(condition, arms);
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
