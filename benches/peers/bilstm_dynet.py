"""The BiLSTM tagger (`Tagger` in `models`) in DyNet.

    python bilstm_dynet.py --data SENTENCES [--mode train] [--hidden 256] [--batch 32] [--check]

DyNet's fused ops of the LSTM have one bias: the sum of both, once a minibatch. What is timed, and what
not: `dynet_peer.py`.
"""

from __future__ import annotations

from dynet_peer import Network, dy, main, models


class Tagger(Network):
    of = models.Tagger
    # Of both directions: if their sums were two nodes, DyNet 2.2 would batch them, and give one the
    # gradient of the other.
    fused = ("bx",)

    def loss(self, batch: list) -> dy.Expression:
        p = self.parameters
        bias, size = p["bx"] + p["bh"], 4 * self.hidden
        biases = [dy.pick_range(bias, 0, size), dy.pick_range(bias, size, 2 * size)]
        losses = []
        for sentence in batch:
            words = [dy.lookup(p["E"], word) for word, _ in sentence]
            forward = self.read(words, "forward", biases[0])
            backward = self.read(words[::-1], "backward", biases[1])[::-1]
            for (_, tag), *states in zip(sentence, forward, backward):
                scores = dy.affine_transform([p["b"], p["V"], dy.concatenate(states)])
                losses.append(dy.pickneglogsoftmax(scores, tag))
        return dy.esum(losses) * (1 / len(batch))

    def read(
        self, words: list[dy.Expression], direction: str, bias: dy.Expression
    ) -> list[dy.Expression]:
        w, u = (self.parameters[f"{name} {direction}"] for name in "WU")
        h = c = dy.zeros((self.hidden,))
        states = []
        for word in words:
            gates = dy.vanilla_lstm_gates(word, h, w, u, bias)
            c = dy.vanilla_lstm_c(c, gates)
            h = dy.vanilla_lstm_h(c, gates)
            states.append(h)
        return states


if __name__ == "__main__":
    main(Tagger, __doc__)
