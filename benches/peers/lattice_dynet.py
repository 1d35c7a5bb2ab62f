"""The published lattice LSTM (`LatticeLstm` in `models`) in DyNet. What ED-Batch measures under this
name is another model: `lattice_edbatch_dynet.py`.

    python lattice_dynet.py --data LATTICES [--mode train] [--hidden 256] [--batch 32] [--check]

What is timed, and what not: `dynet_peer.py`.
"""

from __future__ import annotations

from dynet_peer import Network, dy, main, models
from instances import Lattice


class LatticeLstm(Network):
    of = models.LatticeLstm
    fused = ("b",)

    def losses(self, lattice: Lattice) -> list[dy.Expression]:
        p = self.parameters
        nothing = dy.zeros((self.hidden,))
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
        # Not `cdiv`, which DyNet does not batch.
        return dy.cmult(dy.esum(parts), dy.exp(-dy.log(dy.esum(weights))))


if __name__ == "__main__":
    main(LatticeLstm, __doc__)
