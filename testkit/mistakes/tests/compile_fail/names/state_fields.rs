use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
}

#[vertex_function]
fn misspelt(#[param(H, H)] w: Tensor) {
    let child: Node = gather(0);
    scatter(Node { hh: w.dot(child.h) });
}

#[vertex_function]
fn unknown(#[param(H, H)] w: Tensor) {
    let child: Node = gather(0);
    scatter(Node { h: w.dot(child.h) + child.c });
}
