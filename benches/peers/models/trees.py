"""Networks over trees."""

from __future__ import annotations

import pathlib

import numpy as np

import instances
from models.model import Model, Shapes, Weights, cross_entropy, sigmoid


class Trees(Model):
    """A network over binary trees, with a class at every word and phrase: the scores of five classes are
    `h Wc + bc`, where `h` is the first part of a state. Where there is dropout, it is of words' vectors
    `E[word]`, and of `h` before it is classified; the reference has none."""

    classes = 5

    def __init__(self, words: int, hidden: int) -> None:
        of_all = {"E": (words, hidden), "Wc": (hidden, self.classes), "bc": (self.classes,)}
        super().__init__(hidden, {**of_all, **self.own(words, hidden)})

    def own(self, words: int, h: int) -> Shapes:
        """The further parameters."""
        raise NotImplementedError

    def word(self, w: Weights, id: int) -> tuple:
        """The state of a word."""
        raise NotImplementedError

    def phrase(self, w: Weights, left: tuple, right: tuple) -> tuple:
        raise NotImplementedError

    @staticmethod
    def read(path: pathlib.Path | None) -> tuple[list, list[int]]:
        found, words = instances.trees(path)
        return found, [words]

    def reference(self, weights: Weights, batch: list) -> float:
        w = weights
        total = 0.0
        for tree in batch:
            states: list[tuple] = []
            for label, word in tree:
                if word is None:
                    right, left = states.pop(), states.pop()
                    states.append(self.phrase(w, left, right))
                else:
                    states.append(self.word(w, word))
                total += cross_entropy(states[-1][0] @ w["Wc"] + w["bc"], label)
        return total / len(batch)


class TreeLstm(Trees):
    """The binary Tree-LSTM: a word is `[i, o, u] = E[word] W + bW`, a phrase `[i, fl, fr, o, u] =
    [h_l; h_r] U + bU`; `c = sigma(i) tanh(u) + sigma(fl) c_l + sigma(fr) c_r` and `h = sigma(o) tanh(c)`."""

    workload = "tree-lstm"

    def own(self, words: int, h: int) -> Shapes:
        return {"W": (h, 3 * h), "bW": (3 * h,), "U": (2 * h, 5 * h), "bU": (5 * h,)}

    def word(self, w: Weights, id: int) -> tuple:
        i, o, u = np.split(w["E"][id] @ w["W"] + w["bW"], 3)
        c = sigmoid(i) * np.tanh(u)
        return sigmoid(o) * np.tanh(c), c

    def phrase(self, w: Weights, left: tuple, right: tuple) -> tuple:
        gates = np.concatenate([left[0], right[0]]) @ w["U"] + w["bU"]
        i, fl, fr, o, u = np.split(gates, 5)
        c = sigmoid(i) * np.tanh(u) + sigmoid(fl) * left[1] + sigmoid(fr) * right[1]
        return sigmoid(o) * np.tanh(c), c


class TreeLstm2Type(TreeLstm):
    """The same with phrases of two types, and with dropout: a phrase whose first part is a word has the
    weights `U2` and `bU2`. A state says behind `h` and `c` what is behind the names of these weights."""

    workload = "tree-lstm-2type"
    dropout = 0.5

    def own(self, words: int, h: int) -> Shapes:
        return {**super().own(words, h), "U2": (2 * h, 5 * h), "bU2": (5 * h,)}

    def word(self, w: Weights, id: int) -> tuple:
        return *super().word(w, id), "2"

    def phrase(self, w: Weights, left: tuple, right: tuple) -> tuple:
        own = {name: w[name + left[2]] for name in ("U", "bU")}
        return *super().phrase({**w, **own}, left, right), ""


class ChildSum(TreeLstm):
    """The child-sum Tree-LSTM (Tai et al., 2015) over the same binary trees (Cavs): a phrase is `[i, o, u] =
    (h_l + h_r) U + bU`, each of its parts has the gate `f = sigma(h Uf + bf)`, and `c = sigma(i) tanh(u) +
    f_l c_l + f_r c_r`."""

    workload = "tree-lstm-child-sum"

    def own(self, words: int, h: int) -> Shapes:
        of_word = {"W": (h, 3 * h), "bW": (3 * h,)}
        return {**of_word, "U": (h, 3 * h), "bU": (3 * h,), "Uf": (h, h), "bf": (h,)}

    def phrase(self, w: Weights, left: tuple, right: tuple) -> tuple:
        i, o, u = np.split((left[0] + right[0]) @ w["U"] + w["bU"], 3)
        c = sigmoid(i) * np.tanh(u)
        for h, cell in (left, right):
            c = c + sigmoid(h @ w["Uf"] + w["bf"]) * cell
        return sigmoid(o) * np.tanh(c), c


class TreeGru(Trees):
    """The Tree-GRU of Chen et al. (2015): a word is `h = tanh(E[word] W + bW)`. A phrase has the gates `r =
    sigma([h_l; h_r] Ur + br)`, the candidate `n = tanh((r [h_l; h_r]) U + bU)`, and is the mean of `n`, `h_l`
    and `h_r`, weighted by the exponentials of `4 tanh([n; h_l; h_r] Uz)`."""

    workload = "tree-gru"
    dropout = 0.5

    def own(self, words: int, h: int) -> Shapes:
        of_phrase = {"Ur": (2 * h, 2 * h), "br": (2 * h,), "U": (2 * h, h), "bU": (h,)}
        return {"W": (h, h), "bW": (h,), **of_phrase, "Uz": (3 * h, 3 * h)}

    def word(self, w: Weights, id: int) -> tuple:
        return (np.tanh(w["E"][id] @ w["W"] + w["bW"]),)

    def phrase(self, w: Weights, left: tuple, right: tuple) -> tuple:
        parts = np.concatenate([left[0], right[0]])
        reset = sigmoid(parts @ w["Ur"] + w["br"])
        new = np.tanh((reset * parts) @ w["U"] + w["bU"])
        shares = np.split(np.exp(4 * np.tanh(np.concatenate([new, parts]) @ w["Uz"])), 3)
        of = zip(shares, (new, left[0], right[0]))
        return (sum(share * state for share, state in of) / sum(shares),)


class MvRnn(Trees):
    """MV-RNN (Socher et al., 2012): a word is the vector `a = E[word]` and the matrix `M = B + L[word]^T
    R[word]`, a phrase `a = tanh([a_l M_r; a_r M_l] W + bW)` and `M = M_l Ml + M_r Mr`."""

    workload = "mv-rnn"
    tables = ("E", "L", "R")
    dropout = 0.3
    learning_rate = 0.005

    def own(self, words: int, h: int) -> Shapes:
        of_word = {"L": (words, h), "R": (words, h), "B": (h, h)}
        return {**of_word, "W": (2 * h, h), "bW": (h,), "Ml": (h, h), "Mr": (h, h)}

    def word(self, w: Weights, id: int) -> tuple:
        return w["E"][id], w["B"] + np.outer(w["L"][id], w["R"][id])

    def phrase(self, w: Weights, left: tuple, right: tuple) -> tuple:
        (a_l, m_l), (a_r, m_r) = left, right
        a = np.tanh(np.concatenate([a_l @ m_r, a_r @ m_l]) @ w["W"] + w["bW"])
        return a, m_l @ w["Ml"] + m_r @ w["Mr"]


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
