"""The models that DyNet and PyTorch run beside edb: their parameters, what they read, and each once more
in f64 with numpy alone, which is what the others are checked against.

A matrix is listed with its inputs as rows, as `x W`; the rows of a table are its vectors. The LSTM is
`c = sigma(f) c + sigma(i) tanh(g)`, `h = sigma(o) tanh(c)`, with gates in the order `[i, f, o, g]`. The
loss of a minibatch is the sum of all losses by the number of instances.

Needs Python 3.8 and numpy.
"""

from __future__ import annotations

import itertools
import math
import pathlib
import sys

import numpy as np

import instances

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


class Tagger(Model):
    """The BiLSTM tagger, with a tag for every word: in each direction, the gates are `E[word] W + bx +
    h U + bh`; both read the same table. The scores of the tags are `[h forward; h backward] V + b`."""

    workload = "bilstm-tagger"
    checked = 8
    directions = ("forward", "backward")

    def __init__(self, words: int, tags: int, hidden: int) -> None:
        h = hidden
        # The biases of both directions, one behind the other.
        shapes = {
            **{"E": (words, h), "V": (2 * h, tags), "b": (tags,), "bx": (8 * h,), "bh": (8 * h,)},
            **{f"{name} {direction}": (h, 4 * h) for direction in self.directions for name in "WU"},
        }
        bound = (2 * h) ** -0.5
        super().__init__(hidden, shapes, {"V": bound, "b": bound})

    @staticmethod
    def read(path: pathlib.Path | None) -> tuple[list, list[int]]:
        found, *sizes = instances.tagged(path)
        return found, sizes

    def reference(self, weights: Weights, batch: list) -> float:
        total = 0.0
        for sentence in batch:
            both = []
            biases = np.split(weights["bx"] + weights["bh"], 2)
            for direction, bias, turn in zip(self.directions, biases, (1, -1)):
                w, u = (weights[f"{name} {direction}"] for name in "WU")
                h = c = np.zeros(self.hidden)
                states = []
                for word, _ in sentence[::turn]:
                    h, c = lstm(weights["E"][word] @ w + h @ u + bias, c)
                    states.append(h)
                both.append(states[::turn])
            for (_, tag), *states in zip(sentence, *both):
                total += cross_entropy(np.concatenate(states) @ weights["V"] + weights["b"], tag)
        return total / len(batch)


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


class Decoder(Model):
    """The decoder of `benches/growing.rs`: an LSTM over 10,000 symbols that stops at its own end symbol.
    Sentence i begins with `h = H0[i]`, `c = 0` and the symbol 1. A step has the gates `E[symbol] Wx + h Wh
    + b`, in the order `[i, f, g, o]`, and the scores `h Wo + bo`, where 2 (t - target(i)) is added to that
    of the end symbol 0; the greatest says the next symbol. It ends with the end symbol, or after 64. In
    training the loss is the cross-entropy of what was said, and the learning rate 0, so that all passes do
    the same. A minibatch of one sentence takes the first 32 sentences."""

    workload = "decode"
    tables = ("E", "H0")
    checked, single = 8, 32
    learning_rate = 0.0
    symbols, sentences = 10_000, 256
    end, begin, most = 0, 1, 64
    # The sum of (t + 1) * symbol over what is said of the first 8 sentences with the weights of `--check`.
    expected = 3_138_070

    def __init__(self, hidden: int) -> None:
        h = hidden
        shapes = {
            **{"E": (self.symbols, h), "Wx": (h, 4 * h), "Wh": (h, 4 * h), "b": (4 * h,)},
            **{"Wo": (h, self.symbols), "bo": (self.symbols,), "H0": (self.sentences, h)},
        }
        super().__init__(hidden, shapes, {"E": 1.0, "Wo": 1.0, "H0": 1.0})
        # What was said, by sentence.
        self.said: dict[int, list[int]] = {}

    @staticmethod
    def read(_: pathlib.Path | None) -> tuple[list, list[int]]:
        return list(range(Decoder.sentences)), []

    @staticmethod
    def target(sentence: int) -> int:
        unit = ((sentence * 2_654_435_761 + 3_000_000_019) % 2**32) / 2**32
        return int(-10 * math.log(1 - unit))

    def right(self) -> bool:
        found = sum(at * symbol for said in self.said.values() for at, symbol in enumerate(said, 1))
        print(f"symbols {found}, expected {self.expected}")
        return found == self.expected

    def reference(self, weights: Weights, batch: list) -> float:
        """Of the symbols that have been said."""
        w = weights
        total = 0.0
        for at in batch:
            h, c, symbol = w["H0"][at], np.zeros(self.hidden), self.begin
            for step, said in enumerate(self.said[at]):
                i, f, g, o = np.split(w["E"][symbol] @ w["Wx"] + h @ w["Wh"] + w["b"], 4)
                h, c = lstm(np.concatenate([i, f, o, g]), c)
                scores = h @ w["Wo"] + w["bo"]
                scores[self.end] += 2.0 * (step - self.target(at))
                total += cross_entropy(scores, said)
                symbol = said
        return total / len(batch)


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


class LanguageModel(Model):
    """An LSTM that predicts each word from those before it: the gates are `D(E[word]) W + h U + b`, the
    scores of the words `D(h) V + bv`, with dropout `D` in training. In edb, `V` is `E`, one matrix less to
    update. Here over sentences of any length (Var-LSTM of Cavs)."""

    workload = "language-model"
    dropout = 0.35

    def __init__(self, words: int, hidden: int) -> None:
        h = hidden
        shapes = {
            **{"E": (words, h), "W": (h, 4 * h), "U": (h, 4 * h), "b": (4 * h,)},
            **{"V": (h, words), "bv": (words,)},
        }
        super().__init__(hidden, shapes, dict.fromkeys(shapes, 0.1))

    @staticmethod
    def read(path: pathlib.Path | None) -> tuple[list, list[int]]:
        sentences, end = instances.text(path, instances.WORDS)
        return [[end, *words, end] for words in sentences[: instances.MOST]], [end + 1]

    def reference(self, weights: Weights, batch: list) -> float:
        """Without dropout."""
        w = weights
        total = 0.0
        for sentence in batch:
            h = c = np.zeros(self.hidden)
            for word, following in zip(sentence, sentence[1:]):
                h, c = lstm(w["E"][word] @ w["W"] + h @ w["U"] + w["b"], c)
                total += cross_entropy(h @ w["V"] + w["bv"], following)
        return total / len(batch)


class FixedLanguageModel(LanguageModel):
    """The same over pieces of 64 words (Fixed-LSTM of Cavs), each of which begins with the last word of
    the one before."""

    workload = "fixed-lstm"
    steps = 64

    @staticmethod
    def read(path: pathlib.Path | None) -> tuple[list, list[int]]:
        sentences, end = instances.text(path, instances.TREEBANK)
        all_words = [end, *(word for words in sentences for word in (*words, end))]
        steps = FixedLanguageModel.steps
        pieces = (all_words[at : at + steps + 1] for at in range(0, len(all_words) - steps, steps))
        return list(itertools.islice(pieces, instances.MOST)), [end + 1]


class Lengths(LanguageModel):
    """The same over sentences of 1 to 100 of 128 words (pfor, figure 1)."""

    workload = "lengths"

    @staticmethod
    def read(_: pathlib.Path | None) -> tuple[list, list[int]]:
        # The end mark is what it is to `workloads language-model --ids-modulo 128`.
        end = instances.WORDS % instances.LENGTHS_WORDS
        return [[end, *words, end] for words in instances.lengths()], [instances.LENGTHS_WORDS]


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
