//! A shape of which a size is not known where it does not fit.

use edb::prelude::*;

#[derive(Clone, Copy, State)]
struct Node {
    h: Tensor,
}

#[derive(Clone, Copy, Input)]
struct Word {
    x: Tensor,
    y: Tensor,
}

#[vertex_function]
fn cell() {
    let Word { x, y } = pull();
    let left = gather_or(0, Node { h: stack([x, y]) });
    loss(left.h.softmax().sum());
    scatter(Node { h: left.h });
}
