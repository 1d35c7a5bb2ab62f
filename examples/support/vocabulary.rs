//! Numbers for words.

use std::collections::HashMap;

/// Numbers for words: a row of the embedding table each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    ids: HashMap<String, u32>,
}

impl Vocabulary {
    /// The number that stands for all words that are not in the vocabulary.
    pub const UNKNOWN: u32 = 0;

    /// The words that occur at least `minimum` times in `words`, which should be those of the
    /// training split: a word seen only later has no embedding that could have been learned.
    ///
    /// The most frequent word has number 1; words of one frequency are in alphabetical order, so
    /// the numbers do not depend on the order of the words. A minimum of 2 or more leaves rare
    /// words to [`UNKNOWN`](Self::UNKNOWN), without which that row would never be trained.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>, minimum: usize) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for word in words {
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
mod tests {
    use super::*;

    #[test]
    fn frequent_words_have_small_numbers() {
        let all = ["the", "old", "film", "the", "new", "film", "The", "the"];
        let vocabulary = Vocabulary::new(all, 1);
        assert_eq!(vocabulary.size(), 6);
        let words = ["the", "film", "The", "new", "old", "plot"];
        assert_eq!(words.map(|word| vocabulary.id(word)), [1, 2, 3, 4, 5, Vocabulary::UNKNOWN]);

        let frequent = Vocabulary::new(all, 2);
        assert_eq!(frequent.size(), 3);
        assert_eq!(words.map(|word| frequent.id(word)), [1, 2, 0, 0, 0, 0]);

        assert_eq!(Vocabulary::new(all, 4).size(), 1);
        assert_eq!(Vocabulary::new([], 0).size(), 1);
    }
}
