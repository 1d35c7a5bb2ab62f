"""Values and gradients that PyTorch computes at ties, bounds, zeros, infinities, NaN, denormals and the
largest numbers, for every op, form and loss of the language, in float64 and float32.

Writes edges.safetensors beside this file: see README.md.
"""

import itertools
import math

import torch
import torch.nn.functional as F

import ops

NAN, INF = math.nan, math.inf
LENGTH = 4
# The gradient given for element i of a value: number i of these, repeated cyclically.
SEEDS = [1.0, -2.0, 0.5, 3.0]
# An ordinary vector.
PLAIN = [1.0, -0.5, 2.0, 0.25]


class Type:
    """A number type with its smallest denormal, its smallest normal and its greatest number."""

    def __init__(self, name, dtype):
        info = torch.finfo(dtype)
        self.name, self.dtype = name, dtype
        self.least, self.normal, self.most = info.smallest_normal * info.eps, info.smallest_normal, info.max


def chunks(values):
    """Numbers as vectors; the last vector is filled up with ones."""
    values = list(values)
    values += [1.0] * (-len(values) % LENGTH)
    return [values[at : at + LENGTH] for at in range(0, len(values), LENGTH)]


def numbers(t):
    """Single numbers, for ops of one argument. They include both bounds of the hard functions."""
    sizes = [0.0, t.least, t.normal, 0.5, 1.0, 1.5, 2.5, 3.0, 20.0, 1e3, t.most]
    x = chunks([NAN, INF, -INF, *sizes, *(-size for size in sizes)])
    return x, [PLAIN] * len(x)


def pairs(t):
    """All pairs of some numbers, for ops of two arguments."""
    values = [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 2.5, t.least, t.most]
    x, y = zip(*itertools.product(values, values))
    return chunks(x), chunks(y)


def lone(t):
    """Pairs, one in each vector: in a sum over several, a NaN would hide the others."""
    # Differences include 1.3, where a huber loss with a delta of 1.3 changes.
    of_x = [NAN, INF, -INF, 0.0, 1.3, -1.3, 100.0, -100.0, t.least, t.most]
    of_y = [NAN, INF, 0.0, 1.0, -1.3]
    x, y = zip(*itertools.product(of_x, of_y))
    return [[0.5, at, -1.0, 0.25] for at in x], [[0.25, at, 0.5, 0.0] for at in y]


def vectors(t):
    """Vectors for ops over whole vectors: with ties, and with exceptional numbers of one kind."""
    x = [
        [0.0, 0.0, 0.0, 0.0],
        [1.0, 1.0, 1.0, 1.0],
        [2.0, 3.0, 3.0, -1.0],
        [-0.0, 0.0, -1.0, -1.0],
        # Scores that differ by 0.9, the margin of `hinge`.
        [0.0, 1.0, 0.9, 0.0],
        [INF, 0.0, 1.0, 2.0],
        [1.0, 0.0, INF, 2.0],
        [INF, 1.0, INF, 0.0],
        [-INF, 0.0, 1.0, 2.0],
        [1.0, 0.0, -INF, 2.0],
        [-INF, -INF, -INF, -INF],
        [INF, INF, INF, INF],
        [-INF, 0.5, INF, 1.0],
        [NAN, 1.0, 2.0, 3.0],
        [3.0, NAN, 1.0, 2.0],
        [1.0, INF, NAN, -INF],
        [NAN, NAN, NAN, NAN],
        [t.least, -t.least, 0.0, t.least],
        [t.normal, t.least, t.normal, 0.0],
        [t.most, 0.0, -t.most, 1.0],
        [t.most, t.most, 1.0, 1.0],
        [1e3, -1e3, 0.0, 1e3],
    ]
    return x, [PLAIN] * len(x)


def moves(t):
    """Vectors for ops that rearrange elements, and for products."""
    x = [[NAN, 1.0, -0.0, t.least], [INF, 0.5, -1.0, 1.0], [t.most, 0.5, 2.0, 0.0], [0.0, -0.0, 0.0, -0.0]]
    y = [PLAIN, [1.0, -1.0, 2.0, t.least], [0.5, t.least, 1.0, 1.0], [-INF, 1.0, 0.0, NAN]]
    return x, y


class Round(torch.autograd.Function):
    """The nearest integer, with a gradient that passes straight through."""

    @staticmethod
    def forward(context, x):
        return x.round()

    @staticmethod
    def backward(context, gradient):
        return gradient


def first_greatest(*parts):
    """The maximum. If elements are equal, the first gets the gradient, as with `max` over a dimension."""
    return torch.stack(parts).max(0).values


def first_least(*parts):
    return torch.stack(parts).min(0).values


def compared(holds):
    """A mask as 1 and 0. The zeros require a gradient, without which PyTorch would refuse to run backward."""
    return lambda x, y: holds(x, y).to(x.dtype) + torch.zeros_like(x).requires_grad_()


def chosen(mask):
    """x where the mask is not 0, else 2 y."""
    return lambda x, y: torch.where(mask(x, y), x, y * 2)


def as_in_ops(*names):
    return {name: ops.CASES[name] for name in names}


# The computations of x and y (and of w) in PyTorch, by set and name. Where ops.py transforms the
# arguments first, this does not.
CASES = {
    numbers: as_in_ops(
        *["neg", "square", "pow_1", "pow_2", "pow_3", "pow_-1", "abs", "exp", "erf", "clamp", "sigmoid", "tanh"],
        *["relu", "leaky_relu", "elu", "gelu", "gelu_tanh", "silu", "softplus", "hard_sigmoid", "hard_tanh"],
    )
    | {
        "sqrt": lambda x, y: x.sqrt(),
        "ln": lambda x, y: x.log(),
        "pow": lambda x, y: x.pow(1.7),
        "pow_0": lambda x, y: x.pow(0.0),
        "pow_0.5": lambda x, y: x.pow(0.5),
        "pow_-1.5": lambda x, y: x.pow(-1.5),
        "clamp_crossed": lambda x, y: x.clamp(1.0, -1.0),
        "clamp_half_open": lambda x, y: x.clamp(0.0, INF),
        "round": lambda x, y: Round.apply(x),
    },
    pairs: as_in_ops("add", "sub", "mul", "div", "log_add")
    | {
        "greater": compared(torch.gt),
        "less": compared(torch.lt),
        "greater_equal": compared(torch.ge),
        "less_equal": compared(torch.le),
        "equal": compared(torch.eq),
        "select": chosen(lambda x, y: x > y),
        "select_by_number": chosen(lambda x, y: y.bool()),
        # Of equal elements, `torch.maximum` gives half of the gradient to each, and where one is
        # NaN, the whole gradient to both. `max` over a dimension has the same values, and one
        # gradient.
        "maximum": first_greatest,
        "minimum": first_least,
        "children.sum": lambda x, y: x + y + x,
        "children.max": lambda x, y: first_greatest(x, y, x),
        "children.min": lambda x, y: first_least(x, y, x),
        "children.log_add": lambda x, y: torch.stack([x, y, x]).logsumexp(0),
    },
    vectors: as_in_ops(
        *["softmax", "log_softmax", "layer_norm", "rms_norm", "sum", "mean", "norm", "log_sum_exp", "cumulative_sum"],
        *["cross_entropy", "cross_entropy_smoothed", "cross_entropy_weighted", "hinge", "pick"],
        *["row_sum", "row_mean", "row_max", "row_min", "row_norm", "row_softmax", "row_log_softmax"],
        *["row_log_sum_exp", "row_layer_norm", "row_rms_norm", "row_argmax", "row_pick", "row_cross_entropy"],
        *["log_dot", "log_dot_row", "log_dot_column", "log_dot_vectors"],
        *["max_dot", "max_dot_row", "max_dot_column", "argmax_dot"],
    )
    | {
        # Over a dimension, as for `maximum`.
        "max": lambda x, y: x.max(0).values,
        "min": lambda x, y: x.min(0).values,
        "nll": lambda x, y: F.nll_loss(x[None], ops.label()),
    },
    lone: as_in_ops("mse", "mae", "huber", "cosine_similarity")
    | {
        "bce_with_logits": F.binary_cross_entropy_with_logits,
        "kl_div": lambda x, y: F.kl_div(x, y, reduction="sum"),
    },
    moves: as_in_ops(
        *["dot", "dot_matrices", "dot_vectors", "outer", "bilinear", "transpose", "concat", "stack_transposed"],
        *["computed_row", "eye", "slice_rows", "concat_rows", "as_diagonal", "diagonal", "split", "slice", "rows", "columns", "row", "bag_sum", "bag_mean", "bag_size", "one_hot"],
    ),
}


def reference(f, shape, x, y, dtype):
    """The value, and the gradients of x, y and the parameter."""
    inputs = [torch.tensor(values, dtype=dtype, requires_grad=True) for values in (x, y)]
    if shape is not None:
        w = torch.tensor(ops.W[: math.prod(shape)], dtype=dtype).reshape(shape)
        inputs.append(w.requires_grad_())
    value = f(*inputs)
    seeds = torch.tensor(SEEDS, dtype=dtype).repeat(value.numel())[: value.numel()]
    value.backward(seeds.reshape(value.shape))
    gradients = [torch.zeros_like(input) if input.grad is None else input.grad for input in inputs]
    return torch.cat([part.detach().flatten() for part in [value, *gradients]])


def main():
    tensors = {}
    for t in [Type("f64", torch.float64), Type("f32", torch.float32)]:
        tensors[f"{t.name}.w"] = torch.tensor(ops.W, dtype=t.dtype)
        tensors[f"{t.name}.seeds"] = torch.tensor(SEEDS, dtype=t.dtype)
        for make, cases in CASES.items():
            samples = make(t)
            place = f"{t.name}.{make.__name__}"
            for name, values in zip(["in.x", "in.y"], samples):
                tensors[f"{place}.{name}"] = torch.tensor(values, dtype=t.dtype)
            for name, f in cases.items():
                shape = ops.PARAMETERS.get(name)
                parts = [reference(f, shape, x, y, t.dtype) for x, y in zip(*samples)]
                tensors[f"{place}.{name}"] = torch.stack(parts)
    ops.save(tensors, __file__)


if __name__ == "__main__":
    main()
