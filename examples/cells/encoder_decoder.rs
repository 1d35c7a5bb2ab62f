//! An LSTM encoder-decoder (Sutskever et al., 2014) whose decoder attends to the source (Luong et
//! al., 2015, "Effective approaches to attention-based neural machine translation", sections 3 and
//! 3.3):
//!
//! ```text
//! [i, f, o, g] = W x + U h + b          c' = σ(f) c + σ(i) tanh(g)          h' = σ(o) tanh(c')
//! a_s = softmax_s(h_t · W_a h_s)        h~ = tanh(W_c [Σ a_s h_s; h_t])     scores = V h~ + b_v
//! ```
//!
//! In training, the decoder reads the reference instead of its own output (teacher forcing). It
//! starts from the last state of the encoder.

use edb::Element;
use edb::prelude::*;

use crate::lstm::{Memory, chain, lstm};

/// A source word, as attention sees it: its key and its value.
#[derive(State)]
pub struct Key {
    pub k: Tensor,
    pub h: Tensor,
}

/// A word.
#[derive(Input)]
pub struct Word {
    pub id: Index,
}

/// A word, after those before it; the first one of the source starts from zeros.
#[vertex_function]
pub fn step(
    #[dim(H)] size: Dim,
    #[param(V, X)] table: Tensor,
    #[param(4 * H, X)] w: Tensor,
    #[param(4 * H, H)] u: Tensor,
    #[param(4 * H)] b: Tensor,
) {
    let Word { id } = pull();
    let before = gather_or(0, Memory { h: zeros(size), c: zeros(size) });
    let x = table.row(id).dropout(0.3);
    let [h, c] = lstm(w.dot(x) + u.dot(before.h) + b, before.c);
    scatter(Memory { h, c });
}

/// A word of the source, read in both directions, to which the decoder attends.
#[vertex_function]
pub fn key(#[param(H, 2 * H)] w: Tensor, #[param(H, H)] w_a: Tensor) {
    let [forward, backward]: [Memory; 2] = [gather(0), gather(1)];
    let h = w.dot(concat([forward.h, backward.h])).tanh();
    scatter(Key { k: w_a.dot(h), h });
}

/// The next word of the translation.
#[vertex_function]
pub fn predict(
    #[dim(H)] size: Dim,
    #[param(H, 2 * H)] w_c: Tensor,
    #[param(V, H)] v: Tensor,
    #[param(V)] b: Tensor,
) {
    let Memory { h, .. } = gather(0);
    let Word { id } = pull();
    let mut greatest = scalar(-1.0e4);
    for source in gather_all::<Key>() {
        greatest = greatest.maximum((h * source.k).sum());
    }
    let (mut sum, mut total) = (zeros(size), scalar(0.0));
    for source in gather_all::<Key>() {
        let weight = ((h * source.k).sum() - greatest).exp();
        sum += weight * source.h;
        total += weight;
    }
    let attended = w_c.dot(concat([sum / total, h])).tanh();
    loss(cross_entropy(v.dot(attended.dropout(0.3)) + b, id));
}

/// The vertex functions that read a source, in a model.
#[derive(Functions)]
pub struct Encoder {
    pub forward: Function<step>,
    pub backward: Function<step>,
    pub key: Function<key>,
}

impl Encoder {
    /// Adds the functions to a model, for the given number of words.
    pub fn new(builder: &mut ModelBuilder, words: usize, hidden: usize) -> Self {
        let setup = dims! { V: words, X: hidden, H: hidden }.init("forward.table", TABLE);
        builder.add_all(setup.share("backward.table", "forward.table"))
    }

    /// Adds the words of a source to a graph. Returns what a decoder attends to, and the state that
    /// it starts from: that of the backward direction, which ends at the first word.
    pub fn read<T: Element>(
        &self,
        g: &mut Graph<T>,
        source: &[u32],
    ) -> (Vec<Vertex<Key>>, Option<Vertex<Memory>>) {
        let word = |id: u32| Word { id: id.into() };
        let forward = chain(source, None, |id, before| g.add(&self.forward, [before], word(*id)));
        let mut backward = chain(source.iter().rev(), None, |id, before| {
            g.add(&self.backward, [before], word(*id))
        });
        let last = backward.last().copied();
        backward.reverse();
        let both = forward.iter().zip(&backward);
        (both.map(|(a, b)| g.add(&self.key, [*a, *b], ())).collect(), last)
    }
}

/// The initial values of embedding tables.
pub const TABLE: Initializer = Initializer::Uniform { bound: 0.1 };

/// The vertex functions in a model.
pub struct Translator {
    pub encoder: Encoder,
    pub decoder: Function<step>,
    pub predict: Function<predict>,
}

impl Translator {
    /// Adds the functions to a model, for the given numbers of source and target words.
    pub fn new(builder: &mut ModelBuilder, [source, target]: [usize; 2], hidden: usize) -> Self {
        let encoder = Encoder::new(builder, source, hidden);
        let decoder = dims! { V: target, X: hidden, H: hidden }.named("decoder");
        let decoder = builder.add::<step>(decoder.init("table", TABLE));
        // The input and the output embedding of the decoder are one table (Press and Wolf, 2017).
        let predict = dims! { V: target, H: hidden }.share("v", decoder.param("table"));
        Self { encoder, predict: builder.add::<predict>(predict), decoder }
    }

    /// A pair of sentences as a graph; the translation includes an end mark before and after it.
    pub fn graph<T: Element>(
        &self,
        model: &Model<T>,
        [source, target]: &[Vec<u32>; 2],
    ) -> Graph<T> {
        let mut g = model.graph();
        let (keys, last) = self.encoder.read(&mut g, source);
        let read = &target[..target.len().saturating_sub(1)];
        let word = |id: u32| Word { id: id.into() };
        let states = chain(read, last, |id, before| g.add(&self.decoder, [before], word(*id)));
        for (state, id) in states.iter().zip(target.iter().skip(1)) {
            g.add(&self.predict, (*state, &keys[..]), word(*id));
        }
        g
    }
}
