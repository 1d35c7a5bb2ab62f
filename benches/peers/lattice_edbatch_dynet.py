"""What ED-Batch (2023) measures as a lattice LSTM, the workload `lattice-edbatch`, in DyNet, with a tag
for every position. The published lattice LSTM is another model: `lattice_dynet.py`.

    python lattice_edbatch_dynet.py --data LATTICES [--mode train] [--hidden 256] [--batch 32] [--check]

An arc, which is a character `x = E[id]` or a word `x = L[id]`, after the state `(h, c)` where it begins:
`[i, f, o, g] = x W + h U + b` and the usual LSTM, with other weights for words (`Ww`, `Uw`, `bw`). The
state at a position is the sum of the states of the arcs that end there, and `(h0, c0)` at the first. The
scores of the tags are `h V`. What is timed, and what not: `dynet_peer.py`.
"""

from __future__ import annotations

from dynet_peer import Model, cross_entropy, dy, lstm, main, np
from instances import Lattice, lattices

ARCS = {"character": ("E", "W", "U", "b"), "word": ("L", "Ww", "Uw", "bw")}
State = "tuple[dy.Expression, dy.Expression]"


class EdBatchLattice(Model):
    workload = "lattice-edbatch"
    tables = ("E", "L")
    fused = ("b", "bw")
    learning_rate = 0.001

    def __init__(self, characters: int, words: int, tags: int, hidden: int) -> None:
        h = hidden
        shapes = {
            **{"E": (characters, h), "W": (h, 4 * h), "U": (h, 4 * h), "b": (4 * h,)},
            **{"L": (words, h), "Ww": (h, 4 * h), "Uw": (h, 4 * h), "bw": (4 * h,)},
            **{"h0": (h,), "c0": (h,), "V": (h, tags)},
        }
        super().__init__(hidden, shapes, {})

    def loss(self, batch: list[Lattice]) -> dy.Expression:
        losses = [loss for lattice in batch for loss in self.losses(lattice)]
        return dy.esum(losses) * (1 / len(batch))

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
        table, w, u, b = (self.parameters[name] for name in ARCS[kind])
        h, c = before
        gates = dy.vanilla_lstm_gates(dy.lookup(table, id), h, w, u, b)
        # Not `vanilla_lstm_c`: DyNet 2.2 batches it with `vanilla_lstm_h`, as if they were one.
        i, f, g = (
            dy.pick_range(gates, at * self.hidden, (at + 1) * self.hidden) for at in (0, 1, 3)
        )
        c = dy.cmult(f, c) + dy.cmult(i, g)
        return dy.vanilla_lstm_h(c, gates), c

    def reference(self, weights: dict[str, np.ndarray], batch: list[Lattice]) -> float:
        w = weights

        def arc(kind: str, id: int, before: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
            table, of_x, of_h, b = (w[name] for name in ARCS[kind])
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


if __name__ == "__main__":
    main(lambda _, sizes, hidden: EdBatchLattice(*sizes, hidden), lattices, __doc__)
