"""The lattice GRU (`LatticeGru` in `models`) in PyTorch, a minibatch of lattices character by character;
`lattice_torch.py` says what the variants are.

    python lattice_gru_torch.py --data LATTICES [--variants steps] [--mode train] [--hidden 256] [--check]

What is timed, and what not: `torch_peer.py`.
"""

from __future__ import annotations

import lattice_torch
from torch_peer import ByAutograd, compiled, main, models, torch

F = torch.nn.functional


def prepare(batch: list) -> dict:
    """At each step also in which lattices words end, and of each of these words in which of them."""
    minibatch = lattice_torch.prepare(batch)
    return {**minibatch, "joined": [owners.unique(return_inverse=True) for owners, _ in minibatch["end"]]}


def opened(gates: torch.Tensor, h: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """How much is new, and what the candidate reads of the state before."""
    z, r = torch.sigmoid(gates).chunk(2, 1)
    return z, r * h


def moved(candidate: torch.Tensor, z: torch.Tensor, h: torch.Tensor) -> torch.Tensor:
    return h + z * (torch.tanh(candidate) - h)


def mean(scores: torch.Tensor, arcs: torch.Tensor, owners: torch.Tensor, count: int) -> torch.Tensor:
    """The mean of the arcs of each lattice: so many characters, and words by whose they are."""
    shares = torch.sigmoid(scores).exp()
    (own, of_words), (first, more) = ((of[:count], of[count:]) for of in (shares, shares * arcs))
    return first.index_add(0, owners, more) / own.index_add(0, owners, of_words)


class Steps(ByAutograd):
    of = models.LatticeGru
    prepare = staticmethod(prepare)
    opened, moved, mean = staticmethod(opened), staticmethod(moved), staticmethod(mean)

    def arc(self, kind: str, of_x: tuple[torch.Tensor, ...], h: torch.Tensor) -> torch.Tensor:
        p, (gates, candidate) = self.p, of_x
        z, kept = self.opened(torch.addmm(gates, h, p[f"U{kind}"]), h)
        return self.moved(torch.addmm(candidate, kept, p[f"U{kind}n"]), z, h)

    def products(self, kind: str, x: torch.Tensor, counts: list[int]) -> list[tuple[torch.Tensor, ...]]:
        """Those with vectors of the tables, step by step."""
        p = self.p
        of = (torch.addmm(p[f"b{of}"], x, p[f"W{of}"]).split(counts) for of in (kind, f"{kind}n"))
        return list(zip(*of))

    def loss(self, minibatch: dict, rows: dict) -> torch.Tensor:
        p, active = self.p, minibatch["active"]
        characters = self.products("", rows["E"], active)
        words = self.products("w", rows["L"], minibatch["begins"])
        h = rows["E"].new_zeros(minibatch["size"], self.hidden)
        states: list[torch.Tensor] = []
        waiting: list[list[torch.Tensor]] = [[] for _ in active]
        for step, count in enumerate(active):
            starts, ends, counts = minibatch["begin"][step]
            if ends:
                arcs = self.arc("w", words[step], h.index_select(0, starts))
                for end, arcs in zip(ends, arcs.split(counts)):
                    waiting[end].append(arcs)
            h = self.arc("", characters[step], h[:count])
            if waiting[step]:
                places, owners = minibatch["joined"][step]
                arcs = torch.cat((h.index_select(0, places), *waiting[step]))
                scores = torch.addmm(p["bm"], arcs, p["Wm"])
                h = h.index_copy(0, places, self.mean(scores, arcs, owners, len(places)))
            states.append(h)
        scores = torch.addmm(p["bv"], torch.cat(states), p["V"])
        return F.cross_entropy(scores, minibatch["tags"], reduction="sum") / minibatch["size"]


class StepsCompile(Steps):
    opened, moved = staticmethod(compiled(opened)), staticmethod(compiled(moved))
    mean = staticmethod(compiled(mean))


if __name__ == "__main__":
    main({"steps": Steps, "steps_compile": StepsCompile}, __doc__)
