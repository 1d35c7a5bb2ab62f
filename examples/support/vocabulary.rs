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

    /// What stands for it among the [`words`](Self::words).
    const UNKNOWN_WORD: &str = "<unknown>";

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

    /// All words, each at the place of its number, as they are saved with a model.
    pub fn words(&self) -> Vec<&str> {
        let mut words = vec![Self::UNKNOWN_WORD; self.size()];
        self.ids.iter().for_each(|(word, id)| words[*id as usize] = word);
        words
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

    /// All tags, each at the place of its number, as they are saved with a model.
    pub fn names(&self) -> &[String] {
        &self.0
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

    /// What a [conditional random field](https://en.wikipedia.org/wiki/Conditional_random_field) may say: 0 for what may
    /// be, and -∞ for what may not; of tags at the beginning, of pairs of tags that follow each other (row by row), and of
    /// tags at the end. What these sequences have may be.
    pub fn transitions<'a, S: IntoIterator<Item = &'a str>>(
        &self,
        sequences: impl IntoIterator<Item = S>,
    ) -> [Vec<f32>; 3] {
        let scheme = Scheme::of(&self.0);
        let count = self.size();
        let score = |before: Option<&str>, tag: Option<&str>| match scheme.allows(before, tag) {
            true => 0.0,
            false => f32::NEG_INFINITY,
        };
        let of = |tag: usize| Some(self.0[tag].as_str());
        let mut start: Vec<f32> = (0..count).map(|tag| score(None, of(tag))).collect();
        let mut moves: Vec<f32> =
            (0..count * count).map(|pair| score(of(pair / count), of(pair % count))).collect();
        let mut stop: Vec<f32> = (0..count).map(|tag| score(of(tag), None)).collect();
        for sequence in sequences {
            let mut before = None;
            for tag in sequence {
                let tag = self.id(tag) as usize;
                *before.map_or(&mut start[tag], |before: usize| &mut moves[before * count + tag]) =
                    0.0;
                before = Some(tag);
            }
            if let Some(last) = before {
                stop[last] = 0.0;
            }
        }
        [start, moves, stop]
    }

    /// The tag with the highest score.
    pub fn best(&self, scores: impl IntoIterator<Item = f32>) -> &str {
        &self.0[best(scores)]
    }
}

/// How tags mark where an entity begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    /// Tags mark nothing, or only that a word is in an entity.
    Plain,
    /// `B-X` at the beginning, `I-X` after it.
    Bio,
    /// `B-X`, `M-X`, `E-X` for beginning, middle and end, `S-X` for a single word.
    Bmes,
}

impl Scheme {
    fn of(tags: &[String]) -> Self {
        let has = |sign| tags.iter().any(|tag| tag.starts_with(sign));
        match (has("B-"), has("E-")) {
            (true, true) => Self::Bmes,
            (true, false) => Self::Bio,
            _ => Self::Plain,
        }
    }

    /// Whether a tag may follow another; `None` is before the first and after the last one.
    fn allows(self, before: Option<&str>, tag: Option<&str>) -> bool {
        let [(last, of_last), (sign, of)] =
            [before, tag].map(|tag| tag.and_then(|tag| tag.split_once('-')).unwrap_or(("O", "")));
        let goes_on =
            ["I", "M", "E"].contains(&sign) && ["B", "I", "M"].contains(&last) && of_last == of;
        match self {
            Self::Plain => true,
            // An entity may end anywhere.
            Self::Bio => sign != "I" || goes_on,
            // An entity that has begun goes on until it has ended.
            Self::Bmes => {
                ["B", "M"].contains(&last) == ["M", "E"].contains(&sign)
                    && (!["M", "E"].contains(&sign) || goes_on)
            }
        }
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
    fn entities_go_on_and_end() {
        let of = |tags: &str, sequences: &[&str]| {
            let tags = Tags::new(tags.split(' '));
            let [start, moves, stop] =
                tags.transitions(sequences.iter().map(|sequence| sequence.split(' ')));
            let marks = |scores: &[f32]| -> String {
                scores.iter().map(|score| if *score == 0.0 { '+' } else { '-' }).collect()
            };
            [marks(&start), marks(&moves), marks(&stop)]
        };
        // In the order B-X, B-Y, I-X, I-Y, O.
        let bio = "B-X I-X B-Y I-Y O";
        assert_eq!(of(bio, &[]), ["++--+", "+++-+++-+++++-+++-++++--+", "+++++"]);
        assert_eq!(of(bio, &["O I-X", "I-Y"]), ["++-++", "+++-+++-+++++-+++-+++++-+", "+++++"]);
        // In the order B-X, E-X, M-X, O, S-X.
        let bmes = of("B-X M-X E-X S-X O", &[]);
        assert_eq!(bmes, ["+--++", "-++--+--++-++--+--+++--++", "-+-++"]);
        assert_eq!(of("NOUN VERB", &[]), ["++", "++++", "++"]);
    }

    #[test]
    fn tags_are_numbered_by_name() {
        let tags = Tags::new(["O", "B-X", "O", "I-X"]);
        assert_eq!((tags.size(), tags.id("B-X"), tags.id("O"), tags.id("new")), (3, 0, 2, 0));
        assert_eq!(tags.best([0.5, 2.0, -1.0]), "I-X");
    }
}
