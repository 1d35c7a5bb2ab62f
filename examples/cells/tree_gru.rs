//! A binary Tree-GRU for sentiment: the gated recursive network of Chen et al. (2015, "Sentence
//! modeling with gated recursive neural network", equations 3 to 7) at the vertices of a given
//! tree. Input and output are those of the Tree-LSTM ([`sentiment`](crate::sentiment)).
//!
//! ```text
//! [r_l, r_r] = σ(U_r [h_l; h_r] + b_r)            h~ = tanh(U [r_l ⊙ h_l; r_r ⊙ h_r] + b)
//! [z, z_l, z_r] = e^(U_z [h~; h_l; h_r])          h = (z ⊙ h~ + z_l ⊙ h_l + z_r ⊙ h_r) / (z + z_l + z_r)
//! ```

use edb::prelude::*;

use crate::sentiment::{Gold, Scores, Word};

/// The state that a phrase passes to its parent.
#[derive(State)]
pub struct Hidden {
    pub h: Tensor,
}

/// A word.
#[vertex_function]
pub fn word(#[param(V, X)] table: Tensor, #[param(H, X)] w: Tensor, #[param(H)] b: Tensor) {
    let Word { id } = pull();
    scatter(Hidden { h: (w.dot(table.row(id).dropout(0.5)) + b).tanh() });
}

/// A phrase of two parts.
#[vertex_function]
pub fn phrase(
    #[param(2 * H, 2 * H)] u_r: Tensor,
    #[param(2 * H)] b_r: Tensor,
    #[param(H, 2 * H)] u: Tensor,
    #[param(H)] b: Tensor,
    #[param(3 * H, 3 * H)] u_z: Tensor,
) {
    let [l, r]: [Hidden; 2] = [gather(0), gather(1)];
    let parts = concat([l.h, r.h]);
    let reset = (u_r.dot(parts) + b_r).sigmoid();
    let new = (u.dot(reset * parts) + b).tanh();
    // Bounded, because the exponential of a sum over three states would overflow.
    let [z, z_l, z_r] = (4.0 * u_z.dot(concat([new, l.h, r.h])).tanh()).exp().split();
    scatter(Hidden { h: (z * new + z_l * l.h + z_r * r.h) / (z + z_l + z_r) });
}

/// The sentiment of a phrase.
#[vertex_function]
pub fn sentiment(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let Hidden { h } = gather(0);
    let Gold { label } = pull();
    let logits = w.dot(h.dropout(0.5)) + b;
    push(Scores { logits });
    loss(cross_entropy(logits, label));
}
