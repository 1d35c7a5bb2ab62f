"""The binary Tree-LSTM of the workload `tree-lstm` in DyNet, with a class at every phrase.

    python treelstm_dynet.py --data TREES [--mode train] [--hidden 256] [--batch 32] [--check]

A word is `[i, o, u] = E[word] W + bW`, a phrase `[i, fl, fr, o, u] = [h_l; h_r] U + bU`;
`c = sigma(i) tanh(u) + sigma(fl) c_l + sigma(fr) c_r` and `h = sigma(o) tanh(c)`. The scores of five
classes are `h Wc + bc`. What is timed, and what not: `dynet_peer.py`.
"""

from __future__ import annotations

import pathlib

from dynet_peer import Model, cross_entropy, dy, main, np, sigmoid
from instances import trees

CLASSES = 5


class TreeLstm(Model):
    workload = "tree-lstm"

    def __init__(self, words: int, hidden: int) -> None:
        h = hidden
        shapes = {
            **{"E": (words, h), "W": (h, 3 * h), "bW": (3 * h,)},
            **{"U": (2 * h, 5 * h), "bU": (5 * h,), "Wc": (h, CLASSES), "bc": (CLASSES,)},
        }
        super().__init__(hidden, shapes, {})

    def loss(self, batch: list) -> dy.Expression:
        return dy.esum([loss for tree in batch for loss in self.losses(tree)]) * (1 / len(batch))

    def losses(self, tree: list) -> list[dy.Expression]:
        h, p = self.hidden, self.parameters
        part = lambda gates, first, last: dy.pick_range(gates, first * h, last * h)
        states, losses = [], []
        for label, word in tree:
            if word is None:
                right, left = states.pop(), states.pop()
                below = dy.concatenate([left[0], right[0]])
                gates = dy.affine_transform([p["bU"], p["U"], below])
                open_ = dy.logistic(part(gates, 0, 4))
                new = dy.cmult(part(open_, 0, 1), dy.tanh(part(gates, 4, 5)))
                kept = [dy.cmult(part(open_, 1, 2), left[1]), dy.cmult(part(open_, 2, 3), right[1])]
                c = dy.esum([new, *kept])
                out = part(open_, 3, 4)
            else:
                gates = dy.affine_transform([p["bW"], p["W"], dy.lookup(p["E"], word)])
                open_ = dy.logistic(part(gates, 0, 2))
                c = dy.cmult(part(open_, 0, 1), dy.tanh(part(gates, 2, 3)))
                out = part(open_, 1, 2)
            state = dy.cmult(out, dy.tanh(c))
            states.append((state, c))
            scores = dy.affine_transform([p["bc"], p["Wc"], state])
            losses.append(dy.pickneglogsoftmax(scores, label))
        return losses

    def reference(self, weights: dict[str, np.ndarray], batch: list) -> float:
        total = 0.0
        for tree in batch:
            states: list[tuple[np.ndarray, np.ndarray]] = []
            for label, word in tree:
                if word is None:
                    right, left = states.pop(), states.pop()
                    gates = np.concatenate([left[0], right[0]]) @ weights["U"] + weights["bU"]
                    i, fl, fr, o, u = np.split(gates, 5)
                    kept = sigmoid(fl) * left[1] + sigmoid(fr) * right[1]
                else:
                    i, o, u = np.split(weights["E"][word] @ weights["W"] + weights["bW"], 3)
                    kept = 0
                c = sigmoid(i) * np.tanh(u) + kept
                states.append((sigmoid(o) * np.tanh(c), c))
                total += cross_entropy(states[-1][0] @ weights["Wc"] + weights["bc"], label)
        return total / len(batch)


def read(path: pathlib.Path) -> tuple[list, list[int]]:
    instances, words = trees(path)
    return instances, [words]


if __name__ == "__main__":
    main(lambda _, sizes, hidden: TreeLstm(*sizes, hidden), read, __doc__)
