use edb::prelude::*;

#[vertex_function]
fn class(#[param(C)] logits: Tensor) {
    loss(logits.softmax());
}
