//! The splits of the Stanford Sentiment Treebank (Socher et al., 2013).
//!
//! A split is a text file, or a gzip'd one, with one [`Tree`] a line.

use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

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
    pub fn read(directory: impl AsRef<Path>) -> Result<Self, LineError> {
        let directory = directory.as_ref();
        Ok(Self {
            train: read_split(directory, "train")?,
            dev: read_split(directory, "dev")?,
            test: read_split(directory, "test")?,
        })
    }

    /// Trees over four words: the label of a phrase is the mean of its words', halves rounded up.
    pub fn generated() -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut tree = || {
            let mut parts: Vec<(String, usize, usize)> = (0..rng.random_range(1..9))
                .map(|_| {
                    let (word, label) = WORDS[rng.random_range(0..WORDS.len())];
                    (format!("({label} {word})"), label, 1)
                })
                .collect();
            while parts.len() > 1 {
                let at = rng.random_range(0..parts.len() - 1);
                let (right, more, count) = parts.remove(at + 1);
                let (left, sum, words) = &parts[at];
                let (sum, words) = (sum + more, words + count);
                let label = (2 * sum + words) / (2 * words);
                parts[at] = (format!("({label} {left} {right})"), sum, words);
            }
            parts[0].0.parse().expect("this is a tree")
        };
        let mut split = |count| (0..count).map(|_| tree()).collect();
        Self { train: split(800), dev: split(100), test: split(100) }
    }
}

/// Words of generated trees, and their labels.
const WORDS: [(&str, usize); 4] = [("awful", 0), ("dull", 1), ("a", 2), ("joy", 4)];

/// Reads one split in `directory`, from the plain file if there is one.
fn read_split(directory: &Path, split: &str) -> Result<Vec<Tree>, LineError> {
    let path = lines::find(directory, &format!("{split}.txt"))?;
    lines::read(&path, usize::MAX, str::parse)
}

#[cfg(test)]
mod tests;
