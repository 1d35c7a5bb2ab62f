"""LSTM language models (`LanguageModel`, `FixedLanguageModel` and `Lengths` in `models`) in DyNet.

    python language_model_dynet.py language-model --data TEXT [--mode train] [--hidden 512] [--batch 64]
    python language_model_dynet.py fixed-lstm --data TEXT
    python language_model_dynet.py lengths [--check]

What is timed, and what not: `dynet_peer.py`.
"""

from __future__ import annotations

from dynet_peer import Network, dy, main, models


class LanguageModel(Network):
    of = models.LanguageModel
    fused = ("b",)

    def loss(self, batch: list) -> dy.Expression:
        return self.total(batch, self.model.dropout)

    def infer(self, batch: list) -> None:
        self.total(batch, 0.0).value()

    def total(self, batch: list, dropout: float) -> dy.Expression:
        p = self.parameters
        drop = lambda x: dy.dropout(x, dropout) if dropout else x
        nothing = dy.zeros((self.hidden,))
        losses = []
        for sentence in batch:
            h = c = nothing
            for word, following in zip(sentence, sentence[1:]):
                x = drop(dy.lookup(p["E"], word))
                gates = dy.vanilla_lstm_gates(x, h, p["W"], p["U"], p["b"])
                c = dy.vanilla_lstm_c(c, gates)
                h = dy.vanilla_lstm_h(c, gates)
                scores = dy.affine_transform([p["bv"], p["V"], drop(h)])
                losses.append(dy.pickneglogsoftmax(scores, following))
        return dy.esum(losses) * (1 / len(batch))


class FixedLanguageModel(LanguageModel):
    of = models.FixedLanguageModel


class Lengths(LanguageModel):
    of = models.Lengths


if __name__ == "__main__":
    networks = (LanguageModel, FixedLanguageModel, Lengths)
    main(models.chosen({network.of.workload: network for network in networks}, __doc__), __doc__)
