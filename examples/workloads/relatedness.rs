//! `relatedness`: the child-sum Tree-LSTM of the example `relatedness`, on the table of SICK
//! (Marelli et al., 2014) with parses. Word vectors are random, with the size of GloVe's.
//!
//! Necessary operations, forward: `8 h x` per word (four gates of its vector of `x = 300`), `6 h²`
//! per word with dependents (three gates of their sum), `2 h²` per dependent (its forget gate), and
//! `4 h s + 2 s k` per pair (a layer of `s = 50` from two vectors, `k` classes).

use edb::Element;
use edb::prelude::*;

use crate::workload::{Reading, Workload};
use cells::child_sum::{CLASSES, COMPARED, Relatedness};
use readers::lines::LineError;
use readers::sick::{self, Pair};
use readers::vectors::Vectors;

/// The size of a word's vector.
const VECTOR: usize = 300;

/// Pairs of sentences.
pub struct Pairs {
    records: Vec<Pair>,
    vectors: Vectors,
}

impl Pairs {
    /// Reads the instances.
    pub fn read(reading: Reading) -> Result<Self, LineError> {
        let records = sick::read(reading.lines, reading.most)?;
        let words = records.iter().flat_map(|pair| &pair.sentences).flat_map(|s| &s.words);
        let vectors = Vectors::draw(words.map(String::as_str), VECTOR, 1);
        Ok(Self { records, vectors })
    }
}

impl Workload for Pairs {
    type Record = Pair;
    type Functions = Relatedness;
    type Growing = ();

    fn records(&self) -> &[Pair] {
        &self.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> Relatedness {
        Relatedness::new(builder, VECTOR, hidden)
    }

    fn graph<T: Element>(&self, f: &Relatedness, model: &Model<T>, pair: &Pair) -> (Graph<T>, ()) {
        (f.graph(model, &self.vectors, pair).0, ())
    }

    fn flops(&self, pair: &Pair, hidden: usize) -> u64 {
        let (h, x, s) = (hidden as u64, VECTOR as u64, COMPARED as u64);
        let word = |(_, dependents): (usize, Vec<usize>)| match dependents.len() as u64 {
            0 => 8 * h * x,
            dependents => 8 * h * x + (6 + 2 * dependents) * h * h,
        };
        let words = pair.sentences.iter().flat_map(|sentence| sentence.bottom_up());
        words.map(word).sum::<u64>() + 4 * h * s + 2 * s * CLASSES as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{agree, text, wrong};

    const HEADING: &str = "pair_id\tscore\tentailment\ta\ta\ta\ta\tb\tb\tb\tb\n";

    fn row(score: &str, a: (&str, &str), b: (&str, &str)) -> String {
        format!("1\t{score}\tNEUTRAL\t{}\t{}\t-\t-\t{}\t{}\t-\t-\n", a.0, a.1, b.0, b.1)
    }

    fn rows() -> String {
        let first = row("4.5", ("a dog barks here", "2 3 0 3"), ("it barks", "2 0"));
        let second = row("1.0", ("yes", "0"), ("a b c d e", "0 1 1 1 3"));
        format!("{HEADING}{first}{second}")
    }

    #[test]
    fn pairs_are_read() {
        assert_eq!(Pairs::read(Reading { most: 1, ..text(&rows()) }).unwrap().records.len(), 1);
        let pairs = Pairs::read(text(&rows())).unwrap();
        assert_eq!(pairs.records.len(), 2);
        // Six words, three of them heads, four dependents.
        let pair = 4 * 10 * 50 + 2 * 50 * 5;
        let expected = 6 * 80 * 300 + 600 * 3 + 200 * 4 + pair;
        assert_eq!(pairs.flops(&pairs.records[0], 10), expected);
        assert_ne!(pairs.vectors.vector("barks"), pairs.vectors.vector("here"));
    }

    #[test]
    fn what_is_wrong_with_a_pair_is_said() {
        let fine = ("a b", "2 0");
        let error = |text: &str| wrong(&format!("{HEADING}{text}"), Pairs::read);
        for (row, expected) in [
            ("1\t2\n".into(), "expected 11 fields between tabs, found 2"),
            (row("6", fine, fine), "expected a score from 1 to 5, found `6`"),
            (row("NaN", fine, fine), "expected a score from 1 to 5, found `NaN`"),
            (row("2", ("a b", "3 0"), fine), "sentence a: expected a head from 0 to 2, found `3`"),
            (
                row("2", fine, ("a b", "-1 0")),
                "sentence b: expected a head from 0 to 2, found `-1`",
            ),
            (row("2", fine, ("a b", "0")), "sentence b: 2 words have 1 heads"),
            (row("2", fine, ("", "")), "sentence b: a sentence has one root, not 0"),
            (row("2", fine, ("a", "1")), "sentence b: a sentence has one root, not 0"),
            (row("2", ("a b", "0 0"), fine), "sentence a: a sentence has one root, not 2"),
            (
                row("2", ("a b c", "0 3 2"), fine),
                "sentence a: word 2 depends on itself, by way of 3",
            ),
        ] {
            assert_eq!(error(&row), format!(", line 2: {expected}"));
        }
    }

    #[test]
    fn the_batched_cell_is_the_eager_one() {
        agree(&Pairs::read(text(&rows())).unwrap());
    }
}
