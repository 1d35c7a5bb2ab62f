//! Random ListOps expressions, and data sets of them without repetitions.
//!
//! **The answers are not balanced.** Operators are equally likely, and so are digits, but MIN
//! pulls its answer towards 0, MAX towards 9 and MED towards the middle; only under SM are all
//! answers about equally likely. With the default settings 0 and 9 are the answers of 11 % of the
//! expressions each, the other digits of 9 to 10 %. Given the outermost operator the answers
//! differ far more: 33 % are 0 under MIN. So a model that reads nothing but that operator is right
//! in 24 % of the cases, and this, not 10 %, is what an accuracy has to be compared with.
//!
//! To balance the answers one would have to refuse expressions by their answer, and then
//! operators would no longer be equally likely.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::expression::{Expression, Operator, Token};
use crate::splits::Splits;

/// How many draws in a row may be refused before a generator gives up.
const PATIENCE: usize = 100_000;

/// Which expressions are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The fewest tokens of an expression.
    pub min_tokens: usize,
    /// The most tokens of an expression; a draw is abandoned where it would exceed them.
    pub max_tokens: usize,
    /// How deep operators may be nested; the outermost one has depth 1.
    pub max_depth: usize,
    /// How many arguments an operator takes, all numbers equally likely.
    pub arguments: RangeInclusive<usize>,
    /// The probability that an argument is nested, where the depth permits it, and no digit.
    pub nesting: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { min_tokens: 10, max_tokens: 50, max_depth: 6, arguments: 2..=5, nesting: 0.25 }
    }
}

impl Settings {
    fn check(&self) -> Result<(), GenerateError> {
        let (least, most) = (self.min_tokens, self.max_tokens);
        if least > most {
            return Err(GenerateError::Tokens { least, most });
        }
        if self.max_depth == 0 {
            return Err(GenerateError::Depth);
        }
        let (least, most) = (*self.arguments.start(), *self.arguments.end());
        if least == 0 || least > most {
            return Err(GenerateError::Arguments { least, most });
        }
        if !(0.0..=1.0).contains(&self.nesting) {
            return Err(GenerateError::Nesting { nesting: self.nesting });
        }
        Ok(())
    }
}

/// Why expressions cannot be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// No number of tokens is permitted.
    #[error("no expression has at least {least} and at most {most} tokens")]
    Tokens {
        /// The lower limit.
        least: usize,
        /// The upper limit.
        most: usize,
    },
    /// Not even one operator is permitted.
    #[error("the depth is limited to 0, but the outermost operator has depth 1")]
    Depth,
    /// No number of arguments is permitted, or none at all.
    #[error(
        "operators cannot take {least} to {most} arguments: \
         the range must start at 1 or later and not be empty"
    )]
    Arguments {
        /// The fewest arguments.
        least: usize,
        /// The most arguments.
        most: usize,
    },
    /// The probability of nesting is none.
    #[error("the probability of nesting is {nesting}, which is not between 0 and 1")]
    Nesting {
        /// What was given for it.
        nesting: f64,
    },
    /// The settings admit no expression, or hardly any.
    #[error("{PATIENCE} draws in a row had too few or too many tokens")]
    NoneFound,
    /// The settings admit too few different expressions.
    #[error(
        "only {found} of {wanted} different expressions found: \
         the next {PATIENCE} draws were repetitions or had too few or too many tokens"
    )]
    TooFew {
        /// How many were found.
        found: usize,
        /// How many the splits need together.
        wanted: usize,
    },
}

/// A source of random expressions: the same ones for the same settings and seed.
#[derive(Debug)]
pub struct Generator {
    settings: Settings,
    random: ChaCha8Rng,
}

impl Generator {
    /// A generator of expressions within `settings`.
    pub fn new(settings: Settings, seed: u64) -> Result<Self, GenerateError> {
        settings.check()?;
        Ok(Self { settings, random: ChaCha8Rng::seed_from_u64(seed) })
    }

    /// The next expression; it may have been drawn before.
    pub fn draw(&mut self) -> Result<Expression, GenerateError> {
        self.draw_where(|_| true).ok_or(GenerateError::NoneFound)
    }

    /// The next expression that is `wanted`, unless too many in a row are not.
    fn draw_where(&mut self, wanted: impl Fn(&Expression) -> bool) -> Option<Expression> {
        (0..PATIENCE).find_map(|_| self.attempt().filter(&wanted))
    }

    /// One draw, unless the number of its tokens is not within the limits.
    ///
    /// A draw knows nothing of the limits until it is refused. So an expression within them is as
    /// likely, compared with another one, as it is without limits.
    fn attempt(&mut self) -> Option<Expression> {
        let Settings { min_tokens, max_tokens, max_depth, nesting, .. } = self.settings;
        let mut tokens = Vec::new();
        // How many arguments each open operator still lacks.
        let mut lacking = Vec::new();
        self.open(&mut tokens, &mut lacking);
        loop {
            let depth = lacking.len();
            let Some(arguments) = lacking.last_mut() else { break };
            if tokens.len() >= max_tokens {
                // At least one bracket is still to be closed.
                return None;
            }
            if *arguments == 0 {
                tokens.push(Token::Close);
                lacking.pop();
            } else {
                *arguments -= 1;
                if depth < max_depth && self.random.random_bool(nesting) {
                    self.open(&mut tokens, &mut lacking);
                } else {
                    tokens.push(Token::Digit(self.random.random_range(0..10)));
                }
            }
        }
        if tokens.len() < min_tokens {
            return None;
        }
        // Brackets are balanced and no operator is without arguments, so these always spell an
        // expression.
        Expression::from_tokens(tokens).ok()
    }

    /// Opens an operator and decides how many arguments it takes.
    fn open(&mut self, tokens: &mut Vec<Token>, lacking: &mut Vec<usize>) {
        let operator = self.random.random_range(0..Operator::ALL.len());
        tokens.push(Token::Open(Operator::ALL[operator]));
        lacking.push(self.random.random_range(self.settings.arguments.clone()));
    }
}

/// Draws `train`, `dev` and `test` different expressions: the same ones for the same arguments. None
/// occurs twice, be it in one split or in two.
///
/// The test split is drawn first and the training split last. So the measure stays the same where
/// only the amount of training data is varied.
pub fn dataset(
    settings: Settings,
    seed: u64,
    train: usize,
    dev: usize,
    test: usize,
) -> Result<Splits<Expression>, GenerateError> {
    let mut generator = Generator::new(settings, seed)?;
    let mut seen = HashSet::new();
    let mut split = |size| {
        let mut expressions = Vec::new();
        for _ in 0..size {
            let new = |expression: &Expression| !seen.contains(expression);
            let expression = generator.draw_where(new).ok_or_else(|| GenerateError::TooFew {
                found: seen.len(),
                wanted: train.saturating_add(dev).saturating_add(test),
            })?;
            seen.insert(expression.clone());
            expressions.push(expression);
        }
        Ok(expressions)
    };
    let test = split(test)?;
    let dev = split(dev)?;
    let train = split(train)?;
    Ok(Splits { train, dev, test })
}

#[cfg(test)]
mod tests;
