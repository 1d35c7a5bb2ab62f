"""LSTM language models (`LanguageModel`, `FixedLanguageModel` and `Lengths` in `models.py`) in PyTorch.

    python language_model_torch.py language-model --data TEXT [--mode train] [--hidden 512] [--batch 64]
    python language_model_torch.py fixed-lstm --data TEXT
    python language_model_torch.py lengths [--variants packed,by_hand,by_hand_compile] [--check]

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


def dropped(x: torch.Tensor, model: models.Model) -> torch.Tensor:
    return F.dropout(x, model.dropout, torch.is_grad_enabled())


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
        states = self.states(dropped(rows["E"], self.model), minibatch)
        scores = torch.addmm(self.p["bv"], dropped(states, self.model), self.p["V"])
        return F.cross_entropy(scores, minibatch["following"], reduction="sum") / minibatch["shape"][1]

    def states(self, x: torch.Tensor, minibatch: dict) -> torch.Tensor:
        return run_packed(self.layers[0], x, minibatch)


class ByHand(ByAutograd):
    of = models.LanguageModel
    prepare, cell, loss = staticmethod(prepare), staticmethod(cell), Packed.loss

    def states(self, x: torch.Tensor, minibatch: dict) -> torch.Tensor:
        gates = torch.addmm(self.p["b"], x, self.p["W"])
        return run_by_hand(gates, self.p["U"], minibatch["active"], self.cell)


class ByHandCompile(ByHand):
    cell = staticmethod(compiled(cell))


if __name__ == "__main__":
    variants = {"packed": Packed, "by_hand": ByHand, "by_hand_compile": ByHandCompile}
    of = (models.LanguageModel, models.FixedLanguageModel, models.Lengths)
    main(variants, __doc__, models.chosen({model.workload: model for model in of}, __doc__))
