"""The binary Tree-LSTM (`TreeLstm` in `models`) in DyNet.

    python treelstm_dynet.py --data TREES [--mode train] [--hidden 256] [--batch 32] [--check]

What is timed, and what not: `dynet_peer.py`.
"""

from __future__ import annotations

from dynet_peer import Network, dy, main, models


class TreeLstm(Network):
    of = models.TreeLstm

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


if __name__ == "__main__":
    main(TreeLstm, __doc__)
