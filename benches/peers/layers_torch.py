"""The linear layer and the perceptron of pfor's figure 1 (`LinearLayer` and `Perceptron` in `models`)
in PyTorch, with the vectors of a minibatch as one matrix.

    python layers_torch.py linear-layer [--mode infer] [--hidden 768] [--batch 32] [--check]
    python layers_torch.py perceptron [--mode infer] [--hidden 512] [--batch 32] [--check]

What is timed, and what not: `torch_peer.py`. Putting the vectors side by side is not.
"""

from __future__ import annotations

from torch_peer import ByAutograd, main, models, torch

F = torch.nn.functional


class LinearLayer(ByAutograd):
    of = models.LinearLayer

    @staticmethod
    def prepare(batch: list[int]) -> dict:
        return {"x": torch.tensor(models.LinearLayer.vectors()[batch], dtype=torch.get_default_dtype())}

    def loss(self, minibatch: dict, _: dict) -> torch.Tensor:
        return (minibatch["x"] @ self.p["W"]).square().mean()


class Perceptron(ByAutograd):
    of = models.Perceptron

    @staticmethod
    def prepare(batch: list[tuple[int, int]]) -> dict:
        places, digits = (list(of) for of in zip(*batch))
        images = torch.tensor(models.Perceptron.vectors()[places], dtype=torch.get_default_dtype())
        return {"x": images, "digits": torch.tensor(digits)}

    def loss(self, minibatch: dict, _: dict) -> torch.Tensor:
        p = self.p
        hidden = torch.addmm(p["b"], minibatch["x"], p["W"]).relu()
        return F.cross_entropy(torch.addmm(p["c"], hidden, p["V"]), minibatch["digits"])


if __name__ == "__main__":
    networks = (LinearLayer, Perceptron)
    chosen = models.chosen({network.of.workload: network for network in networks}, __doc__)
    main({"matrix": chosen}, __doc__)
