use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_function]
fn functions(#[param(H)] x: Tensor, #[dim(H)] h: Dim) {
    let a = zeros(h, h);
    let c = mse(x);
    push(Out { y: a + c });
}
