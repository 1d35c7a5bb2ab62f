"""Measures edb, PyTorch and DyNet in one session, as a table of instances/s.

    python3 benches/peers/run.py [--data DIR] [--quick] [--only WORKLOADS] [--json FILE]
    python3 benches/peers/run.py --check
    python3 benches/peers/run.py --device cuda

It builds edb (`workloads`, and for the decoder `growing`), makes an environment for each peer with the
versions below, and lets all take turns: in each round, every cell is measured once with each program,
one right after the other, and the order changes from round to round. Figures are medians of the rounds.
"apart" is how far the rounds of edb on most threads lie apart, divided by their median: how quiet the
machine was. What a peer lacks is said in a line.

The workloads are the binary Tree-LSTM, the BiLSTM tagger, the lattice LSTM, what ED-Batch measures as one
(`lattice-edbatch`), and a decoder that stops at its own end symbol; and of pfor's figure 1, in inference
and in the paper's size only, a linear layer, a perceptron, and an LSTM over 1 to 100 words (`lengths`).
All programs read the same instances: those in `--data`, in the layout of `WORKLOADS` below, or else those
that `workloads` draws. The decoder has none, and vectors for layers are drawn.

The programs of the peers are in this folder: `models.py` says what each computes, and `--check` compares
their losses and gradients with it. DyNet has one thread, and times what edb does: graphs, forward,
backward, update. PyTorch's do not count the preparation of their batches; the first round measures all
their variants on each number of threads, further ones the fastest of these. On a GPU, and with `--device
cpu,bf16` (where PyTorch runs under autocast, with which `by_hand` fails for trees), DyNet is left out.
Python is 3.9 or later; DyNet needs one of 3.8 to 3.11 on the path.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any, NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import gate
import instances

TORCH = ("torch==2.15.0", "setuptools==84.2.1", "numpy==2.4.6")
DYNET = ("dynet38==2.2", "numpy==1.24.4", "cython==3.0.12")
# DyNet has no wheel for others.
DYNET_PYTHONS = ("python3.11", "python3.10", "python3.9", "python3.8")


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
    modes: tuple[str, ...] = ("train", "infer")
    # PyTorch's variants on a GPU.
    on_gpu: str = ""


LATTICES = ("lattices.txt", "edbatch/lattice/train.txt.gz")
LEVELS = "levels,levels_compile,levels_graph,by_hand,by_hand_compile,by_hand_graph,by_hand_compile_graph"
WORKLOADS = {
    "tree-lstm": Workload(
        "treelstm",
        data=("trees.ptb.txt", "sst/train.txt.gz"),
        edb=("tree-lstm",),
        on_gpu=LEVELS,
    ),
    "bilstm-tagger": Workload(
        "bilstm",
        data=("sents.tags.txt", "wikiner/train.txt.gz"),
        edb=("bilstm-tagger",),
        on_gpu="packed,packed_graph",
    ),
    "lattice-lstm": Workload("lattice", data=LATTICES, edb=("lattice-lstm",)),
    "lattice-edbatch": Workload("lattice_edbatch", data=LATTICES, edb=("lattice-edbatch",)),
    "decode": Workload("decode"),
    "linear-layer": Workload("layers", ("linear-layer",), (), ("linear-layer",), 768, ("infer",)),
    "perceptron": Workload("layers", ("perceptron",), (), ("perceptron",), 512, ("infer",)),
    "lengths": Workload(
        "lengths",
        edb=("language-model", "--ids-modulo", str(instances.LENGTHS_WORDS)),
        hidden=256,
        modes=("infer",),
    ),
}
SYMBOLS = 10_000
# At least so many in a round: the rounds are what a median is of.
PASSES = 2

# A workload, a mode, and the numbers of hidden units and of instances in a minibatch.
Cell = tuple[str, str, int, int]


class Peer:
    """A program to measure."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.silent: set[str] = set()

    def speed(self, cell: Cell, turn: int) -> float | None:
        """Instances/s, or None if this peer does not have the cell."""
        raise NotImplementedError

    def rows(self, command: list[Any], what: str) -> list[dict[str, Any]]:
        """The lines of JSON that a command prints; none if it fails."""
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        if done.returncode:
            self.lacks(what, (done.stderr.strip().splitlines() or ["no reason is given"])[-1])
            return []
        return [json.loads(line) for line in done.stdout.splitlines()]

    def lacks(self, what: str, why: str) -> None:
        """Says once what is not measured."""
        if what not in self.silent:
            self.silent.add(what)
            print(f"{self.name}: no {what}: {why}", file=sys.stderr, flush=True)

    def detail(self, cell: Cell) -> str:
        """What stands behind a figure."""
        return ""


class Edb(Peer):
    def __init__(self, options: argparse.Namespace, threads: int, inputs: Inputs) -> None:
        on_cpu = options.device.startswith("cpu")
        super().__init__(f"edb, {plural(threads)}" if on_cpu else "edb")
        self.options, self.threads, self.inputs = options, threads, inputs

    def speed(self, cell: Cell, turn: int) -> float | None:
        workload, mode, hidden, batch = cell
        if workload == "decode":
            return self.decoder(turn, hidden, batch)[mode]
        data = self.inputs.file(workload)
        command = [
            *(self.inputs.workloads, *WORKLOADS[workload].edb, *(["--data", data] if data else [])),
            *("--device", self.options.device, "--mode", mode, "--hidden", hidden),
            *("--batch", batch, "--threads", self.threads, "--seconds", self.options.seconds),
            *("--passes", PASSES, "--json"),
        ]
        return json.loads(gate.output(command).splitlines()[-1])["instances_per_s"]

    @functools.cache
    def decoder(self, turn: int, hidden: int, batch: int) -> dict[str, float]:
        """Both modes, each sentence to its end: a line of `growing`."""
        sizes = f"{SYMBOLS},{hidden},{batch}"
        numbers = gate.output([self.inputs.growing, self.threads, sizes]).split()
        return {"infer": float(numbers[4]), "train": float(numbers[8])}


class Other(Peer):
    """A peer with a program for each workload."""

    suffix: str

    def __init__(self, options: argparse.Namespace, python: pathlib.Path, inputs: Inputs) -> None:
        super().__init__(self.name)
        self.options, self.python, self.inputs = options, python, inputs

    def run(self, cell: Cell, *further: Any) -> list[dict[str, Any]]:
        """What the program of a cell says."""
        workload, mode, hidden, batch = cell
        of = WORKLOADS[workload]
        command = [
            *(self.python, HERE / f"{of.script}_{self.suffix}.py", *of.arguments),
            *("--mode", mode, "--hidden", hidden, "--batch", batch),
            *("--seconds", self.options.seconds, "--passes", PASSES, *further),
        ]
        if of.data:
            command += ["--data", self.inputs.file(workload)]
        return self.rows(command, f"{workload} (h{hidden} B{batch}, {mode})")


class DyNet(Other):
    name, suffix = "DyNet", "dynet"

    def speed(self, cell: Cell, turn: int) -> float | None:
        return next((row["instances_per_s"] for row in self.run(cell)), None)


class Torch(Other):
    name, suffix = "PyTorch", "torch"

    def __init__(self, *of: Any) -> None:
        super().__init__(*of)
        self.best: dict[Cell, tuple[str, int]] = {}

    def speed(self, cell: Cell, turn: int) -> float | None:
        if turn > 0 and cell not in self.best:
            return None
        options = self.options
        variants, threads = ",".join(options.variants), options.threads
        if options.device.startswith("cuda"):
            variants, threads = variants or WORKLOADS[cell[0]].on_gpu, threads[-1:]
        if turn > 0:
            variants, threads = self.best[cell][0], self.best[cell][1:]
        further = ["--device", options.device, "--threads", ",".join(map(str, threads))]
        rows = self.run(cell, *further, *(["--variants", variants] if variants else []))
        if not rows:
            return None
        fastest = max(rows, key=lambda row: row["instances_per_s"])
        self.best[cell] = fastest["variant"], fastest["threads"]
        return fastest["instances_per_s"]

    def detail(self, cell: Cell) -> str:
        if cell not in self.best:
            return ""
        variant, threads = self.best[cell]
        return f" ({variant})" if len(self.options.threads) == 1 else f" ({variant}, {plural(threads)})"


def plural(threads: int) -> str:
    return f"{threads} thread{'s' if threads > 1 else ''}"


class Inputs:
    """edb's programs, built if they are not given, and the instances of each workload."""

    def __init__(self, options: argparse.Namespace, folder: pathlib.Path) -> None:
        self.options, self.folder = options, folder

    @functools.cached_property
    def workloads(self) -> pathlib.Path:
        if self.options.workloads:
            return self.options.workloads
        features = ["--features", "cuda"] if self.options.device.startswith("cuda") else []
        return self.built(["build", "--release", "--example", "workloads", *features])

    @functools.cached_property
    def growing(self) -> pathlib.Path:
        if self.options.growing:
            return self.options.growing
        return self.built(["bench", "--package", "edb-benches", "--bench", "growing", "--no-run"])

    def built(self, command: list[str]) -> pathlib.Path:
        """A copy of what is built, so that whatever is built meanwhile is not what is measured."""
        further = ["--message-format", "json", "--target-dir", gate.TARGET]
        lines = gate.output(["cargo", *command, *further]).splitlines()
        paths = [message.get("executable") for message in map(json.loads, lines)]
        return pathlib.Path(shutil.copy2([path for path in paths if path][-1], self.folder))

    @functools.cache
    def file(self, workload: str) -> pathlib.Path | None:
        """None if nothing is read."""
        of = WORKLOADS[workload]
        drawn = self.folder / f"{workload}.txt"
        if workload == "lengths":
            lines = (" ".join(f"w{word}" for word in words) for words in instances.lengths())
            drawn.write_text("".join(line + "\n" for line in lines))
            return drawn
        if not of.data:
            return None
        for name in of.data if self.options.data else ():
            if (self.options.data / name).exists():
                return self.options.data / name
        drawn.write_text(gate.output([self.workloads, *of.edb, "--print-instances"]))
        return drawn

    def said(self, workload: str) -> str:
        file = self.file(workload)
        if file is None:
            return f"{workload}: nothing is read"
        return f"{workload}: {'drawn' if self.folder in file.parents else file.name}"


def environment(name: str, packages: tuple[str, ...], pythons: tuple[str, ...]) -> pathlib.Path | None:
    """The Python of an environment with these packages, which is made if it is not there; or None,
    and a line says why."""
    folder = gate.TARGET / "peers" / name
    python, stamp = folder / "bin/python", folder / "packages.txt"
    if stamp.exists() and stamp.read_text() == " ".join(packages):
        return python
    base = next((found for found in pythons if works(found)), None)
    if base is None:
        print(f"{name} is left out: it needs one of {', '.join(pythons)}", file=sys.stderr)
        return None
    print(f"installing {' '.join(packages)}", file=sys.stderr, flush=True)
    for command in (
        [base, "-m", "venv", "--clear", str(folder)],
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages],
    ):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["no reason is given"])[-1]
            print(f"{name} is left out: it cannot be installed: {why}", file=sys.stderr)
            return None
    stamp.write_text(" ".join(packages))
    return python


def works(python: str) -> bool:
    """Whether this is a Python: what is on the path may be a program that only names one."""
    if shutil.which(python) is None:
        return False
    return not subprocess.run([python, "-c", "import venv"], capture_output=True).returncode


def torch_python() -> pathlib.Path | None:
    """This Python, if it has PyTorch; else that of an environment."""
    if not subprocess.run([sys.executable, "-c", "import torch"], capture_output=True).returncode:
        return pathlib.Path(sys.executable)
    return environment("torch", TORCH, (sys.executable,))


def peers(options: argparse.Namespace, inputs: Inputs) -> list[Peer]:
    # Built before anything is measured.
    _ = inputs.workloads, "decode" in options.only and inputs.growing
    on_gpu = options.device.startswith("cuda")
    threads = options.threads[-1:] if on_gpu else options.threads
    found: list[Peer] = [Edb(options, count, inputs) for count in threads]
    python = torch_python()
    found += [Torch(options, python, inputs)] if python else []
    if options.device == "cpu":
        python = environment("dynet", DYNET, DYNET_PYTHONS)
        found += [DyNet(options, python, inputs)] if python else []
    return found


def cells(options: argparse.Namespace) -> list[Cell]:
    found = []
    for workload in options.only:
        of = WORKLOADS[workload]
        sizes = itertools.product([of.hidden] if of.hidden else options.hidden, options.batch)
        modes = [mode for mode in options.mode if mode in of.modes]
        found += [(workload, mode, *size) for size in sizes for mode in modes]
    return found


def measure(options: argparse.Namespace, found: list[Peer]) -> dict[Cell, dict[str, list[float]]]:
    speeds = {cell: {peer.name: [] for peer in found} for cell in cells(options)}
    start = time.monotonic()
    for turn in range(options.rounds):
        for cell, of_cell in speeds.items():
            for peer in found if turn % 2 == 0 else found[::-1]:
                speed = peer.speed(cell, turn)
                of_cell[peer.name] += [] if speed is None else [speed]
            write(options.json, speeds, found)
        minutes = (time.monotonic() - start) / 60
        print(f"round {turn + 1} of {options.rounds}, {minutes:.1f} minutes", file=sys.stderr, flush=True)
    return speeds


def write(path: pathlib.Path | None, speeds: dict[Cell, dict[str, list[float]]], found: list[Peer]) -> None:
    """What is measured until now."""
    if path is None:
        return
    keys = ("workload", "mode", "hidden", "batch")
    rows = [
        dict(zip(keys, cell)) | {peer.name + peer.detail(cell): of_cell[peer.name] for peer in found}
        for cell, of_cell in speeds.items()
        if any(of_cell.values())
    ]
    path.write_text(json.dumps(rows, indent=1) + "\n")


def table(speeds: dict[Cell, dict[str, list[float]]], found: list[Peer]) -> str:
    own = [peer.name for peer in found if isinstance(peer, Edb)]
    others = [peer for peer in found if not isinstance(peer, Edb)]
    ratios = [f"edb to {peer.name}" for peer in others]
    columns = ["workload", "mode", "size", *(peer.name for peer in found), *ratios, "apart"]
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    for cell, of_cell in speeds.items():
        workload, mode, hidden, batch = cell
        medians = {name: statistics.median(them) for name, them in of_cell.items() if them}
        shown = [
            f"{medians[peer.name]:,.0f}{peer.detail(cell)}" if peer.name in medians else ""
            for peer in found
        ]
        best = max(medians[name] for name in own)
        against = [
            f"{best / medians[peer.name]:.1f}" if peer.name in medians else "" for peer in others
        ]
        rounds = of_cell[own[-1]]
        apart = f"{(max(rounds) - min(rounds)) / medians[own[-1]]:.0%}"
        row = [workload, mode, f"h{hidden} B{batch}", *shown, *against, apart]
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines)


def check(options: argparse.Namespace, inputs: Inputs) -> int:
    """Compares the peers' models with their references; returns the exit status."""
    pythons = {"dynet": environment("dynet", DYNET, DYNET_PYTHONS), "torch": torch_python()}
    status = 2 if None in pythons.values() else 0
    for workload in options.only:
        of = WORKLOADS[workload]
        data = ["--data", inputs.file(workload)] if of.data else []
        for suffix, python in pythons.items():
            if python is not None:
                print(f"{workload}, {suffix}:", flush=True)
                command = [python, HERE / f"{of.script}_{suffix}.py", *of.arguments, "--check", *data]
                wrong = subprocess.run([str(part) for part in command]).returncode != 0
                status = status or int(wrong)
    return status


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words = lambda text: text.split(",")
    numbers = lambda text: [int(number) for number in text.split(",")]
    path = lambda text: pathlib.Path(text).resolve()
    parser.add_argument("--data", type=path, help="a folder of data sets [default: instances are drawn]")
    parser.add_argument("--quick", action="store_true", help="h64 and h256, B32")
    parser.add_argument("--only", type=words, default=list(WORKLOADS), metavar="WORKLOADS")
    parser.add_argument("--mode", type=words, default=["train", "infer"])
    parser.add_argument("--hidden", type=numbers, help="[default: 64,256,512]")
    parser.add_argument("--batch", type=numbers, help="[default: 1,32,256]")
    parser.add_argument("--threads", type=numbers, default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3, help="[default: 3]")
    parser.add_argument("--seconds", type=float, default=0.5, help="timed at least [default: 0.5]")
    parser.add_argument("--variants", type=words, default=[], help="of PyTorch [default: all]")
    parser.add_argument("--device", default="cpu", help="cpu; cpu,bf16; cuda or cuda:N")
    parser.add_argument("--workloads", type=path, help="a built `workloads`")
    parser.add_argument("--growing", type=path, help="a built bench `growing`")
    parser.add_argument("--json", type=pathlib.Path, help="where all speeds go, after each round")
    parser.add_argument("--check", action="store_true", help="check the peers' models, and measure nothing")
    options = parser.parse_args()
    options.hidden = options.hidden or ([64, 256] if options.quick else [64, 256, 512])
    options.batch = options.batch or ([32] if options.quick else [1, 32, 256])
    for folder in (options.data, options.json and options.json.parent):
        if folder and not folder.is_dir():
            parser.error(f"{folder} is no folder")
    for workload in options.only:
        if workload not in WORKLOADS:
            parser.error(f"`{workload}` is none of {', '.join(WORKLOADS)}")
    if options.device != "cpu":
        options.only = [workload for workload in options.only if WORKLOADS[workload].on_gpu]
    return options


def main() -> int:
    options = arguments()
    with tempfile.TemporaryDirectory() as temporary:
        inputs = Inputs(options, pathlib.Path(temporary))
        try:
            if options.check:
                return check(options, inputs)
            found = peers(options, inputs)
            speeds = measure(options, found)
        except (gate.Failure, OSError) as failure:
            print(failure, file=sys.stderr)
            return 2
        print(table(speeds, found))
        print("\n" + "; ".join(inputs.said(workload) for workload in options.only))
    return 0


if __name__ == "__main__":
    sys.exit(main())
