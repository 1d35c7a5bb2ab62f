//! The child-sum Tree-LSTM over dependency trees, and the relatedness of two sentences (Tai et al.,
//! 2015, "Improved semantic representations from tree-structured long short-term memory networks",
//! sections 3.1 and 4.2), over given word vectors, which are not learned.
//!
//! A word `x` with any number of dependents `k` (equations 2 to 8):
//!
//! ```text
//! h~ = Σ h_k          [i, o, u] = W x + U h~ + b          f_k = σ(W_f x + U_f h_k + b_f)
//! c = σ(i) tanh(u) + Σ f_k c_k                            h = σ(o) tanh(c)
//! ```
//!
//! For the roots `a` and `b` of two sentences (equations 15 and 16), the relatedness is the
//! expectation of `p` over `r = [1, .., 5]`, and the loss is the divergence from a target
//! distribution with the gold expectation.
//!
//! ```text
//! s = σ(W_× (a ⊙ b) + W_+ |a - b| + b_s)                  p = softmax(W_p s + b_p)
//! ```

use edb::Element;
use edb::prelude::*;

use readers::sick::Pair;
use readers::vectors::Vectors;

/// The state that a word passes to its head.
#[derive(State)]
pub struct Memory {
    pub h: Tensor,
    pub c: Tensor,
}

/// A word's vector.
#[derive(Input)]
pub struct Word {
    pub x: Tensor,
}

/// How related two sentences are: a probability for each class.
#[derive(Input)]
pub struct Gold {
    pub p: Tensor,
}

/// The scores of the model's distribution.
#[derive(Output)]
pub struct Scores {
    pub p: Tensor,
}

/// A word and its dependents.
#[vertex_function]
pub fn word(
    #[dim(H)] size: Dim,
    #[param(3 * H, X)] w: Tensor,
    #[param(3 * H, H)] u: Tensor,
    #[param(3 * H)] b: Tensor,
    #[param(H, X)] w_f: Tensor,
    #[param(H, H)] u_f: Tensor,
    #[param(H)] b_f: Tensor,
) {
    let Word { x } = pull();
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

/// The relatedness of two sentences, from their roots.
#[vertex_function]
pub fn relate(
    #[param(S, H)] w_product: Tensor,
    #[param(S, H)] w_distance: Tensor,
    #[param(S)] b_s: Tensor,
    #[param(C, S)] w: Tensor,
    #[param(C)] b: Tensor,
) {
    let [l, r]: [Memory; 2] = [gather(0), gather(1)];
    let Gold { p } = pull();
    let s = (w_product.dot(l.h * r.h) + w_distance.dot((l.h - r.h).abs()) + b_s).sigmoid();
    let scores = (w.dot(s) + b).log_softmax();
    push(Scores { p: scores.exp() });
    loss(kl_div(scores, p));
}

/// The units of the layer that compares two sentences, as in the paper.
pub const COMPARED: usize = 50;

/// The classes of relatedness, 1 to 5.
pub const CLASSES: usize = 5;

/// The vertex functions in a model.
#[derive(Functions)]
pub struct Relatedness {
    pub word: Function<word>,
    pub relate: Function<relate>,
}

impl Relatedness {
    /// Adds the functions to a model, for word vectors of this size.
    pub fn new(builder: &mut ModelBuilder, vector: usize, hidden: usize) -> Self {
        builder.add_all(dims! { X: vector, H: hidden, S: COMPARED, C: CLASSES })
    }

    /// A pair as a graph, and the vertex that compares the sentences.
    pub fn graph<T: Element>(
        &self,
        model: &Model<T>,
        vectors: &Vectors,
        pair: &Pair,
    ) -> (Graph<T>, Vertex<()>) {
        let mut g = model.graph();
        let mut children = Vec::new();
        let roots = pair.sentences.each_ref().map(|sentence| {
            let mut states: Vec<Vertex<Memory>> = Vec::with_capacity(sentence.words.len());
            for (word, dependents) in sentence.bottom_up() {
                children.clear();
                children.extend(dependents.iter().map(|dependent| states[*dependent]));
                let x = vectors.vector(&sentence.words[word]).iter().map(|x| T::from_f64(*x));
                let x = g.tensor(&x.collect::<Vec<T>>());
                states.push(g.add(&self.word, &children, Word { x }));
            }
            // The root is the head of all words, so it is the last.
            states[states.len() - 1]
        });
        let p = g.tensor(&distribution(pair.score).map(T::from_f64));
        let vertex = g.add(&self.relate, roots, Gold { p });
        (g, vertex)
    }
}

/// Two neighbouring classes share the probability, so that the expectation is `score` (equation
/// 16).
pub fn distribution(score: f64) -> [f64; CLASSES] {
    std::array::from_fn(|class| (1.0 - (score - (class + 1) as f64).abs()).max(0.0))
}
