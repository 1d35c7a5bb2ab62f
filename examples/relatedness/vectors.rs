//! Vectors of words from a file: a heading `count size`, then a word and its numbers a line.

use std::collections::HashMap;
use std::path::Path;

use crate::support::lines::{self, LineError, Malformed, items};

/// Vectors of one size.
pub struct Vectors {
    vectors: HashMap<String, Vec<f64>>,
    /// What a word has that is not among them.
    unknown: Vec<f64>,
}

impl Vectors {
    /// Reads a file.
    pub fn read(path: &Path, malformed: Malformed) -> Result<Self, LineError> {
        let mut lines = lines::open(path)?;
        let heading = lines.next_line()?.unwrap_or_default();
        let size = items(&heading).nth(1).and_then(|size| size.parse::<usize>().ok());
        let size = size.filter(|size| *size > 0);
        let size =
            size.ok_or_else(|| lines.wrong("expected the number of words and their size"))?;
        let mut vectors = HashMap::new();
        while let Some(line) = lines.next_line()? {
            let vector = vector(&line, size).map_err(|reason| lines.wrong(reason));
            vectors.extend(malformed.take(vector)?);
        }
        Ok(Self { vectors, unknown: vec![0.0; size] })
    }

    /// Vectors of zeros and a one each.
    pub fn one_hot(words: impl ExactSizeIterator<Item = String>) -> Self {
        let unknown = vec![0.0; words.len()];
        let one_hot = |(at, word)| {
            let mut vector = unknown.clone();
            vector[at] = 1.0;
            (word, vector)
        };
        Self { vectors: words.enumerate().map(one_hot).collect(), unknown: unknown.clone() }
    }

    /// The vector of a word; zeros if it has none.
    pub fn of(&self, word: &str) -> &[f64] {
        self.vectors.get(word).unwrap_or(&self.unknown)
    }

    /// How many numbers a vector has.
    pub fn size(&self) -> usize {
        self.unknown.len()
    }
}

/// A word and its vector.
fn vector(line: &str, size: usize) -> Result<(String, Vec<f64>), String> {
    let mut items = items(line);
    let word = items.next().ok_or("expected a word")?;
    let number = |item: &str| match item.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!("expected a number, found `{item}`")),
    };
    let numbers = items.map(number).collect::<Result<Vec<_>, _>>()?;
    match numbers.len() == size {
        true => Ok((word.to_owned(), numbers)),
        false => Err(format!("expected {size} numbers, found {}", numbers.len())),
    }
}
