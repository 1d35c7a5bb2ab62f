"""The LSTM over 1 to 100 words of pfor's figure 1 (`LanguageModel` in `models.py`) in DyNet.

    python lengths_dynet.py [--mode infer] [--hidden 256] [--batch 32] [--check]

What is timed, and what not: `dynet_peer.py`.
"""

from __future__ import annotations

from dynet_peer import Network, dy, main, models


class LanguageModel(Network):
    of = models.LanguageModel
    fused = ("b",)

    def losses(self, sentence: list[int]) -> list[dy.Expression]:
        p = self.parameters
        h = c = dy.zeros((self.hidden,))
        losses = []
        for word, following in zip(sentence, sentence[1:]):
            gates = dy.vanilla_lstm_gates(dy.lookup(p["E"], word), h, p["W"], p["U"], p["b"])
            c = dy.vanilla_lstm_c(c, gates)
            h = dy.vanilla_lstm_h(c, gates)
            scores = dy.affine_transform([p["bv"], p["V"], h])
            losses.append(dy.pickneglogsoftmax(scores, following))
        return losses


if __name__ == "__main__":
    main(LanguageModel, __doc__)
