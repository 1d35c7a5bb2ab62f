//! The splits of the Stanford Sentiment Treebank (Socher et al., 2013), and the vocabulary of
//! their words.
//!
//! A split is a text file, or a gzip'd one, with one [`Tree`] a line.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use super::tree::{SyntaxError, Tree};

/// The three splits of a treebank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Treebank {
    /// What a model learns from.
    pub train: Vec<Tree>,
    /// What its settings are chosen by.
    pub dev: Vec<Tree>,
    /// What it is measured by at last.
    pub test: Vec<Tree>,
}

impl Treebank {
    /// Reads `train.txt`, `dev.txt` and `test.txt` in `directory`, or the same with `.gz` at the
    /// end where there is no plain file.
    pub fn read(directory: impl AsRef<Path>) -> Result<Self, TreebankError> {
        let directory = directory.as_ref();
        Ok(Self {
            train: read_split(directory, "train")?,
            dev: read_split(directory, "dev")?,
            test: read_split(directory, "test")?,
        })
    }
}

/// Why a treebank cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreebankError {
    /// There is no file of a split.
    #[error("{}: found neither `{plain}` nor `{packed}`", .directory.display())]
    Missing {
        /// Where the files should be.
        directory: PathBuf,
        /// The name of the plain file.
        plain: String,
        /// The name of the gzip'd file.
        packed: String,
    },
    /// A file cannot be opened.
    #[error("{}: cannot be opened: {error}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// A line cannot be read: the file is damaged, or it is no UTF-8 text.
    #[error("{}, line {line}: cannot be read: {error}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        error: io::Error,
    },
    /// A line is not a tree.
    #[error("{}, line {line}, {error}", .path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// Where and why.
        error: SyntaxError,
    },
}

/// Reads one split in `directory`, from the plain file if there is one.
fn read_split(directory: &Path, split: &str) -> Result<Vec<Tree>, TreebankError> {
    let plain = format!("{split}.txt");
    let packed = format!("{split}.txt.gz");
    for name in [&plain, &packed] {
        let path = directory.join(name);
        match File::open(&path) {
            Ok(file) if *name == packed => return read_trees(MultiGzDecoder::new(file), path),
            Ok(file) => return read_trees(file, path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(TreebankError::Open { path, error }),
        }
    }
    Err(TreebankError::Missing { directory: directory.to_owned(), plain, packed })
}

/// Reads one tree a line; `path` is for errors. Blank lines are skipped.
fn read_trees(text: impl Read, path: PathBuf) -> Result<Vec<Tree>, TreebankError> {
    let mut trees = Vec::new();
    for (line, text) in (1..).zip(BufReader::new(text).lines()) {
        let text = match text {
            Ok(text) => text,
            Err(error) => return Err(TreebankError::Line { path, line, error }),
        };
        if text.trim_ascii().is_empty() {
            continue;
        }
        match text.parse() {
            Ok(tree) => trees.push(tree),
            Err(error) => return Err(TreebankError::Syntax { path, line, error }),
        }
    }
    Ok(trees)
}

/// Numbers for words: a row of the embedding table each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    ids: HashMap<String, u32>,
}

impl Vocabulary {
    /// The number that stands for all words that are not in the vocabulary.
    pub const UNKNOWN: u32 = 0;

    /// The words that occur at least `minimum` times in `trees`, which should be the training
    /// split: a word seen only later has no embedding that could have been learned.
    ///
    /// The most frequent word has number 1; words of one frequency are in alphabetical order, so
    /// the numbers do not depend on the order of the trees. A minimum of 2 or more leaves rare
    /// words to [`UNKNOWN`](Self::UNKNOWN), without which that row would never be trained.
    pub fn new(trees: &[Tree], minimum: usize) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for word in trees.iter().flat_map(Tree::words) {
            *counts.entry(word).or_default() += 1;
        }
        let mut words: Vec<_> = counts.into_iter().filter(|&(_, n)| n >= minimum).collect();
        words.sort_unstable_by(|(a, m), (b, n)| n.cmp(m).then(a.cmp(b)));
        let words = words.into_iter().map(|(word, _)| word.to_owned());
        Self { ids: words.zip(Self::UNKNOWN + 1..).collect() }
    }

    /// How many numbers there are, [`UNKNOWN`](Self::UNKNOWN) included: the rows of an embedding
    /// table.
    pub fn size(&self) -> usize {
        self.ids.len() + 1
    }

    /// The number of `word`, less than [`size`](Self::size).
    pub fn id(&self, word: &str) -> u32 {
        self.ids.get(word).copied().unwrap_or(Self::UNKNOWN)
    }
}

#[cfg(test)]
mod tests;
