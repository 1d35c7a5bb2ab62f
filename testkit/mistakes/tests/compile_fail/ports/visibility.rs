use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
    c: Tensor,
}

#[vertex_function]
pub fn cell(#[param(H)] x: Tensor) {
    scatter(Node { h: x, c: x });
}
