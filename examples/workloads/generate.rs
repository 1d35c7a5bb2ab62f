//! `generate`: the generator of trees of the example `generate`, over trees in brackets, one a line.
//! A sentence is read as the tags of its words; a tree of one word alone is left out. In training the
//! record says which productions are taken; in inference the generator decides, and a tree that does
//! not end is cut off.
//!
//! Necessary operations, forward: `38 h²` per word (four gates in two directions, and the key and
//! the value of attention), and per symbol that was decided `28 h²` (four gates of a vector, a state
//! and what was seen before, and a layer), `4 h` for each word (attention) and `2 h p` (scores of
//! `p` productions, of phrases or of leaves). The root has seen nothing: `8 h²` less.

use edb::Element;
use edb::engine::GrowingGraph;
use edb::prelude::*;

use crate::measure::Mode;
use crate::workload::{Reading, Workload};
use cells::generator::{Generator, Tree, productions};
use readers::derivation::Derivation;
use readers::lines::LineError;

/// Trees in brackets.
pub struct Trees {
    records: Vec<Derivation>,
    /// The numbers of productions of phrases and of leaves.
    productions: [usize; 2],
}

impl Trees {
    /// Reads the instances.
    pub fn read(mut reading: Reading) -> Result<Self, LineError> {
        let mut records: Vec<Derivation> = reading.records(str::parse)?;
        records.retain(|tree| tree.words.len() > 1);
        records.iter_mut().for_each(Derivation::read_tags);
        let productions = productions(&records).map(|found| found.len());
        Ok(Self { records, productions })
    }

    /// The necessary operations for a tree of so many phrases and leaves.
    fn operations(&self, words: usize, symbols: [usize; 2], hidden: usize) -> u64 {
        let (h, words) = (hidden as u64, words as u64);
        let kinds = symbols.iter().zip(&self.productions).map(|(symbols, productions)| {
            *symbols as u64 * (28 * h * h + 4 * h * words + 2 * h * *productions as u64)
        });
        words * 38 * h * h + kinds.sum::<u64>() - 8 * h * h
    }
}

impl Workload for Trees {
    type Record = Derivation;
    type Functions = Generator;
    type Growing = Tree;

    const GROWS: bool = true;

    fn records(&self) -> &[Derivation] {
        &self.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> Generator {
        Generator::new(builder, &self.records, hidden)
    }

    fn graph<T: Element>(
        &self,
        f: &Generator,
        model: &Model<T>,
        record: &Derivation,
    ) -> (Graph<T>, Tree) {
        f.begin(model, &record.words)
    }

    fn turn<T: Element>(
        &self,
        f: &Generator,
        g: &mut GrowingGraph<'_, T>,
        tree: &mut Tree,
        record: &Derivation,
        mode: Mode,
    ) {
        f.turn(g, tree, (mode == Mode::Train).then_some(&record.symbols));
    }

    fn flops(&self, Derivation { words, symbols }: &Derivation, hidden: usize) -> u64 {
        // A leaf for each word.
        self.operations(words.len(), [symbols.len() - words.len(), words.len()], hidden)
    }

    fn grown_flops(&self, record: &Derivation, tree: &Tree, hidden: usize) -> u64 {
        let symbols = [tree.symbols.len() - tree.leaves, tree.leaves];
        self.operations(record.words.len(), symbols, hidden)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{agree, grown, text, wrong};

    const LINES: &str = "\
(S (NP (DT the) (NN dog)) (VBZ barks))
(NN dog)
(S (PRP it) (VP (VBZ sees) (NP (DT the) (NN dog))))
";

    #[test]
    fn trees_are_read() {
        let found = Trees::read(text(LINES)).unwrap();
        assert_eq!((found.records.len(), found.productions), (2, [4, 4]));
        assert_eq!(found.records[0].words, ["DT", "NN", "VBZ"]);
        // Two phrases and three leaves; there are as many productions of both.
        let expected = 3 * 3800 + 5 * (2800 + 40 * 3 + 20 * 4) - 800;
        assert_eq!(found.flops(&found.records[0], 10), expected);
        let error = wrong("(S (A a) (B b))\n(S a b)\n", Trees::read);
        assert_eq!(error, ", line 2: column 6: expected `)`, found `b`");
    }

    #[test]
    fn what_has_grown_is_counted() {
        let found = Trees::read(text(LINES)).unwrap();
        for (tree, record) in grown(&found, Mode::Train).iter().zip(&found.records) {
            assert_eq!(found.grown_flops(record, tree, 10), found.flops(record, 10));
        }
        for (tree, record) in grown(&found, Mode::Infer).iter().zip(&found.records) {
            let words = record.words.len() as u64;
            let each = 2800 + 40 * words + 20 * 4;
            let expected = words * 3800 + tree.symbols.len() as u64 * each - 800;
            assert_eq!(found.grown_flops(record, tree, 10), expected);
        }
    }

    #[test]
    fn the_batched_cells_are_the_eager_ones() {
        agree(&Trees::read(text(LINES)).unwrap());
    }
}
