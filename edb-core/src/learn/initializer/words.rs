//! Initial values of an embedding from a file of word vectors.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::{Draws, Values};
use crate::learn::error::LearnError;

/// Pretrained word vectors, read from a text file: one line for each word, the word and its numbers
/// separated by spaces, as GloVe, word2vec and fastText write them. A first line of two numbers
/// (the number of words, and of numbers for each) is skipped.
///
/// ```no_run
/// # fn main() -> Result<(), edb_core::learn::LearnError> {
/// use edb_core::learn::WordVectors;
///
/// let vocabulary = ["<unknown>", "the", "cat"];
/// let vectors = WordVectors::read("glove.6B.100d.txt", &vocabulary, 42)?;
/// println!("{} of {} words have no vector", vectors.missing().len(), vocabulary.len());
/// let setup = edb_core::dims! { V: 3, X: 100 }.init("table", vectors.values());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct WordVectors {
    values: Values,
    width: usize,
    missing: Vec<String>,
}

impl WordVectors {
    /// Reads the vectors of a vocabulary's words, in its order. If the file has a word twice, its
    /// first vector counts. A word that the file lacks gets normal numbers drawn from `seed` and
    /// the word, with the standard deviation of all numbers that were read.
    ///
    /// # Errors
    ///
    /// [`LearnError::Io`], and [`LearnError::Corrupt`] for a line that is not a word followed by as
    /// many numbers as on the lines before.
    pub fn read<S: AsRef<str>>(
        path: impl AsRef<Path>,
        vocabulary: &[S],
        seed: u64,
    ) -> Result<Self, LearnError> {
        let path = path.as_ref();
        let io = |source| LearnError::Io { path: path.to_owned(), source };
        let mut rows: HashMap<&str, Vec<usize>> = HashMap::new();
        for (row, word) in vocabulary.iter().enumerate() {
            rows.entry(word.as_ref()).or_default().push(row);
        }
        let mut found: Vec<Option<Vec<f64>>> = vec![None; vocabulary.len()];
        let mut width = None;
        let mut lines = BufReader::new(File::open(path).map_err(io)?);
        let (mut line, mut number) = (Vec::new(), 0);
        while lines.read_until(b'\n', &mut line).map_err(io)? > 0 {
            number += 1;
            // Some files have words that are not UTF-8; they are in no vocabulary.
            let text = String::from_utf8_lossy(&line);
            let corrupt = |reason: String| LearnError::Corrupt {
                path: path.to_owned(),
                reason: format!("line {number} {reason}"),
            };
            let text = text.trim_end();
            let is_header = number == 1 && text.split(' ').count() == 2;
            if !is_header && !text.is_empty() {
                let fields = text.split(' ').count() - 1;
                let width = *width.get_or_insert(fields);
                if fields < width || width == 0 {
                    return Err(corrupt(format!("has {fields} numbers, not {width}")));
                }
                // A word may contain spaces: its numbers are the last fields of the line.
                let (start, _) =
                    text.rmatch_indices(' ').nth(width - 1).expect("they were counted");
                let (word, numbers) = text.split_at(start);
                for &row in rows.get(word).into_iter().flatten() {
                    if found[row].is_none() {
                        let parse = |number: &str| {
                            let parsed = number.parse::<f64>();
                            parsed.map_err(|_| corrupt(format!("has `{number}` for a number")))
                        };
                        found[row] =
                            Some(numbers[1..].split(' ').map(parse).collect::<Result<_, _>>()?);
                    }
                }
            }
            line.clear();
        }
        Ok(Self::complete(path, vocabulary, width.unwrap_or(0), found, seed))
    }

    /// Draws the vectors that are missing.
    fn complete<S: AsRef<str>>(
        path: &Path,
        vocabulary: &[S],
        width: usize,
        found: Vec<Option<Vec<f64>>>,
        seed: u64,
    ) -> Self {
        let read = || found.iter().flatten().flatten();
        let count = read().count().max(1) as f64;
        let mean = read().sum::<f64>() / count;
        let deviation = (read().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count).sqrt();
        let mut missing = Vec::new();
        let mut values = Vec::with_capacity(vocabulary.len() * width);
        for (word, vector) in vocabulary.iter().zip(found) {
            let word = word.as_ref();
            values.extend(vector.unwrap_or_else(|| {
                missing.push(word.to_owned());
                Draws::new(seed, word).normal(width, deviation).collect()
            }));
        }
        let source = format!("the word vectors of {}", path.display());
        let values = Values::new(vec![vocabulary.len(), width], values, source);
        Self { values, width, missing }
    }

    /// The length of a vector: the width of the embedding.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The words of the vocabulary that the file lacks, in its order.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// The values of an embedding of shape `[words, width]`.
    pub fn values(&self) -> Values {
        self.values.clone()
    }
}
