"""The lattice GRU (`LatticeGru` in `models`) in DyNet.

    python lattice_gru_dynet.py --data LATTICES [--mode train] [--hidden 256] [--batch 32] [--check]

What is timed, and what not: `dynet_peer.py`.
"""

from __future__ import annotations

from dynet_peer import Network, dy, main, models
from instances import Lattice


class LatticeGru(Network):
    of = models.LatticeGru

    def losses(self, lattice: Lattice) -> list[dy.Expression]:
        p = self.parameters
        states, losses = [dy.zeros((self.hidden,))], []
        for character, tag in zip(lattice.characters, lattice.tags[1:]):
            arcs = [self.arc("word", id, states[start]) for start, id in character.words]
            arcs.append(self.arc("character", character.id, states[-1]))
            states.append(arcs[0] if len(arcs) == 1 else self.joined(arcs))
            scores = dy.affine_transform([p["bv"], p["V"], states[-1]])
            losses.append(dy.pickneglogsoftmax(scores, tag))
        return losses

    def arc(self, kind: str, id: int, h: dy.Expression) -> dy.Expression:
        p, size = self.parameters, self.hidden
        table, of = models.LatticeGru.arcs[kind]
        x = dy.lookup(p[table], id)
        gates = dy.logistic(dy.affine_transform([p[f"b{of}"], p[f"W{of}"], x, p[f"U{of}"], h]))
        z, r = dy.pick_range(gates, 0, size), dy.pick_range(gates, size, 2 * size)
        reset = dy.cmult(r, h)
        n = dy.tanh(dy.affine_transform([p[f"b{of}n"], p[f"W{of}n"], x, p[f"U{of}n"], reset]))
        return h + dy.cmult(z, n - h)

    def joined(self, arcs: list[dy.Expression]) -> dy.Expression:
        p = self.parameters
        gates = (dy.logistic(dy.affine_transform([p["bm"], p["Wm"], h])) for h in arcs)
        shares = [dy.exp(gate) for gate in gates]
        parts = [dy.cmult(share, h) for share, h in zip(shares, arcs)]
        # Not `cdiv`, which DyNet does not batch.
        return dy.cmult(dy.esum(parts), dy.exp(-dy.log(dy.esum(shares))))


if __name__ == "__main__":
    main(LatticeGru, __doc__)
