"""Opening models, building graphs, and reading answers."""

import copy
import pathlib
import threading
from typing import Any

import numpy as np
import pytest

import edb
from conftest import lines


def same_as_rust(answers: edb.Answers, rust: list[Any]) -> None:
    """Every number has the bits that Rust has written."""
    assert len(answers) == len(rust)
    for graph, answer in enumerate(rust):
        assert answers.losses[graph] == answer.get("loss", 0.0)
        for vertex in answer["vertices"]:
            for field, numbers in vertex["output"].items():
                found = answers.output(graph, vertex["vertex"], field)
                np.testing.assert_array_equal(found, np.asarray(numbers, dtype=found.dtype))


def test_a_model_says_what_it_is(models: pathlib.Path) -> None:
    model = edb.open(models / "trees.edb", threads=1)
    assert model.dtype == "float32"
    assert model.notes["classes"] == ["above", "below"] and len(model.notes) == 2
    functions = {of["signature"]["name"]: of for of in model.schema["functions"]}
    assert list(functions) == ["word", "phrase", "judge"]
    assert functions["judge"]["output"][0] == {"name": "logits", "kind": "tensor", "shape": [2]}
    assert model.check() == [0.0] * 4
    assert model.graph_from_record(model.examples[0]["graph"]).record() == model.examples[0]["graph"]
    assert "judge" in str(model) and "judge" in repr(model)


@pytest.mark.parametrize("threads", [1, 2])
def test_answers_have_the_bits_of_rust(models: pathlib.Path, threads: int) -> None:
    model = edb.open(models / "trees.edb", threads=threads)
    graphs = model.read_graphs(models / "trees.jsonl")
    rust = lines(models / "trees_answers.jsonl")
    same_as_rust(model.infer(graphs), rust)
    same_as_rust(model.infer(model.minibatch(graphs[:5])), rust[:5])
    for graph, record in zip(graphs, lines(models / "trees.jsonl"), strict=True):
        assert graph.record() == record
    answers = model.infer(graphs)
    assert answers.functions == [("judge", ["logits", "class"])]
    logits, by = answers.outputs("judge", "logits"), answers.vertices("judge")
    assert logits.shape == (64, 2) and logits.dtype == np.float32
    assert [tuple(row) for row in by] == [(g, len(graph) - 1) for g, graph in enumerate(graphs)]
    np.testing.assert_array_equal(answers.outputs("judge", "class"), logits.argmax(axis=1))
    assert answers.loss == pytest.approx(sum(answers.losses))


def test_graphs_are_built_one_by_one_or_many_at_once(models: pathlib.Path) -> None:
    model = edb.open(models / "trees.edb")
    one = model.graph()
    words = [one.add("word", id=number) for number in (3, 7, 7)]
    inner = one.add("phrase", [words[0], words[1]])
    root = one.add("phrase", (inner, words[2]))
    one.add("judge", [root], id=np.int64(1))

    many = model.graph()
    assert many.add_all("word", id=[3, 7, 7]) == range(3)
    assert many.add_all("phrase", [(0, 1), (3, 2)]) == range(3, 5)
    assert many.add_all("judge", np.array([[4]]), id=np.array([1])) == range(5, 6)
    assert many.record() == one.record()

    unlabelled = model.graph()
    unlabelled.add_all("word", id=np.array([3, 7, 7], dtype=np.uint32))
    unlabelled.add_all("phrase", np.array([[0, 1], [3, 2]]))
    other = copy.deepcopy(unlabelled)
    unlabelled.add("judge", [4])
    assert len(other) == 5 and len(unlabelled) == 6
    answers = model.infer([one, unlabelled])
    np.testing.assert_array_equal(
        answers.output(0, 5, "logits"), answers.output(1, 5, "logits")
    )
    assert answers.losses[1] == 0.0 and answers.losses[0] > 0.0


def test_vertices_pull_tensors_bags_and_outputs(models: pathlib.Path) -> None:
    model = edb.open(models / "sums.edb")
    parameters = model.parameters()
    w, table = parameters["row.w"], parameters["row.table"]
    assert model.dtype == "float64" and w.shape == (3, 6)
    x = np.arange(6.0).reshape(2, 3) / 10
    g = model.graph()
    first = g.add("row", x=x, bag=[1, 1, 4])
    # In the other order in memory, in other numbers, and as a list: the same.
    g.add("row", x=np.asfortranarray(x), bag=np.array([1, 1, 4]))
    g.add("row", x=x.tolist(), bag=(1, 1, 4))
    shared = g.tensor(x)
    assert len(shared) == 6
    g.add("row", x=shared, bag=[])
    g.add("row", x=(x * 10).astype(np.int64), bag=[])
    rows = g.add_all("row", x=np.stack([x, x]), bag=[[1, 1, 4], []])
    total = g.add("sum", [first, rows[1]])
    halved = g.add("halves", [total])
    read = g.add("read", [total])
    scaled = g.add("scaled", by=g.output(read, "y"))
    answers = model.infer([g])

    def of_row(x: Any, bag: list[int]) -> Any:
        return np.tanh(w @ x.ravel() + table[bag].sum(axis=0))

    summed = of_row(x, [1, 1, 4]) + of_row(x, [])
    y = parameters["read.w"] @ summed
    parts = answers.output(0, halved, "part")
    assert len(parts) > 1
    np.testing.assert_allclose(parts, [summed / 2**n for n in range(1, len(parts) + 1)], rtol=1e-14)
    assert (parts[-1] ** 2).sum() <= 0.1 < (parts[-2] ** 2).sum()
    np.testing.assert_allclose(answers.output(0, read, "y"), y, rtol=1e-14)
    np.testing.assert_allclose(
        answers.output(0, scaled, "y"), 2 * y + parameters["scaled.b"], rtol=1e-14
    )
    everything = model.graph()
    row = everything.add_all("row", x=[x, x], bag=[[1, 1, 4], []])
    everything.add_all("halves", [[everything.add("sum", row)]])
    np.testing.assert_array_equal(model.infer([everything]).outputs("halves", "part"), parts)


def test_wrong_graphs_are_refused_with_the_reason(models: pathlib.Path) -> None:
    model = edb.open(models / "sums.edb")
    g = model.graph()
    x = np.zeros((2, 3))
    row = g.add("row", x=x, bag=[])

    def refused(text: str, kind: type[Exception] = edb.GraphError) -> Any:
        return pytest.raises(kind, match=text)

    with refused("there is no vertex function `raw`.* row, sum, halves, read, scaled"):
        g.add("raw", x=x, bag=[])
    with refused("`row` does not pull `y`"):
        g.add("row", x=x, bag=[], y=1)
    with refused("pulls the field `bag`, which is not given"):
        g.add("row", x=x)
    with refused(r"`x` has the shape \[2, 3\], and the array \[3, 2\]"):
        g.add("row", x=x.T, bag=[])
    with refused("5"):
        g.add("row", x=np.zeros(5), bag=[])
    with refused("7"):
        g.add("row", x=x, bag=[7])
    with refused("NaN"):
        g.add("row", x=np.full((2, 3), np.nan), bag=[])
    with refused("child"):
        g.add("sum", [9])
    with refused("does not push `z`"):
        g.add("scaled", by=g.output(row, "z"))
    with refused("bag", TypeError):
        g.add("row", x=x, bag=3)
    with refused("numbers", TypeError):
        g.add("row", x=np.array(["a"] * 6), bag=[])
    with refused("`bag` has 1 rows, and what is before it 2", ValueError):
        g.add_all("row", x=[x, x], bag=[[]])
    with refused("how many", TypeError):
        g.add_all("row")
    other = model.graph()
    with refused("not of this graph"):
        other.add("row", x=g.tensor(x), bag=[])
    # Nothing of all that has been added.
    assert len(g) == 1
    with refused("no vertices"):
        model.infer([model.graph()])
    with refused("at least one graph"):
        model.infer([])
    trees = edb.open(models / "trees.edb")
    with refused("float32, float64", TypeError):
        trees.infer([g])
    with refused("model"):
        edb.open(models / "sums.edb").infer([g])
    answers = model.infer([g])
    with refused("has pushed nothing", IndexError):
        answers.output(0, row, "y")
    with refused("no vertex of `halves` has pushed anything; nor has any other", KeyError):
        answers.outputs("halves", "part")


def test_wrong_files_are_refused_with_the_reason(models: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with pytest.raises(edb.BundleError, match="none.edb"):
        edb.open(tmp_path / "none.edb")
    (tmp_path / "no.edb").write_bytes(b"no bundle")
    with pytest.raises(edb.BundleError, match="no.edb"):
        edb.open(tmp_path / "no.edb")
    with pytest.raises(ValueError, match="`tpu`"):
        edb.open(models / "trees.edb", device="tpu")
    with pytest.raises(ValueError, match="`cpu:x`"):
        edb.open(models / "trees.edb", device="cpu:x")
    model = edb.open(models / "trees.edb")
    (tmp_path / "graphs.jsonl").write_text('\n{"vertices":[{"function":"wort"}]}\n')
    with pytest.raises(edb.GraphError, match="graphs.jsonl, line 2: .*`wort`"):
        model.read_graphs(tmp_path / "graphs.jsonl")
    with pytest.raises(FileNotFoundError):
        model.read_graphs(tmp_path / "none.jsonl")
    with pytest.raises(edb.GraphError, match="nodes"):
        model.graph_from_record({"nodes": []})


def test_graphs_that_grow_are_those_of_rust(models: pathlib.Path) -> None:
    model = edb.open(models / "speaker.edb", seed=7)
    graphs = model.read_graphs(models / "speaker.jsonl")
    kept: list[edb.GrowingGraph] = []

    def hear(g: edb.GrowingGraph) -> None:
        kept.append(g)
        assert 0 <= g.place < 10 and 0.0 <= g.draw() < 1.0
        (said,) = g.decided("say")
        assert said == g.new_vertices[-1] and g.decided("bad") == []
        word = g.index(said, "word")
        if word != 0 and len(g) < 12:
            heard = g.add("hear", [said - 1], id=word)
            assert g.add("say", [heard]) == heard + 1

    grown, answers = model.grow(graphs, hear)
    assert [graph.record() for graph in grown] == lines(models / "spoken.jsonl")
    same_as_rust(answers, lines(models / "speaker_answers.jsonl"))
    # A graph that has grown is a graph like any other.
    assert model.graph_from_record(grown[0].record()).record() == grown[0].record()
    assert len(graphs[0]) == 2
    with pytest.raises(edb.EngineError, match="the round of this graph is over"):
        kept[0].index(0, "word")

    def stops(g: edb.GrowingGraph) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        model.grow(graphs, stops)

    def mixes(g: edb.GrowingGraph) -> None:
        # Another model's graph, or the same one's, may grow meanwhile; a graph of an outer round cannot be changed there.
        inner: list[str] = []

        def within(other: edb.GrowingGraph) -> None:
            try:
                g.add("say", [0])
            except edb.EngineError as error:
                inner.append(str(error))

        model.grow(graphs[:1], within)
        assert len(inner) == 1

    model.grow(graphs[:2], mixes)
    with pytest.raises(edb.GraphError, match="`talk`"):
        model.grow(graphs, lambda g: g.add("talk"))
    # It all goes on as before.
    same_as_rust(model.grow(graphs, hear)[1], lines(models / "speaker_answers.jsonl"))


def test_threads_of_python_run_at_the_same_time(models: pathlib.Path) -> None:
    model = edb.open(models / "trees.edb", threads=1)
    batch = model.minibatch(model.read_graphs(models / "trees.jsonl"))
    expected = model.infer(batch).outputs("judge", "logits")
    found: list[Any] = []

    def run() -> None:
        for _ in range(20):
            found.append(model.infer(batch).outputs("judge", "logits"))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 80
    for logits in found:
        np.testing.assert_array_equal(logits, expected)


def test_a_model_is_saved_again(models: pathlib.Path, tmp_path: pathlib.Path) -> None:
    model = edb.open(models / "trees.edb")
    graphs = model.read_graphs(models / "trees.jsonl")
    w = model.parameters()["judge.w"]
    other = model.with_parameters({"judge.w": np.zeros_like(w)})
    np.testing.assert_array_equal(other.infer(graphs[:1]).output(0, len(graphs[0]) - 1, "logits"), 0)
    same_as_rust(model.infer(graphs), lines(models / "trees_answers.jsonl"))
    other.save(tmp_path / "other.edb", notes={"words": ["a", "b"], "rate": 0.5}, examples=graphs[:3])
    opened = edb.open(tmp_path / "other.edb")
    assert opened.notes == {"words": ["a", "b"], "rate": 0.5}
    assert opened.check() == [0.0] * 3
    other.save(tmp_path / "other.edb")
    assert edb.open(tmp_path / "other.edb").notes == model.notes
    with pytest.raises(KeyError, match="judge.v"):
        model.with_parameters({"judge.v": w})
    with pytest.raises(ValueError, match=r"\[2, 8\]"):
        model.with_parameters({"judge.w": w.T})
