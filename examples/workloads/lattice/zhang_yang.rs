//! `lattice-lstm`: the lattice LSTM of Zhang and Yang (2018), a tag at every character.
//!
//! Necessary operations, forward: `16 h²` per character (four gates of its vector and of the
//! state), but `14 h²` per character at which words end (its forget gate is not used, whereas the
//! words' gates need `2 h²` for its vector), `14 h²` per word (three gates like those of a
//! character, and `2 h²` of its cell for its own gate), and `2 h k` per character (`k` tags).

use edb::Element;
use edb::prelude::*;

use crate::workload::Workload;
use cells::lattice_lstm::{Gold, LatticeLstm};
use readers::lattice::{Lattice, Lattices, Record};

/// Lattices, as this model reads them.
pub struct ZhangYang(pub Lattices);

impl Workload for ZhangYang {
    type Record = Record;
    type Functions = LatticeLstm;
    type Growing = ();

    fn records(&self) -> &[Record] {
        &self.0.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> LatticeLstm {
        LatticeLstm::new(builder, self.0.sizes, hidden)
    }

    fn graph<T: Element>(
        &self,
        f: &LatticeLstm,
        model: &Model<T>,
        record: &Record,
    ) -> (Graph<T>, ()) {
        let mut g = model.graph();
        let states = f.cells.read(&mut g, &record.characters);
        for (state, tag) in states.iter().zip(&record.tags[1..]) {
            g.add(&f.tag, [*state], Gold { tag: (*tag).into() });
        }
        (g, ())
    }

    fn flops(&self, record: &Record, hidden: usize) -> u64 {
        let (h, tags) = (hidden as u64, self.0.sizes[2] as u64);
        direction(&record.characters, h) + record.characters.len() as u64 * 2 * h * tags
    }
}

/// The operations for reading a lattice in one direction.
pub fn direction(lattice: &Lattice, h: u64) -> u64 {
    let character = |words: usize| match words {
        0 => 16 * h * h,
        words => (14 + 14 * words as u64) * h * h,
    };
    lattice.iter().map(|c| character(c.words.len())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::{read, tests::TEXT};
    use crate::tests::{agree, text};

    #[test]
    fn operations_are_counted() {
        let lattices = ZhangYang(read(text(TEXT)).unwrap());
        // Three characters, at one of which two words end; three tags.
        let expected = 2 * 1600 + 1400 + 2 * 1400 + 3 * 2 * 10 * 3;
        assert_eq!(lattices.flops(&lattices.records()[0], 10), expected);
    }

    #[test]
    fn the_batched_cell_is_the_eager_one() {
        agree(&ZhangYang(read(text(TEXT)).unwrap()));
    }
}
