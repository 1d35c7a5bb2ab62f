//! Checks that what joins the sections of a plan names what exists.

use super::Plan;
use super::joint::{Begin, Choice, Compared, Joint, Question, SectionChild};
use crate::program::Program;
use crate::shapes::{Dim, Shape};

impl Plan {
    /// Whether what joins sections names what exists.
    pub(crate) fn is_joined(&self) -> bool {
        let count = self.sections.len();
        let alone = Joint::default();
        let fits = |plan: &Plan| {
            let Plan { program, joint, .. } = plan;
            let Joint { sources, states, targets, .. } = joint.as_ref().unwrap_or(&alone);
            let is_known = |target: &u16| usize::from(*target) <= count;
            joint.is_some() == (count > 0)
                && goes_on(program, targets)
                && targets.iter().all(is_known)
                && (count == 0 || sources.len() == program.slots.len())
                && (count == 0 || states.len() == program.states.len())
                && sources.iter().all(|source| match source {
                    SectionChild::Section(of) => usize::from(*of) <= count,
                    SectionChild::Child(place) => usize::from(*place) < self.program.slots.len(),
                    SectionChild::Before => true,
                })
        };
        let nests = |section: &Plan| !section.sections.is_empty() || !section.choices.is_empty();
        let nested = self.sections.iter().any(nests);
        if let (0, Some(Joint { sources, states, targets, .. })) = (count, &self.joint) {
            // A section by itself; its function has been checked as a whole.
            return sources.len() == self.program.slots.len()
                && states.len() == self.program.states.len()
                && goes_on(&self.program, targets)
                && self.choices.is_empty();
        }
        !nested
            && fits(self)
            && self.sections.iter().all(fits)
            && self.chooses_well()
            && self.pulls_what_is_there()
            && self.reads_what_is_scattered()
    }

    /// Whether each section reads, in each of its slots, the state that the source of the slot
    /// scatters: rows are found by the source, and read as this state.
    fn reads_what_is_scattered(&self) -> bool {
        let all: Vec<&Plan> = std::iter::once(self).chain(&self.sections).collect();
        let state = |plan: &Plan, number: u16| {
            let states = plan.joint.as_ref().map_or(&[][..], |joint| &joint.states);
            states.get(usize::from(number)).copied()
        };
        let scatters = |plan: &Plan, wanted| {
            plan.program.scattered.and_then(|of| state(plan, of)) == wanted && wanted.is_some()
        };
        let leads_to = |plan: &Plan, section: usize| {
            let targets = plan.joint.as_ref().map_or(&[][..], |joint| &joint.targets);
            targets.iter().any(|target| usize::from(*target) == section)
        };
        all.iter().enumerate().all(|(number, plan)| {
            let sources = plan.joint.iter().flat_map(|joint| &joint.sources);
            sources.zip(&plan.program.slots).all(|(source, slot)| {
                let wanted = state(plan, slot.state);
                match source {
                    SectionChild::Child(place) => {
                        state(self, self.program.slots[usize::from(*place)].state) == wanted
                    }
                    SectionChild::Section(of) => scatters(all[usize::from(*of)], wanted),
                    SectionChild::Before => {
                        let mut before = all.iter().filter(|of| leads_to(of, number));
                        before.all(|of| scatters(of, wanted))
                    }
                }
            })
        })
    }

    /// Whether a vertex that was given no input comes to no section with fields of the input. No value
    /// of such a section need read them: its records have places for them, and its gradients rows.
    pub fn pulls_what_is_there(&self) -> bool {
        let mut next = match self.choices.is_empty() {
            true => vec![Begin::Section(0)],
            false => vec![Begin::Choice(0)],
        };
        let mut seen = vec![false; self.sections.len() + 1];
        while let Some(begin) = next.pop().filter(|_| self.program.may_lack_input) {
            let section = match begin {
                // What is not there is not the same as anything.
                Begin::Choice(choice) => {
                    next.push(self.choices[usize::from(choice)].other);
                    continue;
                }
                Begin::Section(section) => usize::from(section),
            };
            if std::mem::replace(&mut seen[section], true) {
                continue;
            }
            let Plan { program, joint, .. } = match section.checked_sub(1) {
                None => self,
                Some(later) => &self.sections[later],
            };
            if program.input.as_ref().is_some_and(|input| !input.fields.is_empty()) {
                return false;
            }
            let targets = joint.iter().flat_map(|joint| &joint.targets);
            next.extend(targets.map(|target| Begin::Section(*target)));
        }
        true
    }

    /// Whether choices lead to sections with which a vertex can begin: they read its own children
    /// as they are.
    fn chooses_well(&self) -> bool {
        let Self { program, sections, choices, .. } = self;
        let is_index = |field: u16| {
            let field = program.input.as_ref().and_then(|of| of.fields.get(usize::from(field)));
            field.and_then(|field| field.shape()).is_some_and(|shape| shape.is_index())
        };
        let begins = |plan: &Plan| {
            let sources = plan.joint.iter().flat_map(|joint| &joint.sources);
            let is_own =
                |(place, source): (u16, &SectionChild)| *source == SectionChild::Child(place);
            let state = |plan: &Plan, state: u16| {
                let states = plan.joint.as_ref().map_or(&[][..], |joint| &joint.states);
                states.get(usize::from(state)).copied()
            };
            let children = |plan: &Plan| -> Vec<_> {
                let slots = plan.program.slots.iter();
                let slots = slots.map(|slot| (state(plan, slot.state), slot.optional));
                slots.chain(plan.program.rest.map(|rest| (state(plan, rest), false))).collect()
            };
            (0..).zip(sources).all(is_own)
                && children(plan) == children(self)
                && plan.program.rest.is_some() == program.rest.is_some()
        };
        let leads_on = |number: usize, to: Begin| match to {
            Begin::Section(0) => true,
            Begin::Section(section) => sections.get(usize::from(section) - 1).is_some_and(begins),
            // A later one, so that there is an end.
            Begin::Choice(next) => (number + 1..choices.len()).contains(&usize::from(next)),
        };
        choices.iter().enumerate().all(|(number, Choice { question, then, other })| {
            let asks_well = match *question {
                Question::HasInput => program.may_lack_input,
                Question::Same { field, with: Compared::Number(_) } => is_index(field),
                Question::Same { field, with: Compared::Field(other) } => {
                    is_index(field) && is_index(other)
                }
            };
            asks_well && leads_on(number, *then) && leads_on(number, *other)
        })
    }
}

/// Whether the index of what comes next is one of as many as there are targets, if there are several.
/// The program of a section has not been verified yet.
fn goes_on(program: &Program, targets: &[u16]) -> bool {
    let Some(id) = program.next else { return targets.len() < 2 };
    let count = Dim::constant(targets.len() as i64);
    let next = program.values.get(id.index()).map(|value| &value.shape);
    targets.len() > 1 && next == Some(&Shape::OneOf(count))
}
