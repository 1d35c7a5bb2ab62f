"""What is measured: each workload, with its programs, its instances and its sizes."""

from __future__ import annotations

from typing import NamedTuple

import instances


class Workload(NamedTuple):
    # What the peers' programs are called, and what is behind their names.
    script: str
    arguments: tuple[str, ...] = ()
    # Where the instances are in a folder: the first of these files.
    data: tuple[str, ...] = ()
    # What `workloads` is told, if that is what edb runs.
    edb: tuple[str, ...] = ()
    # If it has one size only.
    hidden: int | None = None
    batch: int | None = None
    modes: tuple[str, ...] = ("train", "infer")
    # Further sizes, for tables of papers: modes, and the numbers of hidden units and of instances.
    papers: tuple[tuple[str, int, int], ...] = ()
    # Whether each phrase has a matrix of hidden by hidden, so that large sizes take gigabytes.
    matrices: bool = False
    # The bench that measures edb, where `workloads` does not.
    bench: str | None = None
    # DyNet has no gradients of each example, and no Jacobians.
    in_dynet: bool = True
    # PyTorch's variants on a GPU.
    on_gpu: str = ""


JACOBIAN = {"hidden": 128, "batch": 128, "modes": ("infer",), "bench": "derivatives", "in_dynet": False}
TREES = ("trees.ptb.txt", "sst/train.txt.gz")
PAIRS = ("edbatch/tst2012.en-vi.capped.gz",)
LATTICES = ("lattices.txt", "edbatch/lattice/train.txt.gz")
TEXT = ("text.txt", "ptb_lm/ptb.train.txt.gz")
# In the tables of Cavs, training has this size.
CAVS = (("train", 512, 64),)
LEVELS = "levels,levels_compile,levels_graph,by_hand,by_hand_compile,by_hand_graph,by_hand_compile_graph"


def tree(name: str, papers: tuple = (), matrices: bool = False) -> Workload:
    return Workload("trees", (name,), TREES, (name,), papers=papers, matrices=matrices)


def language_model(name: str) -> Workload:
    return Workload("language_model", (name,), TEXT, (name,), modes=("train",), papers=CAVS)


WORKLOADS = {
    "tree-lstm": Workload(
        "treelstm",
        data=TREES,
        edb=("tree-lstm",),
        # ED-Batch's table 6.
        papers=(("infer", 512, 256),),
        on_gpu=LEVELS,
    ),
    "tree-lstm-2type": tree("tree-lstm-2type"),
    "tree-lstm-child-sum": tree("tree-lstm-child-sum", (*CAVS, ("infer", 512, 64))),
    "tree-gru": tree("tree-gru"),
    "mv-rnn": tree("mv-rnn", matrices=True),
    "bilstm-tagger": Workload(
        "bilstm",
        data=("sents.tags.txt", "wikiner/train.txt.gz"),
        edb=("bilstm-tagger",),
        on_gpu="packed,packed_graph",
    ),
    "lattice-lstm": Workload("lattice", data=LATTICES, edb=("lattice-lstm",)),
    "lattice-edbatch": Workload("lattice_edbatch", data=LATTICES, edb=("lattice-edbatch",)),
    "lattice-gru": Workload("lattice_gru", data=LATTICES, edb=("lattice-gru",)),
    "translate": Workload("translate", data=PAIRS, edb=("translate",)),
    "decode": Workload("decode", bench="growing"),
    "language-model": language_model("language-model"),
    "fixed-lstm": language_model("fixed-lstm"),
    "tree-fc": Workload("treefc", edb=("tree-fc", "--leaves", "256"), modes=("train",), papers=CAVS),
    "linear-layer": Workload(
        "layers", ("linear-layer",), edb=("linear-layer",), hidden=768, modes=("infer",)
    ),
    "perceptron": Workload("layers", ("perceptron",), edb=("perceptron",), hidden=512, modes=("infer",)),
    "lengths": Workload(
        "language_model",
        ("lengths",),
        edb=("language-model", "--ids-modulo", str(instances.LENGTHS_WORDS)),
        hidden=256,
        modes=("infer",),
    ),
    "each-lstm": Workload(
        "each", hidden=256, modes=("clipped",), bench="private", in_dynet=False
    ),
    "jacobian-128": Workload("jacobian", ("jacobian-128",), **JACOBIAN),
    "jacobian-32": Workload("jacobian", ("jacobian-32",), **JACOBIAN),
}
