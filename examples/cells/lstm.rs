//! The LSTM (Hochreiter and Schmidhuber, 1997, with the forget gate of Gers et al., 2000):
//!
//! ```text
//! [i, f, o, g] = W x + U h + b          c' = σ(f) c + σ(i) tanh(g)          h' = σ(o) tanh(c')
//! ```
//!
//! Each model computes `x` in a vertex function of its own.

use edb::prelude::*;

/// The state that a vertex passes to the next one.
#[derive(State)]
pub struct Memory {
    pub h: Tensor,
    pub c: Tensor,
}

/// The new hidden state and cell, `[h', c']`, from the gates and the cell.
#[vertex_helper]
pub fn lstm(gates: Tensor, c: Tensor) -> [Tensor; 2] {
    let [i, f, o, g] = gates.split();
    let c = f.sigmoid() * c + i.sigmoid() * g.tanh();
    [o.sigmoid() * c.tanh(), c]
}

/// Adds a chain of vertices, one per item, and returns them: `add` gets the previous vertex, which
/// for the first item is `before`.
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
