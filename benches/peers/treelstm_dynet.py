"""The binary Tree-LSTM (`TreeLstm` in `models`) in DyNet.

    python treelstm_dynet.py --data TREES [--mode train] [--hidden 256] [--batch 32] [--check]

What is timed, and what not: `dynet_peer.py`.
"""

from __future__ import annotations

from dynet_peer import Dropping, dy, main, models

State = "tuple[dy.Expression, ...]"


class Trees(Dropping):
    def losses(self, tree: list) -> list[dy.Expression]:
        p = self.parameters
        states, losses = [], []
        for label, word in tree:
            if word is None:
                right, left = states.pop(), states.pop()
                states.append(self.phrase(left, right))
            else:
                states.append(self.word(word))
            scores = dy.affine_transform([p["bc"], p["Wc"], self.dropped(states[-1][0])])
            losses.append(dy.pickneglogsoftmax(scores, label))
        return losses

    def word(self, id: int) -> State:
        raise NotImplementedError

    def phrase(self, left: State, right: State) -> State:
        raise NotImplementedError

    def part(self, gates: dy.Expression, first: int, last: int) -> dy.Expression:
        return dy.pick_range(gates, first * self.hidden, last * self.hidden)


class TreeLstm(Trees):
    of = models.TreeLstm

    def word(self, id: int) -> State:
        p = self.parameters
        gates = dy.affine_transform([p["bW"], p["W"], self.dropped(dy.lookup(p["E"], id))])
        open_ = dy.logistic(self.part(gates, 0, 2))
        c = dy.cmult(self.part(open_, 0, 1), dy.tanh(self.part(gates, 2, 3)))
        return dy.cmult(self.part(open_, 1, 2), dy.tanh(c)), c

    def phrase(self, left: State, right: State) -> State:
        return self.joined(left, right, "U", "bU")

    def joined(self, left: State, right: State, u: str, b: str) -> State:
        """A phrase by the parameters of these names."""
        p = self.parameters
        gates = dy.affine_transform([p[b], p[u], dy.concatenate([left[0], right[0]])])
        open_ = dy.logistic(self.part(gates, 0, 4))
        new = dy.cmult(self.part(open_, 0, 1), dy.tanh(self.part(gates, 4, 5)))
        of_parts = ((1, left), (2, right))
        kept = [dy.cmult(self.part(open_, at, at + 1), part[1]) for at, part in of_parts]
        c = dy.esum([new, *kept])
        return dy.cmult(self.part(open_, 3, 4), dy.tanh(c)), c


if __name__ == "__main__":
    main(TreeLstm, __doc__)
