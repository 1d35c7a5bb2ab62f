use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
    c: Tensor,
}

#[vertex_function]
fn late(#[param(H)] b: Tensor) {
    let node: Node = gather(0);
    let mixed = node.h * node.c;
    let h = node.h.softmax();
    let wide = concat([node.c, node.c]);
    loss((h + b).sum() + (wide + concat([b, b, b])).sum() + mixed.sum());
}

fn main() {}
