"""Networks over trees."""

from __future__ import annotations

import pathlib

import numpy as np

import instances
from models.model import Model, Weights, cross_entropy, lstm, sigmoid


class TreeLstm(Model):
    """The binary Tree-LSTM, with a class at every phrase: a word is `[i, o, u] = E[word] W + bW`, a
    phrase `[i, fl, fr, o, u] = [h_l; h_r] U + bU`; `c = sigma(i) tanh(u) + sigma(fl) c_l + sigma(fr) c_r`
    and `h = sigma(o) tanh(c)`. The scores of five classes are `h Wc + bc`."""

    workload = "tree-lstm"
    classes = 5

    def __init__(self, words: int, hidden: int) -> None:
        h = hidden
        shapes = {
            **{"E": (words, h), "W": (h, 3 * h), "bW": (3 * h,)},
            **{"U": (2 * h, 5 * h), "bU": (5 * h,), "Wc": (h, self.classes), "bc": (self.classes,)},
        }
        super().__init__(hidden, shapes)

    @staticmethod
    def read(path: pathlib.Path | None) -> tuple[list, list[int]]:
        found, words = instances.trees(path)
        return found, [words]

    def reference(self, weights: Weights, batch: list) -> float:
        total = 0.0
        for tree in batch:
            states: list[tuple[np.ndarray, np.ndarray]] = []
            for label, word in tree:
                if word is None:
                    right, left = states.pop(), states.pop()
                    gates = np.concatenate([left[0], right[0]]) @ weights["U"] + weights["bU"]
                    i, fl, fr, o, u = np.split(gates, 5)
                    kept = sigmoid(fl) * left[1] + sigmoid(fr) * right[1]
                else:
                    i, o, u = np.split(weights["E"][word] @ weights["W"] + weights["bW"], 3)
                    kept = 0
                c = sigmoid(i) * np.tanh(u) + kept
                states.append((sigmoid(o) * np.tanh(c), c))
                total += cross_entropy(states[-1][0] @ weights["Wc"] + weights["bc"], label)
        return total / len(batch)


class TreeFc(Model):
    """Tree-FC, a layer over complete binary trees of 256 leaves: a leaf is `E[word]`, an inner vertex
    `tanh([h_l; h_r] U + b)`, and the scores of a tree's five classes are `h Wc + bc` at its root."""

    workload = "tree-fc"
    checked = 2
    leaves, classes = 256, 5

    def __init__(self, hidden: int) -> None:
        h = hidden
        shapes = {"E": (instances.WORDS, h), "U": (2 * h, h), "b": (h,)}
        super().__init__(hidden, {**shapes, "Wc": (h, self.classes), "bc": (self.classes,)})

    @staticmethod
    def read(_: pathlib.Path | None) -> tuple[list, list[int]]:
        random = np.random.default_rng(1)
        words = random.integers(0, instances.WORDS, (instances.MOST, TreeFc.leaves)).tolist()
        return list(zip(words, random.integers(0, TreeFc.classes, instances.MOST).tolist())), []

    def reference(self, weights: Weights, batch: list) -> float:
        w = weights
        total = 0.0
        for words, label in batch:
            level = w["E"][words]
            while len(level) > 1:
                level = np.tanh(level.reshape(len(level) // 2, -1) @ w["U"] + w["b"])
            total += cross_entropy(level[0] @ w["Wc"] + w["bc"], label)
        return total / len(batch)
