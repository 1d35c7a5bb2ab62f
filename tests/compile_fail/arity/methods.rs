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
    push(Out { y: a + b + c });
}

fn main() {}
