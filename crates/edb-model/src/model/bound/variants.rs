//! Which variant of its function a vertex is: [`Choice`], with functions as numbers.

use edb_ir::{Begin, Choice, Compared, FunctionId, Question};

use edb_vertex::cell::InputCell;

/// Chooses the variant of a vertex by the input of the vertex. Without choices, there is only one variant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variants(Box<[BoundChoice]>);

#[derive(Clone, Copy, Debug)]
struct BoundChoice {
    /// The question, with fields given by their place in the struct.
    question: Question,
    then: Next,
    other: Next,
}

#[derive(Clone, Copy, Debug)]
enum Next {
    Variant(FunctionId),
    Choice(usize),
}

impl Variants {
    /// The variants of a function. `input_fields` gives the place in the struct of each input field, and
    /// `sections` are the function's sections in the model, by number.
    pub(crate) fn of(choices: &[Choice], input_fields: &[usize], sections: &[FunctionId]) -> Self {
        let place = |field: u16| input_fields[usize::from(field)] as u16;
        let next = |begin: Begin| match begin {
            Begin::Section(number) => Next::Variant(sections[usize::from(number)]),
            Begin::Choice(number) => Next::Choice(number.into()),
        };
        let choice = |choice: &Choice| BoundChoice {
            question: match choice.question {
                Question::HasInput => Question::HasInput,
                Question::Same { field, with: Compared::Field(other) } => {
                    Question::Same { field: place(field), with: Compared::Field(place(other)) }
                }
                Question::Same { field, with } => Question::Same { field: place(field), with },
            },
            then: next(choice.then),
            other: next(choice.other),
        };
        Self(choices.iter().map(choice).collect())
    }

    /// Whether there are several variants.
    pub(crate) fn are_several(&self) -> bool {
        !self.0.is_empty()
    }

    /// The variant of a vertex of `function` with this input. A field that should be an index but is not equals
    /// no number; it is reported elsewhere.
    pub(crate) fn choose(&self, function: FunctionId, input: &[InputCell]) -> FunctionId {
        let index = |field: u16| match input.get(usize::from(field)) {
            Some(InputCell::Index(index)) => Some(*index),
            _ => None,
        };
        let mut next = self.0.first();
        while let Some(BoundChoice { question, then, other }) = next {
            let holds = match *question {
                Question::HasInput => !input.is_empty(),
                Question::Same { field, with } => {
                    let with = match with {
                        Compared::Number(number) => Some(number),
                        Compared::Field(other) => index(other),
                    };
                    with.is_some() && index(field) == with
                }
            };
            match if holds { then } else { other } {
                Next::Variant(variant) => return *variant,
                Next::Choice(number) => next = self.0.get(*number),
            }
        }
        function
    }
}
