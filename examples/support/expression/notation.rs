//! The notation of ListOps: parses an expression from tokens or text, and prints it.

use std::fmt;
use std::str::FromStr;

use super::{Expression, Item, Operator};

/// A token of the notation, as sequence models read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// An opening bracket with its operator: `[MAX`.
    Open(Operator),
    /// A digit, 0 to 9.
    Digit(u8),
    /// A closing bracket.
    Close,
}

impl Token {
    /// Parses the token `text` at position `position` of its expression.
    fn read(text: &str, position: usize) -> Result<Self, ParseError> {
        if text == "]" {
            return Ok(Self::Close);
        }
        if let [digit @ b'0'..=b'9'] = text.as_bytes() {
            return Ok(Self::Digit(digit - b'0'));
        }
        let token = text.to_owned();
        if let Some(name) = text.strip_prefix('[') {
            let operator = Operator::ALL.into_iter().find(|operator| operator.to_string() == name);
            return operator.map(Self::Open).ok_or(ParseError::UnknownOperator { token, position });
        }
        let number = text.strip_prefix('-').unwrap_or(text);
        if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(ParseError::DigitOutOfRange { token, position });
        }
        Err(ParseError::UnknownToken { token, position })
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(operator) => write!(f, "[{operator}"),
            Self::Digit(digit) => write!(f, "{digit}"),
            Self::Close => f.write_str("]"),
        }
    }
}

/// Why tokens are not an expression. Positions count tokens from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// There is no token.
    #[error("there is no expression: the input is empty")]
    Empty,
    /// A bracket is followed by an unknown operator.
    #[error("token {position}, `{token}`: the operators are [MIN, [MAX, [MED and [SM")]
    UnknownOperator {
        /// The token.
        token: String,
        /// Its position.
        position: usize,
    },
    /// A number is not one of the ten digits.
    #[error("token {position}, `{token}`: a digit is one of 0 to 9")]
    DigitOutOfRange {
        /// The token.
        token: String,
        /// Its position.
        position: usize,
    },
    /// A token is neither a digit nor a bracket.
    #[error("token {position}, `{token}`: expected a digit, an operator such as `[MAX`, or `]`")]
    UnknownToken {
        /// The token.
        token: String,
        /// Its position.
        position: usize,
    },
    /// An operator is closed before it has an argument.
    #[error("token {position}, `{token}`: the operator has no arguments")]
    NoArguments {
        /// The opening bracket with its operator.
        token: String,
        /// Its position.
        position: usize,
    },
    /// An operator is still open at the end.
    #[error("token {position}, `{token}`: the bracket is never closed")]
    Unclosed {
        /// The opening bracket with its operator.
        token: String,
        /// Its position.
        position: usize,
    },
    /// A closing bracket has no opening one.
    #[error("token {position}, `]`: there is no open bracket to close")]
    Unopened {
        /// The position of the closing bracket.
        position: usize,
    },
    /// Something follows after the end of the expression.
    #[error("token {position}, `{token}`: the expression has already ended")]
    Trailing {
        /// The token.
        token: String,
        /// Its position.
        position: usize,
    },
}

impl Expression {
    /// Parses an expression from `tokens`.
    pub fn from_tokens(tokens: impl IntoIterator<Item = Token>) -> Result<Self, ParseError> {
        let mut builder = Builder::new();
        for token in tokens {
            builder.push(token)?;
        }
        builder.finish()
    }

    /// The tokens of the expression, in order.
    pub fn tokens(&self) -> impl Iterator<Item = Token> {
        // A stack of what remains to be written: an item, or `None` for a closing bracket.
        let mut rest = vec![Some(self.items.len() - 1)];
        std::iter::from_fn(move || {
            let Some(number) = rest.pop()? else { return Some(Token::Close) };
            Some(match self.items[number] {
                Item::Digit(digit) => Token::Digit(digit),
                Item::Apply(operator) => {
                    rest.push(None);
                    rest.extend(self.arguments(number).iter().rev().copied().map(Some));
                    Token::Open(operator)
                }
            })
        })
    }
}

/// The notation of the paper, one space between tokens.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, token) in self.tokens().enumerate() {
            let space = if number == 0 { "" } else { " " };
            write!(f, "{space}{token}")?;
        }
        Ok(())
    }
}

impl FromStr for Expression {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut builder = Builder::new();
        for (before, token) in text.split_ascii_whitespace().enumerate() {
            builder.push(Token::read(token, before + 1)?)?;
        }
        builder.finish()
    }
}

/// An open operator.
struct Open {
    operator: Operator,
    /// The position of its token.
    position: usize,
    /// The index of its first argument in `waiting`.
    first: usize,
}

impl Open {
    fn token(&self) -> String {
        Token::Open(self.operator).to_string()
    }
}

/// A partially read expression.
struct Builder {
    expression: Expression,
    /// The items whose operator is still open, those of the outermost operator first.
    waiting: Vec<usize>,
    open: Vec<Open>,
    /// The number of tokens read so far.
    position: usize,
}

impl Builder {
    fn new() -> Self {
        let expression = Expression {
            items: Vec::new(),
            starts: vec![0],
            arguments: Vec::new(),
            answers: Vec::new(),
            depth: 0,
        };
        Self { expression, waiting: Vec::new(), open: Vec::new(), position: 0 }
    }

    fn push(&mut self, token: Token) -> Result<(), ParseError> {
        self.position += 1;
        let position = self.position;
        let ended = self.open.is_empty() && !self.expression.items.is_empty();
        match token {
            Token::Close => return self.close(),
            _ if ended => {
                return Err(ParseError::Trailing { token: token.to_string(), position });
            }
            Token::Open(operator) => {
                self.open.push(Open { operator, position, first: self.waiting.len() });
                self.expression.depth = self.expression.depth.max(self.open.len());
            }
            Token::Digit(digit @ 0..=9) => self.add(Item::Digit(digit), &[], digit),
            Token::Digit(_) => {
                return Err(ParseError::DigitOutOfRange { token: token.to_string(), position });
            }
        }
        Ok(())
    }

    /// Applies the innermost open operator.
    fn close(&mut self) -> Result<(), ParseError> {
        let position = self.position;
        let open = self.open.pop().ok_or(ParseError::Unopened { position })?;
        let arguments = self.waiting.split_off(open.first);
        let digits: Vec<u8> = arguments.iter().map(|&k| self.expression.answers[k]).collect();
        let answer = open.operator.apply(&digits).ok_or_else(|| ParseError::NoArguments {
            token: open.token(),
            position: open.position,
        })?;
        self.add(Item::Apply(open.operator), &arguments, answer);
        Ok(())
    }

    fn add(&mut self, item: Item, arguments: &[usize], answer: u8) {
        let Expression { items, starts, arguments: all, answers, .. } = &mut self.expression;
        self.waiting.push(items.len());
        items.push(item);
        all.extend_from_slice(arguments);
        starts.push(all.len());
        answers.push(answer);
    }

    fn finish(self) -> Result<Expression, ParseError> {
        if let Some(open) = self.open.last() {
            return Err(ParseError::Unclosed { token: open.token(), position: open.position });
        }
        if self.expression.items.is_empty() {
            return Err(ParseError::Empty);
        }
        Ok(self.expression)
    }
}
