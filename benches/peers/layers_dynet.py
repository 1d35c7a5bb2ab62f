"""The linear layer and the perceptron of pfor's figure 1 (`LinearLayer` and `Perceptron` in `models.py`)
in DyNet.

    python layers_dynet.py linear-layer [--hidden 768] [--batch 32] [--check]
    python layers_dynet.py perceptron [--hidden 512] [--batch 32] [--check]

Each vector is an input of its own, which DyNet batches. What is timed, and what not: `dynet_peer.py`.
"""

from __future__ import annotations

from dynet_peer import Network, dy, main, models, np


class LinearLayer(Network):
    of = models.LinearLayer

    def losses(self, x: np.ndarray) -> list[dy.Expression]:
        return [dy.squared_norm(self.parameters["W"] * dy.inputTensor(x)) * (1 / self.hidden)]


class Perceptron(Network):
    of = models.Perceptron

    def losses(self, instance: tuple[np.ndarray, int]) -> list[dy.Expression]:
        p = self.parameters
        image, digit = instance
        hidden = dy.rectify(dy.affine_transform([p["b"], p["W"], dy.inputTensor(image)]))
        return [dy.pickneglogsoftmax(dy.affine_transform([p["c"], p["V"], hidden]), digit)]


if __name__ == "__main__":
    networks = (LinearLayer, Perceptron)
    main(models.chosen({network.of.workload: network for network in networks}, __doc__), __doc__)
