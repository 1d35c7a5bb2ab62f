//! The GRU (Cho et al., 2014) in the form of cuDNN and PyTorch, which resets behind the product:
//!
//! ```text
//! [r, z] = σ(W x + b_x + U h + b_h)        n = tanh(W_n x + b_xn + r ⊙ (U_n h + b_hn))
//! h' = (1 - z) n + z h
//! ```
//!
//! `W_n`, `U_n`, `b_xn` and `b_hn` are the last third of the rows of `W`, `U`, `b_x` and `b_h`. Other cells here reset
//! before the product, `U_n (r ⊙ h)`, as the paper does: no weights of the one form give the other.

use edb::prelude::*;

/// The state that a word passes to the next one.
#[derive(State)]
pub struct Hidden {
    /// `[H]`
    pub h: Tensor,
}

/// A word.
#[derive(Input)]
pub struct Word {
    pub id: Index,
}

/// A word, after the words before it; the first one starts from zeros.
#[vertex_function]
pub fn step(
    #[dim(H)] size: Dim,
    #[param(V, X)] table: Tensor,
    #[param(3 * H, X)] w: Tensor,
    #[param(3 * H)] b_x: Tensor,
    #[param(3 * H, H)] u: Tensor,
    #[param(3 * H)] b_h: Tensor,
) {
    let Word { id } = pull();
    let Hidden { h } = gather_or(0, Hidden { h: zeros(size) });
    let [x_r, x_z, x_n] = (w.dot(table.row(id)) + b_x).split();
    let [h_r, h_z, h_n] = (u.dot(h) + b_h).split();
    let z = (x_z + h_z).sigmoid();
    let n = (x_n + (x_r + h_r).sigmoid() * h_n).tanh();
    scatter(Hidden { h: n + z * (h - n) });
}
