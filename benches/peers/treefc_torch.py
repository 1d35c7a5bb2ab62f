"""Tree-FC (`TreeFc` in `models`) in PyTorch: the trees are complete, so a level is one tensor, and its
view with rows of twice the length has the children of the next.

    python treefc_torch.py [--variants levels,levels_compile] [--mode train] [--hidden 512] [--batch 64] [--check]

What is timed, and what not: `torch_peer.py`.
"""

from __future__ import annotations

from torch_peer import ByAutograd, compiled, main, models, torch

F = torch.nn.functional


def layer(x: torch.Tensor, u: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return torch.tanh(torch.addmm(b, x, u))


class Levels(ByAutograd):
    of = models.TreeFc
    layer = staticmethod(layer)

    @staticmethod
    def prepare(batch: list) -> dict:
        words, labels = zip(*batch)
        return {"E": torch.tensor(words).flatten(), "labels": torch.tensor(labels)}

    def loss(self, minibatch: dict, rows: dict) -> torch.Tensor:
        p, level = self.p, rows["E"]
        while len(level) > len(minibatch["labels"]):
            level = self.layer(level.view(-1, 2 * self.hidden), p["U"], p["b"])
        scores = torch.addmm(p["bc"], level, p["Wc"])
        return F.cross_entropy(scores, minibatch["labels"])


class LevelsCompile(Levels):
    layer = staticmethod(compiled(layer))


if __name__ == "__main__":
    main({"levels": Levels, "levels_compile": LevelsCompile}, __doc__)
