"""LSTM language models (`LanguageModel`, `FixedLanguageModel` and `Lengths` in `models`) in PyTorch.

    python language_model_torch.py language-model --data TEXT [--mode train] [--hidden 512] [--batch 64]
    python language_model_torch.py fixed-lstm --data TEXT
    python language_model_torch.py lengths [--variants packed,padded] [--mode infer] [--check]

The variants are those of `bilstm_torch.py`, in one direction; behind `_linear`, product and cross-entropy of
the scores are one op, which takes them part by part. What is timed, and what not: `torch_peer.py`.
"""

from __future__ import annotations

from typing import Any

from bilstm_torch import Run, back_through_cell, cell, packed, run_packed, run_padded
from torch_peer import ByAutograd, WithLayers, main, models, torch

F = torch.nn.functional
IN_PARTS = torch.nn.LinearCrossEntropyOptions(batch_chunk_size=256)


def prepare(batch: list) -> dict[str, Any]:
    pairs = [list(zip(sentence, sentence[1:])) for sentence in batch]
    minibatch = packed(sorted(pairs, key=len, reverse=True))
    words, following = (torch.tensor(of) for of in zip(*minibatch.pop("items")))
    return {**minibatch, "E": words, "following": following}


class Packed(WithLayers):
    of = models.LanguageModel
    prepare, layer = staticmethod(prepare), staticmethod(run_packed)

    def __init__(self, model: models.Model) -> None:
        super().__init__(model)
        layer = torch.nn.LSTM(self.hidden, self.hidden)
        # The layer has a bias more than the model: 0, and not trained.
        torch.nn.init.zeros_(layer.bias_hh_l0).requires_grad_(False)
        parts = {"W": [layer.weight_ih_l0], "U": [layer.weight_hh_l0], "b": [layer.bias_ih_l0]}
        self.replace([layer], parts)

    def loss(self, minibatch: dict, rows: dict) -> torch.Tensor:
        states = self.states(self.dropped(rows["E"]), minibatch)
        states = self.dropped(states)
        return self.losses(states, minibatch["following"]) / minibatch["shape"][1]

    def states(self, x: torch.Tensor, minibatch: dict) -> torch.Tensor:
        return self.layer(self.layers[0], x, minibatch)

    def losses(self, states: torch.Tensor, following: torch.Tensor) -> torch.Tensor:
        scores = torch.addmm(self.p["bv"], states, self.p["V"])
        return F.cross_entropy(scores, following, reduction="sum")


class PackedLinear(Packed):
    def losses(self, states: torch.Tensor, following: torch.Tensor) -> torch.Tensor:
        of = {"linear_bias": self.p["bv"], "reduction": "sum", "options": IN_PARTS}
        return F.linear_cross_entropy(states, self.p["V"].t(), following, **of)


class Padded(Packed):
    layer = staticmethod(run_padded)


class PaddedLinear(PackedLinear):
    layer = staticmethod(run_padded)


class ByHand(ByAutograd):
    of = models.LanguageModel
    prepare, loss, losses = staticmethod(prepare), Packed.loss, Packed.losses

    def states(self, x: torch.Tensor, minibatch: dict) -> torch.Tensor:
        gates, u = torch.addmm(self.p["b"], x, self.p["W"]), self.p["U"]
        active = minibatch["active"]
        return Run.apply(gates[None], u[None], active, cell, back_through_cell)[0]


class ByHandLinear(ByHand):
    losses = PackedLinear.losses


if __name__ == "__main__":
    variants = {
        **{"packed": Packed, "padded": Padded, "by_hand": ByHand},
        **{"packed_linear": PackedLinear, "padded_linear": PaddedLinear, "by_hand_linear": ByHandLinear},
    }
    of = (models.LanguageModel, models.FixedLanguageModel, models.Lengths)
    main(variants, __doc__, models.chosen({model.workload: model for model in of}, __doc__))
