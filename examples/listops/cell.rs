//! A tree model for ListOps: the representation of a sub-expression is computed from the sum of its
//! arguments' representations.

use edb::prelude::*;

/// The state that a sub-expression passes to the operator above it.
#[derive(State)]
pub struct Value {
    pub h: Tensor,
}

/// A token of the expression: a digit, or an operator.
#[derive(Input)]
pub struct Token {
    pub id: Index,
}

/// The answer of a sub-expression.
#[derive(Input)]
pub struct Gold {
    pub answer: Index,
}

/// A score for each digit.
#[derive(Output)]
pub struct Scores {
    pub logits: Tensor,
}

/// A digit is a row of a table.
#[vertex_function]
pub fn digit(#[param(D, H)] table: Tensor) {
    let Token { id } = pull();
    scatter(Value { h: table.row(id) });
}

/// An operator with any number of arguments: a sum over the arguments (Deep Sets, Zaheer et al.,
/// 2017), followed by two layers; the operator scales each unit of the first.
#[vertex_function]
pub fn apply(
    #[dim(M)] m: Dim,
    #[param(M, H)] w: Tensor,
    #[param(M)] b: Tensor,
    #[param(O, Z)] gates: Tensor,
    #[param(Z, M)] w_sum: Tensor,
    #[param(Z)] b_sum: Tensor,
    #[param(Z, Z)] w_read: Tensor,
    #[param(Z)] b_read: Tensor,
    #[param(H, Z)] w_out: Tensor,
    #[param(H)] b_out: Tensor,
) {
    let Token { id } = pull();
    let mut sum = zeros(m);
    for argument in gather_all::<Value>() {
        sum += (w.dot(argument.h) + b).relu();
    }
    let gated = (w_sum.dot(sum) + b_sum).relu() * gates.row(id);
    let read = (w_read.dot(gated) + b_read).relu();
    scatter(Value { h: (w_out.dot(read) + b_out).tanh() });
}

/// The answer of a sub-expression: ten classes, and the cross-entropy of the right one, where it is
/// known.
#[vertex_function]
pub fn answer(#[param(A, H)] w: Tensor, #[param(A)] b: Tensor) {
    let value: Value = gather(0);
    let gold: Option<Gold> = pull();
    let logits = w.dot(value.h) + b;
    push(Scores { logits });
    if let Some(Gold { answer }) = gold {
        loss(cross_entropy(logits, answer));
    }
}
