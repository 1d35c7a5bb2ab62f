//! The gradient rules of the op table, written in ops of the same table.
//!
//! A rule receives the op's value `y` and its gradient `dy`, and gives each argument its part.
//! Rules do not care about broadcasting or domains: [`Reverse::give`] sums a gradient down to the
//! shape and the domain of what it belongs to.

use super::reverse::Reverse;
use crate::program::{Contraction, Leaf, Movement, Op, Pointwise, Reduction, Transition, ValueId};
use crate::shapes::{Dim, Shape};

/// A gradient rule: gives the arguments of `y` their part of `dy`.
pub type GradientRule = fn(&mut Reverse<'_>, y: ValueId, dy: ValueId);

/// `1/√2π`.
const FRAC_1_SQRT_TAU: f64 = 0.398_942_280_401_432_7;

/// No gradient passes: leaves, and ops that are piecewise constant.
pub(crate) fn none(_: &mut Reverse<'_>, _: ValueId, _: ValueId) {}

/// `-dy`.
pub(crate) fn neg(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.unary(Pointwise::Neg, dy);
    r.give(y, 0, part);
}

/// `dy · y (1 - y)`.
pub(crate) fn sigmoid(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let one = r.constant(1.0);
    let rest = r.binary(Pointwise::Sub, one, y);
    let slope = r.binary(Pointwise::Mul, y, rest);
    let part = r.binary(Pointwise::Mul, dy, slope);
    r.give(y, 0, part);
}

/// `dy · (1 - y²)`.
pub(crate) fn tanh(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let one = r.constant(1.0);
    let square = r.binary(Pointwise::Mul, y, y);
    let slope = r.binary(Pointwise::Sub, one, square);
    let part = r.binary(Pointwise::Mul, dy, slope);
    r.give(y, 0, part);
}

/// `dy` where `y` is not 0: where `x > 0`, and where it is NaN.
pub(crate) fn relu(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.binary(Pointwise::Mask, y, dy);
    r.give(y, 0, part);
}

/// `dy · y`.
pub(crate) fn exp(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.binary(Pointwise::Mul, dy, y);
    r.give(y, 0, part);
}

/// `dy / x`.
pub(crate) fn ln(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.binary(Pointwise::Div, dy, r.argument(y, 0));
    r.give(y, 0, part);
}

/// `dy / 2y`.
pub(crate) fn sqrt(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let half = r.constant(0.5);
    let part = r.binary(Pointwise::Mul, dy, half);
    let part = r.binary(Pointwise::Div, part, y);
    r.give(y, 0, part);
}

/// `dy · sign x`.
pub(crate) fn abs(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let sign = r.unary(Pointwise::Sign, r.argument(y, 0));
    let part = r.binary(Pointwise::Mul, dy, sign);
    r.give(y, 0, part);
}

/// `dy · 2/√π e^-x²`.
pub(crate) fn erf(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let bell = r.unary(Pointwise::Bell, r.argument(y, 0));
    let square = r.binary(Pointwise::Mul, bell, bell);
    let height = r.constant(std::f64::consts::FRAC_2_SQRT_PI);
    let slope = r.binary(Pointwise::Mul, square, height);
    let part = r.binary(Pointwise::Mul, dy, slope);
    r.give(y, 0, part);
}

/// `dy · e^x`, of which `y + 1` would have few digits where it is small.
pub(crate) fn exp_m1(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let exp = r.unary(Pointwise::Exp, r.argument(y, 0));
    let part = r.binary(Pointwise::Mul, dy, exp);
    r.give(y, 0, part);
}

/// `dy · 1/√2π e^-x²/2`.
pub(crate) fn normal_cdf(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let bell = r.unary(Pointwise::Bell, r.argument(y, 0));
    let height = r.constant(FRAC_1_SQRT_TAU);
    let slope = r.binary(Pointwise::Mul, bell, height);
    let part = r.binary(Pointwise::Mul, dy, slope);
    r.give(y, 0, part);
}

/// `-dy · x y`.
pub(crate) fn bell(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let slope = r.binary(Pointwise::Mul, r.argument(y, 0), y);
    let part = r.binary(Pointwise::Mul, dy, slope);
    let part = r.unary(Pointwise::Neg, part);
    r.give(y, 0, part);
}

/// `dy / (1 + e^-x)`.
pub(crate) fn softplus(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let slope = r.unary(Pointwise::Sigmoid, r.argument(y, 0));
    let part = r.binary(Pointwise::Mul, dy, slope);
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
    let part = r.unary(Pointwise::Neg, dy);
    r.give(y, 1, part);
}

/// `dy · b`, `dy · a`.
pub(crate) fn mul(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    for (to, other) in [(0, 1), (1, 0)] {
        let part = r.binary(Pointwise::Mul, dy, r.argument(y, other));
        r.give(y, to, part);
    }
}

/// `dy / b`, `-dy · y / b`.
pub(crate) fn div(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.binary(Pointwise::Div, dy, r.argument(y, 1));
    r.give(y, 0, part);
    let part = r.binary(Pointwise::Mul, part, y);
    let part = r.unary(Pointwise::Neg, part);
    r.give(y, 1, part);
}

/// `dy · b a^(b - 1)`, `dy · y ln a`; the latter where `a` is positive.
pub(crate) fn pow(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let [a, b] = [r.argument(y, 0), r.argument(y, 1)];
    let one = r.constant(1.0);
    let less = r.binary(Pointwise::Sub, b, one);
    let power = r.binary(Pointwise::Pow, a, less);
    let slope = r.binary(Pointwise::Mul, b, power);
    let part = r.binary(Pointwise::Mul, dy, slope);
    r.give(y, 0, part);
    let positive = r.unary(Pointwise::Positive, a);
    let ln = r.unary(Pointwise::Ln, a);
    let ln = r.binary(Pointwise::Mask, positive, ln);
    let slope = r.binary(Pointwise::Mul, y, ln);
    let part = r.binary(Pointwise::Mul, dy, slope);
    r.give(y, 1, part);
}

/// The same mask on `dy`.
pub(crate) fn mask(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.binary(Pointwise::Mask, r.argument(y, 0), dy);
    r.give(y, 1, part);
}

/// `dy` where the condition chose the argument.
pub(crate) fn select(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let condition = r.argument(y, 0);
    let chosen = r.binary(Pointwise::Mask, condition, dy);
    r.give(y, 1, chosen);
    let nothing = r.like(Leaf::Zeros, &[], dy);
    let other = r.like(Pointwise::Select, &[condition, nothing, dy], dy);
    r.give(y, 2, other);
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
    let part = r.like(Op::Contraction(Contraction::Outer), &[dy, x], w);
    r.give(y, 0, part);
    let part = r.like(Op::Contraction(Contraction::DotTransposed), &[w, dy], x);
    r.give(y, 1, part);
}

/// `y = Wᵀ x`: `dW = x dyᵀ`, `dx = W dy`.
pub(crate) fn dot_transposed(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let [w, x] = [r.argument(y, 0), r.argument(y, 1)];
    let part = r.like(Op::Contraction(Contraction::Outer), &[x, dy], w);
    r.give(y, 0, part);
    let part = r.like(Op::Contraction(Contraction::Dot), &[w, dy], x);
    r.give(y, 1, part);
}

/// `Y = a bᵀ`: `da = dY b`, `db = dYᵀ a`. Also for the sum of such products over rows.
pub(crate) fn outer(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let [a, b] = [r.argument(y, 0), r.argument(y, 1)];
    let part = r.like(Op::Contraction(Contraction::Dot), &[dy, b], a);
    r.give(y, 0, part);
    let part = r.like(Op::Contraction(Contraction::DotTransposed), &[dy, a], b);
    r.give(y, 1, part);
}

/// `Y = A B`: `dA = dY Bᵀ`, `dB = Aᵀ dY`.
pub(crate) fn mat_mul(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let [a, b] = [r.argument(y, 0), r.argument(y, 1)];
    let part = r.like(Op::Contraction(Contraction::MatMulRightTransposed), &[dy, b], a);
    r.give(y, 0, part);
    let part = r.like(Op::Contraction(Contraction::MatMulLeftTransposed), &[a, dy], b);
    r.give(y, 1, part);
}

/// `Y = Aᵀ B`: `dA = B dYᵀ`, `dB = A dY`.
pub(crate) fn mat_mul_left_transposed(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let [a, b] = [r.argument(y, 0), r.argument(y, 1)];
    let part = r.like(Op::Contraction(Contraction::MatMulRightTransposed), &[b, dy], a);
    r.give(y, 0, part);
    let part = r.like(Op::Contraction(Contraction::MatMul), &[a, dy], b);
    r.give(y, 1, part);
}

/// `Y = A Bᵀ`: `dA = dY B`, `dB = dYᵀ A`.
pub(crate) fn mat_mul_right_transposed(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let [a, b] = [r.argument(y, 0), r.argument(y, 1)];
    let part = r.like(Op::Contraction(Contraction::MatMul), &[dy, b], a);
    r.give(y, 0, part);
    let part = r.like(Op::Contraction(Contraction::MatMulLeftTransposed), &[dy, a], b);
    r.give(y, 1, part);
}

/// `dYᵀ`.
pub(crate) fn transpose(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.like(Op::Movement(Movement::Transpose), &[dy], r.argument(y, 0));
    r.give(y, 0, part);
}

/// `dy` in the shape of the argument.
pub(crate) fn reshape(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.like(Op::Movement(Movement::Reshape), &[dy], r.argument(y, 0));
    r.give(y, 0, part);
}

/// As [`outer`]: the gradient of a sum reaches each of its rows.
pub(crate) fn outer_sum(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    outer(r, y, dy);
}

/// The slice of `dy` where each part went.
pub(crate) fn concat(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let mut start = Dim::default();
    for operand in 0..r.arity(y) {
        let argument = r.argument(y, operand);
        let length = r.vector_length(argument);
        let part = r.like(Op::Movement(Movement::Slice { start: start.clone() }), &[dy], argument);
        r.give(y, operand, part);
        start = start.add_scaled(&length, 1).expect("the sum was formed by the shape rule");
    }
}

/// `dy` at its place among zeros.
pub(crate) fn slice(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    if let Op::Movement(Movement::Slice { start }) = r.op(y) {
        let part = r.like(Op::Movement(Movement::Pad { start }), &[dy], r.argument(y, 0));
        r.give(y, 0, part);
    }
}

/// The part of `dy` that holds the argument.
pub(crate) fn pad(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    if let Op::Movement(Movement::Pad { start }) = r.op(y) {
        let part = r.like(Op::Movement(Movement::Slice { start }), &[dy], r.argument(y, 0));
        r.give(y, 0, part);
    }
}

/// `dy` in every element.
pub(crate) fn sum(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.like(Op::Movement(Movement::Expand), &[dy], r.argument(y, 0));
    r.give(y, 0, part);
}

/// `dy` at the first greatest element.
pub(crate) fn max(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let mask = r.unary(Reduction::MaxMask, r.argument(y, 0));
    let part = r.binary(Pointwise::Mul, mask, dy);
    r.give(y, 0, part);
}

/// `Σ dy`.
pub(crate) fn expand(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.shaped(Op::Reduction(Reduction::Sum), &[dy], Shape::scalar());
    r.give(y, 0, part);
}

/// `y (dy - Σ dy y)`.
pub(crate) fn softmax(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = through_softmax(r, y, dy);
    r.give(y, 0, part);
}

/// The gradient of what the softmax `y` is computed from.
fn through_softmax(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) -> ValueId {
    let weighted = r.binary(Pointwise::Mul, dy, y);
    let total = r.shaped(Op::Reduction(Reduction::Sum), &[weighted], Shape::scalar());
    let centred = r.binary(Pointwise::Sub, dy, total);
    r.binary(Pointwise::Mul, y, centred)
}

/// `dy - e^y Σ dy`.
pub(crate) fn log_softmax(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let total = r.shaped(Op::Reduction(Reduction::Sum), &[dy], Shape::scalar());
    let softmax = r.unary(Pointwise::Exp, y);
    let weighted = r.binary(Pointwise::Mul, softmax, total);
    let part = r.binary(Pointwise::Sub, dy, weighted);
    r.give(y, 0, part);
}

/// `softmax(x) dy`, which is `e^(x - y) dy`.
pub(crate) fn log_sum_exp(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let below = r.binary(Pointwise::Sub, r.argument(y, 0), y);
    let softmax = r.unary(Pointwise::Exp, below);
    let part = r.binary(Pointwise::Mul, softmax, dy);
    r.give(y, 0, part);
}

/// `x dy / y`; zeros where `y` is.
pub(crate) fn norm(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    // By 1 where it is 0: what is infinite there would make second derivatives NaN.
    let one = r.constant(1.0);
    let length = r.like(Pointwise::Select, &[y, y, one], y);
    let scale = r.binary(Pointwise::Div, dy, length);
    let scale = r.binary(Pointwise::Mask, y, scale);
    let part = r.binary(Pointwise::Mul, r.argument(y, 0), scale);
    r.give(y, 0, part);
}

/// `Σ dy[i..]`.
pub(crate) fn cumulative_sum(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.unary(Reduction::CumulativeSumReversed, dy);
    r.give(y, 0, part);
}

/// `Σ dy[..=i]`.
pub(crate) fn cumulative_sum_reversed(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.unary(Reduction::CumulativeSum, dy);
    r.give(y, 0, part);
}

/// `dy` at the first edge that has the greatest element.
pub(crate) fn reduce_max(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let mask = r.unary(Transition::EdgeMaxMask, r.argument(y, 0));
    let part = r.binary(Pointwise::Mul, mask, dy);
    r.give(y, 0, part);
}

/// `dy` added to the row that was read.
pub(crate) fn row(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.like(Transition::RowSum, &[dy, r.argument(y, 1)], r.argument(y, 0));
    r.give(y, 0, part);
}

/// The row of `dy` that the argument was added to.
pub(crate) fn row_sum(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.like(Movement::Row, &[dy, r.argument(y, 1)], r.argument(y, 0));
    r.give(y, 0, part);
}

/// `dy` added to every row that was read.
pub(crate) fn bag_sum(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    if let Op::Movement(Movement::BagSum(bag)) = r.op(y) {
        let part = r.like(Op::Transition(Transition::BagRowSum(bag)), &[dy], r.argument(y, 0));
        r.give(y, 0, part);
    }
}

/// The sum of the rows of `dy` that the argument was added to.
pub(crate) fn bag_row_sum(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    if let Op::Transition(Transition::BagRowSum(bag)) = r.op(y) {
        let part = r.like(Op::Movement(Movement::BagSum(bag)), &[dy], r.argument(y, 0));
        r.give(y, 0, part);
    }
}

/// `(softmax(x) - one_hot) dy`.
pub(crate) fn cross_entropy(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let (logits, index) = (r.argument(y, 0), r.argument(y, 1));
    let part = r.like(Reduction::CrossEntropyGradient, &[logits, index, dy], logits);
    r.give(y, 0, part);
}

/// Of `y = (softmax(x) - one_hot) g`: what the softmax gives `x` of `g dy`, and
/// `Σ (softmax(x) - one_hot) dy` for `g`.
pub(crate) fn cross_entropy_gradient(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let [logits, index, factor] = [0, 1, 2].map(|operand| r.argument(y, operand));
    let softmax = r.unary(Reduction::Softmax, logits);
    let scaled = r.binary(Pointwise::Mul, dy, factor);
    let part = through_softmax(r, softmax, scaled);
    r.give(y, 0, part);
    let one = r.constant(1.0);
    let slope = r.like(Reduction::CrossEntropyGradient, &[logits, index, one], logits);
    let part = r.binary(Pointwise::Mul, slope, dy);
    r.give(y, 2, part);
}

/// `dy` at the index.
pub(crate) fn one_hot(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.shaped(Movement::Pick, &[dy, r.argument(y, 1)], Shape::scalar());
    r.give(y, 0, part);
}

/// `dy` placed at the index.
pub(crate) fn pick(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let part = r.like(Movement::OneHot, &[dy, r.argument(y, 1)], r.argument(y, 0));
    r.give(y, 0, part);
}

/// `dy` to every summand.
pub(crate) fn reduce(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    r.give(y, 0, dy);
}
