//! The cases in the syntax of vertex functions, run eagerly.

use edb_core::eager::ops::*;
use edb_core::eager::{forms::*, scope};
use edb_core::tensor::{Index, Indices, Tensor};

use super::cases::numbers_of;
use super::{BAG, LENGTH, ROW_LABELS};

/// A case of [`cases`](super::cases::cases), applied to these tensors.
fn call(name: &str, label: u32, [x, y]: [Tensor; 2], w: Option<Tensor>) -> Tensor {
    // Long, since it is a table: a row for each case.
    let w = || w.expect("the case has a parameter");
    let (label, numbers) = (Index(label), numbers_of(name));
    let labels = || stack(ROW_LABELS.map(scalar));
    let number = |position: usize| numbers[position];
    match name {
        "neg" => -x,
        "add" => x + y,
        "sub" => x - y,
        "mul" => x * y,
        "div" => x / y,
        "square" => x.square(),
        "sqrt" => x.sqrt(),
        "pow" => x.pow(number(0)),
        "abs" => x.abs(),
        "exp" => x.exp(),
        "ln" => x.ln(),
        "erf" => x.erf(),
        "round" => x.round(),
        "clamp" => x.clamp(number(0), number(1)),
        "clamp_crossed" => x.clamp(1.0, -1.0),
        "clamp_half_open" => x.clamp(0.0, f64::INFINITY),
        "maximum" => x.maximum(y),
        "minimum" => x.minimum(y),
        "sigmoid" => x.sigmoid(),
        "tanh" => x.tanh(),
        "relu" => x.relu(),
        "leaky_relu" => x.leaky_relu(number(0)),
        "elu" => x.elu(number(0)),
        "gelu" => x.gelu(),
        "gelu_tanh" => x.gelu_tanh(),
        "silu" => x.silu(),
        "softplus" => x.softplus(),
        "hard_sigmoid" => x.hard_sigmoid(),
        "hard_tanh" => x.hard_tanh(),
        "softmax" => x.softmax(),
        "log_softmax" => x.log_softmax(),
        "layer_norm" => x.layer_norm(y, w()),
        "rms_norm" => x.rms_norm(y),
        "greater" => x.greater(y),
        "less" => x.less(y),
        "greater_equal" => x.greater_equal(y),
        "less_equal" => x.less_equal(y),
        "equal" => x.equal(y),
        "select" => x.greater(y).select(x, y * 2.0),
        "select_by_number" => y.select(x, y * 2.0),
        "dot" => w().dot(x),
        "dot_matrices" => w().dot(x.outer(y)).flatten(),
        "dot_vectors" => x.dot(y),
        "log_dot" => stack([x, y]).log_dot(w()).flatten(),
        "log_dot_vectors" => x.log_dot(y),
        "log_dot_column" => w().log_dot(x),
        "log_dot_row" => x.log_dot(w()),
        "max_dot" => stack([x, y]).max_dot(w()).flatten(),
        "max_dot_column" => w().max_dot(x),
        "max_dot_row" => x.max_dot(w()),
        "argmax_dot" => stack([x, y]).argmax_dot(w()).flatten(),
        "log_add" => x.log_add(y),
        "outer" => x.outer(y).flatten(),
        "bilinear" => w().bilinear(x, y),
        "transpose" => w().dot(x.outer(y)).transpose().flatten(),
        "concat" => concat([x, y]),
        "stack_transposed" => stack([x, y, x]).transpose().flatten(),
        "split" => {
            let [a, b] = concat([x, y]).split();
            a - b
        }
        "slice" => x.slice(1..3),
        "slice_rows" => stack([x, y, x]).slice_rows(1..3).flatten(),
        "concat_rows" => concat_rows([stack([x, y]), stack([x])]).flatten(),
        "as_diagonal" => x.as_diagonal().dot(y),
        "diagonal" => x.outer(y).diagonal(),
        "rows" => x.repeat_rows(3).dot(y),
        "columns" => x.repeat_columns(LENGTH).dot(y),
        "row_sum" => stack([x, y]).row_sum(),
        "row_mean" => stack([x, y]).row_mean(),
        "row_max" => stack([x, y]).row_max(),
        "row_min" => stack([x, y]).row_min(),
        "row_norm" => stack([x, y]).row_norm(),
        "row_softmax" => stack([x, y]).row_softmax().flatten(),
        "row_log_softmax" => stack([x, y]).row_log_softmax().flatten(),
        "row_log_sum_exp" => stack([x, y]).row_log_sum_exp(),
        "row_layer_norm" => stack([x, y]).row_layer_norm(w(), x).flatten(),
        "row_argmax" => stack([x, y]).row_argmax(),
        "row_pick" => stack([x, y, x]).row_pick(labels()),
        "row_cross_entropy" => row_cross_entropy(stack([x, y, x]), labels()),
        "computed_row" => stack([x, x, y]).row(label),
        "eye" => eye(LENGTH).dot(x) + ones(LENGTH) * y,
        "row_rms_norm" => stack([x, y]).row_rms_norm(w()).flatten(),
        "row" => w().row(label) * x,
        "bag_sum" => w().bag_sum(Indices::from_values(&BAG)) * x,
        "bag_mean" => w().bag_mean(Indices::from_values(&BAG)) * x,
        "bag_size" => bag_size(Indices::from_values(&BAG)) * x,
        "pick" => x.pick(label),
        "one_hot" => one_hot(label, LENGTH) * x,
        "sum" => x.sum(),
        "mean" => x.mean(),
        "max" => x.max(),
        "min" => x.min(),
        "norm" => x.norm(),
        "log_sum_exp" => x.log_sum_exp(),
        "cumulative_sum" => x.cumulative_sum(),
        "cross_entropy" => cross_entropy(x, label),
        "cross_entropy_smoothed" => cross_entropy_smoothed(x, label, number(0)),
        "cross_entropy_weighted" => cross_entropy(x, label) * w().pick(label),
        "nll" => nll(x, label),
        "hinge" => hinge(x, label, number(0)),
        "mse" => mse(x, y),
        "mae" => mae(x, y),
        "huber" => huber(x, y, number(0)),
        "bce_with_logits" => bce_with_logits(x, y),
        "kl_div" => kl_div(x, y),
        "cosine_similarity" => cosine_similarity(x, y),
        name => match name.strip_prefix("pow_").and_then(|power| power.parse().ok()) {
            Some(power) => x.pow(power),
            None => panic!("`{name}` is not called eagerly: add it"),
        },
    }
}

/// The value of a case, and the gradients of its arguments, where `seeds` is the gradient of the
/// value. An argument is a shape and its elements.
pub fn eagerly(
    name: &str,
    label: u32,
    arguments: &[(&[usize], &[f64])],
    seeds: &[f64],
) -> Vec<Vec<f64>> {
    // The value, and its derivative with respect to one element of one argument.
    let along = |argument: usize, element: usize| {
        scope(|| {
            let tensor = |(position, (shape, values)): (usize, &(&[usize], &[f64]))| {
                let tangent = |place: usize| f64::from(position == argument && place == element);
                let dual =
                    |(place, x): (usize, &f64)| edb_core::eager::Dual::new(*x, tangent(place));
                Tensor::from_duals(shape, values.iter().enumerate().map(dual).collect())
            };
            let tensors: Vec<Tensor> = arguments.iter().enumerate().map(tensor).collect();
            let value = call(name, label, [tensors[0], tensors[1]], tensors.get(2).copied());
            (value.values(), value.tangents())
        })
    };
    let gradient = |(argument, (_, values)): (usize, &(&[usize], &[f64]))| {
        let derivative = |element: usize| {
            let tangents = along(argument, element).1.into_iter().zip(seeds.iter().cycle());
            tangents.fold(0.0, |sum, (tangent, seed)| sum + tangent * seed)
        };
        (0..values.len()).map(derivative).collect()
    };
    let value = along(0, 0).0;
    let gradients = arguments.iter().enumerate().map(gradient);
    std::iter::once(value).chain(gradients).collect()
}
