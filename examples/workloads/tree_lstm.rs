//! `tree-lstm`: the binary Tree-LSTM on trees in the notation of the Stanford Sentiment Treebank, a
//! class at every vertex.
//!
//! Necessary operations, forward: `6 h²` per leaf (three gates of `h`), `20 h²` per inner vertex
//! (five gates of `2 h`), `10 h` per vertex (five classes).

use edb::Element;
use edb::prelude::*;

use crate::workload::{Reading, WORDS, Workload};
use cells::tree_lstm::{Gold, Memory, TreeLstm, Word};
use readers::lines::LineError;
use readers::tree::{LABELS, Tree, TreeKind};

/// Binary trees.
pub struct Trees {
    records: Vec<Record>,
    words: usize,
}

/// A tree, children before their parents: the label and the kind of each vertex.
pub struct Record {
    vertices: Vec<(u32, VertexKind)>,
}

/// A word, or a phrase with the indices of its two parts, which come before it.
enum VertexKind {
    Leaf(u32),
    Inner(u32, u32),
}

impl Trees {
    /// Reads the instances.
    pub fn read(mut reading: Reading) -> Result<Self, LineError> {
        let trees: Vec<Tree> = reading.records(str::parse)?;
        let words = trees.iter().flat_map(Tree::words).map(String::as_str);
        let numbers = reading.numbers('w', WORDS, words);
        let record = |tree: &Tree| {
            let vertices = tree.vertices().iter().map(|vertex| {
                let kind = match vertex.kind {
                    TreeKind::Leaf { word } => VertexKind::Leaf(numbers.id(&tree.words()[word])),
                    TreeKind::Inner { left, right } => VertexKind::Inner(left as u32, right as u32),
                };
                (u32::from(vertex.label), kind)
            });
            Record { vertices: vertices.collect() }
        };
        Ok(Self { records: trees.iter().map(record).collect(), words: numbers.size() })
    }
}

impl Workload for Trees {
    type Record = Record;
    type Functions = TreeLstm;
    type Growing = ();

    fn records(&self) -> &[Record] {
        &self.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> TreeLstm {
        TreeLstm::new(builder, self.words, hidden, usize::from(LABELS))
    }

    fn graph<T: Element>(&self, f: &TreeLstm, model: &Model<T>, record: &Record) -> (Graph<T>, ()) {
        let mut g = model.graph();
        g.reserve(record.vertices.len());
        let mut vertices: Vec<Vertex<Memory>> = Vec::with_capacity(record.vertices.len());
        for (label, kind) in &record.vertices {
            let label = (*label).into();
            vertices.push(match *kind {
                VertexKind::Leaf(id) => g.add(&f.leaf, (), Word { id: id.into(), label }),
                VertexKind::Inner(left, right) => g.add(
                    &f.inner,
                    [vertices[left as usize], vertices[right as usize]],
                    Gold { label },
                ),
            });
        }
        (g, ())
    }

    fn flops(&self, record: &Record, hidden: usize) -> u64 {
        let (h, vertices) = (hidden as u64, record.vertices.len() as u64);
        let is_leaf = |(_, kind): &&(u32, VertexKind)| matches!(kind, VertexKind::Leaf(_));
        let leaves = record.vertices.iter().filter(is_leaf).count() as u64;
        leaves * 6 * h * h + (vertices - leaves) * 20 * h * h + vertices * 10 * h
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{agree, text, wrong};

    const LINES: &str = "(1 (3 (1 w7) (0 w2)) (2 w7))\n\n(4 w19999)\n(0 (1 w0) (2 w1))\n";

    #[test]
    fn trees_are_read() {
        assert_eq!(Trees::read(text(LINES)).unwrap().records.len(), 3);
        let trees = Trees::read(Reading { most: 2, ..text(LINES) }).unwrap();
        assert_eq!((trees.records.len(), trees.words), (2, WORDS));
        // Two inner vertices over three leaves.
        assert_eq!(trees.flops(&trees.records[0], 10), 3 * 600 + 2 * 2000 + 5 * 100);
        let error = wrong("(4 w1)\n(4 w1\n", Trees::read);
        assert_eq!(error, ", line 2: column 6: expected `)`, found the end of the line");
    }

    #[test]
    fn the_batched_cell_is_the_eager_one() {
        agree(&Trees::read(text(LINES)).unwrap());
    }
}
