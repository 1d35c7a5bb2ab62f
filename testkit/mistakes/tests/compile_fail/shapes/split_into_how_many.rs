use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_function]
fn parts(#[param(3 * H)] x: Tensor) {
    let whole = x.tanh().split();
    push(Out { y: whole[0] });
}
