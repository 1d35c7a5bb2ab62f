//! ListOps expressions (Nangia and Bowman, 2018): nested lists of digits under four operators.
//!
//! ```text
//! [MAX 2 9 [MIN 4 7 ] 0 ]
//! ```
//!
//! has the answer 9. An [`Expression`] is flat: its digits and operators are in one list, arguments
//! before their operator. So a graph is built, and an answer computed, in one pass, and even deep
//! nesting cannot overflow the stack.

use std::fmt;

mod notation;

pub use notation::{ParseError, Token};

/// The operators on lists of digits; the result is a digit again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// The median; of an even number of digits, the mean of the middle two, truncated.
    Med,
    /// The sum modulo 10.
    Sm,
}

impl Operator {
    /// All operators, in the order of their discriminants.
    pub const ALL: [Self; 4] = [Self::Min, Self::Max, Self::Med, Self::Sm];

    /// The result for `digits`; `None` if there are none.
    fn apply(self, digits: &[u8]) -> Option<u8> {
        match self {
            Self::Min => digits.iter().copied().min(),
            Self::Max => digits.iter().copied().max(),
            Self::Med => {
                let mut sorted = digits.to_vec();
                sorted.sort_unstable();
                let upper = *sorted.get(sorted.len() / 2)?;
                let lower = sorted[(sorted.len() - 1) / 2];
                Some(u8::midpoint(lower, upper))
            }
            Self::Sm => digits.iter().copied().reduce(|sum, digit| (sum + digit) % 10),
        }
    }
}

/// The operator's name in the notation of the paper.
impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Min => "MIN",
            Self::Max => "MAX",
            Self::Med => "MED",
            Self::Sm => "SM",
        })
    }
}

/// A sub-expression, by its topmost symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// A digit, 0 to 9.
    Digit(u8),
    /// An operator; see [`Expression::arguments`].
    Apply(Operator),
}

/// An expression with the answers of all its sub-expressions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expression {
    /// Arguments come before their operator; the last item is the whole expression.
    items: Vec<Item>,
    /// The arguments of item `k` are `arguments[starts[k]..starts[k + 1]]`.
    starts: Vec<usize>,
    arguments: Vec<usize>,
    answers: Vec<u8>,
    depth: usize,
}

impl Expression {
    /// The sub-expressions, arguments before their operator; the last is the whole expression.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The indices of the items that are the arguments of item `number`; a digit has none.
    ///
    /// # Panics
    ///
    /// If there is no such item.
    pub fn arguments(&self, number: usize) -> &[usize] {
        &self.arguments[self.starts[number]..self.starts[number + 1]]
    }

    /// The answer of every item, in the order of [`items`](Self::items).
    pub fn answers(&self) -> &[u8] {
        &self.answers
    }

    /// The answer of the whole expression.
    pub fn answer(&self) -> u8 {
        self.answers[self.answers.len() - 1]
    }

    /// The number of operators around the innermost digit: 0 for a single digit.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The number of tokens: one per digit, two per operator.
    pub fn token_count(&self) -> usize {
        let operators = self.items.iter().filter(|item| matches!(item, Item::Apply(_))).count();
        self.items.len() + operators
    }
}

#[cfg(test)]
mod tests;
