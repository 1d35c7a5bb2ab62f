"""Networks over lattices of characters and words."""

from __future__ import annotations

import pathlib

import numpy as np

import instances
from models.model import Model, Weights, cross_entropy, lstm, sigmoid


class LatticeLstm(Model):
    """The lattice LSTM (Zhang and Yang, 2018), with a tag for every character: a character `x = E[id]`
    after the state before it has the gates `x W + h U + b`. A word `x = L[id]` after the state before its
    first character: `[i, f, g] = x Ww + h Uw + bw` and `c = sigma(f) c + sigma(i) tanh(g)`. At the last
    character of words, each has a gate `sigma(x Wl + c Ul + bl)`, and the new cell is the mean of their
    cells and of `tanh(g)`, weighted by the exponentials of these gates and of `sigma(i)`. The scores of
    the tags are `h V + bv`."""

    workload = "lattice-lstm"
    tables = ("E", "L")

    def __init__(self, characters: int, words: int, tags: int, hidden: int) -> None:
        h = hidden
        shapes = {
            **{"E": (characters, h), "W": (h, 4 * h), "U": (h, 4 * h), "b": (4 * h,)},
            **{"L": (words, h), "Ww": (h, 3 * h), "Uw": (h, 3 * h), "bw": (3 * h,)},
            **{"Wl": (h, h), "Ul": (h, h), "bl": (h,), "V": (h, tags), "bv": (tags,)},
        }
        super().__init__(hidden, shapes)

    @staticmethod
    def read(path: pathlib.Path | None) -> tuple[list, list[int]]:
        return instances.lattices(path)

    def reference(self, weights: Weights, batch: list) -> float:
        w = weights
        total = 0.0
        for lattice in batch:
            states = [(np.zeros(self.hidden), np.zeros(self.hidden))]
            for character, tag in zip(lattice.characters, lattice.tags[1:]):
                h, c = states[-1]
                x = w["E"][character.id]
                gates = x @ w["W"] + h @ w["U"] + w["b"]
                h, c = lstm(gates, c)
                if character.words:
                    i, _, o, g = np.split(gates, 4)
                    share = np.exp(sigmoid(i))
                    of, by = share * np.tanh(g), share
                    for start, id in character.words:
                        before, cell = states[start]
                        of_word = w["L"][id] @ w["Ww"] + before @ w["Uw"] + w["bw"]
                        wi, wf, wg = np.split(of_word, 3)
                        cell = sigmoid(wf) * cell + sigmoid(wi) * np.tanh(wg)
                        share = np.exp(sigmoid(x @ w["Wl"] + cell @ w["Ul"] + w["bl"]))
                        of, by = of + share * cell, by + share
                    c = of / by
                    h = sigmoid(o) * np.tanh(c)
                states.append((h, c))
                total += cross_entropy(h @ w["V"] + w["bv"], tag)
        return total / len(batch)


class EdBatchLattice(Model):
    """What ED-Batch (2023) measures as a lattice LSTM, with a tag for every position: an arc, which is a
    character `x = E[id]` or a word `x = L[id]`, after the state `(h, c)` where it begins, has the gates
    `x W + h U + b`, with other weights for words (`Ww`, `Uw`, `bw`). The state at a position is the sum of
    the states of the arcs that end there, and `(h0, c0)` at the first. The scores of the tags are `h V`."""

    workload = "lattice-edbatch"
    tables = ("E", "L")
    learning_rate = 0.001
    arcs = {"character": ("E", "W", "U", "b"), "word": ("L", "Ww", "Uw", "bw")}

    def __init__(self, characters: int, words: int, tags: int, hidden: int) -> None:
        h = hidden
        shapes = {
            **{"E": (characters, h), "W": (h, 4 * h), "U": (h, 4 * h), "b": (4 * h,)},
            **{"L": (words, h), "Ww": (h, 4 * h), "Uw": (h, 4 * h), "bw": (4 * h,)},
            **{"h0": (h,), "c0": (h,), "V": (h, tags)},
        }
        super().__init__(hidden, shapes)

    @staticmethod
    def read(path: pathlib.Path | None) -> tuple[list, list[int]]:
        return instances.lattices(path)

    def reference(self, weights: Weights, batch: list) -> float:
        w = weights

        def arc(kind: str, id: int, before: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
            table, of_x, of_h, b = (w[name] for name in self.arcs[kind])
            h, c = before
            return np.array(lstm(table[id] @ of_x + h @ of_h + b, c))

        total = 0.0
        for lattice in batch:
            states = [np.array([w["h0"], w["c0"]])]
            for character in lattice.characters:
                state = arc("character", character.id, states[-1])
                for start, id in character.words:
                    state = state + arc("word", id, states[start])
                states.append(state)
            for (h, _), tag in zip(states, lattice.tags):
                total += cross_entropy(h @ w["V"], tag)
        return total / len(batch)


class LatticeGru(Model):
    """The lattice GRU (Su et al., 2017), with a tag for every character: an arc, which is a character `x =
    E[id]` or a word `x = L[id]`, after the state `h` where it begins, is `[z, r] = sigma(x W + h U + b)`, `n =
    tanh(x Wn + (r h) Un + bn)` and `h + z (n - h)`, with other weights for words (`Ww`, `Uw`, `bw`, `Wwn`,
    `Uwn`, `bwn`). Where several arcs end, the state is their mean, each weighted by the exponential of
    `sigma(h Wm + bm)`. The state at the first position is 0. The scores of the tags are `h V + bv`."""

    workload = "lattice-gru"
    tables = ("E", "L")
    # The table of each kind of arc, and what is behind the first letter of its parameters.
    arcs = {"character": ("E", ""), "word": ("L", "w")}

    def __init__(self, characters: int, words: int, tags: int, hidden: int) -> None:
        h = hidden
        shapes = {"E": (characters, h), "L": (words, h), "V": (h, tags), "bv": (tags,)}
        for _, of in self.arcs.values():
            shapes |= {f"W{of}": (h, 2 * h), f"U{of}": (h, 2 * h), f"b{of}": (2 * h,)}
            shapes |= {f"W{of}n": (h, h), f"U{of}n": (h, h), f"b{of}n": (h,)}
        super().__init__(hidden, {**shapes, "Wm": (h, h), "bm": (h,)})

    @staticmethod
    def read(path: pathlib.Path | None) -> tuple[list, list[int]]:
        return instances.lattices(path)

    def reference(self, weights: Weights, batch: list) -> float:
        w = weights

        def arc(kind: str, id: int, h: np.ndarray) -> np.ndarray:
            table, of = self.arcs[kind]
            x = w[table][id]
            z, r = np.split(sigmoid(x @ w[f"W{of}"] + h @ w[f"U{of}"] + w[f"b{of}"]), 2)
            n = np.tanh(x @ w[f"W{of}n"] + (r * h) @ w[f"U{of}n"] + w[f"b{of}n"])
            return h + z * (n - h)

        total = 0.0
        for lattice in batch:
            states = [np.zeros(self.hidden)]
            for character, tag in zip(lattice.characters, lattice.tags[1:]):
                arcs = [arc("word", id, states[start]) for start, id in character.words]
                arcs.append(arc("character", character.id, states[-1]))
                shares = [np.exp(sigmoid(h @ w["Wm"] + w["bm"])) for h in arcs]
                states.append(sum(share * h for share, h in zip(shares, arcs)) / sum(shares))
                total += cross_entropy(states[-1] @ w["V"] + w["bv"], tag)
        return total / len(batch)
