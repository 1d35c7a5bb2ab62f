//! A BiLSTM tagger (Huang et al., 2015, "Bidirectional LSTM-CRF models for sequence tagging", section 2.2),
//! and words that are read by their letters, too, by a BiLSTM of its own (Lample et al., 2016, "Neural
//! architectures for named entity recognition", section 4.1).
//!
//! ```text
//! [i, f, o, g] = W x + U h + b          c' = σ(f) c + σ(i) tanh(g)          h' = σ(o) tanh(c')
//! scores = V [h→; h←] + b_v             x = E_word        or        x = [E_word; s→; s←]
//! ```

use edb::Element;
use edb::prelude::*;

/// What a word tells its neighbour.
#[derive(State)]
pub struct Memory {
    pub h: Tensor,
    pub c: Tensor,
}

/// What a letter tells its neighbour.
#[derive(State)]
pub struct Spelling {
    pub h: Tensor,
    pub c: Tensor,
}

/// What a word is to both directions.
#[derive(State)]
pub struct Vector {
    pub x: Tensor,
}

/// A word or a letter.
#[derive(Input)]
pub struct Token {
    pub id: Index,
}

/// The tag of a word.
#[derive(Input)]
pub struct Gold {
    pub tag: Index,
}

/// A score for every tag.
#[derive(Output)]
pub struct Scores {
    pub logits: Tensor,
}

/// What the gates of an LSTM make of its cell: `[h', c']`.
#[vertex_helper]
fn lstm(gates: Tensor, c: Tensor) -> [Tensor; 2] {
    let [i, f, o, g] = gates.split();
    let c = f.sigmoid() * c + i.sigmoid() * g.tanh();
    [o.sigmoid() * c.tanh(), c]
}

/// A letter, after those before it in its direction.
#[vertex_function]
pub fn letter(
    #[dim(H)] size: Dim,
    #[param(V, X)] table: Tensor,
    #[param(4 * H, X)] w: Tensor,
    #[param(4 * H, H)] u: Tensor,
    #[param(4 * H)] b: Tensor,
) {
    let Token { id } = pull();
    let before = gather_or(0, Spelling { h: zeros(size), c: zeros(size) });
    let [h, c] = lstm(w.dot(table.row(id)) + u.dot(before.h) + b, before.c);
    scatter(Spelling { h, c });
}

/// A word by its vector.
#[vertex_function]
pub fn known(#[param(V, X)] table: Tensor) {
    let Token { id } = pull();
    scatter(Vector { x: table.row(id).dropout(0.5) });
}

/// A word by its vector, its last letter and, in the other direction, its first.
#[vertex_function]
pub fn spelled(#[param(V, X)] table: Tensor) {
    let Token { id } = pull();
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

/// The tag of a word, from both directions.
#[vertex_function]
pub fn tag(#[param(K, 2 * H)] v: Tensor, #[param(K)] b: Tensor) {
    let [forward, backward]: [Memory; 2] = [gather(0), gather(1)];
    let Gold { tag } = pull();
    let logits = v.dot(concat([forward.h, backward.h]).dropout(0.5)) + b;
    push(Scores { logits });
    loss(cross_entropy(logits, tag));
}

/// The vertex functions in a model.
pub struct Tagger {
    pub words: Words,
    pub forward: Function<step>,
    pub backward: Function<step>,
    pub tag: Function<tag>,
}

/// How words are read.
pub enum Words {
    /// By their vectors.
    Known(Function<known>),
    /// By their letters, too.
    Spelled { forward: Function<letter>, backward: Function<letter>, word: Function<spelled> },
}

/// The sizes of a model: tables of words, of letters (none to leave them out) and of tags, and units.
#[derive(Clone, Copy)]
pub struct Sizes {
    pub words: usize,
    pub letters: Option<usize>,
    pub tags: usize,
    pub hidden: usize,
}

impl Sizes {
    /// How wide a direction of letters is: two are half as wide as a word's vector.
    pub fn spelling(self) -> usize {
        self.hidden.div_ceil(4)
    }
}

impl Tagger {
    /// Adds them to a model.
    pub fn new(builder: &mut ModelBuilder, sizes: Sizes) -> Self {
        let Sizes { words, letters, tags, hidden } = sizes;
        let uniform = Initializer::Uniform { bound: 0.1 };
        let table = dims! { V: words, X: hidden }.init("table", uniform);
        let spelling = sizes.spelling();
        let (words, x) = match letters {
            None => (Words::Known(builder.add::<known>(table)), hidden),
            Some(letters) => {
                let dims = dims! { V: letters, X: spelling, H: spelling }.init("table", uniform);
                let forward = builder.add::<letter>(dims.clone().named("letter_forward"));
                let table_of_letters = forward.param("table");
                let dims = dims.share("table", table_of_letters).named("letter_backward");
                let backward = builder.add::<letter>(dims);
                let word = builder.add::<spelled>(table);
                (Words::Spelled { forward, backward, word }, hidden + 2 * spelling)
            }
        };
        let step = || dims! { X: x, H: hidden };
        Self {
            words,
            forward: builder.add::<step>(step().named("forward")),
            backward: builder.add::<step>(step().named("backward")),
            tag: builder.add::<tag>(dims! { H: hidden, K: tags }),
        }
    }

    /// A sentence as a graph, and the vertices that tag its words.
    pub fn graph<T: Element>(
        &self,
        model: &Model<T>,
        sentence: &[Record],
    ) -> (Graph<T>, Vec<Vertex<()>>) {
        let mut g = model.graph();
        let vector = |word: &Record| {
            let token = Token { id: word.id.into() };
            match &self.words {
                Words::Known(known) => g.add(known, (), token),
                Words::Spelled { forward, backward, word: spelled } => {
                    let last = spell(&mut g, forward, word.letters.iter());
                    let first = spell(&mut g, backward, word.letters.iter().rev());
                    g.add(spelled, [last, first], token)
                }
            }
        };
        let vectors: Vec<Vertex<Vector>> = sentence.iter().map(vector).collect();
        let mut forward: Vec<Vertex<Memory>> = Vec::with_capacity(vectors.len());
        for vector in &vectors {
            forward.push(g.add(&self.forward, (*vector, forward.last().copied()), ()));
        }
        let mut backward: Option<Vertex<Memory>> = None;
        let mut tags = Vec::with_capacity(vectors.len());
        for ((vector, forward), word) in vectors.iter().zip(forward).zip(sentence).rev() {
            let state = g.add(&self.backward, (*vector, backward), ());
            tags.push(g.add(&self.tag, [forward, state], Gold { tag: word.tag.into() }));
            backward = Some(state);
        }
        tags.reverse();
        (g, tags)
    }
}

/// A word in numbers: its own, those of its letters, of which it has at least one, and its tag's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub id: u32,
    pub letters: Vec<u32>,
    pub tag: u32,
}

/// Letters one after the other; the state behind the last.
fn spell<'a, T: Element>(
    g: &mut Graph<T>,
    f: &Function<letter>,
    letters: impl Iterator<Item = &'a u32>,
) -> Vertex<Spelling> {
    let mut before = None;
    for id in letters {
        before = Some(g.add(f, [before], Token { id: (*id).into() }));
    }
    before.expect("a word has at least one letter")
}
