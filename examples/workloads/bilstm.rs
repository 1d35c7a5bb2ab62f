//! `bilstm-tagger`: a BiLSTM over sentences in the format of WikiNER, `word|TAG word|TAG ...`.
//!
//! Necessary operations, forward, of a word: `32 h²` (four gates of an input and a state of `h`, in
//! two directions) and `4 h k` (`k` tags from both states): `68 h` for 17 tags.

use edb::Element;
use edb::prelude::*;

use crate::workload::{Reading, WORDS, Workload};
use cells::bilstm::{BiLstm, Gold, Memory, Word};
use readers::corpus::tagged;
use readers::lines::LineError;

/// The number of tags in generated sentences.
pub const TAGS: usize = 17;

/// Sentences of words with tags.
pub struct Sentences {
    records: Vec<Record>,
    words: usize,
    tags: usize,
}

/// The numbers of a sentence's words, and of their tags.
pub type Record = Vec<(u32, u32)>;

impl Sentences {
    /// Reads the instances.
    pub fn read(mut reading: Reading) -> Result<Self, LineError> {
        let sentences = reading.records(tagged)?;
        let all = || sentences.iter().flatten();
        let words = reading.numbers('w', WORDS, all().map(|(word, _)| word.as_str()));
        let tags = reading.numbers('T', TAGS, all().map(|(_, tag)| tag.as_str()));
        let numbered = |(word, tag): &(String, String)| (words.id(word), tags.id(tag));
        let records = sentences.iter().map(|sentence| sentence.iter().map(numbered).collect());
        Ok(Self { records: records.collect(), words: words.size(), tags: tags.size() })
    }
}

impl Workload for Sentences {
    type Record = Record;
    type Functions = BiLstm;
    type Growing = ();

    fn records(&self) -> &[Record] {
        &self.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> BiLstm {
        BiLstm::new(builder, self.words, hidden, self.tags)
    }

    fn graph<T: Element>(&self, f: &BiLstm, model: &Model<T>, record: &Record) -> (Graph<T>, ()) {
        let mut g = model.graph();
        g.reserve(4 * record.len());
        let mut forward: Vec<Vertex<Memory>> = Vec::with_capacity(record.len());
        let mut before = None;
        for (word, _) in record {
            let state = g.add(&f.forward, [before], Word { id: (*word).into() });
            forward.push(state);
            before = Some(state);
        }
        let mut before = None;
        for ((word, tag), forward) in record.iter().zip(forward).rev() {
            let backward = g.add(&f.backward, [before], Word { id: (*word).into() });
            g.add(&f.tag, [forward, backward], Gold { tag: (*tag).into() });
            before = Some(backward);
        }
        (g, ())
    }

    fn flops(&self, record: &Record, hidden: usize) -> u64 {
        let (h, words, tags) = (hidden as u64, record.len() as u64, self.tags as u64);
        words * (32 * h * h + 4 * h * tags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{agree, text, wrong};

    #[test]
    fn sentences_are_read() {
        let generated = Sentences::read(text("w1|T0 w5|T16\nw1|T3\n")).unwrap();
        assert_eq!((generated.words, generated.tags), (WORDS, TAGS));
        assert_eq!(generated.records, [vec![(1, 0), (5, 16)], vec![(1, 3)]]);
        assert_eq!(generated.flops(&generated.records[0], 10), 2 * (3200 + 680));

        // A word may contain the separator, and spaces that are not ASCII.
        let found = Sentences::read(text("a|b|O c\u{a0}d|I-PER\n")).unwrap();
        assert_eq!((found.words, found.tags), (2, 2));
        assert_eq!(found.records, [vec![(0, 0), (1, 1)]]);
        for item in ["word", "|O", "word|"] {
            let error = wrong(&format!("a|O\nb|O {item}\n"), Sentences::read);
            assert_eq!(error, format!(", line 2: expected `word|tag`, found `{item}`"));
        }
    }

    #[test]
    fn the_batched_cell_is_the_eager_one() {
        agree(&Sentences::read(text("w1|T0 w5|T16 w2|T4 w1|T0\nw1|T3\nw9|T3 w8|T2\n")).unwrap());
    }
}
