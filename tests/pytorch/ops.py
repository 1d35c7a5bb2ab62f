"""Reference values and gradients of every op, form and loss of the language, by PyTorch in float64.

Writes ops.safetensors beside this file: see README.md.
"""

import math
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.numpy import save_file

LABEL = 2
BAG = [2, 0, 2]
# The labels of three rows, of which the second has none.
ROW_LABELS = [2, -1, 0]
# Two samples: ordinary numbers, and numbers that saturate or nearly vanish.
X = [[0.3, -1.2, 0.8, 2.1], [6.0, -9.0, 0.02, -0.4]]
Y = [[1.5, 0.4, -0.7, 0.9], [-5.0, 3.0, 0.3, 1e-3]]
# The parameter of a case takes the first numbers of this list.
W = [math.sin(1.7 * at + 0.4) for at in range(48)]


def label():
    return torch.tensor([LABEL])


def bag(mode):
    return lambda x, y, w: F.embedding_bag(torch.tensor([BAG]), w, mode=mode)[0] * x


def sign_compared(holds):
    """Compares signs, some of which are equal, and multiplies by x, so that the mask passes a gradient."""
    return lambda x, y: holds(x.sign(), y.sign()) * x


def of_rows(reduce):
    """What is made of a matrix whose rows are x and y."""
    return lambda x, y: reduce(torch.stack([x, y])).flatten()


def log_dot(a, b):
    """The logarithm of a product of matrices whose elements are logarithms."""
    return (a[..., :, None] + b).logsumexp(-2)


def max_dot(a, b):
    return (a[..., :, None] + b).max(-2).values


def argmax_dot(x, y, w):
    """The places of the maxima; the zeros require a gradient, without which PyTorch would refuse to run backward."""
    places = (torch.stack([x, y])[..., :, None] + w).max(-2).indices.to(x.dtype)
    return (places + torch.zeros_like(places).requires_grad_()).flatten()


def row_argmax(x, y):
    """The places of the maxima; with zeros as above."""
    places = torch.stack([x, y]).max(1).indices.to(x.dtype)
    return places + torch.zeros_like(places).requires_grad_()


def row_pick(x, y):
    rows = torch.stack([x, y, x])
    labels = torch.tensor(ROW_LABELS)
    picked = rows.gather(1, labels.clamp(min=0)[:, None])[:, 0]
    return picked.where(labels >= 0, 0)


def row_cross_entropy(x, y):
    return F.cross_entropy(torch.stack([x, y, x]), torch.tensor(ROW_LABELS), reduction="none", ignore_index=-1)


def weighted(x, y, w):
    """A product, because PyTorch computes no gradient of class weights."""
    product = w[LABEL] * F.cross_entropy(x[None], label())
    own = F.cross_entropy(x[None], label(), w.detach(), reduction="sum")
    torch.testing.assert_close(own, product, equal_nan=True)
    return product


# The computations of x and y in PyTorch, by name.
CASES = {
    # Arithmetic.
    "neg": lambda x, y: -x,
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "square": lambda x, y: x.square(),
    "sqrt": lambda x, y: x.exp().sqrt(),
    "pow": lambda x, y: x.exp().pow(1.7),
    "pow_0.5": lambda x, y: x.exp().pow(0.5),
    "pow_1": lambda x, y: x.pow(1),
    "pow_2": lambda x, y: x.pow(2),
    "pow_3": lambda x, y: x.pow(3),
    "pow_-1": lambda x, y: x.pow(-1),
    "abs": lambda x, y: x.abs(),
    "exp": lambda x, y: x.exp(),
    "ln": lambda x, y: x.exp().add(1).log(),
    "erf": lambda x, y: x.erf(),
    # With a straight-through gradient.
    "round": lambda x, y: x + (x.round() - x).detach(),
    "clamp": lambda x, y: x.clamp(-0.5, 1.0),
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    # Activations.
    "sigmoid": lambda x, y: x.sigmoid(),
    "tanh": lambda x, y: x.tanh(),
    "relu": lambda x, y: F.relu(x),
    "leaky_relu": lambda x, y: F.leaky_relu(x, 0.1),
    "elu": lambda x, y: F.elu(x, 0.7),
    "gelu": lambda x, y: F.gelu(x),
    "gelu_tanh": lambda x, y: F.gelu(x, approximate="tanh"),
    "silu": lambda x, y: F.silu(x),
    "softplus": lambda x, y: F.softplus(x),
    # The gradient of `F.hardsigmoid` contains a sixth rounded to float32, even in float64.
    "hard_sigmoid": lambda x, y: (x / 6 + 0.5).clamp(0, 1),
    "hard_tanh": lambda x, y: F.hardtanh(x),
    "softmax": lambda x, y: x.softmax(0),
    "log_softmax": lambda x, y: x.log_softmax(0),
    "layer_norm": lambda x, y, w: F.layer_norm(x, [4], y, w, eps=1e-5),
    "rms_norm": lambda x, y: F.rms_norm(x, [4], y, eps=1e-5),
    # Choices.
    "greater": sign_compared(torch.gt),
    "less": sign_compared(torch.lt),
    "greater_equal": sign_compared(torch.ge),
    "less_equal": sign_compared(torch.le),
    "equal": sign_compared(torch.eq),
    "select": lambda x, y: torch.where(x > y, x * x, y),
    # Products.
    "dot": lambda x, y, w: w @ x,
    "dot_matrices": lambda x, y, w: (w @ x.outer(y)).flatten(),
    "dot_vectors": lambda x, y: x @ y,
    "outer": lambda x, y: x.outer(y).flatten(),
    "bilinear": lambda x, y, w: F.bilinear(x, y, w.reshape(3, 4, 4)),
    # Rearrangements.
    "transpose": lambda x, y, w: (w @ x.outer(y)).T.flatten(),
    "concat": lambda x, y: torch.cat([x, y]),
    "stack_transposed": lambda x, y: torch.stack([x, y, x]).T.flatten(),
    "split": lambda x, y: torch.subtract(*torch.cat([x, y]).chunk(2)),
    "slice": lambda x, y: x[1:3],
    "slice_rows": lambda x, y: torch.stack([x, y, x])[1:3].flatten(),
    "concat_rows": lambda x, y: torch.cat([torch.stack([x, y]), x[None]]).flatten(),
    "as_diagonal": lambda x, y: x.diag() @ y,
    "diagonal": lambda x, y: x.outer(y).diagonal(),
    "computed_row": lambda x, y: torch.stack([x, x, y])[LABEL],
    "eye": lambda x, y: torch.eye(4, dtype=x.dtype) @ x + torch.ones(4, dtype=x.dtype) * y,
    "rows": lambda x, y: x.expand(3, 4) @ y,
    "columns": lambda x, y: x[:, None].expand(4, 4) @ y,
    # Products of logarithms; of x and y as rows, of one as a row or as a column, and of both.
    "log_dot": lambda x, y, w: log_dot(torch.stack([x, y]), w).flatten(),
    "log_dot_row": lambda x, y, w: log_dot(x, w),
    "log_dot_column": lambda x, y, w: log_dot(w, x[:, None])[:, 0],
    "log_dot_vectors": lambda x, y: log_dot(x, y[:, None])[0],
    "max_dot": lambda x, y, w: max_dot(torch.stack([x, y]), w).flatten(),
    "max_dot_row": lambda x, y, w: max_dot(x, w),
    "max_dot_column": lambda x, y, w: max_dot(w, x[:, None])[:, 0],
    "argmax_dot": argmax_dot,
    "log_add": lambda x, y: torch.logaddexp(x, y),
    "row": lambda x, y, w: F.embedding(label(), w)[0] * x,
    "bag_sum": bag("sum"),
    "bag_mean": bag("mean"),
    "bag_size": lambda x, y: len(BAG) * x,
    "pick": lambda x, y: x[LABEL],
    "one_hot": lambda x, y: F.one_hot(label(), 4)[0] * x,
    # Reductions.
    "sum": lambda x, y: x.sum(),
    "mean": lambda x, y: x.mean(),
    "max": lambda x, y: x.max(),
    "min": lambda x, y: x.min(),
    "norm": lambda x, y: x.norm(),
    "log_sum_exp": lambda x, y: x.logsumexp(0),
    "cumulative_sum": lambda x, y: x.cumsum(0),
    # Of each row of a matrix: x and y.
    "row_sum": of_rows(lambda rows: rows.sum(1)),
    "row_mean": of_rows(lambda rows: rows.mean(1)),
    "row_max": of_rows(lambda rows: rows.max(1).values),
    "row_min": of_rows(lambda rows: rows.min(1).values),
    "row_norm": of_rows(lambda rows: rows.norm(dim=1)),
    "row_softmax": of_rows(lambda rows: rows.softmax(1)),
    "row_log_softmax": of_rows(lambda rows: rows.log_softmax(1)),
    "row_log_sum_exp": of_rows(lambda rows: rows.logsumexp(1)),
    "row_argmax": row_argmax,
    "row_pick": row_pick,
    "row_layer_norm": lambda x, y, w: F.layer_norm(torch.stack([x, y]), [4], w, x, eps=1e-5).flatten(),
    "row_rms_norm": lambda x, y, w: F.rms_norm(torch.stack([x, y]), [4], w, eps=1e-5).flatten(),
    # Losses.
    "cross_entropy": lambda x, y: F.cross_entropy(x[None], label()),
    "cross_entropy_smoothed": lambda x, y: F.cross_entropy(x[None], label(), label_smoothing=0.1),
    "cross_entropy_weighted": weighted,
    "row_cross_entropy": row_cross_entropy,
    "nll": lambda x, y: F.nll_loss(x.log_softmax(0)[None], label()),
    # PyTorch returns the mean over the classes.
    "hinge": lambda x, y: 4 * F.multi_margin_loss(x[None], label(), margin=0.9),
    "mse": F.mse_loss,
    "mae": F.l1_loss,
    "huber": lambda x, y: F.huber_loss(x, y, delta=1.3),
    "bce_with_logits": lambda x, y: F.binary_cross_entropy_with_logits(x, y.sigmoid()),
    "kl_div": lambda x, y: F.kl_div(x.log_softmax(0), y.softmax(0), reduction="sum"),
    "cosine_similarity": lambda x, y: F.cosine_similarity(x, y, dim=0),
}

# Reductions over the children of a vertex: x, y and x again.
CHILDREN = {
    "sum": lambda children: children.sum(0),
    "max": lambda children: children.amax(0),
    "min": lambda children: children.amin(0),
    "log_add": lambda children: children.logsumexp(0),
}
CASES |= {
    f"children.{name}": lambda x, y, over=over: over(torch.stack([x, y, x]))
    for name, over in CHILDREN.items()
}

# The shapes of the parameters, for the cases that have one.
PARAMETERS = {
    "layer_norm": [4],
    "row_layer_norm": [4],
    "row_rms_norm": [4],
    "log_dot": [4, 3],
    "log_dot_row": [4, 3],
    "log_dot_column": [3, 4],
    "max_dot": [4, 3],
    "max_dot_row": [4, 3],
    "max_dot_column": [3, 4],
    "argmax_dot": [4, 3],
    "dot": [3, 4],
    "dot_matrices": [3, 4],
    "transpose": [3, 4],
    "bilinear": [3, 16],
    "row": [3, 4],
    "bag_sum": [3, 4],
    "bag_mean": [3, 4],
    "cross_entropy_weighted": [4],
}


def reference(name, x, y):
    """The value, and the gradients of the sum of its squares: those of x, y and the parameter."""
    inputs = [torch.tensor(values, dtype=torch.float64, requires_grad=True) for values in (x, y)]
    if shape := PARAMETERS.get(name):
        w = torch.tensor(W[:math.prod(shape)], dtype=torch.float64).reshape(shape)
        inputs.append(w.requires_grad_())
    value = CASES[name](*inputs)
    value.square().sum().backward()
    gradients = [
        torch.zeros_like(input) if input.grad is None else input.grad
        for input in inputs
    ]
    return torch.cat([part.detach().flatten() for part in [value, *gradients]])


def save(tensors, script):
    """Writes tensors to a file beside the script that made them, with the script's name."""
    tensors = {name: tensor.numpy() for name, tensor in tensors.items()}
    path = Path(script).with_suffix(".safetensors")
    save_file(tensors, path, metadata={"torch": torch.__version__})
    print(f"{path.name}: {len(tensors)} tensors, {path.stat().st_size} bytes, torch {torch.__version__}")


def main():
    tensors = {
        "in.x": torch.tensor(X, dtype=torch.float64),
        "in.y": torch.tensor(Y, dtype=torch.float64),
        "in.w": torch.tensor(W, dtype=torch.float64),
    }
    for name in CASES:
        tensors[name] = torch.stack([reference(name, x, y) for x, y in zip(X, Y)])
    save(tensors, __file__)


if __name__ == "__main__":
    main()
