//! `child-sum`: the relatedness of two sentences, read along their dependency trees, on the table of
//! SICK (Marelli et al., 2014) with parses.
//!
//! Necessary operations, forward: `8 h²` a word (four gates of its vector), `6 h²` a word that has
//! dependents (three gates of their sum), `2 h²` a dependent (its forget gate), and `4 h s + 2 s k` a
//! pair (a layer of `s = 50` from two vectors, `k` classes).

use std::path::Path;

use edb::Element;
use edb::prelude::*;

use crate::cells::child_sum::{COMPARED, ChildSum, Gold, Memory, Word};
use crate::sick::{self, Parse};
use crate::support::lines::{LineError, Malformed};
use crate::workload::{Numbers, WORDS, Workload};

/// The classes of relatedness, 1 to 5.
const CLASSES: u32 = 5;

/// Pairs of sentences.
pub struct Pairs {
    records: Vec<Record>,
    words: usize,
}

/// Two sentences, and how related they are, from 0.
pub struct Record {
    sentences: [Vec<Dependent>; 2],
    relatedness: u32,
}

/// A word, behind all of its dependents.
struct Dependent {
    id: u32,
    dependents: Vec<usize>,
}

impl Pairs {
    /// The first pairs of a table with a heading.
    pub fn read(path: &Path, most: usize) -> Result<Self, LineError> {
        let pairs = sick::read(path, most, Malformed::Stop)?;
        let words = || pairs.iter().flat_map(|pair| &pair.sentences).flat_map(|tree| &tree.words);
        let numbers = Numbers::new('w', WORDS, words().map(String::as_str));
        let word = |tree: &Parse, (word, dependents): (usize, Vec<usize>)| {
            // Every word was numbered.
            Dependent { id: numbers.id(&tree.words[word]).unwrap_or(0), dependents }
        };
        let sentence =
            |tree: &Parse| tree.bottom_up().into_iter().map(|at| word(tree, at)).collect();
        let records = pairs.iter().map(|pair| Record {
            sentences: pair.sentences.each_ref().map(sentence),
            relatedness: pair.score.round() as u32 - 1,
        });
        Ok(Self { records: records.collect(), words: numbers.size() })
    }
}

impl Workload for Pairs {
    type Record = Record;
    type Functions = ChildSum;

    fn records(&self) -> &[Record] {
        &self.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> ChildSum {
        ChildSum::new(builder, self.words, hidden, CLASSES as usize)
    }

    fn graph<T: Element>(&self, f: &ChildSum, model: &Model<T>, record: &Record) -> Graph<T> {
        let mut g = model.graph();
        let mut children = Vec::new();
        let roots = record.sentences.each_ref().map(|sentence| {
            let mut states: Vec<Vertex<Memory>> = Vec::with_capacity(sentence.len());
            for word in sentence {
                children.clear();
                children.extend(word.dependents.iter().map(|at| states[*at]));
                states.push(g.add(&f.word, &children, Word { id: word.id.into() }));
            }
            // The root is the head of all, and so the last.
            states[states.len() - 1]
        });
        g.add(&f.relate, roots, Gold { relatedness: record.relatedness.into() });
        g
    }

    fn flops(&self, record: &Record, hidden: usize) -> u64 {
        let (h, s) = (hidden as u64, COMPARED as u64);
        let words = record.sentences.iter().flatten();
        let word = |word: &Dependent| match word.dependents.len() as u64 {
            0 => 8 * h * h,
            dependents => (8 + 6 + 2 * dependents) * h * h,
        };
        words.map(word).sum::<u64>() + 4 * h * s + 2 * s * u64::from(CLASSES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{agree, file, wrong};

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
        let (_folder, path) = file(&rows());
        assert_eq!(Pairs::read(&path, 1).unwrap().records.len(), 1);
        let pairs = Pairs::read(&path, 9).unwrap();
        assert_eq!((pairs.records.len(), pairs.words), (2, 10));
        let relatedness: Vec<u32> = pairs.records.iter().map(|r| r.relatedness).collect();
        assert_eq!(relatedness, [4, 0]);
        // Six words, three of them heads, four dependents.
        let pair = 4 * 10 * 50 + 2 * 50 * 5;
        assert_eq!(pairs.flops(&pairs.records[0], 10), 600 * 8 + 300 * 6 + 400 * 2 + pair);
    }

    #[test]
    fn what_is_wrong_with_a_pair_is_said() {
        let fine = ("a b", "2 0");
        let error = |text: &str| wrong(&format!("{HEADING}{text}"), |path| Pairs::read(path, 9));
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
            (row("2", ("a b", "0 0"), fine), "sentence a: a sentence has one root, not 2"),
            (row("2", ("a b c", "0 3 2"), fine), "sentence a: word 2 is its own head's head"),
        ] {
            assert_eq!(error(&row), format!(", line 2: {expected}"));
        }
    }

    #[test]
    fn the_batched_cell_is_the_eager_one() {
        let (_folder, path) = file(&rows());
        agree(&Pairs::read(&path, 9).unwrap());
    }
}
