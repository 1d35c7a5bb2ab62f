//! `language-model`: an LSTM language model over sentences of any length, one per line (Var-LSTM of
//! Cavs; Xu et al., 2018, section 5), and `fixed-lstm`: the same over pieces of [`STEPS`] words
//! (Fixed-LSTM).
//!
//! Necessary operations, forward: per word `16 h²` (four gates of a vector and of a state) and
//! `2 h v` (scores of `v` possible next words).

use edb::Element;
use edb::prelude::*;

use crate::workload::{Reading, WORDS, Workload};
use cells::lstm_lm::LanguageModel;
use readers::lines::{LineError, unmarked};

/// The words of a piece, each of which predicts the next one.
pub const STEPS: usize = 64;

/// The words of the Penn Treebank, but for the end mark.
pub const TREEBANK: usize = 9_999;

/// Sentences as numbers, each between two end marks, or pieces of a text.
pub struct Sentences {
    records: Vec<Vec<u32>>,
    words: usize,
}

impl Sentences {
    /// Reads the instances. The words are those of the whole file, as the scores of all take their
    /// time.
    pub fn read(mut reading: Reading) -> Result<Self, LineError> {
        let sentences =
            reading.lines.records(usize::MAX, |line| Ok::<_, String>(unmarked(line)))?;
        let numbers = reading.numbers('w', WORDS, sentences.iter().flatten().map(String::as_str));
        let (end, words) = numbers.end();
        let record = |sentence: &Vec<String>| {
            let ids = sentence.iter().map(|word| numbers.id(word));
            [end].into_iter().chain(ids).chain([end]).collect()
        };
        let records = sentences.iter().take(reading.most).map(record).collect();
        Ok(Self { records, words })
    }

    /// Reads a file as one text, with an end mark before it and behind each of its sentences, and cuts
    /// it into pieces. Each begins with the last word of the one before; what is left over at the end
    /// is too short for one. The words are those of the whole file here, too.
    pub fn cut(mut reading: Reading) -> Result<Self, LineError> {
        let sentences =
            reading.lines.records(usize::MAX, |line| Ok::<_, String>(unmarked(line)))?;
        let all = sentences.iter().flatten().map(String::as_str);
        let numbers = reading.numbers('w', TREEBANK, all);
        let (end, words) = numbers.end();
        let mut text = vec![end];
        for sentence in &sentences {
            text.extend(sentence.iter().map(|word| numbers.id(word)));
            text.push(end);
        }
        if text.len() <= STEPS {
            let words = text.len() - 1;
            let reason = format!("the text has {words} words and end marks, a piece {STEPS}");
            return Err(reading.lines.wrong(reason));
        }
        let pieces = text.windows(STEPS + 1).step_by(STEPS).take(reading.most);
        Ok(Self { records: pieces.map(<[u32]>::to_vec).collect(), words })
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
    use crate::name::Name;
    use crate::tests::{agree, text, wrong};
    use readers::lines::Lines;

    #[test]
    fn sentences_stand_between_ends() {
        for lines in ["a b\u{a0}c a\n\n b\n", "<s> a b\u{a0}c a </s>\n<s> b </s>\n"] {
            let sentences = Sentences::read(text(lines)).unwrap();
            assert_eq!(sentences.records, [vec![3, 0, 1, 0, 3], vec![3, 2, 3]]);
            assert_eq!(sentences.flops(&sentences.records[1], 10), 2 * (1600 + 20 * 4));
        }
    }

    #[test]
    fn a_text_is_cut_into_pieces_of_one_length() {
        // With end marks, two pieces and 61 words that are left over.
        let line = format!("<s>{} </s>\n", " a b".repeat(47));
        let found = Sentences::cut(text(&line.repeat(2))).unwrap();
        let words = |from: usize, to: usize| (from..to).map(|place| place as u32 % 2);
        let first: Vec<u32> = [2].into_iter().chain(words(0, 64)).collect();
        let second: Vec<u32> = words(63, 94).chain([2]).chain(words(0, 33)).collect();
        assert_eq!(found.records, [first, second]);
        assert_eq!(found.words, 3);
        assert_eq!(found.flops(&found.records[1], 10), 64 * (1600 + 20 * 3));
        let one = Sentences::cut(Reading { most: 1, ..text(&line.repeat(2)) }).unwrap();
        assert_eq!(one.records.len(), 1);
        // The end mark before the text and 64 words; one fewer is no piece.
        assert_eq!(Sentences::cut(text(&" a".repeat(63))).unwrap().records.len(), 1);
        let expected = ", line 2: the text has 63 words and end marks, a piece 64";
        assert_eq!(wrong(&" a".repeat(62), Sentences::cut), expected);
        let expected = ", line 1: the text has 0 words and end marks, a piece 64";
        assert_eq!(wrong("", Sentences::cut), expected);
    }

    #[test]
    fn what_is_drawn_has_the_size_of_the_treebank() {
        let drawn = Lines::of("text", Name::FixedLstm.draw(1));
        let found = Sentences::cut(Reading { lines: drawn, ..text("") }).unwrap();
        assert_eq!((found.words, found.records.len()), (10_000, 9));
    }

    #[test]
    fn the_batched_cell_is_the_eager_one() {
        agree(&Sentences::read(text("a b c a\nb\n<s> </s>\n")).unwrap());
        agree(&Sentences::cut(text(&" a b b".repeat(22))).unwrap());
    }
}
