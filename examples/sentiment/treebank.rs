//! The splits of the Stanford Sentiment Treebank (Socher et al., 2013), and the vocabulary of
//! their words.
//!
//! A split is a text file, or a gzip'd one, with one [`Tree`] a line.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::support::lines::{self, LineError};
use super::tree::Tree;

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
    /// A file cannot be read, or is no treebank.
    #[error(transparent)]
    Line(#[from] LineError),
}

/// Reads one split in `directory`, from the plain file if there is one.
fn read_split(directory: &Path, split: &str) -> Result<Vec<Tree>, TreebankError> {
    let plain = format!("{split}.txt");
    let packed = format!("{split}.txt.gz");
    match [&plain, &packed].map(|name| directory.join(name)).into_iter().find(|path| path.exists())
    {
        Some(path) => Ok(lines::read(&path, usize::MAX, str::parse)?),
        None => Err(TreebankError::Missing { directory: directory.to_owned(), plain, packed }),
    }
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
