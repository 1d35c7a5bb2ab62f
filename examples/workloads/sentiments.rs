//! `sentiment`, `tree-lstm-2type`, `tree-gru`, `mv-rnn` and `routed-tree`: the cells of the
//! sentiment example on trees in the notation of the Stanford Sentiment Treebank, with a classifier
//! at every vertex.
//!
//! Necessary operations, forward: `10 h` per vertex (five classes), and per leaf and per inner
//! vertex:
//!
//! | | leaf | inner vertex |
//! | --- | --- | --- |
//! | `sentiment`, `tree-lstm-2type` | `6 h²` (three gates of `h`) | `20 h²` (five gates of `2 h`) |
//! | `tree-gru` | `2 h²` | `8 h²` (reset), `4 h²` (candidate), `18 h²` (three gates of `3 h`) |
//! | `mv-rnn` | `h²` (a product of two vectors) | `8 h²` (vectors), `4 h³` (two products of matrices) |
//! | `routed-tree` | `6 h²` (three gates of `h`) | `12 h` (scores of three experts), and what it chooses: `20 h²`, `8 h²` or nothing |

use std::marker::PhantomData;

use edb::Element;
use edb::engine::EngineError;
use edb::prelude::*;

use crate::workload::{Numbers, Reading, WORDS, Workload};
use cells::binary_tree::{Cell, Functions, MvRnn, Routed, Sizes, TreeGru, TreeLstm};
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

/// A cell, and its operations.
pub trait Measured: Cell + Sync {
    /// The learning rate of the timed steps.
    const RATE: f64 = 0.05;

    /// Whether inner vertices choose an expert.
    const CHOOSES: bool = false;

    /// The operations per leaf and per inner vertex.
    fn flops(h: u64) -> [u64; 2];

    /// The further operations of an inner vertex that has chosen this expert.
    fn expert_flops(_expert: u32, _h: u64) -> u64 {
        0
    }
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

impl Measured for Routed {
    // So that what phrases choose does not drift from pass to pass.
    const RATE: f64 = 0.0;
    const CHOOSES: bool = true;

    fn flops(h: u64) -> [u64; 2] {
        [6 * h * h, 12 * h]
    }

    fn expert_flops(expert: u32, h: u64) -> u64 {
        match expert {
            0 => 20 * h * h,
            1 => 8 * h * h,
            _ => 0,
        }
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

    const DECIDES: bool = C::CHOOSES;

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

    fn decided_flops(
        &self,
        run: &Run<'_>,
        place: usize,
        tree: &Tree,
        hidden: usize,
    ) -> Result<u64, EngineError> {
        let is_inner =
            |number: &usize| matches!(tree.vertices()[*number].kind, TreeKind::Inner { .. });
        let inner = (0..tree.vertices().len()).filter(is_inner);
        // In the graph, every vertex of the tree is followed by its classifier.
        let experts = inner.map(|number| run.index_at(place, 2 * number, "expert"));
        experts.map(|expert| Ok(C::expert_flops(expert?, hidden as u64))).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::tests::{agree, decided, text};

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
        let routed = read::<Routed>(1);
        assert_eq!(routed.flops(&routed.records()[0], 10), 3 * 600 + 2 * 120 + 5 * 100);
    }

    #[test]
    fn phrases_choose_different_experts() {
        // Of one phrase each.
        let lines: String = (0..9).map(|word| format!("(1 (3 w{word}) (0 w0))\n")).collect();
        let trees = Sentiments::<Routed>::read(text(&lines), 1).unwrap();
        let experts: BTreeSet<u64> = decided(&trees, 10).into_iter().collect();
        assert_eq!(experts, BTreeSet::from([0, 800, 2000]));
    }

    #[test]
    fn the_batched_cells_are_the_eager_ones() {
        agree(&read::<TreeGru>(1));
        agree(&read::<TreeLstm>(1));
        agree(&read::<TreeLstm>(2));
        agree(&read::<MvRnn>(1));
        agree(&read::<Routed>(1));
    }
}
