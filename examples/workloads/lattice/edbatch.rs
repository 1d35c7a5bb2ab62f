//! `lattice-edbatch`: the model that ED-Batch (2023) benchmarks as a lattice LSTM, with a tag at
//! every position.
//!
//! Necessary operations, forward: `16 h²` per arc, of a character or of a word (four gates of its
//! vector and of the state), and `2 h k` per position (`k` tags).

use edb::Element;
use edb::prelude::*;

use crate::workload::Workload;
use cells::lattice_edbatch::{EdBatchLattice, Gold, Memory, Token};
use readers::lattice::{Lattices, Record};

/// Lattices, as this model reads them.
pub struct EdBatch(pub Lattices);

impl Workload for EdBatch {
    type Record = Record;
    type Functions = EdBatchLattice;
    type Growing = ();

    fn records(&self) -> &[Record] {
        &self.0.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> EdBatchLattice {
        EdBatchLattice::new(builder, self.0.sizes, hidden)
    }

    fn graph<T: Element>(
        &self,
        f: &EdBatchLattice,
        model: &Model<T>,
        record: &Record,
    ) -> (Graph<T>, ()) {
        let mut g = model.graph();
        let token = |id: u32| Token { id: id.into() };
        let mut states: Vec<Vertex<Memory>> = Vec::with_capacity(record.tags.len());
        states.push(g.add(&f.start, (), ()));
        let mut arcs = Vec::new();
        for character in &record.characters {
            let before = states[states.len() - 1];
            let character_state = g.add(&f.character, [before], token(character.id));
            if character.words.is_empty() {
                states.push(character_state);
                continue;
            }
            arcs.clear();
            arcs.push(character_state);
            for word in &character.words {
                arcs.push(g.add(&f.word, [states[word.from]], token(word.id)));
            }
            states.push(g.add(&f.join, &arcs, ()));
        }
        for (state, tag) in states.iter().zip(&record.tags) {
            g.add(&f.tag, [*state], Gold { tag: (*tag).into() });
        }
        (g, ())
    }

    /// States are sums over arcs, which grow with the lattice: 0.05 diverges within ten steps.
    fn learning_rate(&self) -> f64 {
        0.001
    }

    fn flops(&self, record: &Record, hidden: usize) -> u64 {
        let (h, tags) = (hidden as u64, self.0.sizes[2] as u64);
        let arcs: u64 = record.characters.iter().map(|c| 1 + c.words.len() as u64).sum();
        arcs * 16 * h * h + record.tags.len() as u64 * 2 * h * tags
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::{read, tests::TEXT};
    use crate::tests::{agree, text};

    #[test]
    fn operations_are_counted() {
        let lattices = EdBatch(read(text(TEXT)).unwrap());
        // Three characters and two words; four positions, three tags.
        assert_eq!(lattices.flops(&lattices.records()[0], 10), 5 * 1600 + 4 * 2 * 10 * 3);
    }

    #[test]
    fn the_batched_cell_is_the_eager_one() {
        agree(&EdBatch(read(text(TEXT)).unwrap()));
    }
}
