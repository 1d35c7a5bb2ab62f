"""The lattice LSTM (Zhang and Yang, 2018) of the workload `lattice-lstm` in DyNet, with a tag for
every character. What ED-Batch measures under this name is another model: `lattice_edbatch_dynet.py`.

    python lattice_dynet.py --data LATTICES [--mode train] [--hidden 256] [--batch 32] [--check]

A character `x = E[id]` after the state before it: `[i, f, o, g] = x W + h U + b` and the usual LSTM.
A word `x = L[id]` after the state before its first character: `[i, f, g] = x Ww + h Uw + bw` and
`c = sigma(f) c + sigma(i) tanh(g)`. At the last character of words, each has a gate
`sigma(x Wl + c Ul + bl)`, and the new cell is the mean of their cells and of `tanh(g)`, weighted by
the exponentials of these gates and of `sigma(i)`. The scores of the tags are `h V + bv`. What is timed,
and what not: `dynet_peer.py`.
"""

from __future__ import annotations

from dynet_peer import Model, cross_entropy, dy, lstm, main, np, sigmoid
from instances import Lattice, lattices


class LatticeLstm(Model):
    workload = "lattice-lstm"
    tables = ("E", "L")
    fused = ("b",)

    def __init__(self, characters: int, words: int, tags: int, hidden: int) -> None:
        h = hidden
        shapes = {
            **{"E": (characters, h), "W": (h, 4 * h), "U": (h, 4 * h), "b": (4 * h,)},
            **{"L": (words, h), "Ww": (h, 3 * h), "Uw": (h, 3 * h), "bw": (3 * h,)},
            **{"Wl": (h, h), "Ul": (h, h), "bl": (h,), "V": (h, tags), "bv": (tags,)},
        }
        super().__init__(hidden, shapes, {})

    def loss(self, batch: list) -> dy.Expression:
        nothing = dy.zeros((self.hidden,))
        losses = [loss for lattice in batch for loss in self.losses(lattice, nothing)]
        return dy.esum(losses) * (1 / len(batch))

    def losses(self, lattice: Lattice, nothing: dy.Expression) -> list[dy.Expression]:
        p = self.parameters
        states, losses = [(nothing, nothing)], []
        for character, tag in zip(lattice.characters, lattice.tags[1:]):
            h, c = states[-1]
            x = dy.lookup(p["E"], character.id)
            gates = dy.vanilla_lstm_gates(x, h, p["W"], p["U"], p["b"])
            if character.words:
                cells = [self.word(id, *states[start]) for start, id in character.words]
                c = self.joined(x, gates, cells)
            else:
                # Not `vanilla_lstm_c`: DyNet 2.2 batches it with `vanilla_lstm_h`, as if they were one.
                i, f, g = (self.gate(gates, at) for at in (0, 1, 3))
                c = dy.cmult(f, c) + dy.cmult(i, g)
            states.append((dy.vanilla_lstm_h(c, gates), c))
            scores = dy.affine_transform([p["bv"], p["V"], states[-1][0]])
            losses.append(dy.pickneglogsoftmax(scores, tag))
        return losses

    def word(self, id: int, h: dy.Expression, c: dy.Expression) -> dy.Expression:
        p = self.parameters
        x = dy.lookup(p["L"], id)
        gates = dy.affine_transform([p["bw"], p["Ww"], x, p["Uw"], h])
        open_ = dy.logistic(dy.pick_range(gates, 0, 2 * self.hidden))
        new = dy.tanh(self.gate(gates, 2))
        return dy.cmult(self.gate(open_, 1), c) + dy.cmult(self.gate(open_, 0), new)

    def gate(self, gates: dy.Expression, at: int) -> dy.Expression:
        return dy.pick_range(gates, at * self.hidden, (at + 1) * self.hidden)

    def joined(
        self, x: dy.Expression, gates: dy.Expression, cells: list[dy.Expression]
    ) -> dy.Expression:
        """The cell of a character at which words end; its gates are open already."""
        p = self.parameters
        weights = [dy.exp(self.gate(gates, 0))]
        parts = [dy.cmult(weights[0], self.gate(gates, 3))]
        for cell in cells:
            gate = dy.affine_transform([p["bl"], p["Wl"], x, p["Ul"], cell])
            weights.append(dy.exp(dy.logistic(gate)))
            parts.append(dy.cmult(weights[-1], cell))
        return dy.cdiv(dy.esum(parts), dy.esum(weights))

    def reference(self, weights: dict[str, np.ndarray], batch: list) -> float:
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


if __name__ == "__main__":
    main(lambda _, sizes, hidden: LatticeLstm(*sizes, hidden), lattices, __doc__)
