//! The splits of the Stanford Sentiment Treebank (Socher et al., 2013).
//!
//! A split is a text file, plain or gzipped, with one [`Tree`] per line.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::tree::Tree;
use crate::lines::LineError;
use crate::source::Source;
use support::splits::Splits;

/// Reads `train.txt`, `dev.txt` and `test.txt` in the folder; without a folder, trees are
/// generated.
pub fn read(source: &Source) -> Result<Splits<Tree>, LineError> {
    let Some(folder) = &source.data else { return Ok(generated()) };
    let split = |name: &str| source.read(folder, &format!("{name}.txt"), str::parse);
    Splits::read(["train", "dev", "test"], split)
}

/// Generates trees over four words: a phrase's label is the mean of its words' labels, with halves
/// rounded up.
fn generated() -> Splits<Tree> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    Splits::draw([800, 100, 100], || {
        let mut parts: Vec<(String, usize, usize)> = (0..rng.random_range(1..9))
            .map(|_| {
                let (word, label) = WORDS[rng.random_range(0..WORDS.len())];
                (format!("({label} {word})"), label, 1)
            })
            .collect();
        while parts.len() > 1 {
            let place = rng.random_range(0..parts.len() - 1);
            let (right, more, count) = parts.remove(place + 1);
            let (left, sum, words) = &parts[place];
            let (sum, words) = (sum + more, words + count);
            let label = (2 * sum + words) / (2 * words);
            parts[place] = (format!("({label} {left} {right})"), sum, words);
        }
        parts[0].0.parse().expect("this is a tree")
    })
}

/// The words of generated trees, and their labels.
const WORDS: [(&str, usize); 4] = [("awful", 0), ("dull", 1), ("a", 2), ("joy", 4)];

#[cfg(test)]
mod tests;
