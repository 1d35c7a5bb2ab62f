//! MV-RNN (Socher et al., 2012, "Semantic compositionality through recursive matrix-vector spaces",
//! section 2): a phrase is a vector, for its meaning, and a matrix, for how it modifies its
//! neighbour. Input and output are those of the Tree-LSTM ([`sentiment`](crate::sentiment)).
//!
//! ```text
//! p = tanh(W [B a; A b] + w)            P = W_M [A; B]                (equations 2 and 3)
//! ```
//!
//! A word's matrix is the outer product of two vectors (section 2.5, with rank one) plus a matrix
//! shared by all words, where the paper has a diagonal.

use edb::prelude::*;

use crate::sentiment::{Gold, Scores, Word};

/// The state that a phrase passes to its parent.
#[derive(State)]
pub struct Meaning {
    pub a: Tensor,
    pub m: Tensor,
}

/// A word.
#[vertex_function]
pub fn word(
    #[param(V, H)] table: Tensor,
    #[param(V, H)] table_u: Tensor,
    #[param(V, H)] table_v: Tensor,
    #[param(H, H)] base: Tensor,
) {
    let Word { id } = pull();
    let m = base + table_u.row(id).outer(table_v.row(id));
    scatter(Meaning { a: table.row(id).dropout(0.3), m });
}

/// A phrase of two parts.
#[vertex_function]
pub fn phrase(
    #[param(H, 2 * H)] w: Tensor,
    #[param(H)] b: Tensor,
    #[param(H, H)] w_l: Tensor,
    #[param(H, H)] w_r: Tensor,
) {
    let [l, r]: [Meaning; 2] = [gather(0), gather(1)];
    let a = (w.dot(concat([r.m.dot(l.a), l.m.dot(r.a)])) + b).tanh();
    scatter(Meaning { a, m: w_l.dot(l.m) + w_r.dot(r.m) });
}

/// The sentiment of a phrase.
#[vertex_function]
pub fn sentiment(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let Meaning { a, .. } = gather(0);
    let Gold { label } = pull();
    let logits = w.dot(a.dropout(0.3)) + b;
    push(Scores { logits });
    loss(cross_entropy(logits, label));
}
