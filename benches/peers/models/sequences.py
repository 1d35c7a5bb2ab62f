"""Networks over sequences of words."""

from __future__ import annotations

import itertools
import math
import pathlib

import numpy as np

import instances
from models.model import Model, Weights, cross_entropy, lstm


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


class Translator(Model):
    """An encoder-decoder with attention. The source is read by LSTMs in both directions, whose gates are
    `D(E[word]) W + h U + b`. A source word is `s = tanh([h forward; h backward] Wk)` with the key `s Wa`. The
    decoder, an LSTM over the words before, begins with the state of the backward direction at the first word;
    its gates are `D(T[word]) Wd + h Ud + bd`. It attends to `s` by the softmax of the products of `h` and the
    keys, and the scores of the next word are `D(tanh([attended; h] Wc)) V + bv`, with dropout `D` in training.
    In edb, `V` is `T`, one matrix less to update."""

    workload = "translate"
    tables = ("E", "T")
    dropout = 0.3
    directions = ("forward", "backward")

    def __init__(self, words: int, translated: int, hidden: int) -> None:
        h = hidden
        shapes = {"E": (words, h), "Wk": (2 * h, h), "Wa": (h, h), "T": (translated, h)}
        for of in (" forward", " backward", "d"):
            shapes |= {f"W{of}": (h, 4 * h), f"U{of}": (h, 4 * h), f"b{of}": (4 * h,)}
        shapes |= {"Wc": (2 * h, h), "V": (h, translated), "bv": (translated,)}
        super().__init__(hidden, shapes, {"E": 0.1, "T": 0.1})

    @staticmethod
    def read(path: pathlib.Path | None) -> tuple[list, list[int]]:
        """Pairs of sentences, the second between two end marks."""
        found, words, end = instances.pairs(path)
        return [(source, [end, *target, end]) for source, target in found], [words, end + 1]

    def reference(self, weights: Weights, batch: list) -> float:
        """Without dropout."""
        w = weights

        def step(x: np.ndarray, h: np.ndarray, c: np.ndarray, of: str) -> tuple[np.ndarray, np.ndarray]:
            return lstm(x @ w[f"W{of}"] + h @ w[f"U{of}"] + w[f"b{of}"], c)

        total = 0.0
        for source, target in batch:
            both = []
            for direction, turn in zip(self.directions, (1, -1)):
                h = c = np.zeros(self.hidden)
                states = []
                for word in source[::turn]:
                    h, c = step(w["E"][word], h, c, f" {direction}")
                    states.append(h)
                both.append(states[::turn])
            read = np.tanh(np.concatenate(both, 1) @ w["Wk"])
            keys = read @ w["Wa"]
            for word, following in zip(target, target[1:]):
                h, c = step(w["T"][word], h, c, "d")
                shares = np.exp(keys @ h - (keys @ h).max())
                attended = shares @ read / shares.sum()
                new = np.tanh(np.concatenate([attended, h]) @ w["Wc"])
                total += cross_entropy(new @ w["V"] + w["bv"], following)
        return total / len(batch)
