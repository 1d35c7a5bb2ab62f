use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_function]
fn integers(#[param(H)] x: Tensor, #[dim(H)] h: Dim) {
    let a = x * 2;
    let b = x / h;
    let d = x.slice(0..h * h);
    push(Out { y: a + b + d });
}
