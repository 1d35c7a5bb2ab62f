//! `sentiment`, `tree-lstm-2type`, `tree-gru` and `mv-rnn`: the cells of the sentiment example on
//! trees in the notation of the Stanford Sentiment Treebank, with a classifier at every vertex.
//!
//! Necessary operations, forward: `10 h` per vertex (five classes), and per leaf and per inner
//! vertex:
//!
//! | | leaf | inner vertex |
//! | --- | --- | --- |
//! | `sentiment`, `tree-lstm-2type` | `6 h²` (three gates of `h`) | `20 h²` (five gates of `2 h`) |
//! | `tree-gru` | `2 h²` | `8 h²` (reset), `4 h²` (candidate), `18 h²` (three gates of `3 h`) |
//! | `mv-rnn` | `h²` (a product of two vectors) | `8 h²` (vectors), `4 h³` (two products of matrices) |

use std::marker::PhantomData;

use edb::Element;
use edb::prelude::*;

use crate::workload::{Numbers, Reading, WORDS, Workload};
use cells::binary_tree::{Cell, Functions, MvRnn, Sizes, TreeGru, TreeLstm};
use readers::lines::LineError;
use readers::tree::{LABELS, Tree, TreeKind};

/// Trees, as a cell of the sentiment example reads them.
pub struct Sentiments<C> {
    records: Vec<Tree>,
    words: Numbers,
    /// The number of types of phrases.
    types: usize,
    cell: PhantomData<C>,
}

/// A cell, and its operations per leaf and per inner vertex.
pub trait Measured: Cell {
    /// The learning rate of the timed steps.
    const RATE: f64 = 0.05;

    fn flops(h: u64) -> [u64; 2];
}

impl Measured for TreeLstm {
    fn flops(h: u64) -> [u64; 2] {
        [6 * h * h, 20 * h * h]
    }
}

impl Measured for TreeGru {
    fn flops(h: u64) -> [u64; 2] {
        [2 * h * h, 30 * h * h]
    }
}

impl Measured for MvRnn {
    // With larger steps, the products of matrices diverge in minibatches of one graph.
    const RATE: f64 = 0.005;

    fn flops(h: u64) -> [u64; 2] {
        [h * h, 8 * h * h + 4 * h * h * h]
    }
}

impl<C: Measured> Sentiments<C> {
    /// Reads the instances, for a model with `types` types of phrases.
    pub fn read(mut reading: Reading, types: usize) -> Result<Self, LineError> {
        let records: Vec<Tree> = reading.records(str::parse)?;
        let words = records.iter().flat_map(Tree::words).map(String::as_str);
        let words = reading.numbers('w', WORDS, words);
        Ok(Self { records, words, types, cell: PhantomData })
    }
}

impl<C: Measured> Workload for Sentiments<C> {
    type Record = Tree;
    type Functions = Functions<C>;
    type Growing = ();

    fn records(&self) -> &[Tree] {
        &self.records
    }

    fn learning_rate(&self) -> f64 {
        C::RATE
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> Functions<C> {
        let (words, classes) = (self.words.size(), usize::from(LABELS));
        Functions::new(builder, Sizes { words, embedding: hidden, hidden, classes }, self.types)
    }

    fn graph<T: Element>(&self, f: &Functions<C>, model: &Model<T>, tree: &Tree) -> (Graph<T>, ()) {
        (f.graph(model, tree, |word| self.words.id(word)).0, ())
    }

    fn flops(&self, tree: &Tree, hidden: usize) -> u64 {
        let [leaf, inner] = C::flops(hidden as u64);
        let vertices = tree.vertices().iter().map(|vertex| match vertex.kind {
            TreeKind::Leaf { .. } => leaf,
            TreeKind::Inner { .. } => inner,
        });
        vertices.sum::<u64>() + 10 * hidden as u64 * tree.vertices().len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{agree, text};

    const LINES: &str = "(1 (3 (1 w7) (0 w2)) (2 w7))\n(4 w1)\n(0 (1 w0) (2 (2 w2) (1 w1)))\n";

    fn read<C: Measured>(types: usize) -> Sentiments<C> {
        Sentiments::read(text(LINES), types).unwrap()
    }

    #[test]
    fn operations_are_counted() {
        // Two inner vertices over three leaves.
        let gru = read::<TreeGru>(1);
        assert_eq!(gru.flops(&gru.records()[0], 10), 3 * 200 + 2 * 3000 + 5 * 100);
        let lstm = read::<TreeLstm>(2);
        assert_eq!(lstm.flops(&lstm.records()[0], 10), 3 * 600 + 2 * 2000 + 5 * 100);
        let matrices = read::<MvRnn>(1);
        assert_eq!(matrices.flops(&matrices.records()[1], 10), 100 + 100);
    }

    #[test]
    fn the_batched_cells_are_the_eager_ones() {
        agree(&read::<TreeGru>(1));
        agree(&read::<TreeLstm>(1));
        agree(&read::<TreeLstm>(2));
        agree(&read::<MvRnn>(1));
    }
}
