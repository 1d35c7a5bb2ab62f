"""The decoder of `benches/growing.rs` in DyNet: an LSTM over 10,000 symbols that stops at its own end
symbol.

    python decode_dynet.py [--mode train] [--hidden 256] [--batch 32] [--check]

Sentence i begins with `h = H0[i]`, `c = 0` and the symbol 1. A step is `[i, f, g, o] = E[symbol] Wx +
h Wh + b`, the usual LSTM, and the scores `h Wo + bo`, where 2 (t - target(i)) is added to that of the
end symbol 0; the greatest says the next symbol. It ends with the end symbol, or after 64. In training
the loss is the cross-entropy of what was said, and the learning rate 0, so that all passes do the same.
Python decides after each step, so DyNet batches the sentences of a step, and runs the graph step by
step. A minibatch of one sentence takes the first 32 sentences. What else is timed: `dynet_peer.py`.
"""

from __future__ import annotations

import math

from dynet_peer import Model, cross_entropy, dy, main, np, sigmoid

SYMBOLS = 10_000
SENTENCES = 256
END, BEGIN, MOST = 0, 1, 64
# The sum of (t + 1) * symbol over what is said of the first 8 sentences with the weights of `--check`.
SAID = 3_138_070


class Decoder(Model):
    workload = "decode"
    tables = ("E", "H0")
    fused = ("b",)
    checked = 8
    single = 32
    learning_rate = 0.0

    def __init__(self, hidden: int) -> None:
        h = hidden
        shapes = {
            **{"E": (SYMBOLS, h), "Wx": (h, 4 * h), "Wh": (h, 4 * h), "b": (4 * h,)},
            **{"Wo": (h, SYMBOLS), "bo": (SYMBOLS,), "H0": (SENTENCES, h)},
        }
        super().__init__(hidden, shapes, {"E": 1.0, "Wo": 1.0, "H0": 1.0})
        self.said: dict[int, list[int]] = {}

    def infer(self, batch: list[int]) -> None:
        self.talk(batch, None)

    def loss(self, batch: list[int]) -> dy.Expression:
        losses: list[dy.Expression] = []
        self.talk(batch, losses)
        return dy.esum(losses) * (1 / len(batch))

    def talk(self, batch: list[int], losses: list[dy.Expression] | None) -> None:
        p = self.parameters
        nothing = dy.zeros((self.hidden,))
        # A column with which the bias of the end symbol is one more product.
        end = dy.sparse_inputTensor([[END], [0]], [1.0], (SYMBOLS, 1))
        active = [(at, BEGIN, dy.lookup(p["H0"], at), nothing) for at in batch]
        self.said.update((at, []) for at in batch)
        for step in range(MOST):
            steps = []
            for at, symbol, h, c in active:
                gates = dy.vanilla_lstm_gates(dy.lookup(p["E"], symbol), h, p["Wx"], p["Wh"], p["b"])
                c = dy.vanilla_lstm_c(c, gates)
                h = dy.vanilla_lstm_h(c, gates)
                more = dy.scalarInput(bias(at, step))
                scores = dy.affine_transform([p["bo"], p["Wo"], h, end, more])
                steps.append((at, h, c, scores))
            dy.forward([scores for *_, scores in steps])
            active = []
            for at, h, c, scores in steps:
                # In DyNet: only the number of the greatest reaches Python.
                symbol = int(scores.tensor_value().argmax().as_numpy().item())
                self.said[at].append(symbol)
                if losses is not None:
                    losses.append(dy.pickneglogsoftmax(scores, symbol))
                if symbol != END:
                    active.append((at, symbol, h, c))
            if not active:
                break

    def reference(self, weights: dict[str, np.ndarray], batch: list[int]) -> float:
        """Of the symbols that have been said."""
        w = weights
        total = 0.0
        for at in batch:
            h, c, symbol = w["H0"][at], np.zeros(self.hidden), BEGIN
            for step, said in enumerate(self.said[at]):
                i, f, g, o = np.split(w["E"][symbol] @ w["Wx"] + h @ w["Wh"] + w["b"], 4)
                c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
                h = sigmoid(o) * np.tanh(c)
                scores = h @ w["Wo"] + w["bo"]
                scores[END] += bias(at, step)
                total += cross_entropy(scores, said)
                symbol = said
        return total / len(batch)

    def set(self, name: str, weight: np.ndarray) -> None:
        super().set(name, self.swapped(name, weight))

    def gradient(self, name: str) -> np.ndarray:
        return self.swapped(name, super().gradient(name))

    def swapped(self, name: str, weight: np.ndarray) -> np.ndarray:
        """DyNet's order of gates is `[i, f, o, g]`."""
        if name not in ("Wx", "Wh", "b"):
            return weight
        i, f, third, fourth = np.split(weight, 4, axis=-1)
        return np.concatenate([i, f, fourth, third], axis=-1)

    def further(self) -> dict[str, int]:
        return {"symbols": sum(map(len, self.said.values()))}

    def right(self) -> bool:
        found = sum(at * symbol for said in self.said.values() for at, symbol in enumerate(said, 1))
        print(f"symbols {found}, expected {SAID}")
        return found == SAID


def bias(sentence: int, step: int) -> float:
    unit = ((sentence * 2_654_435_761 + 3_000_000_019) % 2**32) / 2**32
    return 2.0 * (step - int(-10 * math.log(1 - unit)))


def read(_: object) -> tuple[list, list[int]]:
    return list(range(SENTENCES)), []


if __name__ == "__main__":
    main(lambda _, sizes, hidden: Decoder(hidden), read, __doc__)
