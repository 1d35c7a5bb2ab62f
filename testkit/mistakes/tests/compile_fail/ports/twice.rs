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
fn twice(#[param(H)] x: Tensor) {
    scatter(Node { h: x, c: x });
    push(Out { y: x });
    scatter(Node { h: x, c: x });
    push(Out { y: x });
}
