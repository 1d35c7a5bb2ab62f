use edb::prelude::*;

#[derive(Output)]
struct Out {
    y: Tensor,
}

#[vertex_function]
fn several(#[param(5 * H, 2 * H)] u: Tensor, #[param(H)] x: Tensor, #[param(X)] y: Tensor) {
    let sum = x + y;
    let product = u.dot(concat([x, y, x]));
    let twice = sum * product;
    push(Out { y: twice + u.dot(x) });
    loss(x);
}
