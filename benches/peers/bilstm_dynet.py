"""The BiLSTM tagger of the workload `bilstm-tagger` in DyNet, with a tag for every word.

    python bilstm_dynet.py --data SENTENCES [--mode train] [--hidden 256] [--batch 32] [--check]

In each direction, `[i, f, o, g] = E[word] W + bx + h U + bh` and the usual LSTM; both read the same
table. The scores of the tags are `[h forward; h backward] V + b`. DyNet's fused ops of the LSTM have
one bias: the sum of both, once a minibatch. What is timed, and what not: `dynet_peer.py`.
"""

from __future__ import annotations

import pathlib

from dynet_peer import Model, cross_entropy, dy, lstm, main, np
from instances import tagged

DIRECTIONS = ("forward", "backward")


class Tagger(Model):
    workload = "bilstm-tagger"
    # Those of both directions, one behind the other. If their sums were two nodes, DyNet 2.2 would
    # batch them, and give one the gradient of the other.
    fused = ("bx",)
    checked = 8

    def __init__(self, words: int, tags: int, hidden: int) -> None:
        h = hidden
        shapes = {
            **{"E": (words, h), "V": (2 * h, tags), "b": (tags,), "bx": (8 * h,), "bh": (8 * h,)},
            **{f"{name} {direction}": (h, 4 * h) for direction in DIRECTIONS for name in "WU"},
        }
        bound = (2 * h) ** -0.5
        super().__init__(hidden, shapes, {"V": bound, "b": bound})

    def loss(self, batch: list) -> dy.Expression:
        p = self.parameters
        bias, size = p["bx"] + p["bh"], 4 * self.hidden
        biases = [dy.pick_range(bias, 0, size), dy.pick_range(bias, size, 2 * size)]
        losses = []
        for sentence in batch:
            words = [dy.lookup(p["E"], word) for word, _ in sentence]
            forward = self.read(words, "forward", biases[0])
            backward = self.read(words[::-1], "backward", biases[1])[::-1]
            for (_, tag), *states in zip(sentence, forward, backward):
                scores = dy.affine_transform([p["b"], p["V"], dy.concatenate(states)])
                losses.append(dy.pickneglogsoftmax(scores, tag))
        return dy.esum(losses) * (1 / len(batch))

    def read(
        self, words: list[dy.Expression], direction: str, bias: dy.Expression
    ) -> list[dy.Expression]:
        w, u = (self.parameters[f"{name} {direction}"] for name in "WU")
        h = c = dy.zeros((self.hidden,))
        states = []
        for word in words:
            gates = dy.vanilla_lstm_gates(word, h, w, u, bias)
            c = dy.vanilla_lstm_c(c, gates)
            h = dy.vanilla_lstm_h(c, gates)
            states.append(h)
        return states

    def reference(self, weights: dict[str, np.ndarray], batch: list) -> float:
        total = 0.0
        for sentence in batch:
            both = []
            biases = np.split(weights["bx"] + weights["bh"], 2)
            for direction, bias, turn in zip(DIRECTIONS, biases, (1, -1)):
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


def read(path: pathlib.Path) -> tuple[list, list[int]]:
    instances, *sizes = tagged(path)
    return instances, sizes


if __name__ == "__main__":
    main(lambda _, sizes, hidden: Tagger(*sizes, hidden), read, __doc__)
