//! `lattice-ner` and `lattice-ner-gru`: the lattice tagger of the example `lattice_ner`, which
//! reads in both directions, over sentences with lexicon words in the example's format.
//!
//! Necessary operations, forward: those of `lattice-lstm` or `lattice-gru` in each direction, and
//! `4 h k` per character (`k` tags from both states).

use edb::Element;
use edb::prelude::*;

use crate::lattice::{gru, zhang_yang};
use crate::workload::{Reading, WORDS, Workload};
use cells::lattice_tagger::{Cell, Tagger};
use readers::lattice::Lattice;
use readers::lines::LineError;
use readers::sentence::{self, Sentence};

/// Sentences as lattices, for one of the cells.
pub struct Entities {
    cell: Cell,
    records: Vec<Record>,
    /// The numbers of rows of the character and word tables, and of tags.
    sizes: [usize; 3],
}

/// A sentence: its lattice and that of the reversed sentence, and the tags of its characters.
pub struct Record {
    lattices: [Lattice; 2],
    tags: Vec<u32>,
}

impl Entities {
    /// Reads the instances.
    pub fn read(mut reading: Reading, cell: Cell) -> Result<Self, LineError> {
        let mut sentences: Vec<Sentence> = reading.records(sentence::parse)?;
        sentences.retain(|sentence| !sentence.characters.is_empty());
        let characters = sentences.iter().flat_map(|s| &s.characters).map(String::as_str);
        let words = sentences.iter().flat_map(|s| &s.words).map(|(_, _, word)| word.as_str());
        let tags = sentences.iter().flat_map(|s| &s.labels).map(String::as_str);
        let characters = reading.numbers('w', WORDS, characters);
        let words = reading.numbers('w', WORDS, words);
        let tags = reading.numbers('T', 1, tags);
        let record = |s: &Sentence| Record {
            lattices: [false, true]
                .map(|back| s.lattice(back, |c| characters.id(c), |word| words.id(word))),
            tags: s.labels.iter().map(|label| tags.id(label)).collect(),
        };
        let records = sentences.iter().map(record).collect();
        Ok(Self { cell, records, sizes: [characters.size(), words.size(), tags.size()] })
    }
}

impl Workload for Entities {
    type Record = Record;
    type Functions = Tagger;
    type Growing = ();

    fn records(&self) -> &[Record] {
        &self.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> Tagger {
        Tagger::new(builder, self.cell, self.sizes, hidden)
    }

    fn graph<T: Element>(&self, f: &Tagger, model: &Model<T>, record: &Record) -> (Graph<T>, ()) {
        (f.graph(model, &record.lattices, &record.tags).0, ())
    }

    fn flops(&self, record: &Record, hidden: usize) -> u64 {
        let (h, tags) = (hidden as u64, self.sizes[2] as u64);
        let direction = |lattice: &Lattice| match self.cell {
            Cell::LatticeLstm => zhang_yang::direction(lattice, h),
            Cell::LatticeGru => gru::direction(lattice, h),
        };
        let tagged = record.tags.len() as u64 * 4 * h * tags;
        record.lattices.iter().map(direction).sum::<u64>() + tagged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{agree, text, wrong};

    const LINES: &str =
        "a b c d\tB-NAME E-NAME O O\t0:2:x 0:3:y 1:3:z\n\t\t\nc d\tO O\t0:2:y\na\tO\t\n";

    #[test]
    fn sentences_are_read() {
        let found = Entities::read(text(LINES), Cell::LatticeLstm).unwrap();
        assert_eq!((found.records.len(), found.sizes), (3, [4, 3, 3]));
        // Three words end at two of four characters, and start at two.
        let expected = 2 * (2 * 1600 + 2 * 1400 + 3 * 1400) + 4 * 40 * 3;
        assert_eq!(found.flops(&found.records[0], 10), expected);
        let found = Entities::read(text(LINES), Cell::LatticeGru).unwrap();
        let expected = 2 * (2 * 1200 + 5 * 1400) + 4 * 40 * 3;
        assert_eq!(found.flops(&found.records[0], 10), expected);
        let error = wrong("a\tO\n", |text| Entities::read(text, Cell::LatticeGru));
        assert_eq!(error, ", line 1: expected 3 fields between tabs, found 2");
    }

    #[test]
    fn the_batched_cells_are_the_eager_ones() {
        agree(&Entities::read(text(LINES), Cell::LatticeLstm).unwrap());
        agree(&Entities::read(text(LINES), Cell::LatticeGru).unwrap());
    }
}
