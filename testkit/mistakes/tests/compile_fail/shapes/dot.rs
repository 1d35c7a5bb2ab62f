use ports::*;

#[vertex_function]
fn phrase(#[param(5 * H, 2 * H)] u: Tensor, #[param(H)] x: Tensor) {
    push(Out { y: u.dot(x) });
}
