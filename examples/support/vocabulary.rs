//! Numbers of words and of tags.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroU32;

/// Numbers of words, which are rows of the embedding table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    ids: HashMap<String, u32>,
}

impl Vocabulary {
    /// The number of all words that are not in the vocabulary.
    pub const UNKNOWN: u32 = 0;

    /// The words that occur at least `minimum` times in `words`, which should be the training
    /// split: the embedding of a word that occurs only elsewhere could not be learned.
    ///
    /// The most frequent word has number 1; words of equal frequency are in alphabetical order, so
    /// the numbers do not depend on the order of `words`. With a minimum of 2 or more, rare words
    /// are mapped to [`UNKNOWN`](Self::UNKNOWN), whose row would otherwise never be trained.
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

    /// The number of rows of the embedding table: all words and [`UNKNOWN`](Self::UNKNOWN).
    pub fn size(&self) -> usize {
        self.ids.len() + 1
    }

    /// The number of `word`, less than [`size`](Self::size).
    pub fn id(&self, word: &str) -> u32 {
        self.ids.get(word).copied().unwrap_or(Self::UNKNOWN)
    }
}

/// The bucket of a word, less than `buckets`, if words are hashed (Weinberger et al., 2009, "Feature
/// hashing for large scale multitask learning"): a number that tells nothing about other words, as
/// their counts do, but that several words have.
pub fn bucket(word: &str, buckets: NonZeroU32) -> u32 {
    // FNV-1a, the same on every machine.
    let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash % u64::from(buckets.get())) as u32
}

/// Tags in alphabetical order; a tag's number is its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tags(Vec<String>);

impl Tags {
    /// The tags of the training split.
    pub fn new<'a>(tags: impl IntoIterator<Item = &'a str>) -> Self {
        let tags: BTreeSet<&str> = tags.into_iter().collect();
        Self(tags.into_iter().map(str::to_owned).collect())
    }

    /// The number of tags.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// The number of a tag. An unknown tag gets the number 0; that matters only in training,
    /// because predictions are compared by name.
    pub fn id(&self, tag: &str) -> u32 {
        self.0.binary_search_by(|other| other.as_str().cmp(tag)).unwrap_or(0) as u32
    }

    /// The tag of a number below [`size`](Self::size).
    pub fn name(&self, number: u32) -> &str {
        &self.0[number as usize]
    }

    /// The tag with the highest score.
    pub fn best(&self, scores: impl IntoIterator<Item = f32>) -> &str {
        &self.0[best(scores)]
    }
}

/// The class with the highest score; the first one in a tie, or the first whose score is NaN.
pub fn best(scores: impl IntoIterator<Item = f32>) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (class, score) in scores.into_iter().enumerate() {
        if score > best.1 || (score.is_nan() && !best.1.is_nan()) {
            best = (class, score);
        }
    }
    best.0
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

    #[test]
    fn words_are_spread_over_buckets() {
        let buckets = NonZeroU32::new(64).unwrap();
        let found: BTreeSet<u32> =
            (0..1000).map(|number| bucket(&number.to_string(), buckets)).collect();
        assert_eq!(found, (0..64).collect());
        // The published hash of "a" is af63dc4c8601ec8c.
        assert_eq!(bucket("a", NonZeroU32::MAX), 0x3565_c8d9);
    }

    #[test]
    fn tags_are_numbered_by_name() {
        let tags = Tags::new(["O", "B-X", "O", "I-X"]);
        assert_eq!((tags.size(), tags.id("B-X"), tags.id("O"), tags.id("new")), (3, 0, 2, 0));
        assert_eq!(tags.best([0.5, 2.0, -1.0]), "I-X");
    }
}
