//! A BiLSTM tagger (Huang et al., 2015, "Bidirectional LSTM-CRF models for sequence tagging", section 2.2),
//! and words that are read by their letters, too, by a BiLSTM of its own (Lample et al., 2016, "Neural
//! architectures for named entity recognition", section 4.1).
//!
//! ```text
//! [i, f, o, g] = W x + U h + b          c' = σ(f) c + σ(i) tanh(g)          h' = σ(o) tanh(c')
//! scores = V [h→; h←] + b_v             x = E_word        or        x = [E_word; s→; s←]
//! ```

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

impl Tagger {
    /// Adds them to a model.
    pub fn new(builder: &mut ModelBuilder, sizes: Sizes) -> Self {
        let Sizes { words, letters, tags, hidden } = sizes;
        let uniform = Initializer::Uniform { bound: 0.1 };
        let table = dims! { V: words, X: hidden }.init("table", uniform);
        // Two directions of letters are half as wide as a word's vector.
        let spelling = hidden.div_ceil(4);
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
}
