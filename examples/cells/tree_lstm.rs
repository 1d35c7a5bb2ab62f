//! The binary Tree-LSTM (Tai et al., 2015, section 3.2, equations 9 to 14), without an input at
//! inner vertices, and with a linear classifier at every vertex.
//!
//! A word `x` is an LSTM cell without a previous state:
//!
//! ```text
//! [i, o, u] = W x + b          c = σ(i) tanh(u)                        h = σ(o) tanh(c)
//! ```
//!
//! and a phrase has a forget gate for each part:
//!
//! ```text
//! [i, f_l, f_r, o, u] = U [h_l; h_r] + b
//! c = σ(i) tanh(u) + σ(f_l) c_l + σ(f_r) c_r                           h = σ(o) tanh(c)
//! ```

use edb::prelude::*;

/// The state that a phrase passes to its parent.
#[derive(State)]
pub struct Memory {
    pub h: Tensor,
    pub c: Tensor,
}

/// A word, and the class of the phrase that consists of it alone.
#[derive(Input)]
pub struct Word {
    pub id: Index,
    pub label: Index,
}

/// The class of a phrase.
#[derive(Input)]
pub struct Gold {
    pub label: Index,
}

/// A word.
#[vertex_function]
pub fn leaf(
    #[param(V, X)] table: Tensor,
    #[param(3 * H, X)] w: Tensor,
    #[param(3 * H)] b: Tensor,
    #[param(C, H)] w_class: Tensor,
    #[param(C)] b_class: Tensor,
) {
    let Word { id, label } = pull();
    let [i, o, u] = (w.dot(table.row(id)) + b).split();
    let c = i.sigmoid() * u.tanh();
    let h = o.sigmoid() * c.tanh();
    scatter(Memory { h, c });
    loss(cross_entropy(w_class.dot(h) + b_class, label));
}

/// A phrase of two parts.
#[vertex_function]
pub fn inner(
    #[param(5 * H, 2 * H)] u: Tensor,
    #[param(5 * H)] b: Tensor,
    #[param(C, H)] w_class: Tensor,
    #[param(C)] b_class: Tensor,
) {
    let [l, r]: [Memory; 2] = [gather(0), gather(1)];
    let Gold { label } = pull();
    let [i, fl, fr, o, g] = (u.dot(concat([l.h, r.h])) + b).split();
    let c = i.sigmoid() * g.tanh() + fl.sigmoid() * l.c + fr.sigmoid() * r.c;
    let h = o.sigmoid() * c.tanh();
    scatter(Memory { h, c });
    loss(cross_entropy(w_class.dot(h) + b_class, label));
}

/// The vertex function of a phrase, with its gates' parameters.
pub trait Phrase:
    for<'a> VertexFunction<
        Children<'a> = [Vertex<Memory>; 2],
        Input = Gold,
        State = Memory,
        Output = (),
    >
{
    /// The names of its parameters, but for those of the classifier.
    const GATES: &'static [&'static str];
}

impl Phrase for inner {
    const GATES: &'static [&'static str] = &["u", "b"];
}

/// The vertex functions in a model, with phrases of one kind.
#[derive(Functions)]
pub struct Functions<P: Phrase> {
    pub leaf: Function<leaf>,
    pub inner: Function<P>,
}

/// Those of the binary Tree-LSTM.
pub type TreeLstm = Functions<inner>;

impl<P: Phrase> Functions<P> {
    /// Adds the functions to a model; vectors of words are as wide as the state.
    pub fn new(builder: &mut ModelBuilder, words: usize, hidden: usize, classes: usize) -> Self {
        // Every parameter is initialised uniformly within ±1/√h, including biases.
        let bound = Initializer::Uniform { bound: (hidden as f64).sqrt().recip() };
        let setup = dims! { V: words, X: hidden, H: hidden, C: classes }
            .share("inner.w_class", "leaf.w_class")
            .share("inner.b_class", "leaf.b_class");
        let of_leaf = ["table", "w", "b", "w_class", "b_class"].map(|name| format!("leaf.{name}"));
        let of_phrase = P::GATES.iter().map(|name| format!("inner.{name}"));
        let all = of_leaf.into_iter().chain(of_phrase);
        builder.add_all(all.fold(setup, |setup, name| setup.init(name, bound)))
    }
}
