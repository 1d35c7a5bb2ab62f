//! Rows of what is no matrix, and vectors that do not fit its rows.

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

fn main() {}
