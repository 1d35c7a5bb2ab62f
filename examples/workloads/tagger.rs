//! `tagger` and `tagger-chars`: the BiLSTM of the tagger example, over words or also over their
//! letters, on sentences in the format of WikiNER, `word|TAG word|TAG ...`.
//!
//! Necessary operations, forward: per word `16 h (x + h)` (four gates of a vector of `x` and a
//! state of `h`, in two directions) and `4 h k` (`k` tags from both states). The vector has `h`
//! numbers; with letters it has `2 s` more, where `s` is a quarter of `h`, and each letter takes
//! `32 s²` in two directions.

pub mod pondered;

use edb::Element;
use edb::prelude::*;

use crate::bilstm::TAGS;
use crate::workload::{Reading, WORDS, Workload};
use cells::word_tagger::{Sizes, Tagger};
use readers::corpus::{self, Record, tagged};
use readers::lines::LineError;

/// Sentences of words with tags.
pub struct Tagged {
    records: Vec<Vec<Record>>,
    words: usize,
    letters: Option<usize>,
    tags: usize,
}

impl Tagged {
    /// Reads the instances; `chars` adds the letters.
    pub fn read(mut reading: Reading, chars: bool) -> Result<Self, LineError> {
        let sentences = reading.records(tagged)?;
        let all = || sentences.iter().flatten();
        let words = reading.numbers('w', WORDS, all().map(|(word, _)| word.as_str()));
        let letters = reading.numbers('l', 1, all().flat_map(|(word, _)| corpus::letters(word)));
        let tags = reading.numbers('T', TAGS, all().map(|(_, tag)| tag.as_str()));
        let record = |word| Record::new(word, |w| words.id(w), |l| letters.id(l), |t| tags.id(t));
        let records = sentences.iter().map(|sentence| sentence.iter().map(record).collect());
        Ok(Self {
            records: records.collect(),
            words: words.size(),
            letters: chars.then(|| letters.size()),
            tags: tags.size(),
        })
    }

    fn sizes(&self, hidden: usize) -> Sizes {
        let &Self { words, letters, tags, .. } = self;
        Sizes { words, letters, tags, hidden }
    }
}

impl Workload for Tagged {
    type Record = Vec<Record>;
    type Functions = Tagger;
    type Growing = ();

    fn records(&self) -> &[Self::Record] {
        &self.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> Tagger {
        Tagger::new(builder, self.sizes(hidden))
    }

    fn graph<T: Element>(
        &self,
        f: &Tagger,
        model: &Model<T>,
        record: &Self::Record,
    ) -> (Graph<T>, ()) {
        (f.graph(model, record).0, ())
    }

    fn flops(&self, record: &Self::Record, hidden: usize) -> u64 {
        let (h, words) = (hidden as u64, record.len() as u64);
        let s = if self.letters.is_some() { self.sizes(hidden).spelling() as u64 } else { 0 };
        let letters: u64 = record.iter().map(|word| word.letters.len() as u64).sum();
        words * (16 * h * (2 * h + 2 * s) + 4 * h * self.tags as u64) + letters * 32 * s * s
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{agree, text, wrong};

    const LINES: &str = "w1|T0 w15|T16\nw1|T3\n";

    #[test]
    fn sentences_are_read() {
        let found = Tagged::read(text(LINES), true).unwrap();
        assert_eq!((found.words, found.letters, found.tags), (WORDS, Some(3), TAGS));
        assert_eq!(found.records[0][1].letters, [0, 1, 2]);
        // Two words of five letters; a quarter of 10, rounded up, is 3.
        assert_eq!(found.flops(&found.records[0], 10), 2 * (160 * 26 + 680) + 5 * 32 * 9);
        let found = Tagged::read(text(LINES), false).unwrap();
        assert_eq!(found.flops(&found.records[0], 10), 2 * (3200 + 680));
        let error = wrong("a|O\nb\n", |text| Tagged::read(text, false));
        assert_eq!(error, ", line 2: expected `word|tag`, found `b`");
    }

    #[test]
    fn the_batched_cells_are_the_eager_ones() {
        agree(&Tagged::read(text(LINES), false).unwrap());
        agree(&Tagged::read(text(LINES), true).unwrap());
    }
}
