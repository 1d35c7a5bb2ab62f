//! Shapes that patterns declare.

use ports::*;

#[derive(Input)]
struct Pair {
    left: Tensor,
    kind: Index,
}

#[derive(Input)]
struct Wrong {
    #[shape(H)]
    x: Tensor,
}

#[vertex_helper]
fn first(pair: Pair) -> Tensor {
    let Pair { #[shape(H)] left, .. } = pair;
    left
}

#[vertex_function]
fn join(#[param(H, H)] w: Tensor, #[param(5, H)] table: Tensor) {
    let Pair { #[shape()] left, #[shape(H)] kind }: Pair = pull();
    push(Out { y: w.dot(left) + table.row(kind) });
}

#[vertex_function]
fn again(#[param(H)] b: Tensor) {
    let pair: Pair = pull();
    let sum = b + pair.left.tanh().dot(b);
    let Pair { #[shape(H, H)] left, .. } = pair;
    let Pair { #[shape(2, H, H)] left: other, .. } = pair;
    let Pair { #[shape(h)] left: last, .. } = pair;
    push(Out { y: sum + left + other + last });
}
