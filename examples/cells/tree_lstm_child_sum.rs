//! The child-sum Tree-LSTM (Tai et al., 2015, section 3.1, equations 2 to 8) over binary trees, as Cavs
//! measures it. Words, classes and states are those of [`tree_lstm`](crate::tree_lstm).
//!
//! Phrases have no word, so that `k` runs over their two parts:
//!
//! ```text
//! h~ = h_l + h_r          [i, o, u] = U h~ + b         f_k = σ(U_f h_k + b_f)
//! c = σ(i) tanh(u) + f_l c_l + f_r c_r                 h = σ(o) tanh(c)
//! ```

use edb::prelude::*;

use crate::tree_lstm::{Gold, Memory, Phrase};

/// A phrase of two parts.
#[vertex_function]
pub fn phrase(
    #[param(3 * H, H)] u: Tensor,
    #[param(3 * H)] b: Tensor,
    #[param(H, H)] u_f: Tensor,
    #[param(H)] b_f: Tensor,
    #[param(C, H)] w_class: Tensor,
    #[param(C)] b_class: Tensor,
) {
    let [l, r]: [Memory; 2] = [gather(0), gather(1)];
    let Gold { label } = pull();
    let [i, o, g] = (u.dot(l.h + r.h) + b).split();
    let f_l = (u_f.dot(l.h) + b_f).sigmoid();
    let f_r = (u_f.dot(r.h) + b_f).sigmoid();
    let c = i.sigmoid() * g.tanh() + f_l * l.c + f_r * r.c;
    let h = o.sigmoid() * c.tanh();
    scatter(Memory { h, c });
    loss(cross_entropy(w_class.dot(h) + b_class, label));
}

impl Phrase for phrase {
    const GATES: &'static [&'static str] = &["u", "b", "u_f", "b_f"];
}
