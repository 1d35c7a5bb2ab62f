use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_function]
fn variables(#[param(H)] weight: Tensor) {
    let hidden = weigth.tanh();
    push(Out { y: hiden + hidden });
}

fn main() {}
