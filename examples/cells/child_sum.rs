//! The child-sum Tree-LSTM over dependency trees, and the relatedness of two sentences (Tai et al.,
//! 2015, sections 3.1 and 4.2).
//!
//! A word `x` with any number of dependents `k` (equations 2 to 8):
//!
//! ```text
//! h~ = Σ h_k          [i, o, u] = W x + U h~ + b          f_k = σ(W_f x + U_f h_k + b_f)
//! c = σ(i) tanh(u) + Σ f_k c_k                            h = σ(o) tanh(c)
//! ```
//!
//! and the two roots `a` and `b` (equations 15):
//!
//! ```text
//! s = σ(W_× (a ⊙ b) + W_+ |a - b| + b_s)                  scores = W_p s + b_p
//! ```
//!
//! The paper spreads a relatedness between two classes and takes the divergence; here the nearest
//! class is the right one.

use edb::prelude::*;

/// What a word tells its head.
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

/// How related two sentences are.
#[derive(Input)]
pub struct Gold {
    pub relatedness: Index,
}

/// A word and its dependents.
#[vertex_function]
pub fn word(
    #[dim(H)] size: Dim,
    #[param(V, X)] table: Tensor,
    #[param(3 * H, X)] w: Tensor,
    #[param(3 * H, H)] u: Tensor,
    #[param(3 * H)] b: Tensor,
    #[param(H, X)] w_f: Tensor,
    #[param(H, H)] u_f: Tensor,
    #[param(H)] b_f: Tensor,
) {
    let Word { id } = pull();
    let x = table.row(id);
    let forget = w_f.dot(x) + b_f;
    let (mut sum, mut kept) = (zeros(size), zeros(size));
    for child in gather_all::<Memory>() {
        sum += child.h;
        kept += (forget + u_f.dot(child.h)).sigmoid() * child.c;
    }
    let [i, o, g] = (w.dot(x) + u.dot(sum) + b).split();
    let c = i.sigmoid() * g.tanh() + kept;
    scatter(Memory { h: o.sigmoid() * c.tanh(), c });
}

/// How related two sentences are, from their roots.
#[vertex_function]
pub fn relate(
    #[param(S, H)] w_product: Tensor,
    #[param(S, H)] w_distance: Tensor,
    #[param(S)] b_s: Tensor,
    #[param(C, S)] w: Tensor,
    #[param(C)] b: Tensor,
) {
    let [l, r]: [Memory; 2] = [gather(0), gather(1)];
    let Gold { relatedness } = pull();
    let s = (w_product.dot(l.h * r.h) + w_distance.dot((l.h - r.h).abs()) + b_s).sigmoid();
    loss(cross_entropy(w.dot(s) + b, relatedness));
}

/// The units of the layer that compares two sentences, as in the paper.
pub const COMPARED: usize = 50;

/// The vertex functions in a model.
pub struct ChildSum {
    pub word: Function<word>,
    pub relate: Function<relate>,
}

impl ChildSum {
    /// Adds them to a model; vectors of words are as wide as the state.
    pub fn new(builder: &mut ModelBuilder, words: usize, hidden: usize, classes: usize) -> Self {
        let bound = Initializer::Uniform { bound: (hidden as f64).sqrt().recip() };
        let dims = dims! { V: words, X: hidden, H: hidden }.init("table", bound);
        Self {
            word: builder.add::<word>(dims),
            relate: builder.add::<relate>(dims! { H: hidden, S: COMPARED, C: classes }),
        }
    }
}
