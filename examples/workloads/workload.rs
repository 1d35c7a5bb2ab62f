//! What a workload is: records, a model, a record as a graph, and what of it is necessary work.

use std::collections::HashMap;

use edb::Element;
use edb::prelude::*;

/// The words that the peers' embedding tables have.
pub const WORDS: usize = 20_000;

/// Records, and a model that runs over them.
pub trait Workload {
    /// One instance, as read from a file.
    type Record;
    /// The vertex functions of the model.
    type Functions;

    /// The instances, in file order.
    fn records(&self) -> &[Self::Record];

    /// Adds the vertex functions to a model of this size.
    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> Self::Functions;

    /// One instance as a graph.
    fn graph<T: Element>(
        &self,
        functions: &Self::Functions,
        model: &Model<T>,
        record: &Self::Record,
    ) -> Graph<T>;

    /// The floating-point operations of one instance's matrix products that a forward pass cannot
    /// do without, a multiplication and an addition being two. Training takes three times as many:
    /// the gradients of both factors of a product are such products again.
    fn flops(&self, record: &Self::Record, hidden: usize) -> u64;

    /// The step size of plain gradient descent: that of the peers, unless a workload diverges.
    fn learning_rate(&self) -> f64 {
        0.05
    }
}

/// Numbers for the words of a file, which are rows of a table.
#[derive(Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Every word is a letter and its number, as in generated files.
    Own { letter: char, size: usize },
    /// By first appearance.
    Found(HashMap<String, u32>),
}

impl Numbers {
    /// Numbers for these words: their own if all are `letter` and a number below `size`.
    pub fn new<'a>(
        letter: char,
        size: usize,
        words: impl Iterator<Item = &'a str> + Clone,
    ) -> Self {
        let own = Self::Own { letter, size };
        if words.clone().all(|word| own.id(word).is_some()) {
            return own;
        }
        let mut found = HashMap::new();
        for word in words {
            let next = found.len() as u32;
            // Not `entry`, which would copy every word.
            if !found.contains_key(word) {
                found.insert(word.to_owned(), next);
            }
        }
        Self::Found(found)
    }

    /// The number of a word; `None` if it has none.
    pub fn id(&self, word: &str) -> Option<u32> {
        match self {
            Self::Own { letter, size } => {
                let digits = word.strip_prefix(*letter)?;
                let plain = digits.bytes().all(|digit| digit.is_ascii_digit());
                let id: u32 = digits.parse().ok().filter(|_| plain)?;
                ((id as usize) < *size).then_some(id)
            }
            Self::Found(ids) => ids.get(word).copied(),
        }
    }

    /// How many rows a table for them has.
    pub fn size(&self) -> usize {
        match self {
            Self::Own { size, .. } => *size,
            Self::Found(ids) => ids.len().max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_words_keep_their_numbers() {
        let words = ["w3", "w19999", "w3"];
        let numbers = Numbers::new('w', WORDS, words.into_iter());
        assert_eq!(numbers.size(), WORDS);
        assert_eq!(words.map(|word| numbers.id(word)), [Some(3), Some(19_999), Some(3)]);
        assert_eq!(["w20000", "x3", "w", "w+3", "w-1"].map(|word| numbers.id(word)), [None; 5]);
    }

    #[test]
    fn other_words_are_numbered_as_they_come() {
        for last in ["w20000", "wide", "w+3"] {
            let numbers = Numbers::new('w', WORDS, ["w3", last, "w3"].into_iter());
            assert_eq!(numbers.size(), 2);
            assert_eq!([numbers.id("w3"), numbers.id(last)], [Some(0), Some(1)]);
            assert_eq!(numbers.id("w4"), None);
        }
        // A table has at least one row.
        assert_eq!(Numbers::Found(HashMap::new()).size(), 1);
    }
}
