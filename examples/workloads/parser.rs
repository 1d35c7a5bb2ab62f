//! `parser`: the transition-based parser of the example `parser`, over sentences in CoNLL-U. It takes
//! its own transitions: in training nine of ten, and otherwise those of the dynamic oracle, which
//! says what is right each time.
//!
//! Necessary operations, forward: per word, the artificial root included, `96 h²` (two layers of
//! four gates of a vector of `2 h` and a state of `h`, in two directions), and per transition
//! `16 h²` (a layer over four vectors) and `2 h t` (scores of `t` transitions). Whatever a parser
//! does, it takes two transitions for each word but the root: one moves it to the stack, one removes
//! it.

use edb::Element;
use edb::engine::GrowingGraph;
use edb::prelude::*;

use crate::measure::Mode;
use crate::workload::{Reading, Workload};
use cells::parser::{Guide, Parser, Parsing};
use cells::transitions::{Arc, Transition};
use readers::dependencies::{self, Numbers};
use readers::lines::LineError;

/// Sentences with dependency trees.
pub struct Sentences {
    records: Vec<Record>,
    numbers: Numbers,
}

/// A sentence: its words and an artificial root, and the arcs of the words.
pub struct Record {
    words: Vec<dependencies::Record>,
    arcs: Vec<Arc>,
}

impl Sentences {
    /// Reads the instances.
    pub fn read(reading: Reading) -> Result<Self, LineError> {
        let mut sentences = dependencies::conllu(reading.lines)?;
        sentences.truncate(reading.most);
        let numbers = Numbers::new(&sentences);
        let record = |sentence| Record {
            words: numbers.encode(sentence, |_| false),
            arcs: numbers.arcs(sentence),
        };
        Ok(Self { records: sentences.iter().map(record).collect(), numbers })
    }
}

impl Workload for Sentences {
    type Record = Record;
    type Functions = Parser;
    type Growing = Parsing;

    const GROWS: bool = true;

    fn records(&self) -> &[Record] {
        &self.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> Parser {
        Parser::new(builder, &self.numbers, hidden)
    }

    fn graph<T: Element>(
        &self,
        f: &Parser,
        model: &Model<T>,
        Record { words, arcs }: &Record,
    ) -> (Graph<T>, Parsing) {
        f.begin(model, words, arcs.clone())
    }

    fn turn<T: Element>(
        &self,
        f: &Parser,
        g: &mut GrowingGraph<'_, T>,
        parsing: &mut Parsing,
        _record: &Record,
        mode: Mode,
    ) {
        let guide = match mode {
            Mode::Train => Guide::Dynamic(0.9),
            Mode::Infer => Guide::Parser,
        };
        f.turn(g, parsing, guide);
    }

    fn flops(&self, Record { words, arcs }: &Record, hidden: usize) -> u64 {
        let transitions = u64::from(Transition::count(self.numbers.relations.size()));
        let [h, words, arcs] = [hidden, words.len(), arcs.len()].map(|size| size as u64);
        words * 96 * h * h + 2 * arcs * (16 * h * h + 2 * h * transitions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{agree, grown, text, wrong};

    const LINES: &str = "\
1	Old	_	ADJ	_	_	2	amod	_	_
2	dogs	_	NOUN	_	_	3	nsubj	_	_
3	bark	_	VERB	_	_	0	root	_	_

1	See	_	VERB	_	_	0	root	_	_
2	dogs	_	NOUN	_	_	1	obj	_	_
";

    #[test]
    fn sentences_are_read() {
        assert_eq!(Sentences::read(Reading { most: 1, ..text(LINES) }).unwrap().records.len(), 1);
        let found = Sentences::read(text(LINES)).unwrap();
        assert_eq!(found.records.len(), 2);
        assert_eq!(found.records[0].arcs.iter().map(|arc| arc.0).collect::<Vec<_>>(), [1, 2, 3]);
        // Four relations: 9 transitions.
        assert_eq!(found.flops(&found.records[0], 10), 4 * 9600 + 6 * (1600 + 180));
        let error = wrong("1\tSee\n", Sentences::read);
        assert_eq!(error, ", line 1: expected 10 fields between tabs, found 2");
    }

    #[test]
    fn every_word_gets_a_head() {
        let found = Sentences::read(text(LINES)).unwrap();
        for mode in [Mode::Train, Mode::Infer] {
            for (parsing, record) in grown(&found, mode).iter().zip(&found.records) {
                assert!(parsing.parse.is_done());
                assert_eq!(parsing.parse.gold, record.arcs);
            }
        }
    }

    #[test]
    fn the_batched_cells_are_the_eager_ones() {
        agree(&Sentences::read(text(LINES)).unwrap());
    }
}
