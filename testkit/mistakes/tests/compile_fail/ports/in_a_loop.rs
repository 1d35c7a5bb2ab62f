use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_function]
fn repeated(#[param(H)] x: Tensor) {
    for k in 0..3 {
        push(Out { y: x * (k as f64) });
    }
}
