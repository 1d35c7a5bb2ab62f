"""The linear layer and the perceptron of pfor's figure 1 (`LinearLayer` and `Perceptron` in `models.py`)
in PyTorch, with the vectors of a minibatch as one matrix.

    python layers_torch.py linear-layer [--mode infer] [--hidden 768] [--batch 32] [--check]
    python layers_torch.py perceptron [--mode infer] [--hidden 512] [--batch 32] [--check]

What is timed, and what not: `torch_peer.py`. Putting the vectors side by side is not.
"""

from __future__ import annotations

from torch_peer import ByAutograd, main, models, torch

F = torch.nn.functional


def matrix(vectors: list) -> torch.Tensor:
    return torch.stack([torch.from_numpy(x).to(torch.get_default_dtype()) for x in vectors])


class LinearLayer(ByAutograd):
    of = models.LinearLayer

    @staticmethod
    def prepare(batch: list) -> dict:
        return {"x": matrix(batch)}

    def loss(self, minibatch: dict, _: dict) -> torch.Tensor:
        return (minibatch["x"] @ self.p["W"]).square().mean()


class Perceptron(ByAutograd):
    of = models.Perceptron

    @staticmethod
    def prepare(batch: list) -> dict:
        images, digits = zip(*batch)
        return {"x": matrix(images), "digits": torch.tensor(digits)}

    def loss(self, minibatch: dict, _: dict) -> torch.Tensor:
        p = self.p
        hidden = torch.addmm(p["b"], minibatch["x"], p["W"]).relu()
        return F.cross_entropy(torch.addmm(p["c"], hidden, p["V"]), minibatch["digits"])


if __name__ == "__main__":
    networks = (LinearLayer, Perceptron)
    chosen = models.chosen({network.of.workload: network for network in networks}, __doc__)
    main({"matrix": chosen}, __doc__)
