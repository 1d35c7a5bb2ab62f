//! `sentiment`, `tree-lstm-2type`, `tree-gru` and `mv-rnn`: the cells of the sentiment example on trees in
//! the notation of the Stanford Sentiment Treebank, judged at every vertex.
//!
//! Necessary operations, forward, beside `10 h` a vertex (five classes), of a leaf and of an inner vertex:
//!
//! | | leaf | inner vertex |
//! | --- | --- | --- |
//! | `sentiment`, `tree-lstm-2type` | `6 h²` (three gates of `h`) | `20 h²` (five gates of `2 h`) |
//! | `tree-gru` | `2 h²` | `8 h²` (reset), `4 h²` (candidate), `18 h²` (three gates of `3 h`) |
//! | `mv-rnn` | `h²` (a product of two vectors) | `8 h²` (vectors), `4 h³` (two products of matrices) |

use edb::Element;
use edb::prelude::*;

use crate::model::{Cell, MvRnn, Sizes, TreeGru, TreeLstm};
use crate::tree::LABELS;
use crate::tree_lstm::{Kind, Record, Trees};
use crate::workload::Workload;

/// Trees as a cell of the sentiment example reads them.
pub struct Sentiments<C> {
    trees: Trees,
    functions: fn(&mut ModelBuilder, Sizes) -> C,
    /// The operations of a leaf and of an inner vertex.
    flops: fn(u64) -> [u64; 2],
}

impl Sentiments<TreeLstm> {
    /// For the Tree-LSTM.
    pub fn tree_lstm(trees: Trees) -> Self {
        let functions = |builder: &mut ModelBuilder, sizes| TreeLstm::new(builder, sizes, 1);
        Self { trees, functions, flops: |h| [6 * h * h, 20 * h * h] }
    }

    /// For the Tree-LSTM with two types of phrases.
    pub fn tree_lstm_of_two_types(trees: Trees) -> Self {
        let functions = |builder: &mut ModelBuilder, sizes| TreeLstm::new(builder, sizes, 2);
        Self { trees, functions, flops: |h| [6 * h * h, 20 * h * h] }
    }
}

impl Sentiments<TreeGru> {
    /// For the Tree-GRU.
    pub fn tree_gru(trees: Trees) -> Self {
        Self { trees, functions: TreeGru::new, flops: |h| [2 * h * h, 30 * h * h] }
    }
}

impl Sentiments<MvRnn> {
    /// For MV-RNN.
    pub fn mv_rnn(trees: Trees) -> Self {
        Self { trees, functions: MvRnn::new, flops: |h| [h * h, 8 * h * h + 4 * h * h * h] }
    }
}

impl<C: Cell> Workload for Sentiments<C> {
    type Record = Record;
    type Functions = C;

    fn records(&self) -> &[Record] {
        self.trees.records()
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> C {
        let classes = usize::from(LABELS);
        let sizes = Sizes { words: self.trees.words(), embedding: hidden, hidden, classes };
        (self.functions)(builder, sizes)
    }

    fn graph<T: Element>(&self, cell: &C, model: &Model<T>, record: &Record) -> Graph<T> {
        let mut g = model.graph();
        g.reserve(2 * record.vertices.len());
        let mut phrases: Vec<Vertex<C::State>> = Vec::with_capacity(record.vertices.len());
        for (label, kind) in &record.vertices {
            let phrase = match *kind {
                Kind::Leaf(id) => cell.word(&mut g, id.into()),
                Kind::Inner(left, right) => {
                    let is_word = matches!(record.vertices[left as usize].1, Kind::Leaf(_));
                    let parts = [phrases[left as usize], phrases[right as usize]];
                    cell.phrase(&mut g, parts, usize::from(is_word))
                }
            };
            cell.judge(&mut g, phrase, (*label).into());
            phrases.push(phrase);
        }
        g
    }

    fn flops(&self, record: &Record, hidden: usize) -> u64 {
        let [leaf, inner] = (self.flops)(hidden as u64);
        let vertex = |(_, kind): &(u32, Kind)| match kind {
            Kind::Leaf(_) => leaf,
            Kind::Inner(..) => inner,
        };
        let judged = 10 * hidden as u64 * record.vertices.len() as u64;
        record.vertices.iter().map(vertex).sum::<u64>() + judged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{agree, text};

    const LINES: &str = "(1 (3 (1 w7) (0 w2)) (2 w7))\n(4 w1)\n(0 (1 w0) (2 (2 w2) (1 w1)))\n";

    fn trees() -> Trees {
        Trees::read(text(LINES)).unwrap()
    }

    #[test]
    fn operations_are_counted() {
        // Two inner vertices over three leaves.
        let gru = Sentiments::tree_gru(trees());
        assert_eq!(gru.flops(&gru.records()[0], 10), 3 * 200 + 2 * 3000 + 5 * 100);
        let lstm = Sentiments::tree_lstm(trees());
        assert_eq!(lstm.flops(&lstm.records()[0], 10), 3 * 600 + 2 * 2000 + 5 * 100);
        let matrices = Sentiments::mv_rnn(trees());
        assert_eq!(matrices.flops(&matrices.records()[1], 10), 100 + 100);
    }

    #[test]
    fn the_batched_cells_are_the_eager_ones() {
        agree(&Sentiments::tree_gru(trees()));
        agree(&Sentiments::tree_lstm(trees()));
        agree(&Sentiments::tree_lstm_of_two_types(trees()));
        agree(&Sentiments::mv_rnn(trees()));
    }
}
