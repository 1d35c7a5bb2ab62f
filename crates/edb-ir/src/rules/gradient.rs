//! The gradient rules of the op table, written in ops of the same table.
//!
//! A rule receives the op's value `y` and its gradient `dy`, and gives each argument its part.
//! Rules do not care about broadcasting or domains: [`Reverse::give`] sums a gradient down to the
//! shape and the domain of what it belongs to.

use super::reverse::Reverse;
use super::term::Term;
use crate::program::{
    Contraction, Leaf, Movement, Op, Pointwise, Reduction, Role, RowReduction, Semiring,
    SemiringContraction, Transition, ValueId,
};
use crate::shapes::Dim;

/// A gradient rule: gives the arguments of `y` their part of `dy`.
pub type GradientRule = fn(&mut Reverse<'_>, y: ValueId, dy: ValueId);

/// `1/√2π`.
const FRAC_1_SQRT_TAU: f64 = 0.398_942_280_401_432_7;

/// No gradient passes: leaves, and ops that are piecewise constant.
pub(crate) fn none(_: &mut Reverse<'_>, _: ValueId, _: ValueId) {}

/// Gradient rules as formulas: `fn op(x, .. -> y, dy) { x: its part, .. }`, of `y = op(x, ..)`. Values are
/// built in the order in which they are written.
macro_rules! rules {
    ($($(#[$about:meta])* fn $name:ident($($arg:ident),+ -> $y:ident, $dy:ident $(; $shared:ident = $value:expr)?) {
        $($to:ident: $part:expr),+
    })+) => {$(
        $(#[$about])*
        #[allow(unused_variables, reason = "the rule may be without some of them")]
        pub(crate) fn $name(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
            #[allow(non_camel_case_types, dead_code, reason = "these are the names in the formula")]
            enum Argument { $($arg),+ }
            r.by_terms([y, dy], |[$y, $dy]| {
                $(let $arg = $y.argument(Argument::$arg as usize);)+
                $(let $shared = $value;)?
                $(let part = $part;
                $y.give(Argument::$to as usize, part);)+
            });
        }
    )+};
}

rules! {
    /// `-dy`.
    fn neg(x -> y, dy) { x: -dy }
    /// `dy · y (1 - y)`.
    fn sigmoid(x -> y, dy) { x: dy * (y * (1.0 - y)) }
    /// `dy · (1 - y²)`.
    fn tanh(x -> y, dy; one = y.number(1.0)) { x: dy * (one - y * y) }
    /// `dy` where `y` is not 0: where `x > 0`, and where it is NaN.
    fn relu(x -> y, dy) { x: y.mask(dy) }
    /// `dy · y`.
    fn exp(x -> y, dy) { x: dy * y }
    /// `dy / x`.
    fn ln(x -> y, dy) { x: dy / x }
    /// `dy / 2y`.
    fn sqrt(x -> y, dy) { x: dy * 0.5 / y }
    /// `dy · sign x`.
    fn abs(x -> y, dy) { x: dy * x.map(Pointwise::Sign) }
    /// `dy · 2/√π e^-x²`.
    fn erf(x -> y, dy; bell = x.map(Pointwise::Bell)) { x: dy * (bell * bell * std::f64::consts::FRAC_2_SQRT_PI) }
    /// `dy · e^x`, of which `y + 1` would have few digits where it is small.
    fn exp_m1(x -> y, dy) { x: dy * x.exp() }
    /// `dy · 1/√2π e^-x²/2`.
    fn normal_cdf(x -> y, dy) { x: dy * (x.map(Pointwise::Bell) * FRAC_1_SQRT_TAU) }
    /// `-dy · x y`.
    fn bell(x -> y, dy) { x: -(dy * (x * y)) }
    /// `dy / (1 + e^-x)`.
    fn softplus(x -> y, dy) { x: dy * x.map(Pointwise::Sigmoid) }

    /// `dy` to both.
    fn add(a, b -> y, dy) { a: dy, b: dy }
    /// `dy`, `-dy`.
    fn sub(a, b -> y, dy) { a: dy, b: -dy }
    /// `dy · b`, `dy · a`.
    fn mul(a, b -> y, dy) { a: dy * b, b: dy * a }
    /// `dy / b`, `-dy · y / b`.
    fn div(a, b -> y, dy; quotient = dy / b) { a: quotient, b: -(quotient * y) }
    /// `dy · b a^(b - 1)`, `dy · y ln a`; the latter where `a` is positive.
    fn pow(a, b -> y, dy) {
        a: dy * (b * a.with(Pointwise::Pow, b - 1.0)),
        b: dy * (y * a.map(Pointwise::Positive).mask(a.map(Pointwise::Ln)))
    }
    /// `dy` times the part that the argument has in `e^y`; 0 where `y` is `-∞`.
    fn log_add(a, b -> y, dy; some = y.with(Pointwise::Exceeds, y.number(f64::NEG_INFINITY))) {
        // The difference of two infinities is masked, too: its own derivatives would be NaN.
        a: some.mask(dy * some.mask(a - b).map(Pointwise::Sigmoid)),
        b: some.mask(dy * some.mask(b - a).map(Pointwise::Sigmoid))
    }
    /// The same mask on `dy`.
    fn mask(m, x -> y, dy) { x: m.mask(dy) }
    /// `dy` where the condition chose the argument.
    fn select(m, a, b -> y, dy) {
        a: m.mask(dy),
        b: dy.like(Pointwise::Select, [m, dy.like(Leaf::Zeros, []), dy])
    }

    /// The same mask on `dy`.
    fn dropout(x -> y, dy) { x: dy.map(y.op()) }
    /// `dy` itself.
    fn copy(x -> y, dy) { x: dy }
    /// `dy` where the child is absent.
    fn where_absent(x -> y, dy) { x: dy.map(y.op()) }

    /// `y = W x`: `dW = dy xᵀ`, `dx = Wᵀ dy`.
    fn dot(w, x -> y, dy) { w: w.like(Contraction::Outer, [dy, x]), x: x.like(Contraction::DotTransposed, [w, dy]) }
    /// `y = Wᵀ x`: `dW = x dyᵀ`, `dx = W dy`.
    fn dot_transposed(w, x -> y, dy) { w: w.like(Contraction::Outer, [x, dy]), x: x.like(Contraction::Dot, [w, dy]) }
    /// `Y = a bᵀ`: `da = dY b`, `db = dYᵀ a`. Also for the sum of such products over rows.
    fn outer(a, b -> y, dy) { a: a.like(Contraction::Dot, [dy, b]), b: b.like(Contraction::DotTransposed, [dy, a]) }
    /// `Y = A B`: `dA = dY Bᵀ`, `dB = Aᵀ dY`.
    fn mat_mul(a, b -> y, dy) {
        a: a.like(Contraction::MatMulRightTransposed, [dy, b]),
        b: b.like(Contraction::MatMulLeftTransposed, [a, dy])
    }
    /// `Y = Aᵀ B`: `dA = B dYᵀ`, `dB = A dY`.
    fn mat_mul_left_transposed(a, b -> y, dy) {
        a: a.like(Contraction::MatMulRightTransposed, [b, dy]),
        b: b.like(Contraction::MatMul, [a, dy])
    }
    /// `Y = A Bᵀ`: `dA = dY B`, `dB = dYᵀ A`.
    fn mat_mul_right_transposed(a, b -> y, dy) {
        a: a.like(Contraction::MatMul, [dy, b]),
        b: b.like(Contraction::MatMulLeftTransposed, [dy, a])
    }

    /// `dYᵀ`.
    fn transpose(x -> y, dy) { x: x.like(Movement::Transpose, [dy]) }
    /// The diagonal of `dY`.
    fn as_diagonal(x -> y, dy) { x: x.like(Movement::Diagonal, [dy]) }
    /// `dy` on the diagonal.
    fn diagonal(x -> y, dy) { x: x.like(Movement::AsDiagonal, [dy]) }
    /// `dy` in the shape of the argument.
    fn reshape(x -> y, dy) { x: x.like(Movement::Reshape, [dy]) }
    /// `Σ dy`.
    fn expand(x -> y, dy) { x: dy.sum() }
    /// `dy` in every element.
    fn sum(x -> y, dy) { x: x.like(Movement::Expand, [dy]) }
    /// `dy` at the first greatest element.
    fn max(x -> y, dy) { x: x.map(Reduction::MaxMask) * dy }
    /// `y (dy - Σ dy y)`.
    fn softmax(x -> y, dy) { x: through_softmax(y, dy) }
    /// `dy - e^y Σ dy`.
    fn log_softmax(x -> y, dy; total = dy.sum()) { x: dy - y.exp() * total }
    /// `softmax(x) dy`, which is `e^(x - y) dy`.
    fn log_sum_exp(x -> y, dy) { x: (x - y).exp() * dy }
    /// `x dy / y`; zeros where `y` is.
    fn norm(x -> y, dy) {
        // By 1 where it is 0: what is infinite there would make second derivatives NaN.
        x: x * y.mask(dy / y.like(Pointwise::Select, [y, y, y.number(1.0)]))
    }
    /// `Σ dy[i..]`.
    fn cumulative_sum(x -> y, dy) { x: dy.map(Reduction::CumulativeSumReversed) }
    /// `Σ dy[..=i]`.
    fn cumulative_sum_reversed(x -> y, dy) { x: dy.map(Reduction::CumulativeSum) }
    /// `dy` of its row in every element.
    fn row_sums(x -> y, dy) { x: dy.along_rows_of(x) }
    /// `dy` of its row at the first greatest element of each row.
    fn row_max(x -> y, dy) { x: x.map(RowReduction::MaxMask) * dy.along_rows_of(x) }
    /// `y (dy - Σ dy y)` in each row.
    fn row_softmax(x -> y, dy) { x: y * (dy - (dy * y).row_sum().along_rows_of(y)) }
    /// `dy - e^y Σ dy` in each row.
    fn row_log_softmax(x -> y, dy; total = dy.row_sum().along_rows_of(y)) { x: dy - y.exp() * total }
    /// `softmax(x) dy`, which is `e^(x - y) dy`, in each row.
    fn row_log_sum_exp(x -> y, dy) { x: (x - y.along_rows_of(x)).exp() * dy.along_rows_of(x) }
    /// `x dy / y` in each row; zeros where `y` is.
    fn row_norm(x -> y, dy; one = y.ones()) {
        // As for the norm of all elements.
        x: x * y.mask(dy / y.like(Pointwise::Select, [y, y, one])).along_rows_of(x)
    }
    /// `dy` at the first edge that has the greatest element.
    fn reduce_max(x -> y, dy) { x: x.map(Transition::EdgeMaxMask) * dy }
    /// `dy` to every summand.
    fn reduce(x -> y, dy) { x: dy }

    /// `dy` added to the row that was read.
    fn row(table, index -> y, dy) { table: table.like(Transition::RowSum, [dy, index]) }
    /// The row of `dy` that the argument was added to.
    fn row_sum(x, index -> y, dy) { x: x.like(Movement::Row, [dy, index]) }
    /// `dy` at the index.
    fn one_hot(x, index -> y, dy) { x: x.like(Movement::Pick, [dy, index]) }
    /// `dy` placed at the index.
    fn pick(x, index -> y, dy) { x: x.like(Movement::OneHot, [dy, index]) }
    /// `(softmax(x) - one_hot) dy`.
    fn cross_entropy(x, index -> y, dy) { x: x.like(Reduction::CrossEntropyGradient, [x, index, dy]) }
    /// Of `y = (softmax(x) - one_hot) g`: what the softmax gives `x` of `g dy`, and
    /// `Σ (softmax(x) - one_hot) dy` for `g`.
    fn cross_entropy_gradient(x, index, g -> y, dy) {
        x: through_softmax(x.map(Reduction::Softmax), dy * g),
        g: x.like(Reduction::CrossEntropyGradient, [x, index, x.number(1.0)]) * dy
    }
}

/// The gradient of the input of a softmax whose output is `y`.
fn through_softmax<'r, 'p>(y: Term<'r, 'p>, dy: Term<'r, 'p>) -> Term<'r, 'p> {
    y * (dy - (dy * y).sum())
}

/// The slice of `dy` where each part went.
pub(crate) fn concat(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    parts(r, y, dy, |start| Movement::Slice { start });
}

/// The rows of `dy` where each part went.
pub(crate) fn concat_rows(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    parts(r, y, dy, |start| Movement::SliceRows { start });
}

fn parts(r: &mut Reverse<'_>, y: ValueId, dy: ValueId, slice: fn(Dim) -> Movement) {
    let mut start = Dim::default();
    for operand in 0..r.arity(y) {
        let argument = r.argument(y, operand);
        let length = r.dims(argument)[0].clone();
        let part = r.like(slice(start.clone()), &[dy], argument);
        r.give(y, operand, part);
        start = start.add_scaled(&length, 1).expect("the sum was formed by the shape rule");
    }
}

/// `dy` at its place among zeros.
pub(crate) fn slice(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    moved(r, y, dy, |start| Movement::Pad { start });
}

/// The part of `dy` that holds the argument.
pub(crate) fn pad(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    moved(r, y, dy, |start| Movement::Slice { start });
}

/// The rows of `dy` at their place among zeros.
pub(crate) fn slice_rows(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    moved(r, y, dy, |start| Movement::PadRows { start });
}

/// The rows of `dy` that hold the argument.
pub(crate) fn pad_rows(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    moved(r, y, dy, |start| Movement::SliceRows { start });
}

fn moved(r: &mut Reverse<'_>, y: ValueId, dy: ValueId, back: fn(Dim) -> Movement) {
    if let Op::Movement(op) = r.op(y)
        && let Some(start) = op.start()
    {
        let part = r.like(back(start.clone()), &[dy], r.argument(y, 0));
        r.give(y, 0, part);
    }
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

/// `dy` to each term by its weight.
pub(crate) fn semiring_product(r: &mut Reverse<'_>, y: ValueId, dy: ValueId) {
    let Op::SemiringContraction(SemiringContraction::Product(semiring)) = r.op(y) else { return };
    let weighted = |role| SemiringContraction::Weighted(semiring, role);
    r.by_terms([y, dy], |[y, dy]| {
        let [a, b] = [0, 1].map(|operand| y.argument(operand));
        y.give(0, a.like(weighted(Role::Left), [a, b, y, b.ones(), dy]));
        y.give(1, b.like(weighted(Role::Right), [a, b, y, a.ones(), dy]));
    });
}

/// Of a weighted sum of terms, which is linear in both factors. With `dy` as the factor in its own role, all
/// roles are alike: the derivative in a factor is the weighted sum of that role. A weight changes by itself with
/// its term, and against `y`: the derivative in an operand is its factor times that sum.
pub(crate) fn weighted(r: &mut Reverse<'_>, sum: ValueId, dy: ValueId) {
    let Some((semiring, own)) = r.op(sum).weighted() else { return };
    r.by_terms([sum, dy], |[sum, dy]| {
        let operands = [0, 1, 2].map(|operand| sum.argument(operand));
        let factors = own.among([sum.argument(3), sum.argument(4)], dy);
        for role in Role::ALL {
            let number = role as usize;
            let others = role.others(factors);
            let of_role = match role == own {
                true => sum,
                false => operands[number].like(
                    SemiringContraction::Weighted(semiring, role),
                    [operands[0], operands[1], operands[2], others[0], others[1]],
                ),
            };
            if let Some(place) = own.place_of(role) {
                sum.give(3 + place, of_role);
            }
            if semiring == Semiring::Log {
                let part = factors[number] * of_role;
                sum.give(number, if role == Role::Result { -part } else { part });
            }
        }
    });
}
