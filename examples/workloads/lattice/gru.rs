//! `lattice-gru`: the lattice GRU of Su et al. (2017), a tag at every character.
//!
//! Necessary operations, forward: `12 h²` per arc, of a character or of a word (three gates of its
//! vector and of the state), `2 h²` per arc that ends where others do, for its weight, and `2 h k`
//! per character (`k` tags).

use edb::Element;
use edb::prelude::*;

use crate::workload::Workload;
use cells::lattice_gru::{Gold, LatticeGru, tag};
use readers::lattice::{Lattice, Lattices, Record};

/// Lattices, as this model reads them.
pub struct Gru(pub Lattices);

impl Workload for Gru {
    type Record = Record;
    type Functions = (LatticeGru, Function<tag>);
    type Growing = ();

    fn records(&self) -> &[Record] {
        &self.0.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> Self::Functions {
        let [chars, words, tags] = self.0.sizes;
        let cells = LatticeGru::new(builder, "lattice", [chars, words], hidden);
        (cells, builder.add::<tag>(dims! { K: tags, H: hidden }))
    }

    fn graph<T: Element>(
        &self,
        (cells, tag): &Self::Functions,
        model: &Model<T>,
        record: &Record,
    ) -> (Graph<T>, ()) {
        let mut g = model.graph();
        let states = cells.read(&mut g, &record.characters);
        for (state, gold) in states.iter().zip(&record.tags[1..]) {
            g.add(tag, [*state], Gold { tag: (*gold).into() });
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
        0 => 12 * h * h,
        words => (words as u64 + 1) * 14 * h * h,
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
        let lattices = Gru(read(text(TEXT)).unwrap());
        // Three characters, at one of which two words end; three tags.
        let expected = 2 * 1200 + 3 * 1400 + 3 * 2 * 10 * 3;
        assert_eq!(lattices.flops(&lattices.records()[0], 10), expected);
    }

    #[test]
    fn the_batched_cell_is_the_eager_one() {
        agree(&Gru(read(text(TEXT)).unwrap()));
    }
}
