//! `language-model`: an LSTM language model over sentences of any length, one a line (the second language
//! model of Cavs).
//!
//! Necessary operations, forward, of a word: `16 h²` (four gates of a vector and of a state) and `2 h v`
//! (`v` words may be next).

use std::path::Path;

use edb::Element;
use edb::prelude::*;

use crate::lstm_lm::LanguageModel;
use crate::support::lines::{self, LineError, items};
use crate::workload::{Numbers, WORDS, Workload};

/// Sentences in numbers, each between two ends.
pub struct Sentences {
    records: Vec<Vec<u32>>,
    words: usize,
}

impl Sentences {
    /// The first sentences of a file.
    pub fn read(path: &Path, most: usize) -> Result<Self, LineError> {
        let sentence = |line: &str| Ok::<_, String>(items(line).map(str::to_owned).collect());
        let sentences: Vec<Vec<String>> = lines::read(path, most, sentence)?;
        let numbers = Numbers::new('w', WORDS, sentences.iter().flatten().map(String::as_str));
        // The end of a sentence comes behind all words.
        let end = numbers.size() as u32;
        let record = |sentence: &Vec<String>| {
            // Every word was numbered.
            let ids = sentence.iter().map(|word| numbers.id(word).unwrap_or(0));
            [end].into_iter().chain(ids).chain([end]).collect()
        };
        Ok(Self { records: sentences.iter().map(record).collect(), words: numbers.size() + 1 })
    }
}

impl Workload for Sentences {
    type Record = Vec<u32>;
    type Functions = LanguageModel;

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
    ) -> Graph<T> {
        f.graph(model, record)
    }

    fn flops(&self, record: &Vec<u32>, hidden: usize) -> u64 {
        let (h, predicted) = (hidden as u64, record.len() as u64 - 1);
        predicted * (16 * h * h + 2 * h * self.words as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{agree, file};

    #[test]
    fn sentences_stand_between_ends() {
        let (_folder, path) = file("a b\u{a0}c a\n\n b\n");
        let sentences = Sentences::read(&path, 9).unwrap();
        assert_eq!(sentences.records, [vec![3, 0, 1, 0, 3], vec![3, 2, 3]]);
        assert_eq!(sentences.flops(&sentences.records[1], 10), 2 * (1600 + 20 * 4));
    }

    #[test]
    fn the_batched_cell_is_the_eager_one() {
        let (_folder, path) = file("a b c a\nb\n");
        agree(&Sentences::read(&path, 9).unwrap());
    }
}
