use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_function]
fn functions(#[param(H)] x: Tensor) {
    push(Out { y: concat(x) + concat(x, x.tanh()) + stack(x, x, x).row(Index(0)) });
}
