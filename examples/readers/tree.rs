//! Binary trees over the words of a sentence, a label at every vertex, in the notation of the
//! Stanford Sentiment Treebank.
//!
//! ```text
//! (3 (2 a) (3 (3 good) (2 film)))
//! ```
//!
//! A [`Tree`] is flat: its vertices lie in one list, both children before their parent. So a
//! graph is built in one pass from the front, and no depth of a tree can exhaust the stack.

use std::fmt;
use std::str::FromStr;

/// The number of labels: 0 is very negative, 2 neutral, 4 very positive.
pub const LABELS: u8 = 5;

/// What a vertex of a tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreeKind {
    /// A word of the sentence.
    Leaf {
        /// Which of [`Tree::words`].
        word: usize,
    },
    /// A phrase of two parts.
    Inner {
        /// Which of [`Tree::vertices`] the left part is.
        left: usize,
        /// Which of [`Tree::vertices`] the right part is.
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

    /// All vertices, both children before their parent; the root is the last.
    pub fn vertices(&self) -> &[TreeVertex] {
        &self.vertices
    }

    /// The label of the whole sentence.
    pub fn label(&self) -> u8 {
        self.vertices[self.root()].label
    }

    /// The number of the root; a parsed tree has at least one vertex.
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
        // What is still to be written, next on top.
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

/// Where and why a line is not a tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: expected {expected}, found {found}")]
pub struct SyntaxError {
    /// The first character that does not fit, counted from 1.
    pub column: usize,
    /// What would have fitted.
    pub expected: &'static str,
    /// What is there, in backticks if it is text.
    pub found: String,
}

/// How much of a vertex has been read.
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

/// A tree of which a part has been read.
struct Parser {
    tree: Tree,
    /// The vertices that are not closed yet, the innermost on top.
    open: Vec<Open>,
}

impl Parser {
    /// Takes `lexeme` in, if it fits here.
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

    /// What would fit here.
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

/// How errors call the place after the last lexeme.
const END: &str = "the end of the line";

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

/// The label that `text` is: one digit less than [`LABELS`].
fn read_label(text: &str) -> Option<u8> {
    let [digit] = text.as_bytes() else { return None };
    digit.checked_sub(b'0').filter(|&label| label < LABELS)
}

/// The brackets and the text between them, each with its byte offset in `line`.
///
/// Only the ASCII space separates: words of the treebank contain other spaces, such as U+00A0.
fn lexemes(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + line[at..].find(|c| c != ' ')?;
        let rest = &line[start..];
        let length = match rest.find([' ', '(', ')']) {
            Some(0) => 1,
            Some(length) => length,
            None => rest.len(),
        };
        at = start + length;
        Some((start, &rest[..length]))
    })
}

// By path, since this file is included by its path.
#[cfg(test)]
mod tests;
