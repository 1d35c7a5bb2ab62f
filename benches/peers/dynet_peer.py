"""What the models in DyNet share: options, timing, and the check of loss and gradients.

Timed is what `examples/workloads` times: passes over the first 256 instances (64 if a minibatch is
one instance) in consecutive minibatches, from parsed instances to the loss, and in training to the
updated parameters; the graphs are made anew each time. The pass with the median time counts. Not
timed are reading the file and a pass to warm up. DyNet's automatic batching is on; it runs on one
thread. An update is plain gradient descent, and changes the rows of tables that were read only.

    --check    compares loss and gradients with a reference in f64, instead: for each parameter the
               sums of its gradient g over the flat index k, `g[k] cos(k)` and `g[k]^2`, with central
               differences of the reference. The weight [i, j] of the parameter number q, from 1, is
               0.4 sin(0.7 i + 1.3 j + 0.37 i j + q), that of a vector the same for i = 0.

Needs dynet38 2.2 (Python 3.8 to 3.11) and numpy: `run.py` installs both.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import statistics
import sys
import time
from typing import Any, Callable

import dynet_config
import numpy as np

# Memory in MB, a quarter each for values, gradients, parameters and scratch. With automatic batching
# none of them can grow: this is enough for 512 hidden units and 256 instances.
dynet_config.set(autobatch=1, mem=2048, random_seed=1)

import dynet as dy

__all__ = ["Model", "cross_entropy", "dy", "lstm", "main", "np", "sigmoid"]

TOLERANCE = 1e-4
Weights = "dict[str, np.ndarray]"


class Model:
    """Parameters by name. A matrix is listed with its inputs as rows, as `x W`; the rows of a table
    are its vectors."""

    workload: str
    tables: tuple[str, ...] = ("E",)
    # Biases of gates in DyNet's fused ops of the LSTM, which add 1 to that of the forget gate. What
    # is stored is 1 less.
    fused: tuple[str, ...] = ()
    # How many instances `--check` takes, and a pass over minibatches of one instance.
    checked, single = 4, 64
    learning_rate = 0.05

    def __init__(
        self, hidden: int, shapes: dict[str, tuple[int, ...]], bounds: dict[str, float]
    ) -> None:
        """Parameters are drawn within their bound, which is 1/sqrt(hidden) if none is given."""
        self.hidden, self.shapes = hidden, shapes
        self.collection = dy.ParameterCollection()
        self.parameters: dict[str, Any] = {}
        for name, shape in shapes.items():
            drawn = dy.UniformInitializer(bounds.get(name, hidden**-0.5))
            if name in self.tables:
                self.parameters[name] = self.collection.add_lookup_parameters(shape, init=drawn)
            else:
                self.parameters[name] = self.collection.add_parameters(shape[::-1], init=drawn)
            if name in self.fused:
                self.set(name, self.parameters[name].as_array())

    def loss(self, batch: list) -> dy.Expression:
        """The loss of a minibatch: the sum of all losses by the number of instances."""
        raise NotImplementedError

    def infer(self, batch: list) -> None:
        self.loss(batch).value()

    def reference(self, weights: Weights, batch: list) -> float:
        """The same loss in f64, written without DyNet."""
        raise NotImplementedError

    def set(self, name: str, weight: np.ndarray) -> None:
        parameter = self.parameters[name]
        if name in self.tables:
            parameter.init_from_array(weight)
        elif name in self.fused:
            added = np.repeat([0.0, 1.0, 0.0, 0.0], self.hidden)
            parameter.set_value(weight - np.tile(added, weight.size // added.size))
        else:
            parameter.set_value(weight.T)

    def gradient(self, name: str) -> np.ndarray:
        gradient = self.parameters[name].grad_as_array()
        return np.asarray(gradient if name in self.tables else gradient.T, np.float64)

    def further(self) -> dict[str, Any]:
        """What else the result says."""
        return {}

    def right(self) -> bool:
        """Whether what else is checked is right."""
        return True


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def lstm(gates: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The new state and cell, for gates in DyNet's order: input, forget, output, candidate."""
    i, f, o, g = np.split(gates, 4)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def cross_entropy(scores: np.ndarray, label: int) -> float:
    greatest = scores.max()
    return float(np.log(np.exp(scores - greatest).sum()) + greatest - scores[label])


def timed(model: Model, instances: list, options: argparse.Namespace) -> float:
    """Instances/s."""
    instances = instances[: model.single if options.batch == 1 else len(instances)]
    batches = [
        instances[at : at + options.batch] for at in range(0, len(instances), options.batch)
    ]
    trainer = dy.SimpleSGDTrainer(model.collection, learning_rate=model.learning_rate)
    trainer.set_clip_threshold(-1)

    def step(batch: list) -> None:
        dy.renew_cg()
        if options.mode == "infer":
            model.infer(batch)
            return
        loss = model.loss(batch)
        if not np.isfinite(loss.value()):
            sys.exit("a loss is not finite")
        loss.backward()
        trainer.update()

    times = []
    begin = time.perf_counter()
    while len(times) <= options.passes or time.perf_counter() - begin < options.seconds:
        start = time.perf_counter()
        for batch in batches:
            step(batch)
        times.append(time.perf_counter() - start)
        if len(times) == 1:
            begin = time.perf_counter()
    return len(instances) / statistics.median(times[1:])


def closed(shape: tuple[int, ...], number: int) -> np.ndarray:
    i = np.arange(shape[0] if len(shape) == 2 else 1)[:, None]
    j = np.arange(shape[-1])[None, :]
    return (0.4 * np.sin(0.7 * i + 1.3 * j + 0.37 * i * j + number)).reshape(shape)


def check(model: Model, instances: list) -> bool:
    """Compares loss and gradients with the reference; prints them."""
    weights = {name: closed(shape, at) for at, (name, shape) in enumerate(model.shapes.items(), 1)}
    for name, weight in weights.items():
        model.set(name, weight)
    dy.renew_cg()
    loss = model.loss(instances)
    found, expected = loss.value(), model.reference(weights, instances)
    loss.backward()
    right = model.right() and abs(found - expected) <= TOLERANCE * abs(expected)
    print(f"loss {found:.9f}, expected {expected:.12f}")
    for name, weight in weights.items():
        gradient = model.gradient(name)
        size = np.linalg.norm(gradient)
        waves = np.cos(np.arange(weight.size)).reshape(weight.shape)
        shown = []
        for along, least in ((waves, size), (gradient, 0)):
            step = 1e-5 / np.abs(along).max()
            sides = [
                model.reference({**weights, name: weight + side * along}, instances)
                for side in (step, -step)
            ]
            found, expected = (gradient * along).sum(), (sides[0] - sides[1]) / (2 * step)
            right &= bool(abs(found - expected) <= TOLERANCE * max(abs(expected), least))
            shown.append(f"{found:.9e}, expected {expected:.9e}")
        print(f"{name:3} dot {shown[0]}; square {shown[1]}")
    print("as expected" if right else "NOT as expected")
    return right


def main(
    make: Callable[[list, list[int], int], Model],
    read: Callable[[pathlib.Path | None], tuple[list, list[int]]],
    about: str,
) -> None:
    """`read` gives the instances and the sizes of tables, of which `make` makes a model."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, help="as for `workloads`")
    parser.add_argument("--mode", choices=["train", "infer"], default="train")
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=0.5, help="timed at least")
    parser.add_argument("--passes", type=int, default=5, help="timed at least")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    instances, sizes = read(options.data)
    if options.check:
        model = make(instances, sizes, 8)
        sys.exit(not check(model, instances[: model.checked]))
    model = make(instances, sizes, options.hidden)
    result = {name: getattr(options, name) for name in ("mode", "hidden", "batch")}
    rate = timed(model, instances, options)
    result = {"workload": model.workload, **result, "instances_per_s": rate, **model.further()}
    print(json.dumps(result))
