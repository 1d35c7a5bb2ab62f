"""What ED-Batch measures as a lattice LSTM (`EdBatchLattice` in `models`) in DyNet. The published
lattice LSTM is another model: `lattice_dynet.py`.

    python lattice_edbatch_dynet.py --data LATTICES [--mode train] [--hidden 256] [--batch 32] [--check]

What is timed, and what not: `dynet_peer.py`.
"""

from __future__ import annotations

from dynet_peer import Network, dy, main, models
from instances import Lattice

State = "tuple[dy.Expression, dy.Expression]"


class EdBatchLattice(Network):
    of = models.EdBatchLattice
    fused = ("b", "bw")

    def losses(self, lattice: Lattice) -> list[dy.Expression]:
        p = self.parameters
        states = [(p["h0"], p["c0"])]
        for character in lattice.characters:
            arcs = [self.arc("character", character.id, states[-1])]
            arcs += [self.arc("word", id, states[start]) for start, id in character.words]
            sums = (dy.esum(list(of_arcs)) for of_arcs in zip(*arcs))
            states.append(arcs[0] if len(arcs) == 1 else tuple(sums))
        scores = [p["V"] * h for h, _ in states]
        return [dy.pickneglogsoftmax(of, tag) for of, tag in zip(scores, lattice.tags)]

    def arc(self, kind: str, id: int, before: State) -> State:
        table, w, u, b = (self.parameters[name] for name in models.EdBatchLattice.arcs[kind])
        h, c = before
        gates = dy.vanilla_lstm_gates(dy.lookup(table, id), h, w, u, b)
        # Not `vanilla_lstm_c`: DyNet 2.2 batches it with `vanilla_lstm_h`, as if they were one.
        i, f, g = (
            dy.pick_range(gates, at * self.hidden, (at + 1) * self.hidden) for at in (0, 1, 3)
        )
        c = dy.cmult(f, c) + dy.cmult(i, g)
        return dy.vanilla_lstm_h(c, gates), c


if __name__ == "__main__":
    main(EdBatchLattice, __doc__)
