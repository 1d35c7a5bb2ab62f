"""The LSTM over 1 to 100 words of pfor's figure 1 (`LanguageModel` in `models.py`) in PyTorch.

    python lengths_torch.py [--variants packed,by_hand] [--mode infer] [--hidden 256] [--batch 32] [--check]

The variants are those of `bilstm_torch.py`, in one direction. What is timed, and what not: `torch_peer.py`.
"""

from __future__ import annotations

from typing import Any

from bilstm_torch import cell, packed, run_by_hand, run_packed
from torch_peer import ByAutograd, WithLayers, compiled, main, models, torch

F = torch.nn.functional


def prepare(batch: list) -> dict[str, Any]:
    pairs = [list(zip(sentence, sentence[1:])) for sentence in batch]
    minibatch = packed(sorted(pairs, key=len, reverse=True))
    words, following = (torch.tensor(of) for of in zip(*minibatch.pop("items")))
    return {**minibatch, "E": words, "following": following}


def loss(p: dict, states: torch.Tensor, minibatch: dict[str, Any]) -> torch.Tensor:
    scores = torch.addmm(p["bv"], states, p["V"])
    return F.cross_entropy(scores, minibatch["following"], reduction="sum") / minibatch["shape"][1]


class Packed(WithLayers):
    of = models.LanguageModel
    prepare = staticmethod(prepare)

    def __init__(self, model: models.Model) -> None:
        super().__init__(model)
        layer = torch.nn.LSTM(self.hidden, self.hidden)
        # The layer has a bias more than the model.
        torch.nn.init.zeros_(layer.bias_hh_l0)
        parts = {"W": [layer.weight_ih_l0], "U": [layer.weight_hh_l0], "b": [layer.bias_ih_l0]}
        self.replace([layer], parts)

    def loss(self, minibatch: dict, rows: dict) -> torch.Tensor:
        return loss(self.p, run_packed(self.layers[0], rows["E"], minibatch), minibatch)


class ByHand(ByAutograd):
    of = models.LanguageModel
    prepare, cell = staticmethod(prepare), staticmethod(cell)

    def loss(self, minibatch: dict, rows: dict) -> torch.Tensor:
        gates = torch.addmm(self.p["b"], rows["E"], self.p["W"])
        states = run_by_hand(gates, self.p["U"], minibatch["active"], self.cell)
        return loss(self.p, states, minibatch)


class ByHandCompile(ByHand):
    cell = staticmethod(compiled(cell))


if __name__ == "__main__":
    main({"packed": Packed, "by_hand": ByHand, "by_hand_compile": ByHandCompile}, __doc__)
