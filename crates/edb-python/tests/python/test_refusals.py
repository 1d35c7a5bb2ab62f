"""Values and uses that are refused, with an error that says why: never a crash, and never a wait without end."""

import math
import pathlib
import threading
from typing import Any

import numpy as np
import pytest

import edb


def test_numbers_are_not_made_of_anything(models: pathlib.Path) -> None:
    wrong: Any
    model = edb.open(models / "sums.edb")
    g = model.graph()
    x = np.zeros((2, 3))
    for wrong in (["1.5"] * 6, [True] * 6, [None] * 6, "abc", np.zeros(6, dtype=complex)):
        with pytest.raises(TypeError, match="`x` is a tensor"):
            g.add("row", x=wrong, bag=[])
    for wrong in (np.zeros((2, 2), dtype=int), np.zeros((0, 2), dtype=int), [1.5], [True], [-1], [2**32]):
        with pytest.raises(TypeError, match="`bag` is a list of indices"):
            g.add("row", x=x, bag=wrong)
    with pytest.raises(TypeError, match="children are a list"):
        g.add("sum", 0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the child 1.5"):
        g.add("sum", [1.5])  # type: ignore[list-item]
    with pytest.raises(MemoryError):
        g.tensor(np.broadcast_to(np.float32(1), (2**60,)))
    trees = edb.open(models / "trees.edb")
    t = trees.graph()
    for wrong in (True, -1, 2**32, 2**100, 1.0, "a"):
        with pytest.raises(TypeError, match="`id` is an index"):
            t.add("word", id=wrong)
    with pytest.raises(TypeError, match=r"shape \[3, 2\]"):
        t.add_all("word", id=np.zeros((3, 2), dtype=int))
    assert t.add_all("word", id=np.array([1, 2], dtype=np.int32)) == range(2)
    assert t.add_all("word", id=np.array([3], dtype=np.uint64)) == range(2, 3)
    for wrong in (None, 3, [1], g):
        with pytest.raises(TypeError, match="a list of edb.Graph is wanted"):
            trees.infer(wrong)


def test_children_may_come_from_what_adds_them(models: pathlib.Path) -> None:
    model = edb.open(models / "sums.edb")
    g = model.graph()
    x = np.zeros((2, 3))
    assert g.add("sum", (g.add("row", x=x, bag=[k]) for k in range(3))) == 3


def test_what_json_lacks_is_no_note(models: pathlib.Path, tmp_path: pathlib.Path) -> None:
    model = edb.open(models / "trees.edb")
    itself: list[Any] = []
    itself.append(itself)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    checkpoints = edb.Checkpoints(tmp_path / "checkpoints")
    trainer = edb.Trainer(model, edb.Sgd(0.1))
    for note in (itself, deep, math.nan, {1, 2}):
        with pytest.raises(ValueError, match="the note `a`"):
            model.save(tmp_path / "a.edb", notes={"a": note})
        with pytest.raises(ValueError, match="the note `a`"):
            checkpoints.save(trainer, notes={"a": note})
    with pytest.raises(ValueError, match="the score is NaN"):
        checkpoints.save(trainer, score=math.nan)
    with pytest.raises(ValueError, match="exclude each other"):
        edb.Checkpoints(tmp_path, keep_lowest=1, keep_highest=1)
    with pytest.raises(ValueError):
        edb.Checkpoints(tmp_path, keep_latest=0)
    (tmp_path / "bad.jsonl").write_bytes(b"\xff\n")
    with pytest.raises(edb.GraphError, match="bad.jsonl, line 1: it is no UTF-8"):
        model.read_graphs(tmp_path / "bad.jsonl")
    with pytest.raises(FileNotFoundError, match="none.jsonl"):
        model.read_graphs(tmp_path / "none.jsonl")


def test_seeds_have_numbers(models: pathlib.Path) -> None:
    model = edb.open(models / "trees.edb")
    graphs = model.read_graphs(models / "trees.jsonl")[:4]
    with pytest.raises(ValueError, match="the seeds of `judge` are empty"):
        model.forward(graphs).backward({("judge", "logits"): np.zeros((4, 0))})


def test_graphs_grow_within_each_other_only_so_deep(models: pathlib.Path) -> None:
    model = edb.open(models / "speaker.edb")
    graphs = model.read_graphs(models / "speaker.jsonl")[:1]

    def again(_: edb.GrowingGraph) -> None:
        model.grow(graphs, again)

    with pytest.raises(edb.EngineError, match="more than 16 deep"):
        model.grow(graphs, again)

    # A graph that was given may change in the callback: it is its copy that grows.
    def adds(_: edb.GrowingGraph) -> None:
        graphs[0].add("say", [0])

    assert len(model.grow(graphs, adds)[0][0]) == 2 and len(graphs[0]) == 3


def test_callbacks_of_two_trainers_do_not_wait_for_each_other(models: pathlib.Path) -> None:
    model = edb.open(models / "speaker.edb", threads=1)
    graphs = model.read_graphs(models / "speaker.jsonl")[:1]
    trainers = [edb.Trainer(model, edb.Sgd(0.1)) for _ in range(2)]
    both = threading.Barrier(2)
    refused: list[str] = []

    def run(own: edb.Trainer, other: edb.Trainer) -> None:
        def uses_the_other(_: edb.GrowingGraph) -> None:
            both.wait()
            try:
                other.infer(graphs)
            except edb.TrainError as error:
                refused.append(str(error))
            both.wait()

        own.grow_step(graphs, uses_the_other)

    threads = [threading.Thread(target=run, args=pair) for pair in (trainers, trainers[::-1])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert len(refused) == 2 and "a callback cannot wait" in refused[0]
