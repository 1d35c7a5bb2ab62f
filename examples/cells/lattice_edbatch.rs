//! The model that ED-Batch (Chen et al., 2023) benchmarks as a lattice LSTM, after its released
//! code: every arc of the lattice, a character or a word, is an LSTM cell of four gates, and a
//! state is the sum of the results of the arcs that end there.
//!
//! ```text
//! [f, g, i, o] = W x + U h + b          c' = σ(i) tanh(g) + σ(f) c          h' = σ(o) tanh(c')
//! ```

use edb::prelude::*;

/// The state after a character, or after an arc.
#[derive(State)]
pub struct Memory {
    pub h: Tensor,
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

/// The initial state of a sentence, which is learned.
#[vertex_function]
pub fn start(#[param(H)] h0: Tensor, #[param(H)] c0: Tensor) {
    scatter(Memory { h: h0, c: c0 });
}

/// A character or a word, from the state before it.
#[vertex_function]
pub fn arc(
    #[param(V, X)] table: Tensor,
    #[param(4 * H, X)] w: Tensor,
    #[param(4 * H, H)] u: Tensor,
    #[param(4 * H)] b: Tensor,
) {
    let Token { id } = pull();
    let before: Memory = gather(0);
    let [f, g, i, o] = (w.dot(table.row(id)) + u.dot(before.h) + b).split();
    let c = i.sigmoid() * g.tanh() + f.sigmoid() * before.c;
    scatter(Memory { h: o.sigmoid() * c.tanh(), c });
}

/// The sum of the states of several arcs.
#[vertex_function]
pub fn join(#[dim(H)] size: Dim) {
    let (mut h, mut c) = (zeros(size), zeros(size));
    for arc in gather_all::<Memory>() {
        h += arc.h;
        c += arc.c;
    }
    scatter(Memory { h, c });
}

/// The tag of a character.
#[vertex_function]
pub fn tag(#[param(K, H)] v: Tensor) {
    let Memory { h, .. } = gather(0);
    let Gold { tag } = pull();
    loss(cross_entropy(v.dot(h), tag));
}

/// The vertex functions in a model.
pub struct EdBatchLattice {
    pub start: Function<start>,
    pub character: Function<arc>,
    pub word: Function<arc>,
    pub join: Function<join>,
    pub tag: Function<tag>,
}

impl EdBatchLattice {
    /// Adds the functions to a model; all vectors are as wide as the state.
    pub fn new(
        builder: &mut ModelBuilder,
        [chars, words, tags]: [usize; 3],
        hidden: usize,
    ) -> Self {
        let bound = Initializer::Uniform { bound: (hidden as f64).sqrt().recip() };
        let arc = |tokens| dims! { V: tokens, X: hidden, H: hidden }.init("table", bound);
        Self {
            start: builder.add::<start>(dims! { H: hidden }),
            character: builder.add::<arc>(arc(chars).named("character")),
            word: builder.add::<arc>(arc(words).named("word")),
            join: builder.add::<join>(dims! { H: hidden }),
            tag: builder.add::<tag>(dims! { K: tags, H: hidden }),
        }
    }
}
