use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
    c: Tensor,
}

#[derive(Input)]
struct Word {
    id: Index,
    x: Tensor,
}

#[vertex_function]
fn hidden(#[param(H, X)] w: Tensor) {
    let child = gather(0);
    let word = pull();
    scatter(Node { h: child.h + w.dot(word.x), c: child.c });
}
