use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_helper]
fn forever(x: Tensor) -> Tensor {
    forever(x.tanh()) + x
}

#[vertex_function]
fn cell(#[param(H)] x: Tensor) {
    push(Out { y: forever(x) });
}

fn main() {}
