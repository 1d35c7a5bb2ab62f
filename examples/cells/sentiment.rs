//! The binary Tree-LSTM (Tai et al., 2015, section 3.2) for sentiment.

use edb::prelude::*;

/// The state that a phrase passes to its parent.
#[derive(Clone, Copy, State)]
pub struct Node {
    pub h: Tensor,
    pub c: Tensor,
}

/// The input of a word.
#[derive(Input)]
pub struct Word {
    pub id: Index,
}

/// The gold sentiment of a phrase.
#[derive(Input)]
pub struct Gold {
    pub label: Index,
}

/// A score for each of the five classes.
#[derive(Output)]
pub struct Scores {
    pub logits: Tensor,
}

/// A word: an LSTM cell without a previous state.
#[vertex_function]
pub fn word(#[param(V, X)] table: Tensor, #[param(3 * H, X)] w: Tensor, #[param(3 * H)] b: Tensor) {
    let Word { id } = pull();
    let [i, o, u] = (w.dot(table.row(id).dropout(0.5)) + b).split();
    let c = i.sigmoid() * u.tanh();
    scatter(Node { h: o.sigmoid() * c.tanh(), c });
}

/// A phrase of two parts, each with its own forget gate.
#[vertex_function]
pub fn phrase(#[param(5 * H, 2 * H)] u: Tensor, #[param(5 * H)] b: Tensor) {
    let [l, r]: [Node; 2] = [gather(0), gather(1)];
    let [i, o, g, fl, fr] = (u.dot(concat([l.h, r.h])) + b).split();
    let c = i.sigmoid() * g.tanh() + fl.sigmoid() * l.c + fr.sigmoid() * r.c;
    scatter(Node { h: o.sigmoid() * c.tanh(), c });
}

/// The sentiment of a phrase: five classes.
#[vertex_function]
pub fn sentiment(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let node: Node = gather(0);
    let Gold { label } = pull();
    let logits = w.dot(node.h.dropout(0.5)) + b;
    push(Scores { logits });
    loss(cross_entropy(logits, label));
}
