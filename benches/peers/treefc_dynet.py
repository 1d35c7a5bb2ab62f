"""Tree-FC (`TreeFc` in `models`) in DyNet.

    python treefc_dynet.py [--mode train] [--hidden 512] [--batch 64] [--check]

What is timed, and what not: `dynet_peer.py`.
"""

from __future__ import annotations

from dynet_peer import Network, dy, main, models


class TreeFc(Network):
    of = models.TreeFc

    def losses(self, tree: tuple[list[int], int]) -> list[dy.Expression]:
        p = self.parameters
        words, label = tree
        level = [dy.lookup(p["E"], word) for word in words]
        while len(level) > 1:
            pairs = (dy.concatenate(level[at : at + 2]) for at in range(0, len(level), 2))
            level = [dy.tanh(dy.affine_transform([p["b"], p["U"], pair])) for pair in pairs]
        scores = dy.affine_transform([p["bc"], p["Wc"], level[0]])
        return [dy.pickneglogsoftmax(scores, label)]


if __name__ == "__main__":
    main(TreeFc, __doc__)
