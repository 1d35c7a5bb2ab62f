use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_helper]
fn add(x: Tensor, y: Tensor) -> Tensor {
    x + y
}

#[vertex_function]
fn cell(#[param(H)] x: Tensor) {
    push(Out { y: add(x) });
}
