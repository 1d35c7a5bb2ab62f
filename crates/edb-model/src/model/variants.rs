//! Which variant of a function a vertex is of: [`Choice`] with numbers for functions.

use edb_ir::{Begin, Choice, Compared, FunctionId};

use edb_vertex::cell::InputCell;

/// Which variant of a function a vertex is of, by the indices that it pulls; without choices there
/// is one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variants(Box<[BoundChoice]>);

#[derive(Clone, Copy, Debug)]
struct BoundChoice {
    /// The field of the input, in the order of the struct.
    field: usize,
    with: Compared,
    then: Next,
    other: Next,
}

#[derive(Clone, Copy, Debug)]
enum Next {
    Variant(FunctionId),
    Choice(usize),
}

impl Variants {
    /// Those of a function: `input_fields` are the fields of its input in the order of the struct,
    /// and `sections` its sections in the model, by number.
    pub(super) fn of(choices: &[Choice], input_fields: &[usize], sections: &[FunctionId]) -> Self {
        let place = |field: u16| input_fields[usize::from(field)];
        let next = |begin: Begin| match begin {
            Begin::Section(number) => Next::Variant(sections[usize::from(number)]),
            Begin::Choice(number) => Next::Choice(number.into()),
        };
        let choice = |choice: &Choice| BoundChoice {
            field: place(choice.question.field),
            with: match choice.question.with {
                Compared::Field(other) => Compared::Field(place(other) as u16),
                number => number,
            },
            then: next(choice.then),
            other: next(choice.other),
        };
        Self(choices.iter().map(choice).collect())
    }

    /// Whether there are several.
    pub(crate) fn are_several(&self) -> bool {
        !self.0.is_empty()
    }

    /// The variant of a vertex of `function` with this input. Input that is no index, which is
    /// reported elsewhere, is the same as none.
    pub(crate) fn choose(&self, function: FunctionId, input: &[InputCell]) -> FunctionId {
        let index = |field: usize| match input.get(field) {
            Some(InputCell::Index(index)) => Some(*index),
            _ => None,
        };
        let mut next = self.0.first();
        while let Some(BoundChoice { field, with, then, other }) = next {
            let with = match *with {
                Compared::Number(number) => Some(number),
                Compared::Field(field) => index(field.into()),
            };
            let holds = with.is_some() && index(*field) == with;
            match if holds { then } else { other } {
                Next::Variant(variant) => return *variant,
                Next::Choice(number) => next = self.0.get(*number),
            }
        }
        function
    }
}
