//! Branches and loops: from what a person writes to programs.
//!
//! | pass | module |
//! | --- | --- |
//! | what does not depend on a loop runs before it | [`mod@hoist`] |
//! | branches on what is pulled, to variants | [`mod@resolve`] |
//! | cheap branches compute both arms, and choose | [`mod@select`] |
//! | what is left is cut into sections | [`mod@outline`] |
//! | of which a cheap last one is copied into the arms before it | `ends.rs` |
//!
//! A *section* is what runs between two decisions. Each is a program like any other, and its
//! vertices are batched with those of any other function: no row is computed that is not needed. It
//! reads what earlier sections of its vertex computed as the state of a child.

mod drafts;
mod emit;
mod ends;
pub mod hoist;
pub mod outline;
pub mod resolve;
mod rewrite;
pub mod select;
mod sites;

use edb_ir::{
    Begin, Choice, Flow, JoinedState, Joint, Leaf, Movement, Op, Program, SectionChild, Step,
};

pub use hoist::hoist;
pub use outline::outline;
pub use resolve::resolve;
pub use select::select;

/// A section of a function.
#[derive(Debug)]
pub struct Section {
    /// What it computes.
    pub program: Program,
    /// How it is joined with the others; nothing if there are none.
    pub joint: Option<Joint>,
}

/// Brings a function with branches and loops into sections. Returns them, the first being that with
/// which a vertex begins, unless choices say otherwise.
pub fn sections(flow: Flow) -> (Vec<Section>, Vec<Choice>) {
    debug_verify(&flow, "building");
    let is_straight = flow.body.is_straight();
    let flow = hoist(flow);
    debug_verify(&flow, "hoist");
    let resolve::Resolved { variants, mut choices } = resolve(flow);
    let mut all: Vec<Section> = Vec::new();
    let mut first = Vec::new();
    let mut carries = 0;
    for variant in variants {
        let before = all.len() as u16;
        first.push(before);
        let mut end = carries;
        debug_verify(&variant, "resolve");
        let mut selected = select(variant);
        debug_verify(&selected, "select");
        if !is_straight {
            count_anew(&mut selected);
        }
        for Section { mut program, joint } in outline(selected) {
            let mut joint = joint.or_else(|| (!choices.is_empty()).then(|| alone(&program)));
            if let Some(joint) = &mut joint {
                end = end.max(renumber(joint, before, carries));
            }
            // The first stands for the function, whose input it declares.
            if !all.is_empty() {
                keep_pulled(&mut program);
            }
            program.name = unlike(&all, program.name);
            all.push(Section { program, joint });
        }
        carries = end;
    }
    for choice in &mut choices {
        for begin in [&mut choice.then, &mut choice.other] {
            if let Begin::Section(variant) = begin {
                *variant = first[usize::from(*variant)];
            }
        }
    }
    (all, choices)
}

/// Verifies in debug builds; a broken function is a bug in edb.
fn debug_verify(flow: &Flow, pass: &str) {
    if cfg!(debug_assertions)
        && let Err(error) = flow.verify()
    {
        panic!("after {pass}: {error}\n{}\n{:?}", flow.program, flow.body);
    }
}

/// A name that no section has: that of one that is new, with a number if it is taken.
fn unlike(sections: &[Section], name: String) -> String {
    let is_free = |name: &String| sections.iter().all(|section| section.program.name != *name);
    let numbered = (2..).map(|number| format!("{name}{number}"));
    std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name)
}

/// How a section is joined that is a variant by itself.
fn alone(program: &Program) -> Joint {
    Joint {
        sources: (0..program.slots.len() as u16).map(SectionChild::Child).collect(),
        states: (0..program.states.len() as u16).map(JoinedState::Port).collect(),
        ..Joint::default()
    }
}

/// Counts the draws and decisions of what is one section by itself, since there were arms from which
/// it has none.
fn count_anew(flow: &mut Flow) {
    if !flow.body.is_straight() {
        return;
    }
    let (mut values, mut loops) = (Vec::new(), Vec::new());
    for step in &flow.body.steps {
        match step {
            Step::Value(id) => values.push(*id),
            Step::Children(number) => loops.push(*number),
            Step::Loss(_) | Step::Push(_) | Step::Branch(_) | Step::Loop(_) => {}
        }
    }
    let (new, _) = sites::count(&flow.program, &values, &loops);
    sites::set(&mut flow.program, &new);
}

/// Moves the numbers of sections and carries behind those of earlier variants. Returns where its
/// carries end.
fn renumber(joint: &mut Joint, sections: u16, carries: u16) -> u16 {
    joint.targets.iter_mut().for_each(|target| *target += sections);
    for source in &mut joint.sources {
        if let SectionChild::Section(section) = source {
            *section += sections;
        }
    }
    let mut end = carries;
    for state in &mut joint.states {
        if let JoinedState::Carry(carry) = state {
            *carry += carries;
            end = end.max(*carry + 1);
        }
    }
    end
}

/// Leaves out the fields of the input that a section does not pull.
fn keep_pulled(program: &mut Program) {
    let Some(input) = &mut program.input else { return };
    let mut kept: Vec<u16> = Vec::new();
    for value in &mut program.values {
        let field = match &mut value.op {
            Op::Leaf(Leaf::Pull(field) | Leaf::BagSize(field))
            | Op::Movement(Movement::BagSum(field)) => field,
            _ => continue,
        };
        let place = kept.iter().position(|known| known == field).unwrap_or_else(|| {
            kept.push(*field);
            kept.len() - 1
        });
        *field = place as u16;
    }
    input.fields = kept.iter().map(|field| input.fields[usize::from(*field)].clone()).collect();
    if kept.is_empty() {
        program.input = None;
    }
}
