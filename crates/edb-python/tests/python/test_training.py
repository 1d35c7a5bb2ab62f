"""Training: the same bits as in Rust."""

import pathlib
import shutil
import threading
from typing import Any

import numpy as np
import pytest

import edb


def trainer_of(model: edb.Model) -> edb.Trainer:
    """The trainer of `tests/models.rs`."""
    schedule = edb.Schedule.linear(500, 1.0, 0.1)
    return edb.Trainer(model, edb.Adam(1e-2), schedule=schedule, clip_norm=1.0, ema=0.9)


def files(folder: pathlib.Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def test_500_steps_end_in_the_checkpoint_of_rust(models: pathlib.Path, tmp_path: pathlib.Path) -> None:
    model = edb.open(models / "trees.edb", threads=2)
    graphs = model.read_graphs(models / "trees.jsonl")
    batches = [model.minibatch(graphs[first : first + 8]) for first in range(0, 64, 8)]
    trainer = trainer_of(model)
    for step in range(500):
        done = trainer.step(batches[step % 8])
        assert done.graphs == 8 and done.gradient_norm is not None
    assert trainer.steps == 500 and done.mean_loss == pytest.approx(done.loss / 8)
    checkpoints = edb.Checkpoints(tmp_path / "trained", keep_latest=2)
    assert checkpoints.list() == []
    path = checkpoints.save(trainer, notes={"epoch": 62})
    assert [str(found) for found in checkpoints.list()] == [str(path)]
    rust = files(models / "trained")
    assert files(tmp_path / "trained") == rust and rust

    changed = edb.Trainer(model, edb.Adam(1e-2), ema=0.9)
    with pytest.raises(edb.CheckpointError, match="accept_changes"):
        checkpoints.resume(changed)
    assert checkpoints.resume(edb.Trainer(model, edb.Adam(1e-2), ema=0.9, accept_changes=True))

    # Either continues from the other's.
    resumed = trainer_of(model)
    assert edb.Checkpoints(models / "trained").resume(resumed) == {"epoch": 62}
    assert resumed.steps == 500 and resumed.learning_rate == pytest.approx(1e-3)
    assert resumed.step(batches[4]).loss == trainer.step(batches[4]).loss
    trained, fresh = trainer.model, resumed.model
    for name, values in trained.parameters().items():
        np.testing.assert_array_equal(values, fresh.parameters()[name])
    # It has learned.
    answers = trained.infer(graphs)
    assert answers.losses.mean() < 0.1 < model.infer(graphs).losses.mean()
    np.testing.assert_array_equal(answers.losses, trainer.infer(graphs).losses)
    assert trainer.swap_averages() and trainer.swap_averages()


def test_gradients_are_those_of_differences(models: pathlib.Path) -> None:
    model = edb.open(models / "sums.edb")
    g = model.graph()
    x = g.tensor(np.linspace(-1, 1, 6))
    row = g.add("row", x=x, bag=[2, 3])
    total = g.add("sum", [row, g.add("row", x=x, bag=[2])])
    read = g.add("read", [total])
    halved = g.add("halves", [total])
    batch = model.minibatch([g])
    weights = np.array([[0.5, -1.0, 2.0]])
    forward = model.forward(batch)
    parts = np.arange(forward.answers.outputs("halves", "part").size).reshape(-1, 3) / 4
    assert len(parts) > 1
    gradients = forward.backward({("read", "y"): weights, ("halves", "part"): parts})
    of_x = forward.tensor_gradients([x])

    def value(model: edb.Model, batch: edb.Minibatch) -> float:
        answers = model.infer(batch)
        y, part = answers.output(0, read, "y"), answers.output(0, halved, "part")
        return float((y * weights[0]).sum() + (part * parts).sum())

    for name, gradient in gradients.items():
        if name == "scaled.b":
            np.testing.assert_array_equal(gradient, 0)
            continue
        values = model.parameters()[name]
        place = np.unravel_index(np.abs(gradient).argmax(), gradient.shape)
        sides = []
        for step in (1e-6, -1e-6):
            moved = values.copy()
            moved[place] += step
            sides.append(value(model.with_parameters({name: moved}), batch))
        assert (sides[0] - sides[1]) / 2e-6 == pytest.approx(gradient[place], rel=1e-7)
    values = np.linspace(-1, 1, 6)
    for element in range(6):
        sides = []
        for step in (1e-6, -1e-6):
            moved = values.copy()
            moved[element] += step
            batch.set_tensors([x], moved)
            sides.append(value(model, batch))
        assert (sides[0] - sides[1]) / 2e-6 == pytest.approx(of_x[element], rel=1e-6)
    with pytest.raises(edb.EngineError):
        forward.backward()
    with pytest.raises(ValueError, match="as many rows"):
        model.forward(batch).backward({("read", "y"): weights[0]})
    with pytest.raises(edb.GraphError, match="6"):
        batch.set_tensors([x], np.zeros(5))


def test_losses_have_gradients(models: pathlib.Path) -> None:
    model = edb.open(models / "trees.edb")
    graphs = model.read_graphs(models / "trees.jsonl")[:8]
    loss, gradients = model.loss_and_gradients(graphs)
    assert set(gradients) == set(model.parameters())
    forward = model.forward(model.minibatch(graphs))
    assert forward.loss == loss and forward.answers.loss == loss
    for name, gradient in forward.backward().items():
        np.testing.assert_array_equal(gradient, gradients[name])
    # Dropout is another in another step.
    assert model.loss_and_gradients(graphs, step=1)[0] != loss


OPTIMIZERS: list[edb.Optimizer] = [
    edb.Sgd(0.1, momentum=0.9, nesterov=True),
    edb.Adam(1e-2, amsgrad=True, weight_decay=1e-4),
    edb.Adam(1e-2, decoupled_weight_decay=1e-2),
    edb.NAdam(1e-2),
    edb.RAdam(1e-2),
    edb.AdaGrad(0.1, rate_decay=1e-3),
    edb.AdaDelta(1.0),
    edb.RmsProp(1e-2, momentum=0.5, centred=True),
    edb.Lion(1e-3),
    edb.Muon(1e-2, adam_for=["judge.w"]),
]


@pytest.mark.parametrize("optimizer", OPTIMIZERS, ids=repr)
def test_every_optimizer_learns(models: pathlib.Path, optimizer: edb.Optimizer) -> None:
    model = edb.open(models / "trees.edb")
    batch = model.minibatch(model.read_graphs(models / "trees.jsonl"))
    before = model.infer(batch).loss
    trainer = edb.Trainer(model, optimizer)
    for _ in range(20):
        trainer.step(batch)
    assert trainer.infer(batch).loss < 0.95 * before
    assert model.infer(batch).loss == before


def test_settings_of_a_trainer(models: pathlib.Path) -> None:
    model = edb.open(models / "trees.edb")
    graphs = model.read_graphs(models / "trees.jsonl")[:8]
    plateau = edb.Plateau(patience=0, factor=0.5)
    groups = [edb.Group(function="word", frozen=True), edb.Group(parameter="judge.w", rate=0.1)]
    schedule = edb.Schedule.cosine(10, 0.0).warm_up(2).then(10, edb.Schedule.constant(0.5))
    trainer = edb.Trainer(model, edb.Adam(0.1), plateau=plateau, groups=groups, schedule=schedule)
    assert trainer.learning_rate == pytest.approx(0.1 * schedule.factor(0))
    trainer.step(graphs)
    before, after = model.parameters(), trainer.model.parameters()
    np.testing.assert_array_equal(before["word.table"], after["word.table"])
    assert np.abs(before["phrase.w"] - after["phrase.w"]).max() > 1e-3
    rate = trainer.observe(1.0)
    assert trainer.observe(2.0) == pytest.approx(rate / 2)
    # The sum of 8 graphs is 8 times their mean.
    moved = []
    for reduction, rate in (("sum", 0.1), ("mean_of_graphs", 0.8)):
        other = edb.Trainer(model, edb.Sgd(rate), reduction=reduction)
        other.step(graphs)
        moved.append(other.model.parameters()["phrase.w"])
    np.testing.assert_allclose(moved[0], moved[1], rtol=1e-5)
    assert np.abs(moved[0] - before["phrase.w"]).max() > 1e-3
    with pytest.raises(ValueError, match="`median`"):
        edb.Trainer(model, edb.Sgd(0.1), reduction="median")
    with pytest.raises(TypeError, match="exclude"):
        edb.Adam(0.1, weight_decay=0.1, decoupled_weight_decay=0.1)
    with pytest.raises(TypeError, match="one of"):
        edb.Group(frozen=True)
    with pytest.raises(edb.Error, match="learning rate"):
        edb.Trainer(model, edb.Sgd(-1.0)).step(graphs)
    with pytest.raises(edb.Error, match="phrases"):
        edb.Trainer(model, edb.Sgd(0.1), groups=[edb.Group(function="phrases")]).step(graphs)
    with pytest.raises(edb.GraphError):
        trainer.step([])


def test_graphs_grow_in_a_step(models: pathlib.Path) -> None:
    model = edb.open(models / "speaker.edb", seed=7)
    graphs = model.read_graphs(models / "speaker.jsonl")
    trainer = edb.Trainer(model, edb.Sgd(0.1))

    def hear(g: edb.GrowingGraph) -> None:
        said = g.new_vertices[-1]
        if len(g) < 8:
            g.add("say", [g.add("hear", [said - 1], id=g.index(said, "word"))])

    losses = []
    for _ in range(10):
        grown, step = trainer.grow_step(graphs, hear)
        assert [len(graph) for graph in grown] == [8] * 10
        losses.append(step.loss)
    # The loss of `say` draws all scores to 0.
    assert losses[-1] < 0.5 * losses[0]
    assert len(trainer.grow(graphs, hear)[0][0]) == 8

    def in_its_own_step(g: edb.GrowingGraph) -> None:
        trainer.observe(1.0)

    with pytest.raises(edb.TrainError, match="in use"):
        trainer.grow_step(graphs, in_its_own_step)
    assert trainer.steps == 10


def test_a_trainer_serves_one_thread_after_the_other(models: pathlib.Path) -> None:
    model = edb.open(models / "trees.edb", threads=1)
    batch = model.minibatch(model.read_graphs(models / "trees.jsonl"))
    trainer = edb.Trainer(model, edb.Sgd(0.1))

    def run() -> None:
        for _ in range(10):
            trainer.step(batch)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert trainer.steps == 40


def code_of_readme() -> list[str]:
    text = (pathlib.Path(__file__).parents[2] / "README.md").read_text()
    return [part.split("```")[0] for part in text.split("```python\n")[1:]]


def test_the_code_of_readme(
    models: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("speaker.edb", "speaker.jsonl"):
        shutil.copy(models / name, name)
    shutil.copy(models / "trees.edb", "sentiment.edb")
    shutil.copy(models / "trees.jsonl", "train.jsonl")
    names: dict[str, Any] = {}
    blocks = [code for code in code_of_readme() if "torch" not in code]
    assert len(blocks) == 4
    for code in blocks:
        exec(code, names)
    assert names["trainer"].steps == 20 and pathlib.Path("better.edb").exists()
    assert len(names["g"]) == 5 and len(names["grown"]) == 10


def test_a_model_within_one_of_pytorch(models: pathlib.Path) -> None:
    """The code of README, with the gradients of differences."""
    torch = pytest.importorskip("torch")
    names: dict[str, Any] = {}
    exec(next(code for code in code_of_readme() if "autograd.Function" in code), names)
    model = edb.open(models / "sums.edb")
    g = model.graph()
    tensors = [g.tensor(np.zeros(6)) for _ in range(2)]
    rows = [g.add("row", x=x, bag=[1]) for x in tensors]
    g.add("read", [g.add("sum", rows)])
    batch = model.minibatch([g])
    x = torch.linspace(-1, 1, 12, dtype=torch.float64).reshape(2, 6).requires_grad_()
    weights = torch.tensor([[0.5, -1.0, 2.0]], dtype=torch.float64)

    def loss(x: Any) -> Any:
        # A layer of PyTorch before it, and one behind it.
        return (names["Edb"].apply(x.sin(), model, batch, tensors, ("read", "y")) * weights).sum()

    loss(x).backward()
    for place in np.ndindex(2, 6):
        moved = [x.detach().clone() for _ in range(2)]
        moved[0][place] += 1e-6
        moved[1][place] -= 1e-6
        difference = (loss(moved[0]) - loss(moved[1])) / 2e-6
        assert difference.item() == pytest.approx(x.grad[place].item(), rel=1e-6)
