//! A BiLSTM tagger (Huang et al., 2015, "Bidirectional LSTM-CRF models for sequence tagging",
//! section 2.2), over words and optionally their letters ([`spelling`](crate::spelling); Lample et
//! al., 2016).
//!
//! ```text
//! [i, f, o, g] = W x + U h + b          c' = σ(f) c + σ(i) tanh(g)          h' = σ(o) tanh(c')
//! scores = V [h→; h←] + b_v             x = E_word        or        x = [E_word; s→; s←]
//! ```

use edb::Element;
use edb::prelude::*;

use crate::crf::{Best, Crf};
use crate::lstm::{Memory, chain, lstm};
use crate::spelling::{Speller, Spelling};
use crate::tagging::{Gold, emit, tag};
use readers::corpus::Record;

/// The vector of a word, read by both directions.
#[derive(State)]
pub struct Vector {
    pub x: Tensor,
}

/// A word.
#[derive(Input)]
pub struct Word {
    pub id: Index,
}

/// A word, from its vector.
#[vertex_function]
pub fn known(#[param(V, X)] table: Tensor) {
    let Word { id } = pull();
    scatter(Vector { x: table.row(id).dropout(0.5) });
}

/// A word, from its vector and the states of both directions over its letters.
#[vertex_function]
pub fn spelled(#[param(V, X)] table: Tensor) {
    let Word { id } = pull();
    let [last, first]: [Spelling; 2] = [gather(0), gather(1)];
    scatter(Vector { x: concat([table.row(id), last.h, first.h]).dropout(0.5) });
}

/// A word, after those before it in its direction.
#[vertex_function]
pub fn step(
    #[dim(H)] size: Dim,
    #[param(4 * H, X)] w: Tensor,
    #[param(4 * H, H)] u: Tensor,
    #[param(4 * H)] b: Tensor,
) {
    let Vector { x } = gather(0);
    let before = gather_or(1, Memory { h: zeros(size), c: zeros(size) });
    let [h, c] = lstm(w.dot(x) + u.dot(before.h) + b, before.c);
    scatter(Memory { h, c });
}

/// What reads a sentence in a model. Of a pair, the first reads forward, the second backward.
pub struct Reader {
    pub words: Words,
    pub steps: [Function<step>; 2],
}

/// A tagger that decides on each word by itself.
pub struct Tagger {
    pub reader: Reader,
    pub tag: Function<tag>,
}

/// A tagger whose tags are decided together.
pub struct CrfTagger {
    reader: Reader,
    emit: Function<emit>,
    pub crf: Crf,
}

/// How words are represented.
pub enum Words {
    /// By their vectors.
    Known(Function<known>),
    /// By their vectors and their letters.
    Spelled(Speller, Function<spelled>),
}

/// The sizes of a model: tables of words, of letters (none to leave them out) and of tags, and
/// units.
#[derive(Clone, Copy)]
pub struct Sizes {
    pub words: usize,
    pub letters: Option<usize>,
    pub tags: usize,
    pub hidden: usize,
}

impl Sizes {
    /// The width of a direction over letters: the two together are half as wide as a word's vector.
    pub fn spelling(self) -> usize {
        self.hidden.div_ceil(4)
    }
}

impl Reader {
    /// Adds the functions to a model.
    fn new(builder: &mut ModelBuilder, sizes: Sizes) -> Self {
        let Sizes { words, letters, hidden, .. } = sizes;
        let table = dims! { V: words, X: hidden };
        let table = table.init("table", Initializer::Uniform { bound: 0.1 });
        let (words, x) = match letters {
            None => (Words::Known(builder.add::<known>(table)), hidden),
            Some(letters) => {
                let spelling = sizes.spelling();
                let speller = Speller::new(builder, letters, spelling);
                (Words::Spelled(speller, builder.add::<spelled>(table)), hidden + 2 * spelling)
            }
        };
        let step = |name| builder.add::<step>(dims! { X: x, H: hidden }.named(name));
        Self { words, steps: ["forward", "backward"].map(step) }
    }

    /// Adds a sentence to a graph, and for each word what `tag` adds above the states of both directions. Returns the
    /// latter in the order of the words.
    fn read<T: Element, S>(
        &self,
        g: &mut Graph<T>,
        sentence: &[Record],
        mut tag: impl FnMut(&mut Graph<T>, [Vertex<Memory>; 2], &Record) -> Vertex<S>,
    ) -> Vec<Vertex<S>> {
        let vectors: Vec<_> = sentence.iter().map(|word| self.words.read(g, word)).collect();
        let [f, b] = &self.steps;
        let forward = chain(&vectors, None, |x, before| g.add(f, (*x, before), ()));
        let words = vectors.iter().zip(forward).zip(sentence).rev();
        let mut tags = Vec::with_capacity(sentence.len());
        chain(words, None, |((x, forward), word), behind| {
            let backward = g.add(b, (*x, behind), ());
            tags.push(tag(g, [forward, backward], word));
            backward
        });
        tags.reverse();
        tags
    }
}

impl Tagger {
    /// Adds the functions to a model.
    pub fn new(builder: &mut ModelBuilder, sizes: Sizes) -> Self {
        let reader = Reader::new(builder, sizes);
        let tag = builder.add::<tag>(dims! { H: sizes.hidden, K: sizes.tags });
        Self { reader, tag }
    }

    /// A sentence as a graph, and the vertices that tag its words.
    pub fn graph<T: Element>(
        &self,
        model: &Model<T>,
        sentence: &[Record],
    ) -> (Graph<T>, Vec<Vertex<()>>) {
        let mut g = model.graph();
        let tags = self.reader.read(&mut g, sentence, |g, states, word| {
            g.add(&self.tag, states, Gold { tag: word.tag.into() })
        });
        (g, tags)
    }
}

impl CrfTagger {
    /// Adds the functions to a model; `transitions` are those that [`Crf::new`] takes.
    pub fn new(builder: &mut ModelBuilder, sizes: Sizes, transitions: &[Vec<f32>; 3]) -> Self {
        let reader = Reader::new(builder, sizes);
        let emit = builder.add::<emit>(dims! { H: sizes.hidden, K: sizes.tags });
        Self { reader, emit, crf: Crf::new(builder, transitions) }
    }

    /// A sentence as a graph with its loss.
    pub fn graph<T: Element>(&self, model: &Model<T>, sentence: &[Record]) -> Graph<T> {
        let mut g = model.graph();
        let items =
            self.reader.read(&mut g, sentence, |g, states, _| g.add(&self.emit, states, ()));
        let gold: Vec<u32> = sentence.iter().map(|word| word.tag).collect();
        self.crf.lose(&mut g, &items, &gold);
        g
    }

    /// A sentence as a graph that finds its best tags.
    pub fn best<T: Element>(&self, model: &Model<T>, sentence: &[Record]) -> (Graph<T>, Best) {
        let mut g = model.graph();
        let items =
            self.reader.read(&mut g, sentence, |g, states, _| g.add(&self.emit, states, ()));
        let best = self.crf.best(&mut g, &items);
        (g, best)
    }
}

impl Words {
    /// Adds a word to a graph, with its letters if the model reads them.
    fn read<T: Element>(&self, g: &mut Graph<T>, word: &Record) -> Vertex<Vector> {
        let input = Word { id: word.id.into() };
        match self {
            Self::Known(known) => g.add(known, (), input),
            Self::Spelled(speller, spelled) => {
                let ends = speller.read(g, &word.letters);
                g.add(spelled, ends, input)
            }
        }
    }
}
