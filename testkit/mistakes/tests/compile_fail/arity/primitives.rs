use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
    c: Tensor,
}

#[vertex_function]
fn primitives() {
    let a: Node = gather();
    let b: Node = gather_or(1);
    scatter();
    loss(a.h.sum(), b.h.sum());
}
