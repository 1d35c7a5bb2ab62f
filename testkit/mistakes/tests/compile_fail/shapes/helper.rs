use ports::*;

#[vertex_helper]
fn affine(w: Tensor, x: Tensor, b: Tensor) -> Tensor {
    w.dot(x) + b
}

#[vertex_function]
fn cell(#[param(H, X)] w: Tensor, #[param(X)] x: Tensor, #[param(H)] b: Tensor) {
    push(Out { y: affine(w, b, x) });
}
