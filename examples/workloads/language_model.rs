//! `language-model`: an LSTM language model over sentences of any length, one per line (the second
//! language model of Cavs).
//!
//! Necessary operations, forward: per word `16 h²` (four gates of a vector and of a state) and
//! `2 h v` (scores of `v` possible next words).

use edb::Element;
use edb::prelude::*;

use crate::workload::{Reading, WORDS, Workload};
use cells::lstm_lm::LanguageModel;
use readers::lines::{LineError, unmarked};

/// Sentences as numbers, each between two end marks.
pub struct Sentences {
    records: Vec<Vec<u32>>,
    words: usize,
}

impl Sentences {
    /// Reads the instances.
    pub fn read(mut reading: Reading) -> Result<Self, LineError> {
        let sentences = reading.records(|line| Ok::<_, String>(unmarked(line)))?;
        let numbers = reading.numbers('w', WORDS, sentences.iter().flatten().map(String::as_str));
        let (end, words) = numbers.end();
        let record = |sentence: &Vec<String>| {
            let ids = sentence.iter().map(|word| numbers.id(word));
            [end].into_iter().chain(ids).chain([end]).collect()
        };
        Ok(Self { records: sentences.iter().map(record).collect(), words })
    }
}

impl Workload for Sentences {
    type Record = Vec<u32>;
    type Functions = LanguageModel;
    type Growing = ();

    fn records(&self) -> &[Vec<u32>] {
        &self.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> LanguageModel {
        LanguageModel::new(builder, self.words, hidden)
    }

    fn graph<T: Element>(
        &self,
        f: &LanguageModel,
        model: &Model<T>,
        record: &Vec<u32>,
    ) -> (Graph<T>, ()) {
        (f.graph(model, record), ())
    }

    fn flops(&self, record: &Vec<u32>, hidden: usize) -> u64 {
        let (h, predicted) = (hidden as u64, record.len() as u64 - 1);
        predicted * (16 * h * h + 2 * h * self.words as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{agree, text};

    #[test]
    fn sentences_stand_between_ends() {
        for lines in ["a b\u{a0}c a\n\n b\n", "<s> a b\u{a0}c a </s>\n<s> b </s>\n"] {
            let sentences = Sentences::read(text(lines)).unwrap();
            assert_eq!(sentences.records, [vec![3, 0, 1, 0, 3], vec![3, 2, 3]]);
            assert_eq!(sentences.flops(&sentences.records[1], 10), 2 * (1600 + 20 * 4));
        }
    }

    #[test]
    fn the_batched_cell_is_the_eager_one() {
        agree(&Sentences::read(text("a b c a\nb\n<s> </s>\n")).unwrap());
    }
}
