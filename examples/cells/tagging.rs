//! The tag of an item that an LSTM reads in both directions: `scores = V [h→; h←] + b`.

use edb::prelude::*;

use super::crf::Emission;
use super::lstm::Memory;

/// The gold tag.
#[derive(Input)]
pub struct Gold {
    pub tag: Index,
}

/// A score for every tag.
#[derive(Output)]
pub struct Scores {
    pub logits: Tensor,
}

/// The tag of a word or of a character, from both directions.
#[vertex_function]
pub fn tag(#[param(K, 2 * H)] v: Tensor, #[param(K)] b: Tensor) {
    let [forward, backward]: [Memory; 2] = [gather(0), gather(1)];
    let Gold { tag } = pull();
    let logits = v.dot(concat([forward.h, backward.h]).dropout(0.5)) + b;
    push(Scores { logits });
    loss(cross_entropy(logits, tag));
}

/// The scores alone, for what has the loss of a whole sentence ([`crf`](crate::crf)).
#[vertex_function]
pub fn emit(#[param(K, 2 * H)] v: Tensor, #[param(K)] b: Tensor) {
    let [forward, backward]: [Memory; 2] = [gather(0), gather(1)];
    scatter(Emission { scores: v.dot(concat([forward.h, backward.h]).dropout(0.5)) + b });
}
