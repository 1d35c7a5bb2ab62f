"""What the programs for PyTorch share: options, timing, and the check of loss and gradients.

Timed are passes over the first 256 instances (64 if a minibatch is one instance) in consecutive
minibatches, from prepared tensors to the loss, and in training to the updated parameters. The
preparation of minibatches (who goes with whom, indices, tensors) is not timed; that of edb and DyNet
is. Nor are reading the file and passes to warm up. The pass with the median time counts. An update is
plain gradient descent, and changes the rows of tables that were read only.

A program has variants: what a careful user would write, and what an expert would. One line of JSON is
printed for each variant and number of threads, with an `error` if it does not run.

    --check    compares loss and gradients of all variants, in f64 and in f32, with the reference in
               `models`

On a GPU, variants that end in `_graph` run a whole step as a CUDA graph, one for each minibatch. Such
a graph fits one topology only: as these are captured before the timing for what is timed then, they
are faster than training on new data could be.

Needs PyTorch 2.11 or later, and numpy.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import math
import pathlib
import statistics
import sys
import time
from typing import Any, Callable

import numpy as np
import torch
import torch._dynamo

import models

__all__ = ["ByAutograd", "Network", "WithLayers", "compiled", "main", "models", "torch"]

# In f64 it is that of central differences.
TOLERANCES = {torch.float64: 1e-6, torch.float32: 1e-4}
# What is compiled is compiled for several shapes, and must not be run uncompiled in silence.
torch._dynamo.config.recompile_limit = 64
torch._dynamo.config.fail_on_recompile_limit_hit = True
Minibatch = "dict[str, Any]"
Tensors = "dict[str, torch.Tensor]"


class Network:
    """A model in PyTorch: its parameters by name, as they are in `models`."""

    of: type[models.Model]
    modes: tuple[str, ...] = ("train", "infer")

    def __init__(self, model: models.Model) -> None:
        self.model, self.hidden = model, model.hidden
        draw = torch.Generator().manual_seed(1)
        uniform = lambda name, shape: (torch.rand(shape, generator=draw) * 2 - 1) * model.bounds[name]
        self.p = {name: uniform(name, shape) for name, shape in model.shapes.items()}

    @staticmethod
    def prepare(batch: list) -> Minibatch:
        """What is known of a minibatch before the model is: it is not timed."""
        raise NotImplementedError

    def infer(self, minibatch: Minibatch) -> torch.Tensor | None:
        """The loss of a minibatch, where it is asked for."""
        raise NotImplementedError

    def train(self, minibatch: Minibatch) -> torch.Tensor:
        """The loss of a minibatch, after which the parameters are updated."""
        raise NotImplementedError

    def to(self, device: str) -> None:
        """Moves the parameters."""
        for parameter in self.p.values():
            parameter.data = parameter.data.to(device)

    def set(self, weights: Tensors) -> None:
        for name, weight in weights.items():
            self.p[name].data = weight.clone()

    def weights(self) -> Tensors:
        return {name: p.detach().clone() for name, p in self.p.items()}

    def gradients(self, minibatch: Minibatch) -> tuple[float, Tensors]:
        """The loss and all gradients, by a step of training with a rate of 1."""
        self.model.learning_rate = 1.0
        before = self.weights()
        loss = float(self.train(minibatch))
        after = self.weights()
        return loss, {name: before[name] - after[name] for name in before}

    def right(self) -> bool:
        """Whether what else is checked is right."""
        return True

    def further(self) -> dict[str, Any]:
        """What else the result says."""
        return {}


class ByAutograd(Network):
    """Training by autograd, where a model says its loss from the rows that it has read of its tables."""

    def __init__(self, model: models.Model) -> None:
        super().__init__(model)
        self.trained = [p for name, p in self.p.items() if name not in model.tables]
        for p in self.trained:
            p.requires_grad_()

    def loss(self, minibatch: Minibatch, rows: Tensors) -> torch.Tensor:
        """The loss. A minibatch has the numbers of the rows by the name of their table."""
        raise NotImplementedError

    def dropped(self, x: torch.Tensor) -> torch.Tensor:
        """In training, without the share that the model drops."""
        if not self.model.dropout:
            return x
        return torch.nn.functional.dropout(x, self.model.dropout, torch.is_grad_enabled())

    def rows(self, minibatch: Minibatch) -> Tensors:
        return {name: self.p[name].index_select(0, minibatch[name]) for name in self.model.tables}

    @torch.inference_mode()
    def infer(self, minibatch: Minibatch) -> torch.Tensor:
        return self.loss(minibatch, self.rows(minibatch))

    def train(self, minibatch: Minibatch) -> torch.Tensor:
        rows = {name: read.requires_grad_() for name, read in self.rows(minibatch).items()}
        loss = self.loss(minibatch, rows)
        loss.backward()
        with torch.no_grad():
            rate = self.model.learning_rate
            for name, read in rows.items():
                self.p[name].index_add_(0, minibatch[name], read.grad, alpha=-rate)
            torch._foreach_add_(self.trained, [p.grad for p in self.trained], alpha=-rate)
            for p in self.trained:
                p.grad = None
        return loss.detach()


class WithLayers(ByAutograd):
    """A network with layers of `torch.nn` instead of some parameters of its model, which are given for
    `--check`, and read there, in their order of gates and transposed."""

    def replace(self, layers: list[torch.nn.Module], parts: dict[str, list[torch.nn.Parameter]]) -> None:
        """`parts` has the layers' parameters that have a parameter of the model side by side."""
        self.layers, self.parts = layers, parts
        own = {self.p.pop(name) for name in parts}
        self.trained = [p for p in self.trained if not any(p is other for other in own)]
        self.trained += [p for layer in layers for p in layer.parameters() if p.requires_grad]

    def to(self, device: str) -> None:
        super().to(device)
        for layer in self.layers:
            layer.to(device)

    def set(self, weights: Tensors) -> None:
        super().set({name: weights[name] for name in self.p})
        with torch.no_grad():
            for name, parts in self.parts.items():
                for part, weight in zip(parts, weights[name].chunk(len(parts), -1)):
                    part.copy_(other_gates(weight).t() if weight.dim() == 2 else other_gates(weight))

    def weights(self) -> Tensors:
        of = lambda part: other_gates((part.t() if part.dim() == 2 else part).detach())
        own = {name: torch.cat([of(part) for part in parts], -1) for name, parts in self.parts.items()}
        return super().weights() | own


def other_gates(weight: torch.Tensor) -> torch.Tensor:
    """Weights of gates in the order `[i, f, o, g]` in that of `torch.nn`, `[i, f, g, o]`, and back."""
    i, f, third, fourth = weight.chunk(4, -1)
    return torch.cat((i, f, fourth, third), -1)


def compiled(function: Callable) -> Callable:
    """What `torch.compile` makes of a function of tensors with any number of rows."""
    return torch.compile(function)


def moved(value: Any, device: str) -> Any:
    """The tensors of a minibatch on a device, but for those that a packed sequence needs on the CPU."""
    if isinstance(value, torch.Tensor):
        return value.to(device)
    if isinstance(value, dict):
        return {key: of if key == "on_cpu" else moved(of, device) for key, of in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(moved(item, device) for item in value)
    return value


def captured(step: Callable, minibatch: Minibatch, pool: Any) -> Callable:
    """A step as a CUDA graph."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            step(minibatch)
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, pool=pool):
        step(minibatch)
    return graph.replay


def timed(run: Callable, on_gpu: bool) -> float:
    """The seconds of a pass."""
    if on_gpu:
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        run()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1e3
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def measured(
    make: Callable, variant: str, instances: list, options: argparse.Namespace
) -> dict[str, Any]:
    """What is measured of a variant; its error if it does not run here."""
    on_gpu = options.device.startswith("cuda")
    is_graph = variant.endswith("_graph")
    if is_graph and not on_gpu:
        raise RuntimeError("CUDA graphs need a GPU")
    network = make(variant.removesuffix("_graph"))
    network.to(options.device)
    instances = instances[: network.model.single if options.batch == 1 else len(instances)]
    parts = [instances[at : at + options.batch] for at in range(0, len(instances), options.batch)]
    minibatches = [moved(network.prepare(part), options.device) for part in parts]
    step = network.infer if options.mode == "infer" else network.train
    # Tensors that a step creates are created on the device of the parameters.
    with torch.device(options.device) if on_gpu else contextlib.nullcontext():
        if is_graph:
            pool = torch.cuda.graph_pool_handle()
            steps = [captured(step, minibatch, pool) for minibatch in minibatches]
        else:
            steps = [lambda minibatch=minibatch: step(minibatch) for minibatch in minibatches]

        def run() -> None:
            for step in steps:
                step()

        # What is compiled is compiled anew when it has seen that sizes differ.
        for _ in range(2 if "compile" in variant or on_gpu else 1):
            run()
        if on_gpu:
            torch.cuda.synchronize()
        times: list[float] = []
        begin = time.perf_counter()
        while len(times) < options.passes or time.perf_counter() - begin < options.seconds:
            times.append(timed(run, on_gpu))
        # The loss, which nothing else reads when a CUDA graph is replayed.
        loss = network.infer(minibatches[0])
    if loss is not None and not np.isfinite(float(loss)):
        raise RuntimeError("the loss is not finite")
    return {"instances_per_s": len(instances) / statistics.median(times), **network.further()}


def check(network: Network, instances: list, tolerance: float) -> bool:
    """Compares loss and gradients with the reference; prints them."""
    model = network.model
    weights = {name: models.closed(shape, at) for at, (name, shape) in enumerate(model.shapes.items(), 1)}
    as_tensor = lambda weight: torch.from_numpy(weight).to(torch.get_default_dtype())
    network.set({name: as_tensor(weight) for name, weight in weights.items()})
    minibatch = network.prepare(instances)
    alone = network.infer(minibatch)
    loss, gradients = network.gradients(minibatch)
    right = network.right() and (alone is None or abs(float(alone) - loss) <= tolerance * abs(loss))
    gradients = {name: gradient.numpy() for name, gradient in gradients.items()}
    return models.compare(model, instances, weights, loss, gradients, tolerance) and right


def main(
    variants: dict[str, type[Network]], about: str, of: type[models.Model] | None = None
) -> None:
    """`of` is the model, where the variants can have several."""
    of = of or next(iter(variants.values())).of
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    numbers = lambda text: [int(number) for number in text.split(",")]
    parser.add_argument("--data", type=pathlib.Path, help="as for `workloads`")
    parser.add_argument("--variants", help=f"of {','.join(variants)} [default: all]")
    modes = next(iter(variants.values())).modes
    parser.add_argument("--mode", choices=modes, default=modes[0])
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--threads", type=numbers, default=[torch.get_num_threads()])
    parser.add_argument("--seconds", type=float, default=0.5, help="timed at least")
    parser.add_argument("--passes", type=int, default=5, help="timed at least")
    parser.add_argument("--device", default="cpu", help="cpu; cpu,bf16 (autocast); cuda or cuda:N")
    parser.add_argument("--tf32", action="store_true", help="on a GPU")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.device == "cpu,bf16":
        torch.set_autocast_dtype("cpu", torch.bfloat16)
        torch.set_autocast_enabled("cpu", True)
        options.device = "cpu"
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = options.tf32
    names = options.variants.split(",") if options.variants else list(variants)
    can = [name for name, network in variants.items() if options.mode in network.modes]
    names = [name for name in names if name.removesuffix("_graph") in can]
    if not names:
        parser.error(f"--variants has none of {', '.join(can)}")
    instances, sizes = of.read(options.data)
    if options.check:
        right = True
        for name, (dtype, tolerance) in itertools.product(names, TOLERANCES.items()):
            torch.set_default_dtype(dtype)
            print(f"{name}, {dtype}:")
            model = of(*sizes, 8)
            # What is dropped is not the same twice, and of what is cut nothing is the gradient.
            model.dropout, model.clip = 0.0, math.inf
            network = variants[name](model)
            right &= check(network, instances[: model.checked], tolerance)
        print("as expected" if right else "NOT as expected")
        sys.exit(not right)
    make = lambda variant: variants[variant](of(*sizes, options.hidden))
    runs = 0
    for threads, name in itertools.product(options.threads, names):
        torch.set_num_threads(threads)
        # What is compiled is compiled for a number of threads.
        torch._dynamo.reset()
        row = {"workload": of.workload, "variant": name, "threads": threads}
        row |= {key: getattr(options, key) for key in ("mode", "hidden", "batch", "device")}
        row |= {"torch": torch.__version__, "tf32": options.tf32}
        try:
            row |= measured(make, name, instances, options)
            runs += 1
        except Exception as error:  # the other variants still run
            row["error"] = f"{type(error).__name__}: {error}".splitlines()[0]
        print(json.dumps(row), flush=True)
    sys.exit(not runs)
