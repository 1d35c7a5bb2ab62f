//! Cuts a function with branches and loops into sections: what runs between two decisions.
//!
//! An arm and the body of a loop begin a section, and so does what is behind a branch or a loop.
//! The condition of a loop is tested before it and at the end of its body, so that an iteration is
//! one section. The last section scatters and pushes, or each of the last ones (`ends.rs`); of a
//! list, any section may push an item.
//!
//! What a section reads of earlier ones is the state of a child: of the section that ran before,
//! where that may be one of several (a variable behind a branch, or in a loop), or else of the
//! section that computed it. Sections that may come before one and the same section have one
//! state, a *carry*, whose rows a back end reads by one table. Its fields are shared by values of
//! one shape, as registers are.

use std::collections::HashMap;

use edb_ir::{Block, Branch, Flow, Leaf, Loop, Op, Pointwise, Program, Sites, Step, ValueId};

use super::drafts::{Carries, Draft, Drafted, End, live, owners, remove_unreached};
use super::emit::emit;
use super::ends::ends;
use super::{Section, sites};

/// Cuts a function into sections; the first is that with which a vertex begins.
pub fn outline(flow: Flow) -> Vec<Section> {
    let Flow { mut program, body, list } = flow;
    if body.is_straight() && list.is_none() {
        return vec![Section { program, joint: None }];
    }
    let mut cut = Cut { program: &program, drafts: vec![Draft::new(program.name.clone())] };
    let last = cut.block(&body, 0);
    let mut drafts = cut.drafts;
    let last = remove_unreached(&mut drafts, last);
    // Of a list, what a section pushes is one of many items.
    let ends = match list {
        Some(_) => vec![End::of(&program, last)],
        None => ends(&mut program, &mut drafts, last),
    };
    let counted = drafts.iter().map(|draft| sites::count(&program, &draft.values, &draft.loops));
    let (new, counts): (Vec<_>, Vec<Sites>) = counted.unzip();
    new.iter().for_each(|new| sites::set(&mut program, new));
    let owners = owners(&program, &drafts);
    let live = live(&program, &drafts, &ends);
    let list = list.as_ref();
    let function = Drafted { program: &program, drafts: &drafts, list, ends: &ends, owners, live };
    let carries = Carries::new(&function);
    let mut sections: Vec<Section> =
        (0..drafts.len()).map(|section| emit(&function, section, &carries)).collect();
    for (section, sites) in sections.iter_mut().zip(counts) {
        section.joint.iter_mut().for_each(|joint| joint.sites = sites);
    }
    sections
}

struct Cut<'a> {
    program: &'a Program,
    drafts: Vec<Draft>,
}

/// An arm of a branch, or of branches that follow from one another: what runs, and what the
/// variables behind the branches inside of it are by it.
struct Arm<'a> {
    block: &'a Block,
    within: HashMap<ValueId, ValueId>,
}

impl Arm<'_> {
    /// What a variable behind the branches is at the end of the arm.
    fn value(&self, variable: ValueId) -> ValueId {
        let mut value = variable;
        // From the outermost branch inwards: each is a variable behind the next.
        while let Some(from) = self.within.get(&value) {
            value = *from;
        }
        value
    }
}

impl<'a> Cut<'a> {
    /// A new section: `what` follows the function's name.
    fn section(&mut self, what: &str) -> usize {
        let name = format!("{}.{what}", self.program.name);
        self.drafts.push(Draft::new(name));
        self.drafts.len() - 1
    }

    /// Appends a block to a section; returns the section in which it ends.
    fn block(&mut self, block: &'a Block, mut section: usize) -> usize {
        for step in &block.steps {
            match step {
                Step::Value(id) => self.drafts[section].values.push(*id),
                Step::Loss(id) => self.drafts[section].losses.push(*id),
                Step::Push(item) => section = self.push(item, section),
                Step::Children(number) => self.drafts[section].loops.push(*number),
                Step::Branch(branch) => section = self.branch(branch, section),
                Step::Loop(repeat) => section = self.repeat(repeat, section),
            }
        }
        section
    }

    /// Pushes an item of a list: one in a section.
    fn push(&mut self, item: &[ValueId], mut section: usize) -> usize {
        if self.drafts[section].item.is_some() {
            let before = std::mem::replace(&mut section, self.section("push"));
            self.drafts[before].targets = vec![section];
        }
        self.drafts[section].item = Some(item.to_vec());
        section
    }

    fn branch(&mut self, branch: &'a Branch, section: usize) -> usize {
        if let Some(holds) = known(self.program, branch.condition) {
            return self.certain(branch, holds, section);
        }
        let (mut conditions, mut arms) = (Vec::new(), Vec::new());
        collect(branch, &HashMap::new(), &mut conditions, &mut arms);
        let mut ends = Vec::new();
        let mut targets = Vec::new();
        let mut is_direct = false;
        for (number, arm) in arms.iter().enumerate() {
            // One arm without anything may be left out.
            if arm.block.is_empty() && !std::mem::replace(&mut is_direct, true) {
                ends.push(section);
                targets.push(None);
                continue;
            }
            let what = match (number, arms.len()) {
                (0, 2) => "then".to_string(),
                (_, 2) => "else".to_string(),
                _ => format!("arm{number}"),
            };
            let begin = self.section(&what);
            ends.push(self.block(arm.block, begin));
            targets.push(Some(begin));
        }
        let join = self.section("join");
        for merge in &branch.merges {
            let of_arm = |(arm, end): (&Arm<'_>, &usize)| {
                // The value at the end of an inner branch is that of the inner arm.
                (*end, arm.value(merge.value))
            };
            let from = arms.iter().zip(&ends).map(of_arm).collect();
            self.drafts[join].variables.push((merge.value, from));
        }
        for end in &ends {
            if *end != section {
                self.drafts[*end].targets = vec![join];
            }
        }
        let draft = &mut self.drafts[section];
        draft.conditions = conditions;
        draft.targets = targets.into_iter().map(|target| target.unwrap_or(join)).collect();
        join
    }

    /// A branch of which one arm is always taken.
    fn certain(&mut self, branch: &'a Branch, holds: bool, section: usize) -> usize {
        let arm = usize::from(!holds);
        let end = self.block(&branch.arms[arm], section);
        if branch.merges.is_empty() {
            return end;
        }
        let join = self.section("join");
        for merge in &branch.merges {
            self.drafts[join].variables.push((merge.value, vec![(end, merge.from[arm])]));
        }
        self.drafts[end].targets = vec![join];
        join
    }

    fn repeat(&mut self, repeat: &'a Loop, section: usize) -> usize {
        let Loop { first, body, again, variables } = repeat;
        let begin = self.section("while");
        let end = self.block(body, begin);
        let behind = self.section("end");
        let first_holds = known(self.program, *first);
        let draft = &mut self.drafts[section];
        match first_holds {
            Some(true) => draft.targets = vec![begin],
            Some(false) => draft.targets = vec![behind],
            None => (draft.conditions, draft.targets) = (vec![*first], vec![begin, behind]),
        }
        let draft = &mut self.drafts[end];
        (draft.conditions, draft.targets) = (vec![*again], vec![begin, behind]);
        for variable in variables {
            let both = || vec![(section, variable.before), (end, variable.end)];
            let reaches = |to: usize| {
                let is_before = |(from, _): &(usize, ValueId)| match first_holds {
                    Some(holds) if *from == section => holds == (to == begin),
                    _ => true,
                };
                both().into_iter().filter(is_before).collect()
            };
            let (to_begin, to_behind) = (reaches(begin), reaches(behind));
            self.drafts[begin].variables.push((variable.begin, to_begin));
            self.drafts[behind].variables.push((variable.behind, to_behind));
        }
        behind
    }
}

/// The conditions and arms of a branch. Where all that an arm does is another branch, its arms are
/// among these.
fn collect<'a>(
    branch: &'a Branch,
    within: &HashMap<ValueId, ValueId>,
    conditions: &mut Vec<ValueId>,
    arms: &mut Vec<Arm<'a>>,
) {
    conditions.push(branch.condition);
    let of_arm = |arm: usize| {
        let mut within = within.clone();
        within.extend(branch.merges.iter().map(|merge| (merge.value, merge.from[arm])));
        within
    };
    arms.push(Arm { block: &branch.arms[0], within: of_arm(0) });
    match &branch.arms[1].steps[..] {
        [Step::Branch(inner)] => collect(inner, &of_arm(1), conditions, arms),
        _ => arms.push(Arm { block: &branch.arms[1], within: of_arm(1) }),
    }
}

/// Whether a condition holds, if that is known when the function is compiled.
fn known(program: &Program, condition: ValueId) -> Option<bool> {
    number(program, condition).map(|number| number != 0.0)
}

fn number(program: &Program, id: ValueId) -> Option<f64> {
    let value = program.value(id);
    let argument = |place: usize| number(program, value.args[place]);
    match value.op {
        Op::Leaf(Leaf::Constant(number)) => Some(number),
        Op::Pointwise(Pointwise::Greater) => Some(f64::from(u8::from(argument(0)? > argument(1)?))),
        Op::Pointwise(Pointwise::GreaterEqual) => {
            Some(f64::from(u8::from(argument(0)? >= argument(1)?)))
        }
        Op::Pointwise(Pointwise::Sub) => Some(argument(0)? - argument(1)?),
        _ => None,
    }
}
