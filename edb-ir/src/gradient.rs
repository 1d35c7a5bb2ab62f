//! The gradient rules of the op table, written in ops of the same table.
//!
//! A rule receives the op's value `y` and its gradient `dy`, and gives each argument its part.
//! Rules do not care about broadcasting or domains: [`Reverse::give`] sums a gradient down to the
//! shape and the domain of what it belongs to.

use crate::autodiff::Reverse;
use crate::dim::{Dim, Shape};
use crate::op::Op;
use crate::program::ValueId;

/// A gradient rule: gives the arguments of `y` their part of `dy`.
pub type GradientRule = fn(&mut Reverse<'_>, y: ValueId, dy: ValueId);

/// No gradient passes: leaves, and ops that are piecewise constant.
pub(crate) fn none(_: &mut Reverse<'_>, _: ValueId, _: ValueId) {}

/// `-dy`.
pub(crate) fn neg(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.unary(Op::Neg, dy);
    r.give(y, 0, part);
}

/// `dy · y (1 - y)`.
pub(crate) fn sigmoid(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let one = r.constant(1.0);
    let rest = r.binary(Op::Sub, one, y);
    let slope = r.binary(Op::Mul, y, rest);
    let part = r.binary(Op::Mul, dy, slope);
    r.give(y, 0, part);
}

/// `dy · (1 - y²)`.
pub(crate) fn tanh(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let one = r.constant(1.0);
    let square = r.binary(Op::Mul, y, y);
    let slope = r.binary(Op::Sub, one, square);
    let part = r.binary(Op::Mul, dy, slope);
    r.give(y, 0, part);
}

/// `dy` where `x > 0`.
pub(crate) fn relu(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let mask = r.unary(Op::Positive, r.argument(y, 0));
    let part = r.binary(Op::Mul, dy, mask);
    r.give(y, 0, part);
}

/// `dy · y`.
pub(crate) fn exp(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.binary(Op::Mul, dy, y);
    r.give(y, 0, part);
}

/// `dy / x`.
pub(crate) fn ln(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.binary(Op::Div, dy, r.argument(y, 0));
    r.give(y, 0, part);
}

/// `dy` to both.
pub(crate) fn add(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    r.give(y, 0, dy);
    r.give(y, 1, dy);
}

/// `dy`, `-dy`.
pub(crate) fn sub(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    r.give(y, 0, dy);
    let part = r.unary(Op::Neg, dy);
    r.give(y, 1, part);
}

/// `dy · b`, `dy · a`.
pub(crate) fn mul(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    for (to, other) in [(0, 1), (1, 0)] {
        let part = r.binary(Op::Mul, dy, r.argument(y, other));
        r.give(y, to, part);
    }
}

/// `dy / b`, `-dy · y / b`.
pub(crate) fn div(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.binary(Op::Div, dy, r.argument(y, 1));
    r.give(y, 0, part);
    let part = r.binary(Op::Mul, part, y);
    let part = r.unary(Op::Neg, part);
    r.give(y, 1, part);
}

/// The same mask on `dy`.
pub(crate) fn dropout(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    again(r, y, dy);
}

/// `dy` itself.
pub(crate) fn copy(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    r.give(y, 0, dy);
}

/// `dy` where the child is absent.
pub(crate) fn where_absent(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    again(r, y, dy);
}

/// The op itself, applied to the gradient: for masks, which are linear and symmetric.
fn again(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.unary(r.op(y), dy);
    r.give(y, 0, part);
}

/// `y = W x`: `dW = dy xᵀ`, `dx = Wᵀ dy`.
pub(crate) fn dot(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let [w, x] = [r.argument(y, 0), r.argument(y, 1)];
    let part = r.like(Op::Outer, &[dy, x], w);
    r.give(y, 0, part);
    let part = r.like(Op::DotTransposed, &[w, dy], x);
    r.give(y, 1, part);
}

/// `y = Wᵀ x`: `dW = x dyᵀ`, `dx = W dy`.
pub(crate) fn dot_transposed(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let [w, x] = [r.argument(y, 0), r.argument(y, 1)];
    let part = r.like(Op::Outer, &[x, dy], w);
    r.give(y, 0, part);
    let part = r.like(Op::Dot, &[w, dy], x);
    r.give(y, 1, part);
}

/// `Y = a bᵀ`: `da = dY b`, `db = dYᵀ a`. Also for the sum of such products over rows.
pub(crate) fn outer(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let [a, b] = [r.argument(y, 0), r.argument(y, 1)];
    let part = r.like(Op::Dot, &[dy, b], a);
    r.give(y, 0, part);
    let part = r.like(Op::DotTransposed, &[dy, a], b);
    r.give(y, 1, part);
}

/// As [`outer`]: the gradient of a sum reaches each of its rows.
pub(crate) fn outer_sum(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    outer(r, y, dy);
}

/// The slice of `dy` where each part went.
pub(crate) fn concat(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let mut start = Dim::default();
    for at in 0..r.arity(y) {
        let argument = r.argument(y, at);
        let length = r.vector_length(argument);
        let part = r.like(Op::Slice { start: start.clone() }, &[dy], argument);
        r.give(y, at, part);
        start = start.add_scaled(&length, 1).expect("the sum was formed by the shape rule");
    }
}

/// `dy` at its place among zeros.
pub(crate) fn slice(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    if let Op::Slice { start } = r.op(y) {
        let part = r.like(Op::Pad { start }, &[dy], r.argument(y, 0));
        r.give(y, 0, part);
    }
}

/// The part of `dy` that holds the argument.
pub(crate) fn pad(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    if let Op::Pad { start } = r.op(y) {
        let part = r.like(Op::Slice { start }, &[dy], r.argument(y, 0));
        r.give(y, 0, part);
    }
}

/// `dy` in every element.
pub(crate) fn sum(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.like(Op::Expand, &[dy], r.argument(y, 0));
    r.give(y, 0, part);
}

/// `dy` at the first greatest element.
pub(crate) fn max(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let mask = r.unary(Op::MaxMask, r.argument(y, 0));
    let part = r.binary(Op::Mul, mask, dy);
    r.give(y, 0, part);
}

/// `Σ dy`.
pub(crate) fn expand(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.shaped(Op::Sum, &[dy], Shape::scalar());
    r.give(y, 0, part);
}

/// `y (dy - Σ dy y)`.
pub(crate) fn softmax(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let weighted = r.binary(Op::Mul, dy, y);
    let total = r.shaped(Op::Sum, &[weighted], Shape::scalar());
    let centred = r.binary(Op::Sub, dy, total);
    let part = r.binary(Op::Mul, y, centred);
    r.give(y, 0, part);
}

/// `dy - e^y Σ dy`.
pub(crate) fn log_softmax(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let total = r.shaped(Op::Sum, &[dy], Shape::scalar());
    let softmax = r.unary(Op::Exp, y);
    let weighted = r.binary(Op::Mul, softmax, total);
    let part = r.binary(Op::Sub, dy, weighted);
    r.give(y, 0, part);
}

/// `dy` added to the row that was read.
pub(crate) fn row(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    if let Op::Row(index) = r.op(y) {
        let part = r.like(Op::RowSum(index), &[dy], r.argument(y, 0));
        r.give(y, 0, part);
    }
}

/// The row of `dy` that the argument was added to.
pub(crate) fn row_sum(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    if let Op::RowSum(index) = r.op(y) {
        let part = r.like(Op::Row(index), &[dy], r.argument(y, 0));
        r.give(y, 0, part);
    }
}

/// `softmax(x) dy - one_hot(dy)`.
pub(crate) fn cross_entropy(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    if let Op::CrossEntropy(index) = r.op(y) {
        let logits = r.argument(y, 0);
        let softmax = r.unary(Op::Softmax, logits);
        let weighted = r.binary(Op::Mul, softmax, dy);
        let target = r.like(Op::OneHot(index), &[dy], logits);
        let part = r.binary(Op::Sub, weighted, target);
        r.give(y, 0, part);
    }
}

/// `dy` at the index.
pub(crate) fn one_hot(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    if let Op::OneHot(index) = r.op(y) {
        let part = r.shaped(Op::Pick(index), &[dy], Shape::scalar());
        r.give(y, 0, part);
    }
}

/// `dy` placed at the index.
pub(crate) fn pick(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    if let Op::Pick(index) = r.op(y) {
        let part = r.like(Op::OneHot(index), &[dy], r.argument(y, 0));
        r.give(y, 0, part);
    }
}

/// `dy` to every summand.
pub(crate) fn reduce(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    r.give(y, 0, dy);
}
