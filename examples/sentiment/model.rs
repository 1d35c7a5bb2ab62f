//! The cells that may read the trees, as one interface: what a word, a phrase and a judgement are.

use edb::ndarray::ArrayViewD;
use edb::prelude::*;
use edb::{Element, EngineError};

use crate::cell as tree_lstm;
use crate::cell::{Gold, Word};
use crate::cells::{mv_rnn, tree_gru};
use crate::support::vocabulary::Vocabulary;
use crate::tree::{Tree, TreeKind};

/// The vertex functions of a model that reads binary trees.
pub trait Cell {
    /// What a phrase tells its parent.
    type State;

    /// Adds a word.
    fn word<T: Element>(&self, g: &mut Graph<T>, id: Index) -> Vertex<Self::State>;

    /// Adds a phrase of two parts; of several types of phrases, the one of this number.
    fn phrase<T: Element>(
        &self,
        g: &mut Graph<T>,
        parts: [Vertex<Self::State>; 2],
        number: usize,
    ) -> Vertex<Self::State>;

    /// Adds what judges a phrase.
    fn judge<T: Element>(
        &self,
        g: &mut Graph<T>,
        phrase: Vertex<Self::State>,
        label: Index,
    ) -> Vertex<()>;

    /// The judgement: a score for each class.
    fn scores<'r>(
        &self,
        run: &'r Run<'_>,
        judge: Vertex<()>,
    ) -> Result<ArrayViewD<'r, f32>, EngineError>;
}

/// A tree as a graph; the vertex that judges the whole sentence is the last.
pub fn graph<C: Cell, T: Element>(
    cell: &C,
    model: &Model<T>,
    words: &Vocabulary,
    tree: &Tree,
) -> (Graph<T>, Vertex<()>) {
    let mut g = model.graph();
    let mut phrases: Vec<Vertex<C::State>> = Vec::new();
    let mut root = None;
    for vertex in tree.vertices() {
        let phrase = match vertex.kind {
            TreeKind::Leaf { word } => cell.word(&mut g, words.id(&tree.words()[word]).into()),
            TreeKind::Inner { left, right } => {
                let is_word = matches!(tree.vertices()[left].kind, TreeKind::Leaf { .. });
                cell.phrase(&mut g, [phrases[left], phrases[right]], usize::from(is_word))
            }
        };
        phrases.push(phrase);
        root = Some(cell.judge(&mut g, phrase, vertex.label.into()));
    }
    (g, root.expect("a tree has at least one vertex"))
}

/// The sizes of a model.
#[derive(Clone, Copy)]
pub struct Sizes {
    pub words: usize,
    pub embedding: usize,
    pub hidden: usize,
    pub classes: usize,
}

/// The first values of tables of words.
const TABLE: Initializer = Initializer::Uniform { bound: 0.1 };

/// The functions of a cell, with phrases of one type or of several.
pub struct Functions<W: VertexFunction, P: VertexFunction, S: VertexFunction> {
    word: Function<W>,
    phrases: Vec<Function<P>>,
    sentiment: Function<S>,
}

/// The Tree-LSTM.
pub type TreeLstm = Functions<tree_lstm::word, tree_lstm::phrase, tree_lstm::sentiment>;

impl TreeLstm {
    /// Adds it to a model, with so many types of phrases.
    pub fn new(builder: &mut ModelBuilder, sizes: Sizes, types: usize) -> Self {
        let Sizes { words, embedding, hidden, classes } = sizes;
        let word = dims! { V: words, X: embedding, H: hidden }.init("table", TABLE);
        let named = |number| match number {
            0 => dims! { H: hidden },
            _ => dims! { H: hidden }.named(&format!("phrase{number}")),
        };
        Self {
            word: builder.add::<tree_lstm::word>(word),
            phrases: (0..types).map(|n| builder.add::<tree_lstm::phrase>(named(n))).collect(),
            sentiment: builder.add::<tree_lstm::sentiment>(dims! { C: classes, H: hidden }),
        }
    }
}

/// The Tree-GRU.
pub type TreeGru = Functions<tree_gru::word, tree_gru::phrase, tree_gru::sentiment>;

impl TreeGru {
    /// Adds it to a model.
    pub fn new(builder: &mut ModelBuilder, sizes: Sizes) -> Self {
        let Sizes { words, embedding, hidden, classes } = sizes;
        let word = dims! { V: words, X: embedding, H: hidden }.init("table", TABLE);
        Self {
            word: builder.add::<tree_gru::word>(word),
            phrases: vec![builder.add::<tree_gru::phrase>(dims! { H: hidden })],
            sentiment: builder.add::<tree_gru::sentiment>(dims! { C: classes, H: hidden }),
        }
    }
}

/// MV-RNN.
pub type MvRnn = Functions<mv_rnn::word, mv_rnn::phrase, mv_rnn::sentiment>;

impl MvRnn {
    /// Adds it to a model; vectors of words are as wide as those of phrases.
    pub fn new(builder: &mut ModelBuilder, sizes: Sizes) -> Self {
        let Sizes { words, hidden, classes, .. } = sizes;
        let tables = ["table", "table_u", "table_v"];
        let word =
            tables.iter().fold(dims! { V: words, H: hidden }, |dims, name| dims.init(name, TABLE));
        Self {
            word: builder.add::<mv_rnn::word>(word),
            phrases: vec![builder.add::<mv_rnn::phrase>(dims! { H: hidden })],
            sentiment: builder.add::<mv_rnn::sentiment>(dims! { C: classes, H: hidden }),
        }
    }
}

/// What is the same for all cells but for the types of their ports.
macro_rules! cell {
    ($functions:ty, $cell:ident, $state:ident) => {
        impl Cell for $functions {
            type State = $cell::$state;

            fn word<T: Element>(&self, g: &mut Graph<T>, id: Index) -> Vertex<Self::State> {
                g.add(&self.word, (), Word { id })
            }

            fn phrase<T: Element>(
                &self,
                g: &mut Graph<T>,
                parts: [Vertex<Self::State>; 2],
                number: usize,
            ) -> Vertex<Self::State> {
                g.add(&self.phrases[number % self.phrases.len()], parts, ())
            }

            fn judge<T: Element>(
                &self,
                g: &mut Graph<T>,
                phrase: Vertex<Self::State>,
                label: Index,
            ) -> Vertex<()> {
                g.add(&self.sentiment, [phrase], Gold { label })
            }

            fn scores<'r>(
                &self,
                run: &'r Run<'_>,
                judge: Vertex<()>,
            ) -> Result<ArrayViewD<'r, f32>, EngineError> {
                Ok(run.output(&self.sentiment, judge)?.logits)
            }
        }
    };
}

cell!(TreeLstm, tree_lstm, Node);
cell!(TreeGru, tree_gru, Hidden);
cell!(MvRnn, mv_rnn, Meaning);
