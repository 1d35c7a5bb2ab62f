"""The decoder that stops at its own end symbol (`Decoder` in `models`) in DyNet.

    python decode_dynet.py [--mode train] [--hidden 256] [--batch 32] [--check]

Python decides after each step, so DyNet batches the sentences of a step, and runs the graph step by
step. What is timed, and what not: `dynet_peer.py`.
"""

from __future__ import annotations

from dynet_peer import Network, dy, main, models, np


class Decoder(Network):
    of = models.Decoder
    fused = ("b",)

    def infer(self, batch: list[int]) -> None:
        self.talk(batch, None)

    def loss(self, batch: list[int]) -> dy.Expression:
        losses: list[dy.Expression] = []
        self.talk(batch, losses)
        return dy.esum(losses) * (1 / len(batch))

    def talk(self, batch: list[int], losses: list[dy.Expression] | None) -> None:
        p, model = self.parameters, self.model
        nothing = dy.zeros((self.hidden,))
        # A column with which the bias of the end symbol is one more product.
        end = dy.sparse_inputTensor([[model.end], [0]], [1.0], (model.symbols, 1))
        active = [(at, model.begin, dy.lookup(p["H0"], at), nothing) for at in batch]
        model.said.update((at, []) for at in batch)
        for step in range(model.most):
            steps = []
            for at, symbol, h, c in active:
                gates = dy.vanilla_lstm_gates(dy.lookup(p["E"], symbol), h, p["Wx"], p["Wh"], p["b"])
                c = dy.vanilla_lstm_c(c, gates)
                h = dy.vanilla_lstm_h(c, gates)
                more = dy.scalarInput(2.0 * (step - model.target(at)))
                scores = dy.affine_transform([p["bo"], p["Wo"], h, end, more])
                steps.append((at, h, c, scores))
            dy.forward([scores for *_, scores in steps])
            active = []
            for at, h, c, scores in steps:
                # In DyNet: only the number of the greatest reaches Python.
                symbol = int(scores.tensor_value().argmax().as_numpy().item())
                model.said[at].append(symbol)
                if losses is not None:
                    losses.append(dy.pickneglogsoftmax(scores, symbol))
                if symbol != model.end:
                    active.append((at, symbol, h, c))
            if not active:
                break

    def set(self, name: str, weight: np.ndarray) -> None:
        super().set(name, self.swapped(name, weight))

    def weight(self, name: str, stored: np.ndarray) -> np.ndarray:
        return self.swapped(name, super().weight(name, stored))

    def gradient(self, name: str) -> np.ndarray:
        return self.swapped(name, super().gradient(name))

    def swapped(self, name: str, weight: np.ndarray) -> np.ndarray:
        """DyNet's order of gates is `[i, f, o, g]`."""
        if name not in ("Wx", "Wh", "b"):
            return weight
        i, f, third, fourth = np.split(weight, 4, axis=-1)
        return np.concatenate([i, f, fourth, third], axis=-1)

    def right(self) -> bool:
        return self.model.right()

    def further(self) -> dict[str, int]:
        return {"symbols": sum(map(len, self.model.said.values()))}


if __name__ == "__main__":
    main(Decoder, __doc__)
