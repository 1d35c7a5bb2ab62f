use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_function]
fn join(#[param(H, H)] w: Tensor, #[param(H)] x: Tensor, #[param()] s: Tensor) {
    push(Out { y: concat([x, w]) + concat([x, s]) });
}

fn main() {}
