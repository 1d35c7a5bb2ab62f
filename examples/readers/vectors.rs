//! Word vectors from a file: a heading `count size`, then a word and its numbers per line.

use std::collections::HashMap;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::lines::{LineError, Lines, items};

/// The maximum size of a vector: more is an error in the heading.
const LARGEST: usize = 1 << 16;

/// Word vectors of the same size.
pub struct Vectors {
    vectors: HashMap<String, Vec<f64>>,
    /// The vector of unknown words.
    unknown: Vec<f64>,
}

impl Vectors {
    /// Reads a file.
    pub fn read(mut lines: Lines) -> Result<Self, LineError> {
        let heading = lines.next_text()?.unwrap_or_default();
        let numbers: Vec<Option<usize>> = items(&heading).map(|text| text.parse().ok()).collect();
        let [Some(_), Some(size @ 1..=LARGEST)] = numbers[..] else {
            return Err(lines.wrong("expected the number of words and their size"));
        };
        let vectors = lines.records(usize::MAX, |line| vector(line, size))?;
        Ok(Self { vectors: vectors.into_iter().collect(), unknown: vec![0.0; size] })
    }

    /// One-hot vectors.
    pub fn one_hot(words: impl ExactSizeIterator<Item = String>) -> Self {
        let unknown = vec![0.0; words.len()];
        let one_hot = |(element, word)| {
            let mut vector = unknown.clone();
            vector[element] = 1.0;
            (word, vector)
        };
        Self { vectors: words.enumerate().map(one_hot).collect(), unknown: unknown.clone() }
    }

    /// Random vectors, of numbers between -1 and 1.
    pub fn draw<'a>(words: impl IntoIterator<Item = &'a str>, size: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut vectors = HashMap::new();
        for word in words {
            vectors
                .entry(word.to_owned())
                .or_insert_with(|| (0..size).map(|_| rng.random_range(-1.0..1.0)).collect());
        }
        Self { vectors, unknown: vec![0.0; size] }
    }

    /// The vector of a word; zeros if it is unknown.
    pub fn vector(&self, word: &str) -> &[f64] {
        self.vectors.get(word).unwrap_or(&self.unknown)
    }

    /// The size of the vectors.
    pub fn size(&self) -> usize {
        self.unknown.len()
    }
}

/// A word and its vector.
fn vector(line: &str, size: usize) -> Result<(String, Vec<f64>), String> {
    let mut items = items(line);
    let word = items.next().ok_or("expected a word")?;
    let number = |item: &str| match item.parse::<f64>() {
        Ok(number) if (number as f32).is_finite() => Ok(number),
        _ => Err(format!("expected a number, found `{item}`")),
    };
    let numbers = items.map(number).collect::<Result<Vec<_>, _>>()?;
    match numbers.len() == size {
        true => Ok((word.to_owned(), numbers)),
        false => Err(format!("expected {size} numbers, found {}", numbers.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Malformed;

    #[test]
    fn vectors_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vectors");
        let read = |text: &str, malformed| {
            std::fs::write(&path, text).unwrap();
            Vectors::read(Lines::open(&path, malformed)?)
        };
        let vectors = read("2 3\na\u{a0}b 1 -2.5 3e-1\nc 0 0 1\n", Malformed::Stop).unwrap();
        assert_eq!(vectors.vector("a\u{a0}b"), [1.0, -2.5, 0.3]);
        assert_eq!((vectors.vector("d"), vectors.size()), (&[0.0; 3][..], 3));
        for (text, expected) in [
            ("", ", line 1: expected the number of words and their size"),
            ("2 0\n", ", line 1: expected the number of words and their size"),
            ("a 1 2\n", ", line 1: expected the number of words and their size"),
            ("1 99999999999999\n", ", line 1: expected the number of words and their size"),
            ("2 2\na 1 2\nb 1\n", ", line 3: expected 2 numbers, found 1"),
            ("2 2\na 1 x\n", ", line 2: expected a number, found `x`"),
            ("2 2\na 1 nan\n", ", line 2: expected a number, found `nan`"),
            ("2 2\na 1 1e39\n", ", line 2: expected a number, found `1e39`"),
        ] {
            let error = read(text, Malformed::Stop).err().unwrap().to_string();
            assert_eq!(error, format!("{}{expected}", path.display()));
        }
        let going_on = read("2 1\na 1\nb\nc 2\n", Malformed::Report).unwrap();
        assert_eq!((going_on.vector("b"), going_on.vector("c")), (&[0.0][..], &[2.0][..]));
    }
}
