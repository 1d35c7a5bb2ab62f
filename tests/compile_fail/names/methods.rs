use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_function]
fn methods(#[param(H)] x: Tensor) {
    let a = x.sigmod();
    let b = x.convolve();
    let c = x.clone();
    let d = [x, x].iter().sum();
    push(Out { y: a + b + c + d });
}

fn main() {}
