//! A lattice GRU (Su et al., 2017, "Lattice-based recurrent neural network encoders for neural
//! machine translation", the deep word-lattice RNN): each arc of a lattice, a character or a word,
//! is a GRU step (Cho et al., 2014) of its own, and where several arcs end, their states are mixed
//! by gates.
//!
//! An arc `x` after the state `h`:
//!
//! ```text
//! [z, r] = σ(W x + U h + b)        n = tanh(W_n x + U_n (r ⊙ h) + b_n)        h_k = (1 - z) h + z n
//! ```
//!
//! and where arcs `k` end at the same position, with weights as in the lattice LSTM of Zhang and
//! Yang (2018):
//!
//! ```text
//! g_k = σ(V h_k + b_g)             h' = Σ e^g_k h_k / Σ e^g_k
//! ```

use edb::Element;
use edb::prelude::*;

use readers::lattice::Lattice;

/// The state after a character, or after an arc.
#[derive(State)]
pub struct Hidden {
    pub h: Tensor,
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

/// A character or a word, from the state before it; at the start of a sentence that is zeros.
#[vertex_function]
pub fn arc(
    #[dim(H)] size: Dim,
    #[param(V, X)] table: Tensor,
    #[param(2 * H, X)] w: Tensor,
    #[param(2 * H, H)] u: Tensor,
    #[param(2 * H)] b: Tensor,
    #[param(H, X)] w_n: Tensor,
    #[param(H, H)] u_n: Tensor,
    #[param(H)] b_n: Tensor,
) {
    let Token { id } = pull();
    let Hidden { h } = gather_or(0, Hidden { h: zeros(size) });
    let x = table.row(id);
    let [z, r] = (w.dot(x) + u.dot(h) + b).sigmoid().split();
    let n = (w_n.dot(x) + u_n.dot(r * h) + b_n).tanh();
    scatter(Hidden { h: h + z * (n - h) });
}

/// Mixes the states of arcs that end at the same position.
#[vertex_function]
pub fn merge(#[dim(H)] size: Dim, #[param(H, H)] v: Tensor, #[param(H)] b: Tensor) {
    let (mut sum, mut total) = (zeros(size), zeros(size));
    for arc in gather_all::<Hidden>() {
        let weight = (v.dot(arc.h) + b).sigmoid().exp();
        sum += weight * arc.h;
        total += weight;
    }
    scatter(Hidden { h: sum / total });
}

/// The tag of a character.
#[vertex_function]
pub fn tag(#[param(K, H)] v: Tensor, #[param(K)] b: Tensor) {
    let Hidden { h } = gather(0);
    let Gold { tag } = pull();
    loss(cross_entropy(v.dot(h) + b, tag));
}

/// The vertex functions of one direction in a model.
pub struct LatticeGru {
    pub character: Function<arc>,
    pub word: Function<arc>,
    pub merge: Function<merge>,
}

impl LatticeGru {
    /// Adds the functions to a model under names that begin with `name`; all vectors are as wide as
    /// the state.
    pub fn new(
        builder: &mut ModelBuilder,
        name: &str,
        [chars, words]: [usize; 2],
        hidden: usize,
    ) -> Self {
        let bound = Initializer::Uniform { bound: (hidden as f64).sqrt().recip() };
        let mut arc = |tokens, part: &str| {
            let dims = dims! { V: tokens, X: hidden, H: hidden }.init("table", bound);
            builder.add::<arc>(dims.named(format!("{name}_{part}")))
        };
        let (character, word) = (arc(chars, "character"), arc(words, "word"));
        let merge = dims! { H: hidden }.named(format!("{name}_merge"));
        Self { character, word, merge: builder.add::<merge>(merge) }
    }

    /// Adds a lattice to a graph; returns the states after its characters.
    pub fn read<T: Element>(&self, g: &mut Graph<T>, lattice: &Lattice) -> Vec<Vertex<Hidden>> {
        let token = |id: u32| Token { id: id.into() };
        // The state at each position; before the first character there is none.
        let mut states: Vec<Option<Vertex<Hidden>>> = Vec::with_capacity(lattice.len() + 1);
        states.push(None);
        let mut arcs = Vec::new();
        for character in lattice {
            arcs.clear();
            for word in &character.words {
                arcs.push(g.add(&self.word, [states[word.from]], token(word.id)));
            }
            let before = states[states.len() - 1];
            arcs.push(g.add(&self.character, [before], token(character.id)));
            states.push(Some(match arcs[..] {
                [arc] => arc,
                _ => g.add(&self.merge, &arcs, ()),
            }));
        }
        states.into_iter().flatten().collect()
    }
}
