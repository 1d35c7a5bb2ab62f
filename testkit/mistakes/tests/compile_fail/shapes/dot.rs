use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_function]
fn phrase(#[param(5 * H, 2 * H)] u: Tensor, #[param(H)] x: Tensor) {
    push(Out { y: u.dot(x) });
}

fn main() {}
