//! A BiLSTM tagger: two LSTMs (Hochreiter and Schmidhuber, 1997, with the forget gate of Gers et
//! al., 2000) read a sentence in opposite directions, and a linear layer tags each word from both.
//!
//! ```text
//! [i, f, g, o] = W x + b_x + U h + b_h
//! c' = σ(f) c + σ(i) tanh(g)                h' = σ(o) tanh(c')
//! scores = V [h→; h←] + b
//! ```
//!
//! Two biases, as in cuDNN and PyTorch: their gradients are equal, so under plain SGD their sum
//! learns twice as fast as a single bias would.

use edb::prelude::*;

/// The state that a word passes to the next one.
#[derive(State)]
pub struct Memory {
    pub h: Tensor,
    pub c: Tensor,
}

/// A word.
#[derive(Input)]
pub struct Word {
    pub id: Index,
}

/// The tag of a word.
#[derive(Input)]
pub struct Gold {
    pub tag: Index,
}

/// A word, after the words before it in its direction; the first one starts from zeros.
#[vertex_function]
pub fn step(
    #[dim(H)] size: Dim,
    #[param(V, X)] table: Tensor,
    #[param(4 * H, X)] w: Tensor,
    #[param(4 * H)] b_x: Tensor,
    #[param(4 * H, H)] u: Tensor,
    #[param(4 * H)] b_h: Tensor,
) {
    let Word { id } = pull();
    let before = gather_or(0, Memory { h: zeros(size), c: zeros(size) });
    let [i, f, g, o] = (w.dot(table.row(id)) + b_x + u.dot(before.h) + b_h).split();
    let c = f.sigmoid() * before.c + i.sigmoid() * g.tanh();
    scatter(Memory { h: o.sigmoid() * c.tanh(), c });
}

/// The tag of a word, from the states of both directions.
#[vertex_function]
pub fn tag(#[param(K, 2 * H)] v: Tensor, #[param(K)] b: Tensor) {
    let [forward, backward]: [Memory; 2] = [gather(0), gather(1)];
    let Gold { tag } = pull();
    loss(cross_entropy(v.dot(concat([forward.h, backward.h])) + b, tag));
}

/// The vertex functions in a model.
#[derive(Functions)]
pub struct BiLstm {
    pub forward: Function<step>,
    pub backward: Function<step>,
    pub tag: Function<tag>,
}

impl BiLstm {
    /// Adds the functions to a model; vectors of words are as wide as a state, and shared by the
    /// directions.
    pub fn new(builder: &mut ModelBuilder, words: usize, hidden: usize, tags: usize) -> Self {
        let bound = Initializer::Uniform { bound: (hidden as f64).sqrt().recip() };
        let mut setup = dims! { V: words, X: hidden, H: hidden, K: tags }
            .init("forward.table", bound)
            .share("backward.table", "forward.table");
        for direction in ["forward", "backward"] {
            for name in ["w", "b_x", "u", "b_h"] {
                setup = setup.init(format!("{direction}.{name}"), bound);
            }
        }
        let bound = Initializer::Uniform { bound: (2.0 * hidden as f64).sqrt().recip() };
        builder.add_all(setup.init("tag.v", bound).init("tag.b", bound))
    }
}
