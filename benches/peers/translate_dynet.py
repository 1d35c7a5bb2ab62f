"""The encoder-decoder with attention (`Translator` in `models`) in DyNet.

    python translate_dynet.py --data PAIRS [--mode train] [--hidden 256] [--batch 32] [--check]

What is timed, and what not: `dynet_peer.py`.
"""

from __future__ import annotations

from dynet_peer import Dropping, dy, main, models

State = "tuple[dy.Expression, dy.Expression]"


class Translator(Dropping):
    of = models.Translator
    fused = ("b forward", "b backward", "bd")

    def losses(self, pair: tuple[list[int], list[int]]) -> list[dy.Expression]:
        p = self.parameters
        source, target = pair
        nothing = (dy.zeros((self.hidden,)),) * 2
        forward = self.read("E", source, nothing, " forward")
        backward = self.read("E", source[::-1], nothing, " backward")
        both = (dy.concatenate([a, b]) for (a, _), (b, _) in zip(forward, backward[::-1]))
        words = dy.concatenate_cols([dy.tanh(p["Wk"] * of) for of in both])
        keys = dy.transpose(p["Wa"] * words)
        losses = []
        for (h, _), following in zip(self.read("T", target[:-1], backward[-1], "d"), target[1:]):
            attended = words * dy.softmax(keys * h)
            new = dy.tanh(p["Wc"] * dy.concatenate([attended, h]))
            scores = dy.affine_transform([p["bv"], p["V"], self.dropped(new)])
            losses.append(dy.pickneglogsoftmax(scores, following))
        return losses

    def read(self, table: str, words: list[int], state: State, of: str) -> list[State]:
        p = self.parameters
        h, c = state
        states = []
        for word in words:
            x = self.dropped(dy.lookup(p[table], word))
            gates = dy.vanilla_lstm_gates(x, h, p[f"W{of}"], p[f"U{of}"], p[f"b{of}"])
            c = dy.vanilla_lstm_c(c, gates)
            h = dy.vanilla_lstm_h(c, gates)
            states.append((h, c))
        return states


if __name__ == "__main__":
    main(Translator, __doc__)
