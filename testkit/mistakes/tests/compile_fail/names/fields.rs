use edb::prelude::*;

#[derive(State)]
struct Node {
    h: Tensor,
    c: Tensor,
}

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_function]
fn fields(#[param(H)] x: Tensor) {
    let node: Node = gather(0);
    push(Out { y: x + node.hidden + node.h.sigmod() });
}
