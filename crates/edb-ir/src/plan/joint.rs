//! How the sections of a function are joined, and with which one a vertex begins.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::program::Program;

/// How a section of a function is joined with the others. The sections of a function have numbers;
/// that of the first, with which a vertex begins, is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joint {
    /// For each [slot](Program::slots), the child in it.
    pub sources: Vec<SectionChild>,
    /// For each of the program's [states](Program::states), which one it is.
    pub states: Vec<JoinedState>,
    /// How many draws and decisions it makes outside of loops over children, and how many such loops
    /// it runs: those of the sections behind it are told from its own by these.
    pub sites: Sites,
    /// Whether the function pushes a list: each section may push an item, also where others follow.
    pub lists: bool,
    /// The sections that may come next, by [`Program::next`] if there are several; none behind the
    /// last.
    pub targets: Vec<u16>,
}

/// How many draws and decisions a vertex has made on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sites {
    /// Those outside of loops over children.
    pub vertex: u32,
    /// Loops over children; in each, draws and decisions are counted anew.
    pub loops: u32,
}

impl Sites {
    /// The least site of an op in a loop over children.
    const FIRST_OF_LOOPS: u32 = 1 << 16;

    /// The site of an op in a loop over children: the number of the loop, the first being 1, and how
    /// many come before it there.
    pub fn in_loop(number: u32, before: u32) -> u32 {
        number << 16 | before & 0xFFFF
    }

    /// The site of the next op outside of loops over children.
    pub fn take(&mut self) -> u32 {
        self.vertex += 1;
        self.vertex - 1
    }

    /// Whether an op of this site stands in a loop over children, and the number of the loop.
    pub fn loop_of(site: u32) -> Option<u32> {
        (site >= Self::FIRST_OF_LOOPS).then_some(site >> 16)
    }

    /// The site of an op, which it has where these come before, counted from the beginning of the
    /// vertex.
    pub fn before(self, site: u32) -> u32 {
        match Self::loop_of(site) {
            Some(_) => site.wrapping_add(self.loops << 16),
            None => site.wrapping_add(self.vertex),
        }
    }

    /// These, and then those.
    pub fn then(self, more: Self) -> Self {
        Self {
            vertex: self.vertex.wrapping_add(more.vertex),
            loops: self.loops.wrapping_add(more.loops),
        }
    }
}

/// A child of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SectionChild {
    /// The vertex's own child at this place.
    Child(u16),
    /// The section that ran before.
    Before,
    /// The section with this number, when it ran the last time.
    Section(u16),
}

/// A state of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JoinedState {
    /// The function's own, by its number among those.
    Port(u16),
    /// What sections hand to one another: sections with one number, rows of one layout.
    Carry(u16),
}

/// A question that says with which section a vertex begins.
///
/// A branch on what is pulled is resolved by these when vertices are laid out, before anything runs:
/// each way through such branches, a *variant* of the function, begins with a section of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The question.
    pub question: Question,
    /// What follows where the answer is yes.
    pub then: Begin,
    /// What follows where it is no.
    pub other: Begin,
}

/// What is asked about the input of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// Whether the vertex has it.
    HasInput,
    /// Whether an index in it is the same as another one.
    Same {
        /// The index, a field of the input.
        field: u16,
        /// The other one.
        with: Compared,
    },
}

/// What an index is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Compared {
    /// A number.
    Number(u32),
    /// Another field of the input.
    Field(u16),
}

/// What follows from an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Begin {
    /// A vertex begins with this section.
    Section(u16),
    /// A later question.
    Choice(u16),
}

impl Question {
    /// The question with the names of the fields of a program's input: `operator == 2`.
    pub fn describe(&self, program: &Program) -> impl fmt::Display {
        let name = |field: u16| {
            let fields = program.input.as_ref().map_or(&[][..], |input| &input.fields);
            fields.get(usize::from(field)).map_or("?", |field| &field.name)
        };
        match *self {
            Self::HasInput => "has input".to_owned(),
            Self::Same { field, with: Compared::Number(number) } => {
                format!("{} == {number}", name(field))
            }
            Self::Same { field, with: Compared::Field(other) } => {
                format!("{} == {}", name(field), name(other))
            }
        }
    }
}

impl Choice {
    /// The choice as text, with the names of the fields of a program's input.
    pub fn describe(&self, program: &Program) -> impl fmt::Display {
        let Self { question, then, other } = self;
        format!("{} ? {then} : {other}", question.describe(program))
    }
}

impl fmt::Display for Begin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Begin::Section(section) => write!(f, "section {section}"),
            Begin::Choice(choice) => write!(f, "choice {choice}"),
        }
    }
}
