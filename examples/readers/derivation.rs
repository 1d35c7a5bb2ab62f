//! Sentences and their derivations, trees with any labels: of a treebank in brackets, such as
//! `(S (NP (NNP Mr.) (NNP Vinken)) (VP (VBZ is) (NN chairman)))`, or of generated arithmetic.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::str::FromStr;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::lines::LineError;
use crate::source::Source;
use crate::tree::{END, SyntaxError, lexemes};
use support::splits::Splits;

/// A phrase, and the numbers of its parts; a leaf has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbol {
    pub label: String,
    pub parts: Vec<usize>,
}

/// A sentence and its tree: the root first, and each symbol before its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derivation {
    pub words: Vec<String>,
    pub symbols: Vec<Symbol>,
}

/// Reads the sentences of up to `longest` words of the Penn Treebank's binarised sample in the
/// folder, the last twentieth for test, the one before for dev; without a folder, derives generated
/// arithmetic.
pub fn read(source: &Source, longest: usize) -> Result<Splits<Derivation>, LineError> {
    let Some(folder) = &source.data else { return Ok(generated()) };
    let mut train: Vec<Derivation> = source.read(folder, "wsj_sample_bin.txt", str::parse)?;
    // One word alone has no phrase.
    train.retain(|sentence| (2..=longest).contains(&sentence.words.len()));
    train.iter_mut().for_each(Derivation::read_tags);
    let part = train.len() / 20;
    let test = train.split_off(train.len() - part);
    let dev = train.split_off(train.len() - part);
    Ok(Splits { train, dev, test })
}

impl Derivation {
    /// Reads the sentence as tags, the labels of its leaves.
    pub fn read_tags(&mut self) {
        let leaves = self.symbols.iter().filter(|symbol| symbol.parts.is_empty());
        self.words = leaves.map(|symbol| symbol.label.clone()).collect();
    }
}

impl FromStr for Derivation {
    type Err = SyntaxError;

    fn from_str(line: &str) -> Result<Self, SyntaxError> {
        let Self { mut words, mut symbols } = Self::default();
        let mut open: Vec<usize> = Vec::new();
        let mut next = Next::Tree;
        let error = |next: Next, offset: usize, found| {
            let column = line[..offset].chars().count() + 1;
            Err(SyntaxError { column, expected: next.expected(), found })
        };
        for (offset, lexeme) in lexemes(line) {
            next = match (next, lexeme) {
                (Next::Tree | Next::Contents | Next::Parts, "(") => {
                    let new = symbols.len();
                    symbols.push(Symbol::default());
                    if let Some(above) = open.last() {
                        symbols[*above].parts.push(new);
                    }
                    open.push(new);
                    Next::Label
                }
                (Next::Close | Next::Parts, ")") => {
                    open.pop();
                    if open.is_empty() { Next::End } else { Next::Parts }
                }
                (Next::Label, label) if !["(", ")"].contains(&label) => {
                    symbols.last_mut().expect("it is open").label = label.to_owned();
                    Next::Contents
                }
                (Next::Contents, word) if word != ")" => {
                    words.push(word.to_owned());
                    Next::Close
                }
                _ => return error(next, offset, format!("`{lexeme}`")),
            };
        }
        match next {
            Next::End => Ok(Self { words, symbols }),
            _ => error(next, line.len(), END.to_owned()),
        }
    }
}

/// What comes next in a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Tree,
    Label,
    Contents,
    /// What ends a leaf.
    Close,
    /// What follows a part.
    Parts,
    End,
}

impl Next {
    fn expected(self) -> &'static str {
        match self {
            Self::Tree => "`(`",
            Self::Label => "a label",
            Self::Contents => "a word or the `(` of a part",
            Self::Close => "`)`",
            Self::Parts => "the `(` of a part or `)`",
            Self::End => END,
        }
    }
}

/// What a symbol stands for: its first word, how many, whether it is a leaf, its label.
pub type Span<'a> = (usize, Reverse<usize>, bool, &'a str);

/// The spans of a tree whose symbols come before their parts, from left to right, and the wider
/// ones first: so two trees are the same if their spans are.
pub fn spans<'a>(symbols: &'a [Symbol]) -> Vec<Span<'a>> {
    let one = |Symbol { label, parts }: &'a Symbol| -> Span<'a> {
        (0, Reverse(1), parts.is_empty(), label)
    };
    let mut spans: Vec<Span<'a>> = symbols.iter().map(one).collect();
    for (number, Symbol { parts, .. }) in symbols.iter().enumerate().rev() {
        let width = parts.iter().map(|part| spans[*part].1.0).sum::<usize>();
        spans[number].1 = Reverse(width.max(1));
    }
    for (number, Symbol { parts, .. }) in symbols.iter().enumerate() {
        let mut first = spans[number].0;
        for part in parts {
            spans[*part].0 = first;
            first += spans[*part].1.0;
        }
    }
    // Stable: where one symbol is all of another, the order remains.
    spans.sort_by_key(|(first, width, ..)| (*first, *width));
    spans
}

/// Arithmetic with signs, precedence and brackets: no expression occurs twice.
fn generated() -> Splits<Derivation> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut seen = HashSet::new();
    Splits::draw([20_000, 300, 500], || {
        loop {
            let mut expression = Derivation::default();
            let digits = rng.random_range(2..=6);
            expression.draw(&mut rng, digits, 0);
            if seen.insert(expression.words.clone()) {
                return expression;
            }
        }
    })
}

impl Derivation {
    /// Adds an expression of so many digits, in brackets if it binds less than `least`; returns its
    /// number.
    fn draw(&mut self, rng: &mut ChaCha8Rng, digits: usize, least: usize) -> usize {
        const OPERATORS: [(&str, usize); 4] = [("+", 1), ("-", 1), ("*", 2), ("/", 2)];
        let number = self.symbols.len();
        let mut symbol = |label: &str| {
            self.symbols.push(Symbol { label: label.to_owned(), parts: Vec::new() });
        };
        if rng.random_bool(0.1) {
            symbol("sign");
            self.words.push("-".to_owned());
            self.symbols[number].parts = vec![self.draw(rng, digits, 3)];
        } else if digits == 1 {
            let digit = rng.random_range(0..10).to_string();
            symbol(&digit);
            self.words.push(digit);
        } else {
            let (operator, binds) = OPERATORS[rng.random_range(0..4)];
            symbol(operator);
            let brackets = binds < least;
            let first = rng.random_range(1..digits);
            self.words.extend(brackets.then(|| "(".to_owned()));
            // What binds the same is read from the left.
            let left = self.draw(rng, first, binds);
            self.words.push(operator.to_owned());
            let right = self.draw(rng, digits - first, binds + 1);
            self.words.extend(brackets.then(|| ")".to_owned()));
            self.symbols[number].parts = vec![left, right];
        }
        number
    }
}

#[cfg(test)]
mod tests;
