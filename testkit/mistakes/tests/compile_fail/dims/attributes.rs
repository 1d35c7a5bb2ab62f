use edb::prelude::*;

#[vertex_function]
fn attributes(
    #[param(h, H)] a: Tensor,
    #[param(H * X)] b: Tensor,
    #[param(2.0)] c: Tensor,
    #[param(A, B, C)] d: Tensor,
    #[param(H)] e: f64,
    #[dim(2 * H)] f: Dim,
    #[dim(H)] g: Tensor,
    #[param] i: Tensor,
    j: Tensor,
    #[param(H)] (k, l): (Tensor, Tensor),
) {
    let size = zeros(f) * e + g;
    loss(a.sum() + b.sum() + c.sum() + d.sum() + i.sum() + j.sum() + (k + l + size).sum());
}
