//! An LSTM language model (Zaremba et al., 2014, "Recurrent neural network regularization"; the
//! LSTM of Hochreiter and Schmidhuber, 1997, with the forget gate of Gers et al., 2000):
//!
//! ```text
//! [i, f, o, g] = W D(x) + U h + b       c' = σ(f) c + σ(i) tanh(g)       h' = σ(o) tanh(c')
//! scores of the next word = E D(h') + b_e
//! ```
//!
//! `D` is dropout, applied to inputs and outputs, but not to the recurrence. `E` is the table of
//! word vectors, shared by input and output (Press and Wolf, 2017; Inan et al., 2017).

use edb::Element;
use edb::prelude::*;

use crate::lstm::{Memory, lstm};

/// A word of the text.
#[derive(Input)]
pub struct Word {
    pub id: Index,
}

/// A word, after those before it; the first one starts from zeros.
#[vertex_function]
pub fn step(
    #[dim(H)] size: Dim,
    #[param(V, H)] table: Tensor,
    #[param(4 * H, H)] w: Tensor,
    #[param(4 * H, H)] u: Tensor,
    #[param(4 * H)] b: Tensor,
) {
    let Word { id } = pull();
    let before = gather_or(0, Memory { h: zeros(size), c: zeros(size) });
    let x = table.row(id).dropout(0.35);
    let [h, c] = lstm(w.dot(x) + u.dot(before.h) + b, before.c);
    scatter(Memory { h, c });
}

/// The next word.
#[vertex_function]
pub fn predict(#[param(V, H)] table: Tensor, #[param(V)] b: Tensor) {
    let Memory { h, .. } = gather(0);
    let Word { id } = pull();
    loss(cross_entropy(table.dot(h.dropout(0.35)) + b, id));
}

/// The vertex functions in a model.
#[derive(Functions)]
pub struct LanguageModel {
    pub step: Function<step>,
    pub predict: Function<predict>,
}

impl LanguageModel {
    /// Adds the functions to a model.
    pub fn new(builder: &mut ModelBuilder, words: usize, hidden: usize) -> Self {
        let uniform = Initializer::Uniform { bound: 0.1 };
        let setup = dims! { V: words, H: hidden }.init("step.table", uniform);
        builder.add_all(setup.share("predict.table", "step.table"))
    }

    /// A piece of text as a graph: every word but the first is predicted from those before it.
    pub fn graph<T: Element>(&self, model: &Model<T>, piece: &[u32]) -> Graph<T> {
        let mut g = model.graph();
        g.reserve(2 * piece.len());
        let mut before: Option<Vertex<Memory>> = None;
        for pair in piece.windows(2) {
            let memory = g.add(&self.step, [before], Word { id: pair[0].into() });
            g.add(&self.predict, [memory], Word { id: pair[1].into() });
            before = Some(memory);
        }
        g
    }
}
