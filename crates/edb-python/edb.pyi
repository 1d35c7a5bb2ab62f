"""Models of edb that were saved as one file."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import disjoint_base

__all__ = [
    "AdaDelta",
    "AdaGrad",
    "Adam",
    "Answers",
    "BundleError",
    "CheckpointError",
    "Checkpoints",
    "EngineError",
    "Error",
    "Forward",
    "Graph",
    "GraphError",
    "Group",
    "GrowingGraph",
    "LearnError",
    "Lion",
    "Minibatch",
    "Model",
    "Muon",
    "NAdam",
    "Optimizer",
    "Output",
    "Plateau",
    "RAdam",
    "RmsProp",
    "Schedule",
    "Sgd",
    "Step",
    "Tensor",
    "TrainError",
    "Trainer",
    "__version__",
    "open",
]

__version__: str

class Error(Exception):
    """What edb refuses, or could not do."""

class BundleError(Error):
    """A file that cannot be opened or written."""

class GraphError(Error):
    """A graph that its model refuses."""

class EngineError(Error):
    """A run that is refused or has failed."""

class LearnError(Error):
    """Parameters, gradients or settings that are refused."""

class TrainError(Error):
    """A training step that is refused or has failed."""

class CheckpointError(Error):
    """A checkpoint that cannot be saved or resumed."""

# What a vertex pulls for a field: an index, a bag of indices, a tensor, or what another vertex pushes.
_Pulled = int | ArrayLike | Tensor | Output
_Children = Iterable[int | None]

def open(
    path: str | PathLike[str],
    *,
    device: str = "cpu",
    threads: int | None = None,
    seed: int = 0,
) -> Model:
    """Opens a model that was saved as a bundle. It runs on `device` ("cpu", "cuda", "cuda:1"), on so many threads (all,
    unless given); `seed` is that of its random draws."""

@final
class Tensor:
    """A tensor of a graph, which several of its vertices may pull: `graph.tensor(array)`."""

    def __len__(self) -> int: ...

@final
class Output:
    """What a vertex pushes, to be pulled by another one: `graph.output(vertex, field)`."""

@final
class Graph:
    """The graph of one example: its vertices, added one by one or many at once. `Model.graph` makes it."""

    def add(self, function: str, children: _Children | None = None, /, **input: _Pulled) -> int:
        """Adds a vertex of a function, with its children (numbers of vertices that the graph has, or `None` for an
        optional one that is absent) and what it pulls for each field. Returns its number."""

    def add_all(
        self,
        function: str,
        children: Iterable[_Children] | None = None,
        /,
        **input: Sequence[_Pulled] | NDArray[Any],
    ) -> range:
        """Adds a vertex for each row: `children` has the children of each, and each field a list or an array with what
        each pulls. Returns their numbers. If a vertex is refused, those before it stay."""

    def tensor(self, values: ArrayLike) -> Tensor:
        """Numbers that several vertices of this graph may pull."""

    def output(self, vertex: int, field: str) -> Output:
        """What a vertex of this graph pushes, to be pulled by another."""

    def record(self) -> dict[str, Any]:
        """The graph as data: what JSON has on a line of `edb run`."""

    def set_sample(self, number: int) -> None:
        """Gives the graph a number on which its draws depend, in place of its content."""

    def __len__(self) -> int: ...
    def __copy__(self) -> Graph: ...
    def __deepcopy__(self, _memo: Any) -> Graph: ...

@final
class Minibatch:
    """Graphs that run together, checked once. `Model.minibatch` makes it."""

    def set_tensors(self, tensors: Sequence[Tensor], values: ArrayLike) -> None:
        """Replaces the numbers of tensors, which `Graph.tensor` has returned, by these, one tensor behind the other: the
        next run reads them."""

    @property
    def vertices(self) -> int:
        """How many vertices it has."""

    def __len__(self) -> int: ...

_Batch = Minibatch | Iterable[Graph]

@final
class Answers:
    """What a model has answered for graphs: outputs of their vertices, and losses."""

    @property
    def loss(self) -> float:
        """The sum of all losses."""

    @property
    def losses(self) -> NDArray[np.float64]:
        """The loss of each graph."""

    @property
    def functions(self) -> list[tuple[str, list[str]]]:
        """The functions that have pushed something, each with the names of its fields."""

    def output(self, graph: int, vertex: int, field: str) -> Any:
        """What a vertex of a graph (by its place in the minibatch) has pushed for a field: an array in the field's shape.
        If its function pushes a list, there is a row for each item."""

    def outputs(self, function: str, field: str) -> NDArray[Any]:
        """What all vertices of a function have pushed for a field: an array with a row for each output, graph by graph,
        and in each graph in the order of its vertices. `vertices` says which row is whose."""

    def vertices(self, function: str) -> NDArray[np.int64]:
        """For each output of a function, its graph and its vertex: an array of shape `[outputs, 2]`."""

    def __len__(self) -> int: ...

@final
class Forward:
    """The run of a minibatch, forward, with what its gradients need. `Model.forward` makes it."""

    @property
    def answers(self) -> Answers:
        """What the vertices have pushed, and the losses."""

    @property
    def loss(self) -> float:
        """The sum of all losses."""

    def backward(
        self, seeds: Mapping[tuple[str, str], ArrayLike] | None = None
    ) -> dict[str, NDArray[Any]]:
        """Runs backward, once. `seeds` are gradients of outputs, by function and field: arrays like those of
        `answers.outputs`. Returns the gradient of the losses and of ⟨seeds, outputs⟩ for each parameter."""

    def tensor_gradients(self, tensors: Sequence[Tensor]) -> NDArray[Any]:
        """After `backward`, the gradients of tensors, which `Graph.tensor` has returned: one array, with those of one
        tensor behind those of the other."""

@final
class GrowingGraph:
    """A graph in a callback of `grow`: what it has decided can be read, and vertices can be added. It cannot be used when
    the callback has returned."""

    @property
    def place(self) -> int:
        """The place of the graph among all that grow."""

    @property
    def new_vertices(self) -> range:
        """The numbers of the vertices that have run since the graph's last round."""

    def decided(self, function: str) -> list[int]:
        """Those of the new vertices that are of a function."""

    def index(self, vertex: int, field: str) -> int:
        """An index that a vertex has pushed."""

    def draw(self) -> float:
        """A random number, uniform in [0, 1): it depends on seed, step, graph and round alone."""

    def add(self, function: str, children: _Children | None = None, /, **input: _Pulled) -> int:
        """Adds a vertex, as `Graph.add` does."""

    def output(self, vertex: int, field: str) -> Output:
        """What a vertex of this graph pushes, to be pulled by another."""

    def __len__(self) -> int: ...

@final
class Model:
    """A model whose vertex functions are found by name. `open` opens one."""

    @property
    def schema(self) -> dict[str, Any]:
        """What the model consists of: functions with what they take and give, and parameters."""

    @property
    def notes(self) -> dict[str, Any]:
        """The notes of the program that saved it."""

    @property
    def examples(self) -> list[dict[str, Any]]:
        """The graphs that were saved with it, each with its answer."""

    @property
    def dtype(self) -> str:
        """`float32` or `float64`: the type of its numbers."""

    def check(self) -> list[float]:
        """Runs the examples again. Returns, for each, the greatest difference of a number from the one in the file,
        relative where it is above 1: 0 if all bits are the same."""

    def graph(self) -> Graph:
        """An empty graph."""

    def graph_from_record(self, record: Mapping[str, Any]) -> Graph:
        """A graph that is given as data, as JSON has it on a line of `edb run`."""

    def read_graphs(self, path: str | PathLike[str]) -> list[Graph]:
        """The graphs of a file with a line of JSON for each."""

    def minibatch(self, graphs: Iterable[Graph]) -> Minibatch:
        """Graphs as one minibatch, which may run many times."""

    def infer(self, graphs: _Batch) -> Answers:
        """Answers graphs, without dropout."""

    def forward(self, graphs: _Batch, step: int = 0) -> Forward:
        """Runs graphs forward as training step `step` does, with dropout, and keeps what their gradients need."""

    def loss_and_gradients(
        self, graphs: _Batch, step: int = 0
    ) -> tuple[float, dict[str, NDArray[Any]]]:
        """The sum of all losses, and its gradient for each parameter."""

    def grow(
        self, graphs: Iterable[Graph], grow: Callable[[GrowingGraph], object]
    ) -> tuple[list[Graph], Answers]:
        """Lets graphs grow: `grow(graph)` is called for each graph whenever all its vertices have run, and adds vertices,
        or none; then the graph is done. Returns the graphs with all that they have got, and the answers."""

    def parameters(self) -> dict[str, NDArray[Any]]:
        """The parameters, by name."""

    def with_parameters(self, parameters: Mapping[str, ArrayLike]) -> Model:
        """This model with other values for some parameters. Graphs and minibatches of this model are also its own."""

    def save(
        self,
        path: str | PathLike[str],
        *,
        notes: Mapping[str, Any] | None = None,
        examples: Iterable[Graph] | None = None,
    ) -> None:
        """Saves the model as a bundle, with notes (its own, unless others are given), and with `examples`, graphs whose
        answers the file then has. Examples of the file that was opened are not kept: answers may be others now."""

@disjoint_base
class Optimizer:
    """An optimiser: `Adam(1e-3)`, for example."""

@final
class Sgd(Optimizer):
    """Stochastic gradient descent, with momentum where it is above 0."""

    def __new__(
        cls,
        learning_rate: float,
        *,
        momentum: float = 0.0,
        nesterov: bool = False,
        weight_decay: float | None = None,
        decoupled_weight_decay: float | None = None,
    ) -> Sgd: ...

@final
class Adam(Optimizer):
    """Adam (Kingma and Ba, 2015), with `betas` of 0.9 and 0.999 unless given; with `decoupled_weight_decay`, AdamW."""

    def __new__(
        cls,
        learning_rate: float,
        *,
        betas: tuple[float, float] = ...,
        epsilon: float = 1e-8,
        amsgrad: bool = False,
        weight_decay: float | None = None,
        decoupled_weight_decay: float | None = None,
    ) -> Adam: ...

@final
class NAdam(Optimizer):
    """NAdam (Dozat, 2016), with the `betas` of Adam."""

    def __new__(
        cls,
        learning_rate: float,
        *,
        betas: tuple[float, float] = ...,
        epsilon: float = 1e-8,
        momentum_decay: float = 4e-3,
        weight_decay: float | None = None,
        decoupled_weight_decay: float | None = None,
    ) -> NAdam: ...

@final
class RAdam(Optimizer):
    """RAdam (Liu et al., 2020), with the `betas` of Adam."""

    def __new__(
        cls,
        learning_rate: float,
        *,
        betas: tuple[float, float] = ...,
        epsilon: float = 1e-8,
        weight_decay: float | None = None,
        decoupled_weight_decay: float | None = None,
    ) -> RAdam: ...

@final
class AdaGrad(Optimizer):
    """AdaGrad (Duchi et al., 2011)."""

    def __new__(
        cls,
        learning_rate: float,
        *,
        epsilon: float = 1e-10,
        initial_sum: float = 0.0,
        rate_decay: float = 0.0,
        weight_decay: float | None = None,
        decoupled_weight_decay: float | None = None,
    ) -> AdaGrad: ...

@final
class AdaDelta(Optimizer):
    """AdaDelta (Zeiler, 2012)."""

    def __new__(
        cls,
        learning_rate: float,
        *,
        decay_rate: float = 0.9,
        epsilon: float = 1e-6,
        weight_decay: float | None = None,
        decoupled_weight_decay: float | None = None,
    ) -> AdaDelta: ...

@final
class RmsProp(Optimizer):
    """RMSProp (Hinton, 2012)."""

    def __new__(
        cls,
        learning_rate: float,
        *,
        decay_rate: float = 0.99,
        epsilon: float = 1e-8,
        momentum: float = 0.0,
        centred: bool = False,
        weight_decay: float | None = None,
        decoupled_weight_decay: float | None = None,
    ) -> RmsProp: ...

@final
class Lion(Optimizer):
    """Lion (Chen et al., 2023), with `betas` of 0.9 and 0.99 unless given."""

    def __new__(
        cls,
        learning_rate: float,
        *,
        betas: tuple[float, float] = ...,
        weight_decay: float | None = None,
        decoupled_weight_decay: float | None = None,
    ) -> Lion: ...

@final
class Muon(Optimizer):
    """Muon (Jordan et al., 2024) for matrices, and Adam for all other parameters, and for those whose names end with one
    of `adam_for`."""

    def __new__(
        cls,
        learning_rate: float,
        *,
        momentum: float = 0.95,
        adam_for: Sequence[str] | None = None,
        betas: tuple[float, float] = ...,
        epsilon: float = 1e-8,
        weight_decay: float | None = None,
        decoupled_weight_decay: float | None = None,
    ) -> Muon: ...

@final
class Schedule:
    """Factors of the learning rate, step by step."""

    @staticmethod
    def constant(factor: float) -> Schedule:
        """The same factor in each step."""

    @staticmethod
    def step(every: int, gamma: float) -> Schedule:
        """Multiplies by `gamma` each `every` steps."""

    @staticmethod
    def exponential(gamma: float) -> Schedule:
        """Multiplies by `gamma` in each step."""

    @staticmethod
    def linear(steps: int, start: float, end: float) -> Schedule:
        """Linear from one factor to another in so many steps."""

    @staticmethod
    def cosine(steps: int, end: float) -> Schedule:
        """Falls from 1 to `end` along half a cosine in so many steps."""

    @staticmethod
    def one_cycle(steps: int) -> Schedule:
        """One cycle of PyTorch's `OneCycleLR`."""

    def then(self, steps: int, second: Schedule) -> Schedule:
        """This schedule for `steps` steps, then another."""

    def times(self, other: Schedule) -> Schedule:
        """The product of two schedules."""

    def warm_up(self, steps: int) -> Schedule:
        """Multiplies the first `steps` steps by a linear warm-up."""

    def factor(self, step: int) -> float:
        """The factor of a step, counted from 0."""

@final
class Plateau:
    """Lowers the learning rate when scores stop improving: `Trainer.observe` is told them."""

    def __new__(
        cls,
        *,
        higher_is_better: bool = False,
        factor: float | None = None,
        patience: int | None = None,
        margin: float | None = None,
        least: float | None = None,
    ) -> Plateau: ...

@final
class Group:
    """Settings for some parameters: those of a function, those whose names begin with a prefix, one by its name, or all
    biases."""

    def __new__(
        cls,
        *,
        function: str | None = None,
        parameter: str | None = None,
        prefix: str | None = None,
        biases: bool = False,
        rate: float | None = None,
        weight_decay: float | None = None,
        frozen: bool = False,
        clip_norm: float | None = None,
        clip_value: float | None = None,
    ) -> Group: ...

@final
class Step:
    """What a training step has done."""

    @property
    def loss(self) -> float:
        """The sum of the losses of all graphs."""

    @property
    def mean_loss(self) -> float:
        """The loss that was minimised: by default, the mean of the graphs."""

    @property
    def graphs(self) -> int: ...
    @property
    def gradient_norm(self) -> float | None:
        """The norm of the gradient before it was clipped, if it was needed."""

    @property
    def skipped(self) -> bool:
        """Whether the step was left out since numbers of 16 bits overflowed."""

@final
class Trainer:
    """Trains a model, minibatch by minibatch. The model that it was given stays as it is; `Trainer.model` is the trained
    one."""

    def __new__(
        cls,
        model: Model,
        optimizer: Optimizer,
        *,
        schedule: Schedule | None = None,
        plateau: Plateau | None = None,
        groups: Sequence[Group] = ...,
        clip_norm: float | None = None,
        clip_value: float | None = None,
        ema: float | None = None,
        reduction: str = "mean_of_graphs",
        memory_budget: int | None = None,
        allow_unreached: bool = False,
        accept_changes: bool = False,
    ) -> Trainer:
        """`reduction` is what is minimised: "mean_of_graphs", "mean_of_vertices" or "sum". With `accept_changes`, a
        checkpoint is resumed although it was saved with other settings."""

    def step(self, graphs: _Batch) -> Step:
        """Takes a training step along the gradient of the loss of these graphs."""

    def infer(self, graphs: _Batch) -> Answers:
        """Answers graphs with the parameters that have been reached, without dropout."""

    def grow_step(
        self, graphs: Iterable[Graph], grow: Callable[[GrowingGraph], object]
    ) -> tuple[list[Graph], Step]:
        """Takes a training step over graphs that grow, with dropout, as `Model.grow` lets them grow. Returns the graphs
        with all that they have got."""

    def grow(
        self, graphs: Iterable[Graph], grow: Callable[[GrowingGraph], object]
    ) -> tuple[list[Graph], Answers]:
        """Lets graphs grow with the parameters that have been reached, without dropout, as `Model.grow`."""

    def observe(self, score: float) -> float:
        """Tells the plateau a score, and returns the learning rate of the next step."""

    def swap_averages(self) -> bool:
        """Swaps the parameters with their moving averages; again swaps them back. Returns whether there are averages."""

    @property
    def model(self) -> Model:
        """The model as it has been trained so far: a copy."""

    @property
    def learning_rate(self) -> float:
        """The learning rate of the next step."""

    @property
    def steps(self) -> int:
        """How many steps have been taken."""

@final
class Checkpoints:
    """A folder of checkpoints: all that the next step depends on, saved whole or not at all."""

    def __new__(
        cls,
        folder: str | PathLike[str],
        *,
        keep_latest: int | None = None,
        keep_lowest: int | None = None,
        keep_highest: int | None = None,
    ) -> Checkpoints:
        """Of those in the folder, keeps so many of the latest, and of those with the lowest, or the highest, scores."""

    def save(
        self,
        trainer: Trainer,
        *,
        notes: Mapping[str, Any] | None = None,
        score: float | None = None,
    ) -> Path:
        """Saves what a trainer has reached, with notes of the program and a score. Returns where."""

    def resume(self, trainer: Trainer) -> dict[str, Any] | None:
        """Continues from the latest checkpoint that is whole. Returns its notes, or `None` if there is no checkpoint."""

    def list(self) -> list[Path]:
        """The paths of all checkpoints, from the earliest."""
