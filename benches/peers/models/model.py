"""What all models have: their parameters, and how the others are checked against them."""

from __future__ import annotations

import pathlib
import sys

import numpy as np

Weights = "dict[str, np.ndarray]"
Shapes = "dict[str, tuple[int, ...]]"


class Model:
    workload: str
    # Parameters of which a minibatch reads some rows; only these change in an update.
    tables: tuple[str, ...] = ("E",)
    # Those by which something is derived, if not all are.
    derived: tuple[str, ...] = ()
    # How many instances `--check` takes, and a pass over minibatches of one instance.
    checked, single = 4, 64
    learning_rate = 0.05
    # The share of some vectors that is dropped in training.
    dropout = 0.0

    def __init__(self, hidden: int, shapes: Shapes, bounds: dict[str, float] | None = None) -> None:
        """Parameters are drawn within their bound, which is 1/sqrt(hidden) if none is given."""
        self.hidden, self.shapes = hidden, shapes
        self.bounds = {name: (bounds or {}).get(name, hidden**-0.5) for name in shapes}

    @staticmethod
    def read(path: pathlib.Path | None) -> tuple[list, list[int]]:
        """The instances, and the sizes of tables: what the model is made with, before `hidden`."""
        raise NotImplementedError

    def reference(self, weights: Weights, batch: list) -> float:
        """The loss of a minibatch."""
        raise NotImplementedError


def chosen(by_workload: dict[str, type], about: str) -> type:
    """What is chosen by the first argument of a program with several workloads."""
    if len(sys.argv) < 2 or sys.argv[1] not in by_workload:
        sys.exit(f"{about}\nexpected {', '.join(by_workload)}")
    return by_workload[sys.argv.pop(1)]


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def lstm(gates: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The new state and cell."""
    i, f, o, g = np.split(gates, 4)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def cross_entropy(scores: np.ndarray, label: int) -> float:
    greatest = scores.max()
    return float(np.log(np.exp(scores - greatest).sum()) + greatest - scores[label])


def closed(shape: tuple[int, ...], number: int) -> np.ndarray:
    """The weights of `--check`: [i, j] of the parameter number q, from 1, is 0.4 sin(0.7 i + 1.3 j +
    0.37 i j + q), that of a vector the same for i = 0."""
    i = np.arange(shape[0] if len(shape) == 2 else 1)[:, None]
    j = np.arange(shape[-1])[None, :]
    return (0.4 * np.sin(0.7 * i + 1.3 * j + 0.37 * i * j + number)).reshape(shape)


def compare(
    model: Model, batch: list, weights: Weights, loss: float, gradients: Weights, tolerance: float
) -> bool:
    """Compares a loss and gradients with the reference, and prints them: for each parameter the sums of
    its gradient g over the flat index k, `g[k] cos(k)` and `g[k]^2`, with central differences of the
    reference."""
    expected = model.reference(weights, batch)
    right = abs(loss - expected) <= tolerance * abs(expected)
    print(f"loss {loss:.9f}, expected {expected:.12f}")
    assert set(gradients) == set(model.derived or weights), "a gradient is missing"
    for name, gradient in gradients.items():
        weight, gradient = weights[name], np.asarray(gradient, np.float64)
        size = np.linalg.norm(gradient)
        waves = np.cos(np.arange(weight.size)).reshape(weight.shape)
        shown = []
        for along, least in ((waves, size), (gradient, 0)):
            step = 1e-5 / np.abs(along).max()
            sides = [
                model.reference({**weights, name: weight + side * along}, batch)
                for side in (step, -step)
            ]
            found, expected = (gradient * along).sum(), (sides[0] - sides[1]) / (2 * step)
            right &= bool(abs(found - expected) <= tolerance * max(abs(expected), least))
            shown.append(f"{found:.9e}, expected {expected:.9e}")
        print(f"{name:3} dot {shown[0]}; square {shown[1]}")
    return right
