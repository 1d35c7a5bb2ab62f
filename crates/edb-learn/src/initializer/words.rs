//! Initial values of an embedding from a file of word vectors.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::{Draws, Values};
use crate::error::LearnError;

/// Pretrained word vectors, read from a text file in the format of GloVe, word2vec and fastText: one line for
/// each word, with the word and its numbers separated by spaces. If the first line has two whole numbers, it is
/// a heading: the number of words, and the length of the vectors.
///
/// ```no_run
/// # extern crate edb_learn as edb;
/// # fn main() -> Result<(), edb::learn::LearnError> {
/// use edb::learn::WordVectors;
///
/// let vocabulary = ["<unknown>", "the", "cat"];
/// let vectors = WordVectors::read("glove.6B.100d.txt", &vocabulary, 42)?;
/// println!("{} of {} words have no vector", vectors.missing().len(), vocabulary.len());
/// // The values of a parameter: `dims! { .. }.init("table", values)`.
/// let values = vectors.values();
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
    /// [`LearnError::Io`], and [`LearnError::WordVectors`] for a line that is not a word followed by
    /// as many numbers as on the lines before, or as the heading says; for a number of such a word
    /// that is infinite in `f32` or not a number; and for a file without a vector.
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
        let (mut width, mut is_empty) = (None, true);
        let mut lines = BufReader::new(File::open(path).map_err(io)?);
        let (mut line, mut number) = (Vec::new(), 0);
        let wrong = |line: usize, reason: String| LearnError::WordVectors {
            path: path.to_owned(),
            line,
            reason,
        };
        while lines.read_until(b'\n', &mut line).map_err(io)? > 0 {
            number += 1;
            // Some files have words that are not UTF-8; they are in no vocabulary.
            let text = String::from_utf8_lossy(&line);
            let begin =
                if number == 1 { text.strip_prefix('\u{feff}').unwrap_or(&text) } else { &*text };
            let text = begin.trim_end();
            let heading = if number == 1 { width_of_heading(text) } else { None };
            if heading.is_some() {
                width = heading;
            } else if !text.is_empty() {
                let fields = text.split(' ').count() - 1;
                let width = *width.get_or_insert(fields);
                if fields == 0 || width == 0 {
                    let reason = "expected a word and its numbers, separated by spaces";
                    return Err(wrong(if fields == 0 { number } else { 1 }, reason.to_owned()));
                }
                if fields < width {
                    let reason = format!("expected a word and {width} numbers, found {fields}");
                    return Err(wrong(number, reason));
                }
                is_empty = false;
                // A word may contain spaces: its numbers are the last fields of the line.
                let (start, _) =
                    text.rmatch_indices(' ').nth(width - 1).expect("they were counted");
                let (word, numbers) = text.split_at(start);
                for &row in rows.get(word).into_iter().flatten() {
                    if found[row].is_none() {
                        let parse = |text: &str| match text.parse::<f64>() {
                            Ok(parsed) if (parsed as f32).is_finite() => Ok(parsed),
                            _ => Err(wrong(number, format!("expected a number, found `{text}`"))),
                        };
                        found[row] =
                            Some(numbers[1..].split(' ').map(parse).collect::<Result<_, _>>()?);
                    }
                }
            }
            line.clear();
        }
        if is_empty {
            let reason = "expected a word and its numbers, found the end of the file".to_owned();
            return Err(wrong(number + 1, reason));
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

/// The length of vectors, if a line is a heading, that is, two whole numbers.
fn width_of_heading(line: &str) -> Option<usize> {
    let (words, width) = line.split_once(' ')?;
    words.parse::<usize>().ok()?;
    width.parse().ok()
}
