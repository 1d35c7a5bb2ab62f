use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_function]
fn methods(#[param(H, H)] w: Tensor, #[param(H)] x: Tensor) {
    let a = w.dot(x, x);
    let b = x.tanh(2.0);
    let c = x.dropout();
    // There are no axes.
    let d = w.sum(1) + w.row(Index(0)).argmax(0);
    // An element is picked.
    let e = x[0];
    push(Out { y: a + b + c + d + e });
}
