//! What every case computes, as mathematics says it, and on which numbers it is tried.

use edb_core::element::Element;

use edb_backend_suite::one_op::cases::numbers_of;
use edb_backend_suite::one_op::{BAG, LENGTH};

use super::jet::{Jet, big, is_zero};
use super::{LABEL, PARAMETER};

/// The numbers on which a case is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// Of all sizes, both signs: element by element.
    Line,
    /// The same up to `2^40`: beyond, slopes of powers in exponentials are NaN, as in PyTorch.
    Powers,
    /// Positive ones of all sizes.
    Positive,
    /// Pairs of all sizes within `2^±40`.
    Pairs,
    /// Logits of all sizes with targets: right, wrong and undecided.
    Logits,
    /// Short vectors of scores, some far from each other, some shifted.
    Scores,
    /// Short vectors of positive numbers.
    Vectors,
}

/// In what an error is counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// Units in the last place of the result; of a denormal, of the least normal number.
    Own,
    /// The same, but results below this many times the least normal number may be 0.
    Flushed(f64),
    /// Units of the greatest term: of the arguments for a value, of what comes in for a gradient.
    Terms,
}

/// How a case is tried, and why it may be off by more than 4 units, if it may.
pub struct Row {
    pub sample: Sample,
    pub value: Unit,
    pub gradient: Unit,
    pub why: &'static str,
}

const DIFFERENCE: &str = "`e^(a - b)`: half a unit of the difference, times the difference";
const LABELLED: &str =
    "`e^(a - b)`, as for softmax; the gradient at the label is `p - 1`, in units of 1";

/// The row of a case.
///
/// # Panics
/// When it has none: then add one, and its formula below.
pub fn row(name: &str) -> Row {
    // Long, since it is a table: a row for each case.
    use Sample::{Line, Logits, Pairs, Positive, Powers, Scores, Vectors};
    use Unit::{Flushed, Own, Terms};
    // What is done with each row is as exact as what is done with one.
    let (sample, value, gradient, why) = match name.strip_prefix("row_").unwrap_or(name) {
        "neg" | "abs" | "exp" | "relu" | "round" | "leaky_relu" | "clamp" | "clamp_crossed"
        | "clamp_half_open" | "hard_sigmoid" | "hard_tanh" | "square" | "pow_0" | "pow_1"
        | "pow_2" | "pow_3" | "pow_-1" | "erf" | "elu" => (Line, Own, Own, ""),
        "sqrt" | "ln" | "pow_0.5" | "pow_-1.5" => (Positive, Own, Own, ""),
        "pow" => (
            Positive,
            Own,
            Own,
            "the power less 1 is rounded by itself, and the error multiplied by `ln x`",
        ),
        "softplus" => (Line, Own, Flushed(1.0), ""),
        "sigmoid" => (
            Line,
            Flushed(1.0),
            Terms,
            "the slope is `y (1 - y)`: `y` is all that is kept, and `1 - y` has the units of 1",
        ),
        "tanh" => (Line, Own, Terms, "the slope is `1 - y²`: `y` is all that is kept"),
        "silu" => {
            (Line, Flushed(1024.0), Flushed(1024.0), "two terms of the slope cancel near -1.28")
        }
        "gelu" => (
            Line,
            Own,
            Own,
            "two terms of the slope cancel near -0.75; and where `Φ` is denormal it has few digits",
        ),
        "gelu_tanh" => (
            Powers,
            Flushed(1e5),
            Flushed(1e5),
            "the argument of an exponential is rounded, and the error is multiplied by it; the slope as for `gelu`",
        ),
        "add" | "sub" | "mul" | "div" | "greater" | "less" | "greater_equal" | "less_equal"
        | "equal" | "select" | "select_by_number" | "maximum" | "minimum" | "split" => {
            (Pairs, Own, Own, "")
        }
        "bce_with_logits" => (
            Logits,
            Own,
            Flushed(1.0),
            "`t` and `σ(x)` cancel where they are alike and `t` is neither 0 nor 1",
        ),
        "softmax" => (Scores, Own, Terms, DIFFERENCE),
        "log_softmax" => (Scores, Own, Terms, LABELLED),
        "log_sum_exp" | "log_add" | "log_dot" | "log_dot_vectors" | "log_dot_column"
        | "log_dot_row" => {
            (Scores, Terms, Own, "the gradient is `e^(x - y)`: half a unit of `y`, times `y`")
        }
        "cross_entropy" | "cross_entropy_weighted" | "cross_entropy_smoothed" => {
            (Scores, Own, Terms, LABELLED)
        }
        "max_dot" | "max_dot_column" | "max_dot_row" | "argmax_dot" | "argmax" => {
            (Scores, Own, Own, "")
        }
        "nll" | "max" | "min" | "pick" | "computed_row" | "eye" | "slice" | "concat"
        | "one_hot" | "stack_transposed" | "slice_rows" | "concat_rows" => (Scores, Own, Own, ""),
        "hinge" => (Scores, Terms, Own, ""),
        "layer_norm" => {
            (Vectors, Terms, Terms, "the mean is subtracted, from elements and from the gradient")
        }
        "rms_norm" if name == "row_rms_norm" => {
            (Vectors, Own, Terms, "the slope is divided by the root, which is small here")
        }
        "rms_norm" => (Vectors, Own, Terms, ""),
        "kl_div" => {
            (Vectors, Terms, Own, "`ln p` and `x` cancel where the distributions are alike")
        }
        "cosine_similarity" => (Vectors, Own, Terms, "the slope is a difference of two vectors"),
        "norm" | "sum" | "mean" | "cumulative_sum" | "mse" | "mae" | "huber" => {
            (Vectors, Own, Own, "")
        }
        "as_diagonal" | "diagonal" | "dot" | "dot_matrices" | "dot_vectors" | "outer"
        | "bilinear" | "transpose" | "rows" | "columns" | "row" | "bag_sum" | "bag_mean"
        | "bag_size" => (Vectors, Own, Own, ""),
        name => panic!("`{name}` has no row in the table of accuracy: add it and its formula"),
    };
    Row { sample, value, gradient, why }
}

fn sum<'a>(terms: impl IntoIterator<Item = &'a Jet>) -> Jet {
    terms.into_iter().fold(Jet::constant(0.0), |sum, term| &sum + term)
}

fn products(a: &[Jet], b: &[Jet]) -> Jet {
    sum(&a.iter().zip(b).map(|(a, b)| a * b).collect::<Vec<_>>())
}

fn norm(x: &[Jet]) -> Jet {
    products(x, x).sqrt()
}

fn mean(x: &[Jet]) -> Jet {
    sum(x).scaled(1.0 / x.len() as f64)
}

fn first_greatest(x: &[Jet]) -> usize {
    (1..x.len()).fold(0, |best, at| if x[at].value > x[best].value { at } else { best })
}

/// `ln Σ e^(x - greatest)`.
fn log_total(x: &[Jet]) -> Jet {
    let first = first_greatest(x);
    let others = (0..x.len()).filter(|at| *at != first);
    sum(&others.map(|at| (&x[at] - &x[first]).exp()).collect::<Vec<_>>()).ln_1p()
}

fn log_sum_exp(x: &[Jet]) -> Jet {
    &x[first_greatest(x)] + &log_total(x)
}

/// The terms of each of three elements of a product in a semiring: those of `x`, and of a matrix.
fn terms_of(x: &[Jet], matrix: &dyn Fn(usize, usize) -> Jet) -> Vec<Vec<Jet>> {
    let of_element = |element| x.iter().enumerate().map(|(k, x)| x + &matrix(k, element)).collect();
    (0..3).map(of_element).collect()
}

fn log_softmax(x: &[Jet]) -> Vec<Jet> {
    let (first, total) = (first_greatest(x), log_total(x));
    x.iter().map(|other| &(other - &x[first]) - &total).collect()
}

/// `x / √(Σ x²/n + 1e-5) · gain`.
fn rms_norm(x: &[Jet], gain: &[Jet]) -> Vec<Jet> {
    let square = products(x, x).scaled(1.0 / x.len() as f64);
    let root = (&square + &Jet::constant(1e-5)).sqrt();
    x.iter().zip(gain).map(|(x, gain)| &(x / &root) * gain).collect()
}

/// The numbers with which a case is called, as `T` has them.
fn numbers<T: Element>(name: &str) -> Vec<f64> {
    numbers_of(name).iter().map(|number| T::from_f64(*number).as_f64()).collect()
}

/// The value of a case.
pub fn value<T: Element>(name: &str, x: &[Jet], y: &[Jet]) -> Vec<Jet> {
    // Long, since it is a table: a row for each case.
    let numbers = numbers::<T>(name);
    let number = |at: usize| numbers[at];
    let constant = Jet::constant;
    let each = |f: &dyn Fn(&Jet) -> Jet| x.iter().map(f).collect::<Vec<_>>();
    let pairs =
        |f: &dyn Fn(&Jet, &Jet) -> Jet| x.iter().zip(y).map(|(x, y)| f(x, y)).collect::<Vec<_>>();
    let mask = |holds: &dyn Fn(&Jet, &Jet) -> bool| {
        pairs(&|x, y| constant(f64::from(u8::from(holds(x, y)))))
    };
    let bounded = |x: &Jet, low: f64, high: f64| {
        let raised = if x.value <= big(low) { constant(low) } else { x.clone() };
        match high.is_finite() && raised.value >= big(high) {
            true => constant(high),
            false => raised,
        }
    };
    let is_positive = |x: &Jet| x.value > big(0.0);
    let power = |x: &Jet, power: i32| (1..power).fold(x.clone(), |y, _| &y * x);
    let w = |at: usize| constant(PARAMETER[at]);
    let rows = |row: usize, width: usize| (0..width).map(|at| w(row * width + at)).collect();
    let row_of = |row: usize| -> Vec<Jet> { rows(row, LENGTH) };
    let by_columns = |x: &[Jet]| terms_of(x, &|k, column| w(k * 3 + column));
    let times = |factors: &[Jet]| x.iter().zip(factors).map(|(x, w)| w * x).collect::<Vec<_>>();
    let bag = || -> Vec<Jet> {
        let column = |at: usize| BAG.map(|row| w(row as usize * LENGTH + at));
        (0..LENGTH).map(|at| sum(&column(at))).collect()
    };
    match name {
        "neg" => each(&|x| -x),
        "abs" => each(&Jet::abs),
        "exp" => each(&Jet::exp),
        "ln" => each(&Jet::ln),
        "sqrt" | "pow_0.5" => each(&Jet::sqrt),
        "erf" => each(&Jet::erf),
        // Its gradient passes straight through.
        "round" => each(&|x| x.map(big(x.value.to_f64().value().round_ties_even()), big(1.0))),
        "relu" => each(&|x| if is_positive(x) { x.clone() } else { constant(0.0) }),
        "leaky_relu" => each(&|x| if is_positive(x) { x.clone() } else { x.scaled(number(0)) }),
        "elu" => each(&|x| match is_positive(x) {
            true => x.clone(),
            false => x.exp_m1().scaled(number(0)),
        }),
        "sigmoid" => each(&Jet::sigmoid),
        "tanh" => each(&Jet::tanh),
        "softplus" => each(&Jet::softplus),
        "silu" => each(&|x| x * &x.sigmoid()),
        "gelu" => each(&|x| x * &x.normal_cdf()),
        "gelu_tanh" => each(&|x| {
            let scale = (big(8.0) / dashu_float::FBig::pi(200)).sqrt();
            let inner = x + &power(x, 3).scaled(0.044715);
            let inner = inner.map(&inner.value * &scale, scale);
            x * &inner.sigmoid()
        }),
        "hard_sigmoid" => each(&|x| bounded(&(&(x + &constant(3.0)) / &constant(6.0)), 0.0, 1.0)),
        "hard_tanh" => each(&|x| bounded(x, -1.0, 1.0)),
        "clamp" => each(&|x| bounded(x, number(0), number(1))),
        "clamp_crossed" => each(&|x| bounded(x, 1.0, -1.0)),
        "clamp_half_open" => each(&|x| bounded(x, 0.0, f64::INFINITY)),
        "square" | "pow_2" => each(&|x| power(x, 2)),
        "pow_3" => each(&|x| power(x, 3)),
        "pow_0" => each(&|_| constant(1.0)),
        "pow_1" => x.to_vec(),
        "pow_-1" => each(&|x| &constant(1.0) / x),
        "pow_-1.5" => each(&|x| x.pow(-1.5)),
        "pow" => each(&|x| x.pow(number(0))),
        "add" => pairs(&|x, y| x + y),
        "sub" | "split" => pairs(&|x, y| x - y),
        "mul" => pairs(&|x, y| x * y),
        "div" => pairs(&|x, y| x / y),
        "greater" => mask(&|x, y| x.value > y.value),
        "less" => mask(&|x, y| x.value < y.value),
        "greater_equal" => mask(&|x, y| x.value >= y.value),
        "less_equal" => mask(&|x, y| x.value <= y.value),
        "equal" => mask(&|x, y| x.value == y.value),
        "select" => pairs(&|x, y| if x.value > y.value { x.clone() } else { y.scaled(2.0) }),
        "select_by_number" => {
            pairs(&|x, y| if is_zero(&y.value) { y.scaled(2.0) } else { x.clone() })
        }
        "maximum" => pairs(&|x, y| if y.value > x.value { y.clone() } else { x.clone() }),
        "minimum" => pairs(&|x, y| if y.value < x.value { y.clone() } else { x.clone() }),
        "softmax" => log_softmax(x).iter().map(Jet::exp).collect(),
        "log_softmax" => log_softmax(x),
        "log_sum_exp" => vec![log_sum_exp(x)],
        "cross_entropy" => vec![-&log_softmax(x)[LABEL]],
        "cross_entropy_weighted" => vec![&-&log_softmax(x)[LABEL] * &w(LABEL)],
        "cross_entropy_smoothed" => {
            let log = log_softmax(x);
            let label = log[LABEL].scaled(number(0) - 1.0);
            vec![&label + &mean(&log).scaled(-number(0))]
        }
        "nll" => vec![-&x[LABEL]],
        "hinge" => {
            let above = |at: usize| &(&x[at] - &x[LABEL]) + &constant(number(0));
            let others = (0..LENGTH).filter(|at| *at != LABEL).map(above);
            vec![sum(&others.filter(is_positive).collect::<Vec<_>>())]
        }
        "max" => vec![x[first_greatest(x)].clone()],
        "min" => vec![-&{
            let negative = each(&|x| -x);
            negative[first_greatest(&negative)].clone()
        }],
        "pick" => vec![x[LABEL].clone()],
        "one_hot" => {
            (0..LENGTH).map(|at| if at == LABEL { x[at].clone() } else { constant(0.0) }).collect()
        }
        "slice" => x[1..3].to_vec(),
        "concat" => [x, y].concat(),
        "concat_rows" => [x, y, x].concat(),
        "slice_rows" => [y, x].concat(),
        "as_diagonal" | "diagonal" => pairs(&|x, y| x * y),
        "stack_transposed" => {
            (0..LENGTH).flat_map(|at| [&x[at], &y[at], &x[at]].map(Jet::clone)).collect()
        }
        "norm" => vec![norm(x)],
        "sum" => vec![sum(x)],
        "mean" => vec![mean(x)],
        "cumulative_sum" => (1..=LENGTH).map(|end| sum(&x[..end])).collect(),
        "layer_norm" => {
            let mean = mean(x);
            let centred = each(&|x| x - &mean);
            let normed = rms_norm(&centred, y);
            (0..LENGTH).map(|at| &normed[at] + &w(at)).collect()
        }
        "rms_norm" => rms_norm(x, y),
        "row_layer_norm" => {
            let of_row = |row: &[Jet]| {
                let mean = mean(row);
                let centred: Vec<Jet> = row.iter().map(|x| x - &mean).collect();
                let normed = rms_norm(&centred, &row_of(0));
                normed.iter().zip(x).map(|(normed, bias)| normed + bias).collect::<Vec<_>>()
            };
            [x, y].into_iter().flat_map(of_row).collect()
        }
        "row_rms_norm" => [x, y].into_iter().flat_map(|row| rms_norm(row, &row_of(0))).collect(),
        "row_argmax" => [x, y].map(|row| constant(first_greatest(row) as f64)).into(),
        // Of three rows, the second of which has no label.
        "row_pick" => vec![x[LABEL].clone(), constant(0.0), x[0].clone()],
        "row_cross_entropy" => {
            let log = log_softmax(x);
            vec![-&log[LABEL], constant(0.0), -&log[0]]
        }
        "computed_row" => y.to_vec(),
        "eye" => pairs(&|x, y| x + y),
        name if let Some(name) = name.strip_prefix("row_") => {
            [x, y].into_iter().flat_map(|row| value::<T>(name, row, row)).collect()
        }
        "mse" => vec![mean(&pairs(&|x, y| power(&(x - y), 2)))],
        "mae" => vec![mean(&pairs(&|x, y| (x - y).abs()))],
        "huber" => vec![mean(&pairs(&|x, y| {
            let (d, delta) = ((x - y).abs(), number(0));
            match d.value <= big(delta) {
                true => power(&d, 2).scaled(0.5),
                false => (&d - &constant(delta / 2.0)).scaled(delta),
            }
        }))],
        "bce_with_logits" => vec![mean(&pairs(&|x, t| {
            let part = match is_positive(x) {
                true => &(&constant(1.0) - t) * x,
                false => -&(t * x),
            };
            // The slope of |x| is ±1, also at 0.
            let size = if is_positive(x) { -x } else { x.clone() };
            &part + &size.softplus()
        }))],
        "kl_div" => vec![sum(&pairs(&|x, p| p * &(&p.ln() - x)))],
        "cosine_similarity" => vec![&products(x, y) / &(&norm(x) * &norm(y))],
        "dot" => (0..3).map(|row| products(&row_of(row), x)).collect(),
        "dot_vectors" => vec![products(x, y)],
        "log_add" => pairs(&|x, y| log_sum_exp(&[x.clone(), y.clone()])),
        "log_dot_vectors" => vec![log_sum_exp(&pairs(&|x, y| x + y))],
        "log_dot_column" => {
            terms_of(x, &|k, row| w(row * LENGTH + k)).iter().map(|of| log_sum_exp(of)).collect()
        }
        "max_dot_column" => terms_of(x, &|k, row| w(row * LENGTH + k))
            .iter()
            .map(|of| of[first_greatest(of)].clone())
            .collect(),
        "log_dot_row" => by_columns(x).iter().map(|of| log_sum_exp(of)).collect(),
        "max_dot_row" => by_columns(x).iter().map(|of| of[first_greatest(of)].clone()).collect(),
        "log_dot" => [x, y].into_iter().flat_map(&by_columns).map(|of| log_sum_exp(&of)).collect(),
        "max_dot" => [x, y]
            .into_iter()
            .flat_map(&by_columns)
            .map(|of| of[first_greatest(&of)].clone())
            .collect(),
        "argmax_dot" => {
            let place = |of: Vec<Jet>| constant(first_greatest(&of) as f64);
            [x, y].into_iter().flat_map(&by_columns).map(place).collect()
        }
        "rows" => vec![products(x, y); 3],
        "columns" => x.iter().map(|x| products(&vec![x.clone(); LENGTH], y)).collect(),
        "outer" => x.iter().flat_map(|x| y.iter().map(move |y| x * y)).collect(),
        "dot_matrices" => (0..3)
            .flat_map(|row| {
                let product = products(&row_of(row), x);
                y.iter().map(move |y| &product * y)
            })
            .collect(),
        "transpose" => {
            let product: Vec<Jet> = (0..3).map(|row| products(&row_of(row), x)).collect();
            y.iter().flat_map(|y| product.iter().map(move |p| p * y)).collect()
        }
        "bilinear" => {
            let outer: Vec<Jet> = x.iter().flat_map(|x| y.iter().map(move |y| x * y)).collect();
            (0..3)
                .map(|row| {
                    let row: Vec<Jet> = rows(row, LENGTH * LENGTH);
                    products(&row, &outer)
                })
                .collect()
        }
        "row" => times(&row_of(LABEL)),
        "bag_sum" => times(&bag()),
        "bag_mean" => times(&bag().iter().map(|w| w.scaled(1.0 / 3.0)).collect::<Vec<_>>()),
        "bag_size" => each(&|x| x.scaled(3.0)),
        name => panic!("`{name}` has no formula: add it"),
    }
}
