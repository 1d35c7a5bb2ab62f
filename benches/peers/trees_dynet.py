"""More networks over trees (`TreeLstm2Type`, `ChildSum`, `TreeGru` and `MvRnn` in `models`) in DyNet.

    python trees_dynet.py tree-lstm-2type --data TREES

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


if __name__ == "__main__":
    networks = (TreeLstm2Type,)
    main(models.chosen({network.of.workload: network for network in networks}, __doc__), __doc__)
