"""More networks over trees (`TreeLstm2Type`, `ChildSum`, `TreeGru` and `MvRnn` in `models`) in DyNet.

    python trees_dynet.py tree-gru --data TREES [--mode train] [--hidden 256] [--batch 32] [--check]
    python trees_dynet.py mv-rnn --data TREES
    python trees_dynet.py tree-lstm-2type --data TREES
    python trees_dynet.py tree-lstm-child-sum --data TREES

What is timed, and what not: `dynet_peer.py`.
"""

from __future__ import annotations

from dynet_peer import dy, main, models
from treelstm_dynet import State, TreeLstm, Trees


class TreeLstm2Type(TreeLstm):
    of = models.TreeLstm2Type

    def word(self, id: int) -> State:
        return *super().word(id), "2"

    def phrase(self, left: State, right: State) -> State:
        return *self.joined(left, right, "U" + left[2], "bU" + left[2]), ""


class ChildSum(TreeLstm):
    of = models.ChildSum

    def phrase(self, left: State, right: State) -> State:
        p = self.parameters
        gates = dy.affine_transform([p["bU"], p["U"], left[0] + right[0]])
        open_ = dy.logistic(self.part(gates, 0, 2))
        terms = [dy.cmult(self.part(open_, 0, 1), dy.tanh(self.part(gates, 2, 3)))]
        for h, c in (left, right):
            terms.append(dy.cmult(dy.logistic(dy.affine_transform([p["bf"], p["Uf"], h])), c))
        c = dy.esum(terms)
        return dy.cmult(self.part(open_, 1, 2), dy.tanh(c)), c


class TreeGru(Trees):
    of = models.TreeGru

    def word(self, id: int) -> State:
        p = self.parameters
        x = self.dropped(dy.lookup(p["E"], id))
        return (dy.tanh(dy.affine_transform([p["bW"], p["W"], x])),)

    def phrase(self, left: State, right: State) -> State:
        p = self.parameters
        parts = dy.concatenate([left[0], right[0]])
        reset = dy.logistic(dy.affine_transform([p["br"], p["Ur"], parts]))
        new = dy.tanh(dy.affine_transform([p["bU"], p["U"], dy.cmult(reset, parts)]))
        states = dy.concatenate([new, parts])
        shares = dy.exp(dy.tanh(p["Uz"] * states) * 4)
        add = lambda x: dy.esum([self.part(x, at, at + 1) for at in range(3)])
        # Not `cdiv`, which DyNet does not batch.
        return (dy.cmult(add(dy.cmult(shares, states)), dy.exp(-dy.log(add(shares)))),)


class MvRnn(Trees):
    """With all matrices transposed: they are those by which vectors are multiplied from the left."""

    of = models.MvRnn

    def word(self, id: int) -> State:
        p = self.parameters
        matrix = p["B"] + dy.lookup(p["R"], id) * dy.transpose(dy.lookup(p["L"], id))
        return self.dropped(dy.lookup(p["E"], id)), matrix

    def phrase(self, left: State, right: State) -> State:
        p = self.parameters
        (a_l, m_l), (a_r, m_r) = left, right
        modified = dy.concatenate([m_r * a_l, m_l * a_r])
        a = dy.tanh(dy.affine_transform([p["bW"], p["W"], modified]))
        return a, p["Ml"] * m_l + p["Mr"] * m_r


if __name__ == "__main__":
    networks = (TreeLstm2Type, ChildSum, TreeGru, MvRnn)
    main(models.chosen({network.of.workload: network for network in networks}, __doc__), __doc__)
