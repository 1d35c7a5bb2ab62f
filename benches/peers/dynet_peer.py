"""What the programs for DyNet share: options, timing, and the check of loss and gradients.

Timed is what `examples/workloads` times: passes over the first 256 instances (64 if a minibatch is
one instance) in consecutive minibatches, from parsed instances to the loss, and in training to the
updated parameters; the graphs are made anew each time. The pass with the median time counts. Not
timed are reading the file and a pass to warm up. DyNet's automatic batching is on; it runs on one
thread, with the instructions that its package was compiled for (AVX2). An update is plain gradient
descent, and changes the rows of tables that were read only.

    --check    compares loss and gradients with the reference in `models`, instead; and the losses
               of minibatches of 32, which are batched in other ways than few instances

Needs dynet38 2.2 (Python 3.8 to 3.11) and numpy: `run.py` installs both.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import statistics
import sys
import time
from typing import Any

import dynet_config
import numpy as np

# Memory in MB, a quarter each for values, gradients, parameters and scratch. With automatic batching
# none of them can grow: this is enough for the scores of 10,000 words of 256 pieces of 64. Of the ways to
# batch, 1 is the fastest: 2 and 3 took up to a fifth longer, and 3 failed for lattices.
dynet_config.set(autobatch=1, mem=8192, random_seed=1)

import dynet as dy

import models

__all__ = ["Dropping", "Network", "dy", "main", "models", "np"]

TOLERANCE = 1e-4


class Network:
    """A model in DyNet: its parameters by name, whose matrices DyNet has transposed."""

    of: type[models.Model]
    # Biases of gates in DyNet's fused ops of the LSTM, which add 1 to that of the forget gate. What
    # is stored is 1 less.
    fused: tuple[str, ...] = ()

    def __init__(self, model: models.Model) -> None:
        self.model, self.hidden = model, model.hidden
        self.collection = dy.ParameterCollection()
        self.parameters: dict[str, Any] = {}
        for name, shape in model.shapes.items():
            drawn = dy.UniformInitializer(model.bounds[name])
            if name in model.tables:
                self.parameters[name] = self.collection.add_lookup_parameters(shape, init=drawn)
            else:
                self.parameters[name] = self.collection.add_parameters(shape[::-1], init=drawn)
            if name in self.fused:
                self.set(name, self.parameters[name].as_array())

    def loss(self, batch: list) -> dy.Expression:
        """The loss of a minibatch: the sum of all losses by the number of instances."""
        return dy.esum([loss for instance in batch for loss in self.losses(instance)]) * (1 / len(batch))

    def losses(self, instance: Any) -> list[dy.Expression]:
        raise NotImplementedError

    def infer(self, batch: list) -> None:
        self.loss(batch).value()

    def set(self, name: str, weight: np.ndarray) -> None:
        parameter = self.parameters[name]
        if name in self.model.tables:
            parameter.init_from_array(weight)
        elif name in self.fused:
            added = np.repeat([0.0, 1.0, 0.0, 0.0], self.hidden)
            parameter.set_value(weight - np.tile(added, weight.size // added.size))
        else:
            parameter.set_value(weight.T)

    def drawn(self) -> dict[str, np.ndarray]:
        """The weights as the reference has them."""
        return {name: self.weight(name, of.as_array()) for name, of in self.parameters.items()}

    def weight(self, name: str, stored: np.ndarray) -> np.ndarray:
        if name in self.model.tables:
            return stored
        if name in self.fused:
            added = np.repeat([0.0, 1.0, 0.0, 0.0], self.hidden)
            return stored + np.tile(added, stored.size // added.size)
        return stored.T

    def gradient(self, name: str) -> np.ndarray:
        gradient = self.parameters[name].grad_as_array()
        return np.asarray(gradient if name in self.model.tables else gradient.T, np.float64)

    def right(self) -> bool:
        """Whether what else is checked is right."""
        return True

    def further(self) -> dict[str, Any]:
        """What else the result says."""
        return {}


class Dropping(Network):
    """A network that drops a share of some vectors in training."""

    dropout = 0.0

    def loss(self, batch: list) -> dy.Expression:
        self.dropout = self.model.dropout
        return super().loss(batch)

    def infer(self, batch: list) -> None:
        self.dropout = 0.0
        super().loss(batch).value()

    def dropped(self, x: dy.Expression) -> dy.Expression:
        return dy.dropout(x, self.dropout) if self.dropout else x


def timed(network: Network, instances: list, options: argparse.Namespace) -> float:
    """Instances/s."""
    model = network.model
    instances = instances[: model.single if options.batch == 1 else len(instances)]
    batches = [
        instances[at : at + options.batch] for at in range(0, len(instances), options.batch)
    ]
    trainer = dy.SimpleSGDTrainer(network.collection, learning_rate=model.learning_rate)
    trainer.set_clip_threshold(-1)

    def step(batch: list) -> None:
        dy.renew_cg()
        if options.mode == "infer":
            network.infer(batch)
            return
        loss = network.loss(batch)
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


def check(network: Network, instances: list) -> bool:
    """Compares loss and gradients with the reference; prints them."""
    shapes = network.model.shapes
    weights = {name: models.closed(shape, at) for at, (name, shape) in enumerate(shapes.items(), 1)}
    for name, weight in weights.items():
        network.set(name, weight)
    dy.renew_cg()
    loss = network.loss(instances)
    found = loss.value()
    loss.backward()
    right = network.right()
    gradients = {name: network.gradient(name) for name in weights}
    return models.compare(network.model, instances, weights, found, gradients, TOLERANCE) and right


def check_minibatches(network: Network, instances: list) -> bool:
    """Compares the losses of minibatches with the reference, with the weights that were drawn."""
    right, weights = True, network.drawn()
    for at in range(0, len(instances), 32):
        dy.renew_cg()
        batch = instances[at : at + 32]
        found = network.loss(batch).value()
        expected = network.model.reference(weights, batch)
        right &= abs(found - expected) <= TOLERANCE * abs(expected)
    print(f"{len(instances)} instances, the last loss {found:.6f}, expected {expected:.6f}")
    return right


def main(network: type[Network], about: str) -> None:
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, help="as for `workloads`")
    parser.add_argument("--mode", choices=["train", "infer"], default="train")
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=0.5, help="timed at least")
    parser.add_argument("--passes", type=int, default=5, help="timed at least")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    instances, sizes = network.of.read(options.data)
    if options.check:
        model = network.of(*sizes, 8)
        # What is dropped is not the same twice.
        model.dropout = 0.0
        right = check(network(model), instances[: model.checked])
        right &= check_minibatches(network(model), instances)
        print("as expected" if right else "NOT as expected")
        sys.exit(not right)
    model = network.of(*sizes, options.hidden)
    made = network(model)
    rate = timed(made, instances, options)
    sizes = {name: getattr(options, name) for name in ("mode", "hidden", "batch")}
    row = {"workload": model.workload, **sizes, "instances_per_s": rate}
    print(json.dumps({**row, **made.further()}))
