//! The word and the classifier of [`sentiment`](crate::sentiment) without dropout: for what is not to
//! depend on draws, as the second derivatives of a loss, or has noise enough, as private training.

use edb::prelude::*;

use crate::sentiment::{Gold, Node, Scores, Word};

/// A word: an LSTM cell without a previous state.
#[vertex_function]
pub fn word(#[param(V, X)] table: Tensor, #[param(3 * H, X)] w: Tensor, #[param(3 * H)] b: Tensor) {
    let Word { id } = pull();
    let [i, o, u] = (w.dot(table.row(id)) + b).split();
    let c = i.sigmoid() * u.tanh();
    scatter(Node { h: o.sigmoid() * c.tanh(), c });
}

/// The sentiment of a phrase: five classes.
#[vertex_function]
pub fn sentiment(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let node: Node = gather(0);
    let Gold { label } = pull();
    let logits = w.dot(node.h) + b;
    push(Scores { logits });
    loss(cross_entropy(logits, label));
}
