//! Decoders that decide: what follows depends on what one says, so its graph grows
//! ([`encoder_decoder`](crate::encoder_decoder) has the equations, but for one that grows a tree):
//!
//! ```text
//! a_s = softmax_s(h_t · W_a h_s)        h~ = tanh(W_c [Σ a_s h_s; h_t])     scores = V h~ + b_v
//! ```

use edb::prelude::*;

use crate::encoder_decoder::{Key, Word};
use crate::lstm::{Memory, lstm};

/// A state of the decoder after it has looked at the source.
#[derive(State)]
pub struct Attended {
    pub a: Tensor,
}

/// What is said, and the scores of all that might have been.
#[derive(Output)]
pub struct Said {
    pub word: Index,
    pub scores: Tensor,
}

/// What is said of a draw, and the logarithm of its probability.
#[derive(Output)]
pub struct Tried {
    pub word: Index,
    pub log_p: Tensor,
}

/// Scores, and what should have been said.
#[derive(Input)]
pub struct Heard {
    pub scores: Tensor,
    pub gold: Index,
}

/// Looks at the source.
#[vertex_function]
pub fn attend(#[dim(H)] size: Dim, #[param(H, 2 * H)] w_c: Tensor) {
    let Memory { h, .. } = gather(0);
    let mut greatest = scalar(-1.0e4);
    for source in gather_all::<Key>() {
        greatest = greatest.maximum((h * source.k).sum());
    }
    let (mut sum, mut total) = (zeros(size), scalar(0.0));
    for source in gather_all::<Key>() {
        let weight = ((h * source.k).sum() - greatest).exp();
        sum += weight * source.h;
        total += weight;
    }
    scatter(Attended { a: w_c.dot(concat([sum / total, h])).tanh() });
}

/// Says what has the highest score.
#[vertex_function]
pub fn say(#[param(V, H)] v: Tensor, #[param(V)] b: Tensor) {
    let Attended { a } = gather(0);
    let scores = v.dot(a.dropout(0.3)) + b;
    push(Said { word: scores.argmax(), scores });
}

/// Says what is drawn from the scores.
#[vertex_function]
pub fn venture(#[param(V, H)] v: Tensor, #[param(V)] b: Tensor) {
    let Attended { a } = gather(0);
    let scores = (v.dot(a) + b).log_softmax();
    let word = scores.sample();
    push(Tried { word, log_p: scores.pick(word) });
}

/// The loss of what was said.
#[vertex_function]
pub fn judge(#[dim(V)] size: Dim) {
    let Heard { scores, gold } = pull();
    // The sum tells how many scores there are.
    loss(cross_entropy(scores + zeros(size), gold));
}

/// A vertex of a tree, below one that has looked at the source; the root has only a memory above
/// it. What was looked at is an input of the next state (Luong et al., 2015, section 3.3).
#[vertex_function]
pub fn expand(
    #[dim(H)] size: Dim,
    #[param(V, X)] table: Tensor,
    #[param(4 * H, X)] w: Tensor,
    #[param(4 * H, 2 * H)] u: Tensor,
    #[param(4 * H)] b: Tensor,
) {
    let Word { id } = pull();
    let above: Memory = gather(0);
    let seen = gather_or(1, Attended { a: zeros(size) });
    let gates = w.dot(table.row(id)) + u.dot(concat([above.h, seen.a])) + b;
    let [h, c] = lstm(gates, above.c);
    scatter(Memory { h, c });
}
