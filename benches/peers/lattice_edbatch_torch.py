"""What ED-Batch measures as a lattice LSTM (`EdBatchLattice` in `models`) in PyTorch, a minibatch of
lattices position by position. The published lattice LSTM is another model: `lattice_torch.py`, which says
what the variants are.

    python lattice_edbatch_torch.py --data LATTICES [--variants steps] [--mode train] [--hidden 256] [--check]

What is timed, and what not: `torch_peer.py`.
"""

from __future__ import annotations

from lattice_torch import character, prepare
from torch_peer import ByAutograd, compiled, main, models, torch

F = torch.nn.functional


class Steps(ByAutograd):
    of = models.EdBatchLattice
    prepare, arc = staticmethod(prepare), staticmethod(character)

    def loss(self, minibatch: dict, rows: dict) -> torch.Tensor:
        p, active, size = self.p, minibatch["active"], minibatch["size"]
        characters = torch.addmm(p["b"], rows["E"], p["W"]).split(active)
        words = torch.addmm(p["bw"], rows["L"], p["Ww"]).split(minibatch["begins"])
        h, c = (p[name].expand(size, self.hidden) for name in ("h0", "c0"))
        states = [h]
        waiting: list[list[tuple]] = [[] for _ in active]
        for step, count in enumerate(active):
            starts, ends, counts = minibatch["begin"][step]
            if ends:
                of_words = torch.addmm(words[step], h.index_select(0, starts), p["Uw"])
                arcs = self.arc(of_words, c.index_select(0, starts))
                for end, *arcs in zip(ends, *(of.split(counts) for of in arcs)):
                    waiting[end].append(arcs)
            if count < len(h):
                h, c = h[:count], c[:count]
            h, c = self.arc(torch.addmm(characters[step], h, p["U"]), c)
            if waiting[step]:
                owners, _ = minibatch["end"][step]
                arcs = (torch.cat(of) for of in zip(*waiting[step]))
                h, c = (of.index_add(0, owners, more) for of, more in zip((h, c), arcs))
            states.append(h)
        tags = torch.cat((minibatch["first tags"], minibatch["tags"]))
        return F.cross_entropy(torch.cat(states) @ p["V"], tags, reduction="sum") / size


class StepsCompile(Steps):
    arc = staticmethod(compiled(character))


if __name__ == "__main__":
    main({"steps": Steps, "steps_compile": StepsCompile}, __doc__)
