"""Networks of which other derivatives are taken than those of training."""

from __future__ import annotations

import pathlib

import numpy as np

import instances
from models.model import Model, Weights, cross_entropy, lstm


class EachLstm(Model):
    """An LSTM over ten vectors of 128 numbers whose last state is classified, as in pfor's figure 2: the
    gates are `x Wx + h Wh + b`, the scores of ten classes `h Wc + bc`. What is computed is the mean of the
    examples' gradients, each of which is cut to a norm of 1, as private training takes it. Nothing is updated."""

    workload = "each-lstm"
    tables = ()
    checked = 6
    steps, width, classes = 10, 128, 10
    clip = 1.0

    def __init__(self, hidden: int) -> None:
        h = hidden
        shapes = {"Wx": (self.width, 4 * h), "Wh": (h, 4 * h), "b": (4 * h,)}
        super().__init__(hidden, {**shapes, "Wc": (h, self.classes), "bc": (self.classes,)})

    @staticmethod
    def read(_: pathlib.Path | None) -> tuple[list, list[int]]:
        shape = instances.MOST, EachLstm.steps, EachLstm.width
        vectors = np.random.default_rng(1).random(shape) * 2 - 1
        return [(x, at % EachLstm.classes) for at, x in enumerate(vectors)], []

    def reference(self, weights: Weights, batch: list) -> float:
        """The mean loss, whose gradient is the result if nothing is cut."""
        w = weights
        total = 0.0
        for steps, label in batch:
            h = c = np.zeros(self.hidden)
            for x in steps:
                h, c = lstm(x @ w["Wx"] + h @ w["Wh"] + w["b"], c)
            total += cross_entropy(h @ w["Wc"] + w["bc"], label)
        return total / len(batch)


class Jacobian128(Model):
    """The Jacobian of the last state of an LSTM by `x`, the first of ten vectors, as in pfor's figure 3: the
    gates are `x Wx + h Wh + b`, and the other vectors `rest`. An instance is a row, one for each of 128
    hidden units."""

    workload = "jacobian-128"
    tables, derived = (), ("x",)
    steps, width = 10, 128

    def __init__(self, hidden: int) -> None:
        h = hidden
        vectors = {"x": (self.width,), "rest": (self.steps - 1, self.width)}
        weights = {"Wx": (self.width, 4 * h), "Wh": (h, 4 * h), "b": (4 * h,)}
        super().__init__(hidden, {**vectors, **weights}, dict.fromkeys(vectors, 1.0))

    @staticmethod
    def read(_: pathlib.Path | None) -> tuple[list, list[int]]:
        return list(range(128)), []

    def reference(self, weights: Weights, batch: list) -> float:
        """The sum of the last state's numbers, each with a weight of its own: its derivative has all rows."""
        w = weights
        h = c = np.zeros(self.hidden)
        for x in (w["x"].reshape(-1), *w["rest"]):
            h, c = lstm(x @ w["Wx"] + h @ w["Wh"] + w["b"], c)
        return float(h @ self.rows)

    @property
    def rows(self) -> np.ndarray:
        return np.cos(np.arange(self.hidden))


class Jacobian32(Jacobian128):
    workload = "jacobian-32"
    width = 32
