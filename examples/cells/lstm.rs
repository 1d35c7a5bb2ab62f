//! The LSTM (Hochreiter and Schmidhuber, 1997, with the forget gate of Gers et al., 2000):
//!
//! ```text
//! [i, f, o, g] = W x + U h + b          c' = σ(f) c + σ(i) tanh(g)          h' = σ(o) tanh(c')
//! ```
//!
//! What `x` is, each model says in a vertex function of its own.

use edb::prelude::*;

/// What a vertex tells the next one.
#[derive(State)]
pub struct Memory {
    pub h: Tensor,
    pub c: Tensor,
}

/// What the gates make of the cell: `[h', c']`.
#[vertex_helper]
pub fn lstm(gates: Tensor, c: Tensor) -> [Tensor; 2] {
    let [i, f, o, g] = gates.split();
    let c = f.sigmoid() * c + i.sigmoid() * g.tanh();
    [o.sigmoid() * c.tanh(), c]
}

/// A vertex for each item, one after the other: `add` has the vertex of the item before, which for the
/// first is `before`. Returns them all.
pub fn chain<I, S>(
    items: impl IntoIterator<Item = I>,
    mut before: Option<Vertex<S>>,
    mut add: impl FnMut(I, Option<Vertex<S>>) -> Vertex<S>,
) -> Vec<Vertex<S>> {
    let next = |item| {
        let vertex = add(item, before);
        before = Some(vertex);
        vertex
    };
    items.into_iter().map(next).collect()
}
