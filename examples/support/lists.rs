//! Random ListOps expressions, and data sets of distinct ones.
//!
//! **The answers are not balanced.** Operators are equally likely, and so are digits, but MIN skews
//! its answer towards 0, MAX towards 9 and MED towards the middle; only under SM are all answers
//! about equally likely. With the default settings, 0 and 9 are the answers of 11 % of the
//! expressions each, the other digits of 9 to 10 %. Given the outermost operator, the answers are
//! far less balanced: 33 % are 0 under MIN. So a model that reads only that operator is right in
//! 24 % of the cases, and this, not 10 %, is the baseline for an accuracy.
//!
//! Balancing the answers would mean rejecting expressions by their answer, and then operators would
//! no longer be equally likely.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::expression::{Expression, Operator, Token};
use crate::splits::Splits;

/// How many draws in a row may be rejected before a generator gives up.
const PATIENCE: usize = 100_000;

/// The distribution of expressions.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The minimum number of tokens of an expression.
    pub min_tokens: usize,
    /// The maximum number of tokens; a draw is abandoned when it would exceed this.
    pub max_tokens: usize,
    /// The maximum nesting depth of operators; the outermost one has depth 1.
    pub max_depth: usize,
    /// The number of arguments of an operator, each equally likely.
    pub arguments: RangeInclusive<usize>,
    /// The probability that an argument is nested rather than a digit, where the depth permits it.
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

/// Why no expressions can be drawn.
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
    /// The probability of nesting is not a probability.
    #[error("the probability of nesting is {nesting}, which is not between 0 and 1")]
    Nesting {
        /// The given value.
        nesting: f64,
    },
    /// The settings admit no expression, or hardly any.
    #[error("{PATIENCE} draws in a row had too few or too many tokens")]
    NoneFound,
    /// The settings admit too few distinct expressions.
    #[error(
        "only {found} of {wanted} different expressions found: \
         the next {PATIENCE} draws were repetitions or had too few or too many tokens"
    )]
    TooFew {
        /// The number that was found.
        found: usize,
        /// The number that all splits together need.
        wanted: usize,
    },
}

/// A generator of random expressions, determined by settings and seed.
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

    /// The next expression, which may be a repetition.
    pub fn draw(&mut self) -> Result<Expression, GenerateError> {
        self.draw_where(|_| true).ok_or(GenerateError::NoneFound)
    }

    /// The next expression that is `wanted`; `None` if too many in a row are not.
    fn draw_where(&mut self, wanted: impl Fn(&Expression) -> bool) -> Option<Expression> {
        (0..PATIENCE).find_map(|_| self.attempt().filter(&wanted))
    }

    /// One draw; `None` if its number of tokens is outside the limits.
    ///
    /// The limits only reject draws, and do not influence them. So the relative probabilities of
    /// the expressions within the limits are the same as without limits.
    fn attempt(&mut self) -> Option<Expression> {
        let Settings { min_tokens, max_tokens, max_depth, nesting, .. } = self.settings;
        let mut tokens = Vec::new();
        // The number of missing arguments of each open operator.
        let mut lacking = Vec::new();
        self.open(&mut tokens, &mut lacking);
        loop {
            let depth = lacking.len();
            let Some(arguments) = lacking.last_mut() else { break };
            if tokens.len() >= max_tokens {
                // No room remains for the closing brackets.
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
        // Brackets are balanced and every operator has arguments, so the tokens are always a valid
        // expression.
        Expression::from_tokens(tokens).ok()
    }

    /// Opens an operator and draws its number of arguments.
    fn open(&mut self, tokens: &mut Vec<Token>, lacking: &mut Vec<usize>) {
        let operator = self.random.random_range(0..Operator::ALL.len());
        tokens.push(Token::Open(Operator::ALL[operator]));
        lacking.push(self.random.random_range(self.settings.arguments.clone()));
    }
}

/// Draws `train`, `dev` and `test` distinct expressions, determined by the arguments. No expression
/// occurs twice, in one split or in two.
///
/// The test split is drawn first and the training split last, so that the test does not change when
/// only the amount of training data does.
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
