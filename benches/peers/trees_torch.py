"""More networks over trees (`TreeLstm2Type`, `ChildSum`, `TreeGru` and `MvRnn` in `models`) in PyTorch, a
minibatch of trees level by level.

    python trees_torch.py tree-gru --data TREES [--variants levels] [--mode train] [--hidden 256] [--check]
    python trees_torch.py mv-rnn --data TREES
    python trees_torch.py tree-lstm-2type --data TREES
    python trees_torch.py tree-lstm-child-sum --data TREES

The variants are `levels` and `levels_compile` of `treelstm_torch.py`; none has a backward pass by hand. What is
timed, and what not: `torch_peer.py`.
"""

from __future__ import annotations

from torch_peer import compiled, main, models, torch
from treelstm_torch import Levels, Trees, phrase, prepare, word


def prepare_types(batch: list) -> dict:
    """Of each level also which phrases begin with a phrase and which with a word, and where each of its
    phrases is among these."""
    minibatch = prepare(batch)
    types = []
    for phrases, _, order in minibatch["levels"][1:]:
        begins = order[::2] >= len(phrases)
        parts = tuple(of.nonzero().squeeze(1) for of in (~begins, begins))
        types.append((*parts, torch.cat(parts).argsort()))
    return {**minibatch, "types": types}


class TwoTypes(Levels):
    of = models.TreeLstm2Type
    prepare = staticmethod(prepare_types)

    def gates(self, parts: torch.Tensor, minibatch: dict, level: int) -> torch.Tensor:
        p = self.p
        *types, order = minibatch["types"][level]
        own = (
            torch.addmm(p["bU" + of], parts.index_select(0, places), p["U" + of])
            for of, places in zip(("", "2"), types)
        )
        return torch.cat(tuple(own)).index_select(0, order)


class TwoTypesCompile(TwoTypes):
    word, phrase = staticmethod(compiled(word)), staticmethod(compiled(phrase))


def sum_phrase(gates: torch.Tensor, forget: torch.Tensor, cells: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Gates of forgetting and cells of both children: [n, 2, h]."""
    i, o, u = gates.chunk(3, 1)
    c = torch.sigmoid(i) * torch.tanh(u) + (torch.sigmoid(forget) * cells).sum(1)
    return torch.sigmoid(o) * torch.tanh(c), c


class ChildSum(Levels):
    of = models.ChildSum
    phrase = staticmethod(sum_phrase)

    def phrases(self, minibatch: dict, level: int, *below: torch.Tensor) -> tuple[torch.Tensor, ...]:
        p, (h, c) = self.p, below
        forget = torch.addmm(p["bf"], h.view(-1, self.hidden), p["Uf"]).view_as(c)
        return self.phrase(torch.addmm(p["bU"], h.sum(1), p["U"]), forget, c)


class ChildSumCompile(ChildSum):
    word, phrase = staticmethod(compiled(word)), staticmethod(compiled(sum_phrase))


def mean(scores: torch.Tensor, states: torch.Tensor) -> torch.Tensor:
    """The mean of three states, by their scores: [n, 3, h]."""
    shares = torch.exp(4 * torch.tanh(scores))
    return (shares * states).sum(1) / shares.sum(1)


def reset(gates: torch.Tensor, parts: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(gates) * parts


class Gru(Trees):
    of = models.TreeGru
    mean, reset = staticmethod(mean), staticmethod(reset)

    def words(self, rows: dict) -> tuple[torch.Tensor, ...]:
        return (torch.tanh(torch.addmm(self.p["bW"], self.dropped(rows["E"]), self.p["W"])),)

    def phrases(self, minibatch: dict, level: int, *below: torch.Tensor) -> tuple[torch.Tensor, ...]:
        p, h = self.p, self.hidden
        parts = below[0].view(-1, 2 * h)
        kept = self.reset(torch.addmm(p["br"], parts, p["Ur"]), parts)
        new = torch.tanh(torch.addmm(p["bU"], kept, p["U"]))
        states = torch.cat((new, parts), 1)
        return (self.mean((states @ p["Uz"]).view(-1, 3, h), states.view(-1, 3, h)),)


class GruCompile(Gru):
    mean, reset = staticmethod(compiled(mean)), staticmethod(compiled(reset))


def prepare_matrices(batch: list) -> dict:
    minibatch = prepare(batch)
    return {**minibatch, "L": minibatch["E"], "R": minibatch["E"]}


class Matrices(Trees):
    of = models.MvRnn
    prepare = staticmethod(prepare_matrices)

    def words(self, rows: dict) -> tuple[torch.Tensor, ...]:
        matrices = torch.addcmul(self.p["B"], rows["L"].unsqueeze(2), rows["R"].unsqueeze(1))
        return self.dropped(rows["E"]), matrices

    def phrases(self, minibatch: dict, level: int, *below: torch.Tensor) -> tuple[torch.Tensor, ...]:
        p, (a, m) = self.p, below
        # Each vector by the matrix of the other part.
        modified = torch.matmul(a.unsqueeze(2), m.flip(1)).view(-1, 2 * self.hidden)
        a = torch.tanh(torch.addmm(p["bW"], modified, p["W"]))
        return a, m[:, 0] @ p["Ml"] + m[:, 1] @ p["Mr"]


VARIANTS = {
    "tree-lstm-2type": {"levels": TwoTypes, "levels_compile": TwoTypesCompile},
    "tree-lstm-child-sum": {"levels": ChildSum, "levels_compile": ChildSumCompile},
    "tree-gru": {"levels": Gru, "levels_compile": GruCompile},
    # Nearly all of its time is products.
    "mv-rnn": {"levels": Matrices},
}

if __name__ == "__main__":
    main(models.chosen(VARIANTS, __doc__), __doc__)
