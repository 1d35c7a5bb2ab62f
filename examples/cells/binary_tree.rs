//! A common interface of the cells for binary trees: functions for a word, a phrase and a
//! sentiment.

use edb::Element;
use edb::model::Setup;
use edb::prelude::*;

use crate::sentiment::{self as tree_lstm, Gold, Scores, Word};
use readers::tree::{Tree, TreeKind};
use support::best;
use support::measure::{Measures, infer};

use super::{mv_rnn, routed, sentiment_plain, tree_gru};

/// The vertex functions of a cell that reads binary trees.
pub trait Cell {
    /// The state that a phrase passes to its parent.
    type State: edb::State;
    /// A word.
    type Word: for<'a> VertexFunction<Children<'a> = (), Input = Word, State = Self::State>;
    /// A phrase of two parts.
    type Phrase: for<'a> VertexFunction<
            Children<'a> = [Vertex<Self::State>; 2],
            Input = (),
            State = Self::State,
        >;
    /// The classifier of a phrase.
    type Sentiment: for<'a> VertexFunction<
            Children<'a> = [Vertex<Self::State>; 1],
            Input = Gold,
            State = (),
            Output = Scores,
        >;

    /// The sizes of the word function, and the initial values of its tables.
    fn words(Sizes { words, embedding, hidden, .. }: Sizes) -> Setup {
        dims! { V: words, X: embedding, H: hidden }.init("table", TABLE)
    }
}

/// The sizes of a model.
#[derive(Clone, Copy)]
pub struct Sizes {
    pub words: usize,
    pub embedding: usize,
    pub hidden: usize,
    pub classes: usize,
}

/// The initial values of embedding tables.
const TABLE: Initializer = Initializer::Uniform { bound: 0.1 };

/// The Tree-LSTM.
pub enum TreeLstm {}

impl Cell for TreeLstm {
    type State = tree_lstm::Node;
    type Word = tree_lstm::word;
    type Phrase = tree_lstm::phrase;
    type Sentiment = tree_lstm::sentiment;
}

/// The Tree-LSTM without dropout. Its parameters have the same names, so that the parameters of one
/// are those of the other.
pub enum PlainTreeLstm {}

impl Cell for PlainTreeLstm {
    type State = tree_lstm::Node;
    type Word = sentiment_plain::word;
    type Phrase = tree_lstm::phrase;
    type Sentiment = sentiment_plain::sentiment;
}

/// The Tree-GRU.
pub enum TreeGru {}

impl Cell for TreeGru {
    type State = tree_gru::Hidden;
    type Word = tree_gru::word;
    type Phrase = tree_gru::phrase;
    type Sentiment = tree_gru::sentiment;
}

/// A Tree-LSTM of three experts, of which each phrase chooses one.
pub enum Routed {}

impl Cell for Routed {
    type State = tree_lstm::Node;
    type Word = tree_lstm::word;
    type Phrase = routed::routed;
    type Sentiment = tree_lstm::sentiment;
}

/// MV-RNN.
pub enum MvRnn {}

impl Cell for MvRnn {
    type State = mv_rnn::Meaning;
    type Word = mv_rnn::word;
    type Phrase = mv_rnn::phrase;
    type Sentiment = mv_rnn::sentiment;

    /// Vectors of words are as wide as those of phrases.
    fn words(Sizes { words, hidden, .. }: Sizes) -> Setup {
        let tables = ["table", "table_u", "table_v"];
        tables.iter().fold(dims! { V: words, H: hidden }, |dims, name| dims.init(name, TABLE))
    }
}

/// The vertex functions in a model, with one or several types of phrases.
pub struct Functions<C: Cell> {
    word: Function<C::Word>,
    phrases: Vec<Function<C::Phrase>>,
    pub sentiment: Function<C::Sentiment>,
}

impl<C: Cell> Functions<C> {
    /// Adds the functions to a model, with `types` types of phrases.
    pub fn new(builder: &mut ModelBuilder, sizes: Sizes, types: usize) -> Self {
        let Sizes { hidden, classes, .. } = sizes;
        let phrase = |number| match number {
            0 => dims! { H: hidden },
            _ => dims! { H: hidden }.named(format!("phrase{number}")),
        };
        Self {
            word: builder.add::<C::Word>(C::words(sizes)),
            phrases: (0..types).map(|number| builder.add::<C::Phrase>(phrase(number))).collect(),
            sentiment: builder.add::<C::Sentiment>(dims! { C: classes, H: hidden }),
        }
    }

    /// A tree as a graph, where `id` gives the numbers of words, and the vertex that classifies the
    /// root.
    ///
    /// With two types of phrases, those whose first part is a word are of the second.
    pub fn graph<T: Element>(
        &self,
        model: &Model<T>,
        tree: &Tree,
        id: impl Fn(&str) -> u32,
    ) -> (Graph<T>, Vertex<()>) {
        self.graph_with_losses(model, tree, id, false)
    }

    /// The same with a loss at the root only: that of the prediction for the sentence.
    pub fn graph_of_root<T: Element>(
        &self,
        model: &Model<T>,
        tree: &Tree,
        id: impl Fn(&str) -> u32,
    ) -> (Graph<T>, Vertex<()>) {
        self.graph_with_losses(model, tree, id, true)
    }

    fn graph_with_losses<T: Element>(
        &self,
        model: &Model<T>,
        tree: &Tree,
        id: impl Fn(&str) -> u32,
        only_root: bool,
    ) -> (Graph<T>, Vertex<()>) {
        let mut g = model.graph();
        g.reserve(2 * tree.vertices().len());
        let mut phrases: Vec<Vertex<C::State>> = Vec::with_capacity(tree.vertices().len());
        let mut root = None;
        for (number, vertex) in tree.vertices().iter().enumerate() {
            let phrase = match vertex.kind {
                TreeKind::Leaf { word } => {
                    g.add(&self.word, (), Word { id: id(&tree.words()[word]).into() })
                }
                TreeKind::Inner { left, right } => {
                    let is_word = matches!(tree.vertices()[left].kind, TreeKind::Leaf { .. });
                    let function = &self.phrases[usize::from(is_word) % self.phrases.len()];
                    g.add(function, [phrases[left], phrases[right]], ())
                }
            };
            phrases.push(phrase);
            if !only_root || number + 1 == tree.vertices().len() {
                let gold = Gold { label: vertex.label.into() };
                root = Some(g.add(&self.sentiment, [phrase], gold));
            }
        }
        (g, root.expect("a tree has at least one vertex"))
    }

    /// How well the roots are classified.
    pub fn accuracy(
        &self,
        trainer: &mut Trainer,
        trees: &[Tree],
        id: impl Fn(&str) -> u32,
    ) -> support::Result<Accuracy> {
        let (mut right, mut polar_right, mut polar) = (0, 0, 0);
        let graph = |model: &Model, tree: &Tree| self.graph(model, tree, &id);
        let loss = infer(trainer, trees, graph, |run, tree, root| {
            let gold = usize::from(tree.label());
            let logits = run.output(&self.sentiment, root)?.logits;
            right += usize::from(best(logits.iter().copied()) == gold);
            if gold != 2 {
                // The side with the greater probability.
                let weight = |class: usize| logits[class].exp();
                let positive = weight(3) + weight(4) > weight(0) + weight(1);
                polar_right += usize::from(positive == (gold > 2));
                polar += 1;
            }
            Ok(())
        })?;
        let share = |right: usize, of: usize| right as f64 / of.max(1) as f64;
        let (fine, binary) = (share(right, trees.len()), share(polar_right, polar));
        Ok(Accuracy { fine, binary, loss: loss / trees.len().max(1) as f64 })
    }
}

/// How well the roots of trees are classified.
#[derive(Clone, Copy, Debug)]
pub struct Accuracy {
    /// Over five classes.
    pub fine: f64,
    /// Positive against negative, without sentences labelled neutral, as usual.
    pub binary: f64,
    /// The mean loss of a tree, with those of its phrases.
    pub loss: f64,
}

impl Accuracy {
    /// Both accuracies, behind their mean, which chooses the epoch.
    pub fn measures(self) -> Measures {
        let Self { fine, binary, .. } = self;
        vec![("mean", (fine + binary) / 2.0), ("fine", fine), ("binary", binary)]
    }
}
