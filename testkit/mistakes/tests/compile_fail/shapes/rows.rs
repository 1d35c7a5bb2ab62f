//! Ops on rows that are given a vector, and vectors that do not fit the rows of a matrix.

use ports::*;

#[vertex_function]
fn of_a_vector(#[param(H)] b: Tensor) {
    push(Out { y: b.row_softmax() });
}

#[vertex_function]
fn of_a_matrix(#[param(H, X)] w: Tensor) {
    push(Out { y: w.repeat_rows(3) });
}

#[vertex_function]
fn gain(#[param(H, X)] w: Tensor, #[param(H)] gain: Tensor) {
    push(Out { y: w.row_rms_norm(gain) });
}

#[vertex_function]
fn sums(#[param(H, X)] w: Tensor, #[param(X)] b: Tensor) {
    push(Out { y: w.row_sum() + b });
}

#[vertex_function]
fn axes(#[param(H, X)] w: Tensor, #[param(H)] b: Tensor) {
    push(Out { y: w.row_sum(1) + w.mean(1) });
    loss(w.row_mean(0).sum() + b.sum_rows());
}

#[vertex_function]
fn of_rows(#[param(H, X)] w: Tensor, #[param(X)] gain: Tensor) {
    push(Out { y: w.softmax() });
    loss(w.rms_norm(gain).sum());
}

#[vertex_function]
fn logarithms(#[param(H, X)] w: Tensor, #[param(H)] b: Tensor, #[param(X)] c: Tensor) {
    push(Out { y: w.log_dot(b) });
    loss(c.max_dot(w).sum() + b.log_dot(c) + w.log_dot(w).row_sum().sum());
}

fn main() {}
