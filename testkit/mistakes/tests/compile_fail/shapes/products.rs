//! Products that are written as in other libraries.

use ports::*;

#[derive(Input)]
struct Given {
    x: Tensor,
}

#[vertex_function]
fn vector_first(#[param(H, X)] w: Tensor, #[param(H)] b: Tensor) {
    let Given { x } = pull();
    push(Out { y: x.dot(w) + b });
}

#[vertex_function]
fn vector_of_known_length_first(#[param(H, X)] w: Tensor, #[param(H)] b: Tensor) {
    let Given { #[shape(X)] x } = pull();
    push(Out { y: x.dot(w + w) + b });
}

#[vertex_function]
fn vector_first_and_declared_columns_first(#[param(X, H)] w: Tensor, #[param(H)] b: Tensor) {
    let Given { x } = pull();
    push(Out { y: x.dot(w) + b });
}

#[vertex_function]
fn vector_of_known_length_first_and_columns(#[param(X, H)] w: Tensor) {
    let Given { #[shape(X)] x } = pull();
    push(Out { y: x.dot(w) });
}

#[vertex_function]
fn by_element(#[param(H, X)] w: Tensor, #[param(H)] b: Tensor, #[param(X)] known: Tensor) {
    let Given { x } = pull();
    let y = x * w + b;
    let z = b + (w + w) * x;
    push(Out { y: y + z + w * known });
}

#[vertex_function]
fn declared_columns_first(
    #[param(X, H)] w: Tensor,
    #[param(H, H)] u: Tensor,
    #[param(H)] b: Tensor,
    #[param(X)] known: Tensor,
) {
    let Given { x } = pull();
    let node: Node = gather(0);
    let first = w.dot(x) + b;
    let second = u.dot(node.h) + w.dot(x);
    push(Out { y: first + second + w.dot(known) });
}

#[vertex_function]
fn a_batch(#[param(H, X)] w: Tensor, #[param(X, H)] v: Tensor, #[param(H)] b: Tensor, #[param(X)] c: Tensor) {
    let Given { #[shape(B, X)] x } = pull();
    push(Out { y: w.dot(x) + b });
    loss((x.dot(v) + b).sum() + (x - c).sum());
}

#[vertex_function]
fn rows_for_one_vector(#[param(H, 2 * H)] w: Tensor, #[param(2 * H)] b: Tensor) {
    let [l, r]: [Node; 2] = [gather(0), gather(1)];
    let both = stack([l.h, r.h]);
    push(Out { y: w.dot(stack([l.h, r.h])) + w.dot(both) + (both * b).sum() });
}

/// Nothing else is meant.
#[vertex_function]
fn different(#[param(H, X)] w: Tensor, #[param(Y)] b: Tensor) {
    let Given { x } = pull();
    push(Out { y: w.dot(x) + b });
}
