//! `tree-lstm` and `tree-lstm-child-sum`: the binary Tree-LSTM, and the child-sum Tree-LSTM over two
//! children, on trees in the notation of the Stanford Sentiment Treebank, a class at every vertex.
//!
//! Necessary operations, forward: `6 h²` per leaf (three gates of `h`), `10 h` per vertex (five
//! classes), and per inner vertex:
//!
//! | | inner vertex |
//! | --- | --- |
//! | `tree-lstm` | `20 h²` (five gates of `2 h`) |
//! | `tree-lstm-child-sum` | `6 h²` (three gates of the children's sum), `4 h²` (a forget gate for each child) |

use std::marker::PhantomData;

use edb::Element;
use edb::prelude::*;

use crate::workload::{Reading, WORDS, Workload};
use cells::tree_lstm::{Functions, Gold, Memory, Phrase, Word, inner};
use cells::tree_lstm_child_sum::phrase as child_sum;
use readers::lines::LineError;
use readers::tree::{LABELS, Tree, TreeKind};

/// Binary trees, as a cell with these phrases reads them.
pub struct Trees<P> {
    records: Vec<Record>,
    words: usize,
    phrase: PhantomData<P>,
}

/// The trees of `tree-lstm`.
pub type Binary = Trees<inner>;

/// The trees of `tree-lstm-child-sum`.
pub type ChildSum = Trees<child_sum>;

/// A phrase, and its operations.
pub trait Measured: Phrase + Sync {
    /// The operations per inner vertex, but for its classes.
    fn flops(h: u64) -> u64;
}

impl Measured for inner {
    fn flops(h: u64) -> u64 {
        20 * h * h
    }
}

impl Measured for child_sum {
    fn flops(h: u64) -> u64 {
        10 * h * h
    }
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

impl<P: Measured> Trees<P> {
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
        let records = trees.iter().map(record).collect();
        Ok(Self { records, words: numbers.size(), phrase: PhantomData })
    }
}

impl<P: Measured> Workload for Trees<P> {
    type Record = Record;
    type Functions = Functions<P>;
    type Growing = ();

    fn records(&self) -> &[Record] {
        &self.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> Functions<P> {
        Functions::new(builder, self.words, hidden, usize::from(LABELS))
    }

    fn graph<T: Element>(
        &self,
        f: &Functions<P>,
        model: &Model<T>,
        record: &Record,
    ) -> (Graph<T>, ()) {
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
        leaves * 6 * h * h + (vertices - leaves) * P::flops(h) + vertices * 10 * h
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::measure::Mode;
    use crate::tests::{agree, loaded, text, wrong};

    const LINES: &str = "(1 (3 (1 w7) (0 w2)) (2 w7))\n\n(4 w19999)\n(0 (1 w0) (2 w1))\n";

    #[test]
    fn trees_are_read() {
        assert_eq!(Binary::read(text(LINES)).unwrap().records.len(), 3);
        let trees = Binary::read(Reading { most: 2, ..text(LINES) }).unwrap();
        assert_eq!((trees.records.len(), trees.words), (2, WORDS));
        // Two inner vertices over three leaves.
        assert_eq!(trees.flops(&trees.records[0], 10), 3 * 600 + 2 * 2000 + 5 * 100);
        let trees = ChildSum::read(text(LINES)).unwrap();
        assert_eq!(trees.flops(&trees.records[0], 10), 3 * 600 + 2 * 1000 + 5 * 100);
        let error = wrong("(4 w1)\n(4 w1\n", Binary::read);
        assert_eq!(error, ", line 2: column 6: expected `)`, found the end of the line");
    }

    #[test]
    fn the_batched_cells_are_the_eager_ones() {
        agree(&Binary::read(text(LINES)).unwrap());
        agree(&ChildSum::read(text(LINES)).unwrap());
    }

    /// One phrase of two words, with one unit.
    #[test]
    fn a_phrase_sums_its_children_and_forgets_each() {
        let modulo = NonZeroU32::new(2);
        let trees = ChildSum::read(Reading { modulo, ..text("(4 (0 w0) (3 w1))\n") }).unwrap();
        let (load, model) = loaded::<f64, _>(&trees, 1, Mode::Infer);
        let of = |name: &str| {
            let parameters = model.parameters();
            parameters.get(parameters.find(name).unwrap()).values().unwrap().to_vec()
        };
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let gates = |w: &str, b: &str, x: f64| -> [f64; 3] {
            let (w, b) = (of(w), of(b));
            std::array::from_fn(|gate| w[gate] * x + b[gate])
        };
        let state = |[i, o, u]: [f64; 3], kept: f64| {
            let c = sigmoid(i) * u.tanh() + kept;
            [sigmoid(o) * c.tanh(), c]
        };
        let word = |id: usize| state(gates("leaf.w", "leaf.b", of("leaf.table")[id]), 0.0);
        let (l, r) = (word(0), word(1));
        let kept = [l, r].map(|[h, c]| sigmoid(of("inner.u_f")[0] * h + of("inner.b_f")[0]) * c);
        let phrase = state(gates("inner.u", "inner.b", l[0] + r[0]), kept[0] + kept[1]);
        let loss = |h: f64, label: usize| {
            let classes = of("leaf.w_class").into_iter().zip(of("leaf.b_class"));
            let scores: Vec<f64> = classes.map(|(w, b)| w * h + b).collect();
            scores.iter().map(|score| score.exp()).sum::<f64>().ln() - scores[label]
        };
        let expected = loss(l[0], 0) + loss(r[0], 3) + loss(phrase[0], 4);
        let batch = model.minibatch(&load.graphs(&model, trees.records()).0).unwrap();
        let found = Engine::new().forward(&model, &batch, 0).unwrap().loss().unwrap();
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}
