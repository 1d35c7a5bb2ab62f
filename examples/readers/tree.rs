//! Binary trees over the words of a sentence, with a label at every vertex, in the notation of the
//! Stanford Sentiment Treebank.
//!
//! ```text
//! (3 (2 a) (3 (3 good) (2 film)))
//! ```
//!
//! A [`Tree`] is flat: its vertices are in one list, children before their parent. So a graph is
//! built in one pass, and even a deep tree cannot overflow the stack.

use std::fmt;
use std::str::FromStr;

/// The number of labels: 0 is very negative, 2 neutral, 4 very positive.
pub const LABELS: u8 = 5;

/// What the labels mean.
pub const CLASSES: [&str; LABELS as usize] =
    ["very negative", "negative", "neutral", "positive", "very positive"];

/// The kind of a tree's vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreeKind {
    /// A word of the sentence.
    Leaf {
        /// Its index in [`Tree::words`].
        word: usize,
    },
    /// A phrase of two parts.
    Inner {
        /// The index of the left part in [`Tree::vertices`].
        left: usize,
        /// The index of the right part in [`Tree::vertices`].
        right: usize,
    },
}

/// A word or a phrase of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TreeVertex {
    /// Its sentiment, less than [`LABELS`].
    pub label: u8,
    /// Whether it is a word or a phrase, and which.
    pub kind: TreeKind,
}

/// A sentence as a binary tree of labelled phrases.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tree {
    words: Vec<String>,
    /// Children come before their parent; the last vertex is the root.
    vertices: Vec<TreeVertex>,
}

impl Tree {
    /// The words of the sentence, in order.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// All vertices, children before their parent; the root is the last.
    pub fn vertices(&self) -> &[TreeVertex] {
        &self.vertices
    }

    /// The label of the whole sentence.
    pub fn label(&self) -> u8 {
        self.vertices[self.root()].label
    }

    /// The index of the root; a parsed tree has at least one vertex.
    fn root(&self) -> usize {
        self.vertices.len() - 1
    }
}

/// The notation of the treebank.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Step {
            Vertex(usize),
            Text(&'static str),
        }
        // A stack of what remains to be written.
        let mut rest = vec![Step::Vertex(self.root())];
        while let Some(step) = rest.pop() {
            match step {
                Step::Text(text) => f.write_str(text)?,
                Step::Vertex(number) => {
                    let TreeVertex { label, kind } = self.vertices[number];
                    match kind {
                        TreeKind::Leaf { word } => write!(f, "({label} {})", self.words[word])?,
                        TreeKind::Inner { left, right } => {
                            write!(f, "({label} ")?;
                            rest.extend([
                                Step::Text(")"),
                                Step::Vertex(right),
                                Step::Text(" "),
                                Step::Vertex(left),
                            ]);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// The position and the reason at which parsing a tree failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: expected {expected}, found {found}")]
pub struct SyntaxError {
    /// The column of the first unexpected character, counted from 1.
    pub column: usize,
    /// What was expected.
    pub expected: &'static str,
    /// What was found, in backticks if it is text.
    pub found: String,
}

/// How much of an open vertex has been read.
#[derive(Clone, Copy)]
enum Open {
    /// The bracket.
    Bracket,
    /// The label.
    Label(u8),
    /// The label and the word.
    Word(u8, usize),
    /// The label and the left child.
    Left(u8, usize),
    /// The label and both children.
    Both(u8, usize, usize),
}

/// A partially read tree.
struct Parser {
    tree: Tree,
    /// The stack of open vertices, innermost on top.
    open: Vec<Open>,
}

impl Parser {
    /// Accepts `lexeme`, if it is valid here.
    fn accept(&mut self, lexeme: &str) -> Option<()> {
        match lexeme {
            "(" => match self.open.last() {
                None if !self.ended() => self.open.push(Open::Bracket),
                Some(Open::Label(_) | Open::Left(..)) => self.open.push(Open::Bracket),
                _ => return None,
            },
            ")" => {
                let vertex = match *self.open.last()? {
                    Open::Word(label, word) => TreeVertex { label, kind: TreeKind::Leaf { word } },
                    Open::Both(label, left, right) => {
                        TreeVertex { label, kind: TreeKind::Inner { left, right } }
                    }
                    _ => return None,
                };
                let number = self.tree.vertices.len();
                self.tree.vertices.push(vertex);
                self.open.pop();
                if let Some(parent) = self.open.last_mut() {
                    *parent = match *parent {
                        Open::Label(label) => Open::Left(label, number),
                        Open::Left(label, left) => Open::Both(label, left, number),
                        _ => return None,
                    };
                }
            }
            text => {
                let top = self.open.last_mut()?;
                *top = match *top {
                    Open::Bracket => Open::Label(read_label(text)?),
                    Open::Label(label) => {
                        self.tree.words.push(text.to_owned());
                        Open::Word(label, self.tree.words.len() - 1)
                    }
                    _ => return None,
                };
            }
        }
        Some(())
    }

    /// Whether the tree is complete.
    fn ended(&self) -> bool {
        self.open.is_empty() && !self.tree.vertices.is_empty()
    }

    /// What is expected here.
    fn expected(&self) -> &'static str {
        match self.open.last() {
            None if self.ended() => END,
            None => "`(`",
            Some(Open::Bracket) => "a label from 0 to 4",
            Some(Open::Label(_)) => "a word or the `(` of the left child",
            Some(Open::Left(..)) => "the `(` of the right child",
            Some(Open::Word(..) | Open::Both(..)) => "`)`",
        }
    }
}

/// The name of the end of the line in errors.
pub(crate) const END: &str = "the end of the line";

impl FromStr for Tree {
    type Err = SyntaxError;

    fn from_str(line: &str) -> Result<Self, SyntaxError> {
        let tree = Self { words: Vec::new(), vertices: Vec::new() };
        let mut parser = Parser { tree, open: Vec::new() };
        let error = |parser: &Parser, offset, found| {
            let column = line[..offset].chars().count() + 1;
            Err(SyntaxError { column, expected: parser.expected(), found })
        };
        for (offset, lexeme) in lexemes(line) {
            if parser.accept(lexeme).is_none() {
                return error(&parser, offset, format!("`{lexeme}`"));
            }
        }
        if !parser.ended() {
            return error(&parser, line.len(), END.to_owned());
        }
        Ok(parser.tree)
    }
}

/// The label in `text`: a single digit less than [`LABELS`].
fn read_label(text: &str) -> Option<u8> {
    let [digit] = text.as_bytes() else { return None };
    digit.checked_sub(b'0').filter(|&label| label < LABELS)
}

/// The brackets and the text between them, each with its byte offset in `line`.
///
/// Only ASCII spaces separate: words of the treebank contain other spaces, such as U+00A0.
pub(crate) fn lexemes(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut end = 0;
    std::iter::from_fn(move || {
        let start = end + line[end..].find(|c| c != ' ')?;
        let rest = &line[start..];
        let length = match rest.find([' ', '(', ')']) {
            Some(0) => 1,
            Some(length) => length,
            None => rest.len(),
        };
        end = start + length;
        Some((start, &rest[..length]))
    })
}

#[cfg(test)]
mod tests;
