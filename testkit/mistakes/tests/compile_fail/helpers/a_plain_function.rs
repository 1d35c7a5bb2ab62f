use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

fn gate(x: Tensor) -> Tensor {
    x.sigmoid()
}

#[vertex_function]
fn cell(#[param(H)] x: Tensor) {
    push(Out { y: gate(x) });
}

fn main() {}
