"""Layers over single vectors."""

from __future__ import annotations

import pathlib

import numpy as np

import instances
from models.model import Model, Weights, cross_entropy


class Layer(Model):
    """A layer over vectors, which are drawn: an instance is the number of a vector."""

    tables = ()
    width: int

    @classmethod
    def vectors(cls) -> np.ndarray:
        return np.random.default_rng(1).random((instances.MOST, cls.width))


class LinearLayer(Layer):
    """`y = x W` of vectors of 768 numbers; the loss is the mean of the squares of `y` (pfor, figure 1)."""

    workload = "linear-layer"
    width = 768

    def __init__(self, hidden: int) -> None:
        super().__init__(hidden, {"W": (self.width, hidden)})

    @staticmethod
    def read(_: pathlib.Path | None) -> tuple[list, list[int]]:
        return list(range(instances.MOST)), []

    def reference(self, weights: Weights, batch: list) -> float:
        return float(np.square(self.vectors()[batch] @ weights["W"]).mean())


class Perceptron(Layer):
    """`relu(x W + b) V + c` of images of 784 pixels: the scores of ten digits (pfor, figure 1). An instance
    is the number of an image, and its digit."""

    workload = "perceptron"
    width, digits = 784, 10

    def __init__(self, hidden: int) -> None:
        shapes = {"W": (self.width, hidden), "b": (hidden,), "V": (hidden, self.digits), "c": (self.digits,)}
        super().__init__(hidden, shapes)

    @staticmethod
    def read(_: pathlib.Path | None) -> tuple[list, list[int]]:
        digits = np.random.default_rng(2).integers(0, Perceptron.digits, instances.MOST)
        return list(enumerate(digits.tolist())), []

    def reference(self, weights: Weights, batch: list) -> float:
        w, images = weights, self.vectors()
        total = 0.0
        for place, digit in batch:
            hidden = np.maximum(images[place] @ w["W"] + w["b"], 0)
            total += cross_entropy(hidden @ w["V"] + w["c"], digit)
        return total / len(batch)
