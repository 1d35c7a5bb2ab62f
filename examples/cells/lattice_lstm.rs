//! The lattice LSTM (Zhang and Yang, 2018, "Chinese NER Using Lattice LSTM", section 3.2): it reads
//! the characters of a sentence and the words that a lexicon finds in it.
//!
//! A character `x` after the state `(h, c)` of the one before:
//!
//! ```text
//! [i, o, f, g] = W x + U h + b          c' = σ(f) c + σ(i) tanh(g)          h' = σ(o) tanh(c')
//! ```
//!
//! A word `x` that begins after the state `(h, c)` has a cell, but no output gate and no hidden
//! state:
//!
//! ```text
//! [i, f, g] = W_w x + U_w h + b_w       c_w = σ(f) c + σ(i) tanh(g)
//! ```
//!
//! It joins at its last character `x`, with a gate of its own: there the cell is the mean of the
//! words' cells and of the character's candidate, weighted by the exponentials of their gates:
//!
//! ```text
//! i_w = σ(W_l x + U_l c_w + b_l)        c' = (e^σ(i) tanh(g) + Σ e^i_w c_w) / (e^σ(i) + Σ e^i_w)
//! ```

use edb::Element;
use edb::prelude::*;

use super::lstm::Memory;
use readers::lattice::Lattice;

/// The cell of a word.
#[derive(State)]
pub struct WordCell {
    pub c: Tensor,
}

/// A character or a word.
#[derive(Input)]
pub struct Token {
    pub id: Index,
}

/// The tag of a character.
#[derive(Input)]
pub struct Gold {
    pub tag: Index,
}

/// A character at which no word ends.
#[vertex_function]
pub fn character(
    #[dim(H)] size: Dim,
    #[param(V, X)] table: Tensor,
    #[param(4 * H, X)] w: Tensor,
    #[param(4 * H, H)] u: Tensor,
    #[param(4 * H)] b: Tensor,
) {
    let Token { id } = pull();
    let before = gather_or(0, Memory { h: zeros(size), c: zeros(size) });
    let [i, o, f, g] = (w.dot(table.row(id)) + u.dot(before.h) + b).split();
    let c = f.sigmoid() * before.c + i.sigmoid() * g.tanh();
    scatter(Memory { h: o.sigmoid() * c.tanh(), c });
}

/// A word, from the state before its first character.
#[vertex_function]
pub fn word(
    #[dim(H)] size: Dim,
    #[param(L, X)] table: Tensor,
    #[param(3 * H, X)] w: Tensor,
    #[param(3 * H, H)] u: Tensor,
    #[param(3 * H)] b: Tensor,
) {
    let Token { id } = pull();
    let before = gather_or(0, Memory { h: zeros(size), c: zeros(size) });
    let [i, f, g] = (w.dot(table.row(id)) + u.dot(before.h) + b).split();
    scatter(WordCell { c: f.sigmoid() * before.c + i.sigmoid() * g.tanh() });
}

/// A character at which words end. Its forget gate is not used: the words' cells take its place.
#[vertex_function]
pub fn merge(
    #[dim(H)] size: Dim,
    #[param(V, X)] table: Tensor,
    #[param(4 * H, X)] w: Tensor,
    #[param(4 * H, H)] u: Tensor,
    #[param(4 * H)] b: Tensor,
    #[param(H, X)] w_l: Tensor,
    #[param(H, H)] u_l: Tensor,
    #[param(H)] b_l: Tensor,
) {
    let Token { id } = pull();
    let x = table.row(id);
    let before = gather_or(0, Memory { h: zeros(size), c: zeros(size) });
    let [i, o, _, g] = (w.dot(x) + u.dot(before.h) + b).split();
    let gate = w_l.dot(x) + b_l;
    let weight = i.sigmoid().exp();
    let (mut sum, mut total) = (zeros(size), zeros(size));
    for word in gather_all::<WordCell>() {
        let weight = (gate + u_l.dot(word.c)).sigmoid().exp();
        sum += weight * word.c;
        total += weight;
    }
    let c = (weight * g.tanh() + sum) / (weight + total);
    scatter(Memory { h: o.sigmoid() * c.tanh(), c });
}

/// The tag of a character.
#[vertex_function]
pub fn tag(#[param(K, H)] v: Tensor, #[param(K)] b: Tensor) {
    let Memory { h, .. } = gather(0);
    let Gold { tag } = pull();
    loss(cross_entropy(v.dot(h) + b, tag));
}

/// The vertex functions of one direction in a model.
pub struct Direction {
    pub character: Function<character>,
    pub word: Function<word>,
    pub merge: Function<merge>,
}

impl Direction {
    /// Adds the functions to a model under names that begin with `name`; all vectors are as wide as
    /// the state.
    pub fn new(
        builder: &mut ModelBuilder,
        name: &str,
        [chars, words]: [usize; 2],
        hidden: usize,
    ) -> Self {
        let bound = Initializer::Uniform { bound: (hidden as f64).sqrt().recip() };
        let named = |part: &str| format!("{name}{part}");
        let dims = dims! { V: chars, X: hidden, H: hidden };
        let character = dims.clone().init("table", bound).named(named("character"));
        let character = builder.add::<character>(character);
        let shared = ["table", "w", "u", "b"];
        let merge = shared.iter().fold(dims, |dims, name| dims.share(name, character.param(name)));
        let merge = builder.add::<merge>(merge.named(named("merge")));
        let dims = dims! { L: words, X: hidden, H: hidden }.init("table", bound);
        let word = builder.add::<word>(dims.named(named("word")));
        Self { character, word, merge }
    }

    /// Adds a lattice to a graph; returns the states after its characters.
    pub fn read<T: Element>(&self, g: &mut Graph<T>, lattice: &Lattice) -> Vec<Vertex<Memory>> {
        let token = |id: u32| Token { id: id.into() };
        // The state at each position; before the first character there is none.
        let mut states: Vec<Option<Vertex<Memory>>> = Vec::with_capacity(lattice.len() + 1);
        states.push(None);
        let mut words: Vec<Vertex<WordCell>> = Vec::new();
        for character in lattice {
            let before = states[states.len() - 1];
            words.clear();
            for word in &character.words {
                words.push(g.add(&self.word, [states[word.from]], token(word.id)));
            }
            let state = match words.is_empty() {
                true => g.add(&self.character, [before], token(character.id)),
                false => g.add(&self.merge, (before, &words[..]), token(character.id)),
            };
            states.push(Some(state));
        }
        states.into_iter().flatten().collect()
    }
}

/// The vertex functions in a model that reads forward only.
pub struct LatticeLstm {
    pub cells: Direction,
    pub tag: Function<tag>,
}

impl LatticeLstm {
    /// Adds the functions to a model; all vectors are as wide as the state.
    pub fn new(
        builder: &mut ModelBuilder,
        [chars, words, tags]: [usize; 3],
        hidden: usize,
    ) -> Self {
        let cells = Direction::new(builder, "", [chars, words], hidden);
        Self { cells, tag: builder.add::<tag>(dims! { K: tags, H: hidden }) }
    }
}
