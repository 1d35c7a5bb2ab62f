"""The linear layer and the perceptron of pfor's figure 1 (`LinearLayer` and `Perceptron` in `models`)
in DyNet.

    python layers_dynet.py linear-layer [--mode infer] [--hidden 768] [--batch 32] [--check]
    python layers_dynet.py perceptron [--mode infer] [--hidden 512] [--batch 32] [--check]

The vectors are rows of a table beforehand, of which a minibatch looks up its own at once: handing them over
as inputs takes longer than the product. What is timed, and what not: `dynet_peer.py`.
"""

from __future__ import annotations

from dynet_peer import Network, dy, main, models


class Layer(Network):
    def __init__(self, model: models.Layer) -> None:
        super().__init__(model)
        vectors = model.vectors()
        self.vectors = dy.ParameterCollection().add_lookup_parameters(vectors.shape)
        self.vectors.init_from_array(vectors)


class LinearLayer(Layer):
    of = models.LinearLayer

    def loss(self, batch: list[int]) -> dy.Expression:
        y = self.parameters["W"] * dy.lookup_batch(self.vectors, batch, update=False)
        return dy.sum_batches(dy.squared_norm(y)) * (1 / (self.hidden * len(batch)))


class Perceptron(Layer):
    of = models.Perceptron

    def loss(self, batch: list[tuple[int, int]]) -> dy.Expression:
        p = self.parameters
        places, digits = (list(of) for of in zip(*batch))
        images = dy.lookup_batch(self.vectors, places, update=False)
        hidden = dy.rectify(dy.affine_transform([p["b"], p["W"], images]))
        scores = dy.affine_transform([p["c"], p["V"], hidden])
        return dy.sum_batches(dy.pickneglogsoftmax_batch(scores, digits)) * (1 / len(batch))


if __name__ == "__main__":
    networks = (LinearLayer, Perceptron)
    main(models.chosen({network.of.workload: network for network in networks}, __doc__), __doc__)
