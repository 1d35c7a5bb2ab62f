//! The forms: calls that stand for more than one op, or whose arguments are more than tensors.
//!
//! Each is a row, written in ops of the [op table](crate::op), so its gradient, fusion and CUDA
//! kernel are those of its ops. The eager function of the same name in `edb-core` computes the
//! formula independently, and the two are compared.

use super::Builder;
use super::choice::{
    Built, choose, equal, greater, greater_equal, is_number, not_zero, select, with,
};
pub use super::choice::{maximum, minimum};
use super::row_form::{
    EPSILON, row_argmax, row_cross_entropy, row_layer_norm, row_mean, row_pick, row_rms_norm,
};
use crate::program::{
    Contraction, Movement, Op, Pointwise, Reduction, RowReduction, Semiring, Surface, Transition,
    ValueId,
};
use crate::rules::ShapeError;
use crate::shapes::Shape;

/// The kind of an argument of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A tensor.
    Tensor,
    /// An index.
    Index,
    /// A pulled bag of indices.
    Indices,
    /// A constant number.
    Number,
}

/// The arguments of a call of a form, by kind and in order.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// The tensors; the receiver of a method comes first.
    pub tensors: Vec<ValueId>,
    /// The indices.
    pub indices: Vec<ValueId>,
    /// The number of the pulled field that holds the bag, if the form has one.
    pub bag: u16,
    /// The numbers.
    pub numbers: Vec<f64>,
}

type Build = fn(&mut Builder, &Call) -> Result<ValueId, ShapeError>;

/// A form.
pub struct Form {
    /// How a person writes it.
    pub surface: Surface,
    /// Its arguments; the first of a method is its receiver.
    pub arguments: &'static [Argument],
    /// Builds its ops.
    pub build: Build,
}

/// Every form.
#[rustfmt::skip]
pub const FORMS: &[Form] = {
    use Argument::{Index as I, Indices as B, Number as N, Tensor as T};
    use Surface::{Function, Method};
    const fn form(surface: Surface, arguments: &'static [Argument], build: Build) -> Form {
        Form { surface, arguments, build }
    }
    &[
        form(Method("dot"), &[T, T], |b, c| b.dot(c.tensors[0], c.tensors[1])),
        form(Method("log_dot"), &[T, T], |b, c| b.semiring_dot(Semiring::Log, c.tensors[0], c.tensors[1])),
        form(Method("max_dot"), &[T, T], |b, c| b.semiring_dot(Semiring::Max, c.tensors[0], c.tensors[1])),
        form(Method("argmax_dot"), &[T, T], |b, c| b.argmax_dot(c.tensors[0], c.tensors[1])),
        form(Method("row"), &[T, I], |b, c| b.row(c.tensors[0], c.indices[0])),
        form(Method("bag_sum"), &[T, B], |b, c| b.apply(Movement::BagSum(c.bag), &c.tensors)),
        form(Method("bag_mean"), &[T, B], bag_mean),
        form(Function("bag_size"), &[B], |b, c| Ok(b.bag_size(c.bag))),
        form(Method("pick"), &[T, I], |b, c| b.pick(c.tensors[0], c.indices[0])),
        form(Method("bilinear"), &[T, T, T], bilinear),
        // Activations.
        form(Method("square"), &[T], |b, c| square(b, c.tensors[0])),
        form(Method("pow"), &[T, N], pow),
        form(Method("leaky_relu"), &[T, N], leaky_relu),
        form(Method("elu"), &[T, N], elu),
        form(Method("silu"), &[T], silu),
        form(Method("gelu"), &[T], gelu),
        form(Method("gelu_tanh"), &[T], gelu_tanh),
        form(Method("hard_sigmoid"), &[T], hard_sigmoid),
        form(Method("hard_tanh"), &[T], |b, c| clamp_to(b, c.tensors[0], -1.0, 1.0)),
        form(Method("clamp"), &[T, N, N], |b, c| clamp_to(b, c.tensors[0], c.numbers[0], c.numbers[1])),
        // Comparisons and choices.
        form(Method("less"), &[T, T], |b, c| greater(b, c.tensors[1], c.tensors[0]).map_err(ShapeError::swapped)),
        form(Method("less_equal"), &[T, T], |b, c| greater_equal(b, c.tensors[1], c.tensors[0]).map_err(ShapeError::swapped)),
        form(Method("equal"), &[T, T], |b, c| equal(b, c.tensors[0], c.tensors[1])),
        form(Method("maximum"), &[T, T], |b, c| maximum(b, c.tensors[0], c.tensors[1])),
        form(Method("minimum"), &[T, T], |b, c| minimum(b, c.tensors[0], c.tensors[1])),
        form(Method("select"), &[T, T, T], |b, c| select(b, c.tensors[0], c.tensors[1], c.tensors[2])),
        // Over the elements of one tensor.
        form(Method("mean"), &[T], |b, c| mean(b, c.tensors[0])),
        form(Method("min"), &[T], |b, c| min(b, c, Reduction::Max)),
        form(Method("layer_norm"), &[T, T, T], layer_norm),
        form(Method("rms_norm"), &[T, T], rms_norm),
        // Over each row of a matrix.
        form(Method("row_mean"), &[T], |b, c| row_mean(b, c.tensors[0])),
        form(Method("row_min"), &[T], |b, c| min(b, c, RowReduction::Max)),
        form(Method("row_argmax"), &[T], |b, c| row_argmax(b, c.tensors[0])),
        form(Method("row_pick"), &[T, T], |b, c| row_pick(b, c.tensors[0], c.tensors[1])),
        form(Method("row_layer_norm"), &[T, T, T], |b, c| row_layer_norm(b, &c.tensors)),
        form(Method("row_rms_norm"), &[T, T], |b, c| row_rms_norm(b, &c.tensors)),
        // Losses.
        form(Function("cross_entropy"), &[T, I], |b, c| b.apply(Reduction::CrossEntropy, &[c.tensors[0], c.indices[0]])),
        form(Function("cross_entropy_smoothed"), &[T, I, N], cross_entropy_smoothed),
        form(Function("row_cross_entropy"), &[T, T], |b, c| row_cross_entropy(b, c.tensors[0], c.tensors[1])),
        form(Function("nll"), &[T, I], nll),
        form(Function("hinge"), &[T, I, N], hinge),
        form(Function("mse"), &[T, T], mse),
        form(Function("mae"), &[T, T], mae),
        form(Function("huber"), &[T, T, N], huber),
        form(Function("bce_with_logits"), &[T, T], bce_with_logits),
        form(Function("kl_div"), &[T, T], kl_div),
        form(Function("cosine_similarity"), &[T, T], cosine_similarity),
    ]
};

/// How all ops and forms are written.
pub fn surfaces() -> impl Iterator<Item = Surface> {
    Op::plain().map(|op| op.row().surface).chain(FORMS.iter().map(|form| form.surface))
}

impl Form {
    /// The form with this surface syntax.
    pub fn find(surface: Surface) -> Option<&'static Form> {
        FORMS.iter().find(|form| form.surface == surface)
    }
}

/// `ln Σ e^x` of an edge value over the edges of a vertex, element by element; `-∞` where there are none. Where it
/// is `-∞`, its gradient is 0; where it is `∞`, the first infinite element has all of it.
///
/// # Errors
/// None: all ops are pointwise.
pub fn log_add_edges(b: &mut Builder, x: ValueId) -> Built {
    let greatest = b.max_edges(x);
    let (size, infinity) = (b.apply(Pointwise::Abs, &[greatest])?, b.constant(f64::INFINITY));
    let is_infinite = greater_equal(b, size, infinity)?;
    let is_finite = b.not(is_infinite);
    // No shift by an infinity, since the difference of two infinities is NaN.
    let shift = b.apply(Pointwise::Mask, &[is_finite, greatest])?;
    // The greatest is apart from the others: `ln (1 + Σ)` of them keeps the digits of a small sum.
    let first = b.apply(Transition::EdgeMaxMask, &[x])?;
    let others = b.not(first);
    let others = b.apply(Pointwise::Mul, &[others, is_finite])?;
    let power = b.apply(Pointwise::Sub, &[x, shift])?;
    let power = b.apply(Pointwise::Mask, &[others, power])?;
    let power = b.apply(Pointwise::Exp, &[power])?;
    let power = b.apply(Pointwise::Mask, &[others, power])?;
    let sum = b.sum_edges(power);
    let any = not_zero(b, sum)?;
    // Where there is none, the logarithm of 1 is not chosen, and has a slope.
    let one = b.constant(1.0);
    let some = choose(b, any, sum, one)?;
    let log = b.apply(Pointwise::Ln, &[some])?;
    let log = b.apply(Pointwise::Softplus, &[log])?;
    let log = b.apply(Pointwise::Mask, &[any, log])?;
    let log = b.apply(Pointwise::Add, &[greatest, log])?;
    let none = b.constant(f64::NEG_INFINITY);
    let nothing = greater_equal(b, none, greatest)?;
    choose(b, nothing, none, log)
}

/// `ln (e^before + Σ e^x)` of an edge value over the edges of a vertex; `before`, where there are none.
///
/// # Errors
/// When `before` has another shape.
pub fn log_add_to(b: &mut Builder, before: ValueId, x: ValueId) -> Built {
    let edges = log_add_edges(b, x)?;
    let sum = b.apply(Pointwise::LogAdd, &[before, edges])?;
    if is_number(b, before) {
        return Ok(sum);
    }
    // The slope of a sum that is -∞ is 0, and that of `before` is 1.
    let one = b.constant(1.0);
    let ones = b.for_each_edge(one);
    let (count, zero) = (b.sum_edges(ones), b.constant(0.0));
    let any = greater(b, count, zero)?;
    choose(b, any, sum, before)
}

/// The mean of the rows in a bag; zeros for an empty bag.
fn bag_mean(b: &mut Builder, c: &Call) -> Result<ValueId, ShapeError> {
    let sum = b.apply(Movement::BagSum(c.bag), &c.tensors)?;
    let (size, one) = (b.bag_size(c.bag), b.constant(1.0));
    let divisor = maximum(b, size, one)?;
    b.apply(Pointwise::Div, &[sum, divisor])
}

/// `y_k = aᵀ V_k b`: `[k, p], [m], [n] -> [k]` with `p = m n`; row `k` of `V` holds `V_k` row by
/// row (the tensor layer of Socher et al., 2013). `p = m n` is checked when the model is made.
fn bilinear(b: &mut Builder, c: &Call) -> Built {
    let product = b.apply(Contraction::Outer, &c.tensors[1..]).map_err(|error| error.shifted(1))?;
    let [_, length] = b.matrix(c.tensors[0])?;
    let product = b.reshape(product, Shape::vector(length));
    b.apply(Contraction::Dot, &[c.tensors[0], product])
}

/// `x²`; of a length, the sum of the squares, which has second derivatives where it is 0.
fn square(b: &mut Builder, x: ValueId) -> Built {
    let Some((of, sum)) = b.norm_of(x) else { return b.apply(Pointwise::Mul, &[x, x]) };
    let squares = b.apply(Pointwise::Mul, &[of, of])?;
    b.apply(sum, &[squares])
}

/// `x^p`; small powers by multiplication.
fn pow(b: &mut Builder, c: &Call) -> Built {
    let x = c.tensors[0];
    match c.numbers[0] {
        // 1 for every `x`, without a gradient: `Pointwise::Pow` would give `0 / 0` where `x` is 0.
        0.0 => {
            let zero = b.constant(0.0);
            let nothing = b.apply(Pointwise::Mask, &[zero, x])?;
            with(b, Op::Pointwise(Pointwise::Add), nothing, 1.0)
        }
        1.0 => Ok(x),
        2.0 => square(b, x),
        3.0 => {
            let square = square(b, x)?;
            b.apply(Pointwise::Mul, &[square, x])
        }
        0.5 => b.apply(Pointwise::Sqrt, &[x]),
        -1.0 => {
            let one = b.constant(1.0);
            b.apply(Pointwise::Div, &[one, x])
        }
        power => with(b, Op::Pointwise(Pointwise::Pow), x, power),
    }
}

/// `x` where `x > 0`, else `α x`.
fn leaky_relu(b: &mut Builder, c: &Call) -> Built {
    let x = c.tensors[0];
    let above = b.apply(Pointwise::Positive, &[x])?;
    let slope = with(b, Op::Pointwise(Pointwise::Mul), x, c.numbers[0])?;
    choose(b, above, x, slope)
}

/// `x` where `x > 0`, else `α (e^x - 1)` (Clevert et al., 2016).
fn elu(b: &mut Builder, c: &Call) -> Built {
    let x = c.tensors[0];
    let positive = b.apply(Pointwise::Positive, &[x])?;
    let rest = b.not(positive);
    // Each part is 0 where the other one is chosen: `e^0 - 1` is.
    let above = b.apply(Pointwise::Mask, &[positive, x])?;
    let below = b.apply(Pointwise::Mask, &[rest, x])?;
    let below = b.apply(Pointwise::ExpM1, &[below])?;
    let below = with(b, Op::Pointwise(Pointwise::Mul), below, c.numbers[0])?;
    b.apply(Pointwise::Add, &[above, below])
}

/// `x / (1 + e^-x)`.
fn silu(b: &mut Builder, c: &Call) -> Built {
    let gate = b.apply(Pointwise::Sigmoid, &[c.tensors[0]])?;
    b.apply(Pointwise::Mul, &[c.tensors[0], gate])
}

/// `x Φ(x)` (Hendrycks and Gimpel, 2016).
fn gelu(b: &mut Builder, c: &Call) -> Built {
    let gate = b.apply(Pointwise::NormalCdf, &[c.tensors[0]])?;
    b.apply(Pointwise::Mul, &[c.tensors[0], gate])
}

/// `x/2 (1 + tanh(√(2/π) (x + 0.044715 x³)))`: the approximation of GELU by its authors. It is
/// written as `x σ(2√(2/π) ..)`, which keeps its digits where `1 + tanh` has none.
fn gelu_tanh(b: &mut Builder, c: &Call) -> Built {
    let x = c.tensors[0];
    let square = b.apply(Pointwise::Mul, &[x, x])?;
    let cubic = with(b, Op::Pointwise(Pointwise::Mul), square, 0.044715)?;
    let factor = with(b, Op::Pointwise(Pointwise::Add), cubic, 1.0)?;
    let inner = b.apply(Pointwise::Mul, &[x, factor])?;
    let scale = 2.0 * (2.0 / std::f64::consts::PI).sqrt();
    let scaled = with(b, Op::Pointwise(Pointwise::Mul), inner, scale)?;
    let gate = b.apply(Pointwise::Sigmoid, &[scaled])?;
    b.apply(Pointwise::Mul, &[x, gate])
}

/// `(x + 3)/6`, clamped to `[0, 1]`; the sum is exact where it is small.
fn hard_sigmoid(b: &mut Builder, c: &Call) -> Built {
    let moved = with(b, Op::Pointwise(Pointwise::Add), c.tensors[0], 3.0)?;
    let scaled = with(b, Op::Pointwise(Pointwise::Div), moved, 6.0)?;
    clamp_to(b, scaled, 0.0, 1.0)
}

/// `min(max(x, low), high)`; NaN stays NaN. At a bound the constant is chosen, so the gradient
/// there is 0.
fn clamp_to(b: &mut Builder, x: ValueId, low: f64, high: f64) -> Built {
    let low = b.constant(low);
    let below = greater_equal(b, low, x)?;
    let raised = choose(b, below, low, x)?;
    let high = b.constant(high);
    let above = greater_equal(b, raised, high)?;
    choose(b, above, high, raised)
}

/// `Σ x / n`.
fn mean(b: &mut Builder, x: ValueId) -> Built {
    let sum = b.apply(Reduction::Sum, &[x])?;
    let count = b.length_of(x);
    b.apply(Pointwise::Div, &[sum, count])
}

/// `-max(-x)`, by a maximum of all elements or of each row.
fn min(b: &mut Builder, c: &Call, max: impl Into<Op>) -> Built {
    let negative = b.apply(Pointwise::Neg, &c.tensors)?;
    let max = b.apply(max, &[negative])?;
    b.apply(Pointwise::Neg, &[max])
}

/// `(x - μ) / √(σ² + 1e-5) · gain + bias` over the elements of `x` (Ba et al., 2016).
fn layer_norm(b: &mut Builder, c: &Call) -> Built {
    let mean_x = mean(b, c.tensors[0])?;
    let centred = b.apply(Pointwise::Sub, &[c.tensors[0], mean_x])?;
    // The mean is rounded, which is much for elements that are far from 0 and close to each other:
    // what that leaves is subtracted, too. No gradient passes through it, since it is that of 0.
    let rest = mean(b, centred)?;
    let rest = b.apply(Movement::Detach, &[rest])?;
    let centred = b.apply(Pointwise::Sub, &[centred, rest])?;
    let scaled = rms_scaled(b, centred)?;
    let gained = b.apply(Pointwise::Mul, &[scaled, c.tensors[1]])?;
    b.apply(Pointwise::Add, &[gained, c.tensors[2]]).map_err(|error| error.shifted(1))
}

/// `x / √(Σ x²/n + 1e-5) · gain` (Zhang and Sennrich, 2019).
fn rms_norm(b: &mut Builder, c: &Call) -> Built {
    let scaled = rms_scaled(b, c.tensors[0])?;
    b.apply(Pointwise::Mul, &[scaled, c.tensors[1]])
}

fn rms_scaled(b: &mut Builder, x: ValueId) -> Built {
    let squares = b.apply(Pointwise::Mul, &[x, x])?;
    let mean = mean(b, squares)?;
    let mean = with(b, Op::Pointwise(Pointwise::Add), mean, EPSILON)?;
    let root = b.apply(Pointwise::Sqrt, &[mean])?;
    b.apply(Pointwise::Div, &[x, root])
}

/// `-(1 - ε) y[label] - ε mean y` of `y = x - ln Σ e^x`: the cross-entropy against weight `1 - ε`
/// on the label and weight `ε` spread evenly over all classes (Szegedy et al., 2016).
fn cross_entropy_smoothed(b: &mut Builder, c: &Call) -> Built {
    let log = b.apply(Reduction::LogSoftmax, &c.tensors)?;
    let label = b.apply(Movement::Pick, &[log, c.indices[0]])?;
    let label = with(b, Op::Pointwise(Pointwise::Mul), label, 1.0 - c.numbers[0])?;
    let uniform = mean(b, log)?;
    let uniform = with(b, Op::Pointwise(Pointwise::Mul), uniform, c.numbers[0])?;
    let sum = b.apply(Pointwise::Add, &[label, uniform])?;
    b.apply(Pointwise::Neg, &[sum])
}

/// `-x[label]` of log-probabilities.
fn nll(b: &mut Builder, c: &Call) -> Built {
    let picked = b.apply(Movement::Pick, &[c.tensors[0], c.indices[0]])?;
    b.apply(Pointwise::Neg, &[picked])
}

/// `Σ max(0, margin + x[k] - x[label])` over the other classes (Crammer and Singer, 2001, summed).
fn hinge(b: &mut Builder, c: &Call) -> Built {
    let picked = b.apply(Movement::Pick, &[c.tensors[0], c.indices[0]])?;
    let above = b.apply(Pointwise::Sub, &[c.tensors[0], picked])?;
    let above = with(b, Op::Pointwise(Pointwise::Add), above, c.numbers[0])?;
    let parts = b.apply(Pointwise::Relu, &[above])?;
    // All terms but the label's.
    let own = b.one_hot_like(c.indices[0], above)?;
    let others = b.not(own);
    let parts = b.apply(Pointwise::Mask, &[others, parts])?;
    b.apply(Reduction::Sum, &[parts])
}

/// `a - b`, of a prediction and what it should be.
fn difference(b: &mut Builder, c: &Call) -> Built {
    b.expect_alike([c.tensors[0], c.tensors[1]]);
    b.apply(Pointwise::Sub, &c.tensors)
}

/// `Σ (a - b)² / n`.
fn mse(b: &mut Builder, c: &Call) -> Built {
    let difference = difference(b, c)?;
    let square = b.apply(Pointwise::Mul, &[difference; 2])?;
    mean(b, square)
}

/// `Σ |a - b| / n`.
fn mae(b: &mut Builder, c: &Call) -> Built {
    let difference = difference(b, c)?;
    let size = b.apply(Pointwise::Abs, &[difference])?;
    mean(b, size)
}

/// The mean of `d²/2` where `|d| <= δ`, else `δ (|d| - δ/2)`, of `d = a - b` (Huber, 1964).
fn huber(b: &mut Builder, c: &Call) -> Built {
    let delta = c.numbers[0];
    let difference = difference(b, c)?;
    let size = b.apply(Pointwise::Abs, &[difference])?;
    // With q = min(|d|, δ), both cases are q (|d| - q/2).
    let bound = b.constant(delta);
    let near = minimum(b, size, bound)?;
    let half = with(b, Op::Pointwise(Pointwise::Mul), near, 0.5)?;
    let rest = b.apply(Pointwise::Sub, &[size, half])?;
    let parts = b.apply(Pointwise::Mul, &[near, rest])?;
    mean(b, parts)
}

/// The mean of `(1 - t) x + ln(1 + e^-x)`: the cross-entropy of `σ(x)` against `t`. It is written as
/// `(1 - t) x` where `x > 0`, else `-t x`, plus `ln(1 + e^-|x|)`: terms that do not cancel.
fn bce_with_logits(b: &mut Builder, c: &Call) -> Built {
    let [x, t] = [c.tensors[0], c.tensors[1]];
    b.expect_alike([x, t]);
    let one = b.constant(1.0);
    let rest = b.apply(Pointwise::Sub, &[one, t])?;
    let positive = b.apply(Pointwise::Positive, &[x])?;
    let negative = b.apply(Pointwise::Neg, &[x])?;
    // |x|, with a slope where it is 0.
    let size = choose(b, positive, x, negative)?;
    let weight = choose(b, positive, rest, t)?;
    let product = b.apply(Pointwise::Mul, &[weight, size])?;
    let size = b.apply(Pointwise::Neg, &[size])?;
    let total = b.apply(Pointwise::Softplus, &[size])?;
    let parts = b.apply(Pointwise::Add, &[product, total])?;
    mean(b, parts)
}

/// `Σ p (ln p - x)` of log-probabilities `x` against probabilities `p`; `p ln p` is 0 where `p` is 0.
fn kl_div(b: &mut Builder, c: &Call) -> Built {
    let [x, p] = [c.tensors[0], c.tensors[1]];
    let cross = b.apply(Pointwise::Mul, &[x, p])?;
    let present = not_zero(b, p)?;
    let one = b.constant(1.0);
    let safe = choose(b, present, p, one)?;
    let ln = b.apply(Pointwise::Ln, &[safe])?;
    let own = b.apply(Pointwise::Mul, &[p, ln])?;
    let parts = b.apply(Pointwise::Sub, &[own, cross])?;
    b.apply(Reduction::Sum, &[parts])
}

/// `a · b / (max(|a|, 1e-8) max(|b|, 1e-8))`.
fn cosine_similarity(b: &mut Builder, c: &Call) -> Built {
    let product = b.apply(Pointwise::Mul, &c.tensors)?;
    let product = b.apply(Reduction::Sum, &[product])?;
    let [x, y] = [c.tensors[0], c.tensors[1]];
    let least = b.constant(1e-8);
    let mut length = |x: ValueId| -> Built {
        let length = b.apply(Reduction::Norm, &[x])?;
        maximum(b, length, least)
    };
    let lengths = [length(x)?, length(y)?];
    let length = b.apply(Pointwise::Mul, &lengths)?;
    let cosine = b.apply(Pointwise::Div, &[product, length])?;
    // What rounding has added beyond 1 is taken away, and the gradient stays that of the quotient.
    let within = clamp_to(b, cosine, -1.0, 1.0)?;
    let excess = b.apply(Pointwise::Sub, &[cosine, within])?;
    let excess = b.apply(Movement::Detach, &[excess])?;
    b.apply(Pointwise::Sub, &[cosine, excess])
}
