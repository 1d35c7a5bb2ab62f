use ports::*;

#[vertex_function]
fn join(#[param(H, H)] w: Tensor, #[param(H)] x: Tensor, #[param()] s: Tensor) {
    push(Out { y: concat([x, w]) + concat([x, s]) });
}
