"""Measures edb, PyTorch and DyNet in one session, as a table of instances/s.

    python3 benches/peers/run.py [--peers DIR] [--data DIR] [--quick] [--only WORKLOADS] [--json FILE]
    python3 benches/peers/run.py --check
    python3 benches/peers/run.py --peers DIR --device cuda

It builds edb (`workloads`, and for the decoder `growing`), makes an environment for each peer with the
versions below, and lets all take turns: in each round, every cell is measured once with each program,
one right after the other, and the order changes from round to round. Figures are medians of the rounds.
"apart" is how far the rounds of edb on most threads lie apart, divided by their median: how quiet the
machine was. What a peer lacks is said in a line.

The workloads are the binary Tree-LSTM, the BiLSTM tagger, the lattice LSTM, what ED-Batch measures as one
(`lattice-edbatch`), and a decoder that stops at its own end symbol. All programs read the same instances:
those in `--data` (or in `--peers`), in the layout of DATA below, or else those that `workloads` draws. The
decoder has none.

DyNet's models are in this folder (`*_dynet.py`; `--check` compares their losses and gradients with a
reference). It has one thread, and times what edb does: graphs, forward, backward, update. PyTorch's are
`treelstm_torch.py`, `bilstm_torch.py` and `decode_torch.py` in `--peers`; they leave out the preparation
of their batches, and have tables of 20,000 words and 17 tags whatever they read. The first round measures
all their variants on each number of threads, further ones the fastest of these. On a GPU, and with
`--device cpu,bf16` (where PyTorch runs under autocast, with which `manual` fails), DyNet is left out.
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
from typing import Any, Iterator

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import gate
import instances

TORCH = ("torch==2.15.0", "setuptools==84.2.1", "numpy==2.4.6")
DYNET = ("dynet38==2.2", "numpy==1.24.4", "cython==3.0.12")
# DyNet has no wheel for others.
DYNET_PYTHONS = ("python3.11", "python3.10", "python3.9", "python3.8")
# Where the instances of a workload are in a folder: the first of these files.
DATA = {
    "tree-lstm": ("trees.ptb.txt", "sst/train.txt.gz"),
    "bilstm-tagger": ("sents.tags.txt", "wikiner/train.txt.gz"),
    "lattice-lstm": ("lattices.txt", "edbatch/lattice/train.txt.gz"),
    "lattice-edbatch": ("lattices.txt", "edbatch/lattice/train.txt.gz"),
    "decode": (),
}
# PyTorch's script, the name of its rate, and its variants.
SCRIPTS = {
    "tree-lstm": ("treelstm_torch.py", "trees_s", "lvl,lvl_compile,manual,manual_compile"),
    "bilstm-tagger": ("bilstm_torch.py", "sents_s", "packed,onednn,cellloop,hand"),
    "decode": ("decode_torch.py", "sents_s", "masked,compiled,shrink,fold"),
}
GPU_VARIANTS = {
    "tree-lstm": "lvl,lvl_compile,lvl_graph,manual,manual_compile,manual_graph,manual_compile_graph",
    "bilstm-tagger": "packed,packed_graph",
}
DYNET_SCRIPTS = {
    "tree-lstm": "treelstm_dynet.py",
    "bilstm-tagger": "bilstm_dynet.py",
    "lattice-lstm": "lattice_dynet.py",
    "lattice-edbatch": "lattice_edbatch_dynet.py",
    "decode": "decode_dynet.py",
}
SYMBOLS = 10_000
# At least so many in a round: the rounds are what a median is of.
PASSES = 3

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

    def number(self, command: list[Any], key: str, what: str) -> float | None:
        """A number of the JSON in the last line that a command prints, or None if it fails."""
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        lines = done.stdout.splitlines()
        if done.returncode or not lines:
            self.lacks(what, (done.stderr.strip().splitlines() or ["it printed nothing"])[-1])
            return None
        return json.loads(lines[-1])[key]

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
        self.workloads = inputs.workloads
        self.growing = inputs.growing if "decode" in options.only else None

    def speed(self, cell: Cell, turn: int) -> float | None:
        workload, mode, hidden, batch = cell
        if workload == "decode":
            return self.decoder(turn, hidden, batch)[mode]
        command = [
            *(self.workloads, workload, "--data", self.inputs.file(workload)),
            *("--device", self.options.device, "--mode", mode, "--hidden", hidden),
            *("--batch", batch, "--threads", self.threads, "--seconds", self.options.seconds),
            *("--passes", PASSES, "--json"),
        ]
        return json.loads(gate.output(command).splitlines()[-1])["instances_per_s"]

    @functools.cache
    def decoder(self, turn: int, hidden: int, batch: int) -> dict[str, float]:
        """Both modes, each sentence to its end: a line of `growing`."""
        sizes = f"{SYMBOLS},{hidden},{batch}"
        numbers = gate.output([self.growing, self.threads, sizes]).split()
        return {"infer": float(numbers[4]), "train": float(numbers[8])}


class DyNet(Peer):
    def __init__(self, options: argparse.Namespace, python: pathlib.Path, inputs: Inputs) -> None:
        super().__init__("DyNet")
        self.options, self.python, self.inputs = options, python, inputs

    def speed(self, cell: Cell, turn: int) -> float | None:
        workload, mode, hidden, batch = cell
        file = self.inputs.file(workload)
        command = [
            *(self.python, HERE / DYNET_SCRIPTS[workload], "--mode", mode, "--hidden", hidden),
            *("--batch", batch, "--seconds", self.options.seconds, "--passes", PASSES),
            *(["--data", file] if file else []),
        ]
        return self.number(command, "instances_per_s", f"{workload} (h{hidden} B{batch}, {mode})")


class Torch(Peer):
    def __init__(self, options: argparse.Namespace, python: pathlib.Path, inputs: Inputs) -> None:
        super().__init__("PyTorch")
        self.options, self.python, self.folder = options, python, inputs.of_torch()
        self.best: dict[Cell, tuple[str, int]] = {}

    def speed(self, cell: Cell, turn: int) -> float | None:
        workload, mode = cell[:2]
        if workload not in SCRIPTS or (workload == "decode" and mode == "train"):
            self.lacks(f"{workload}, {mode}", "there is no script for it")
            return None
        if not (self.folder / SCRIPTS[workload][0]).exists():
            self.lacks(workload, f"{SCRIPTS[workload][0]} is not in --peers")
            return None
        if turn > 0:
            return self.rate(cell, *self.best[cell]) if cell in self.best else None
        rates = {}
        for variant, threads in self.variants(workload):
            rate = self.rate(cell, variant, threads)
            if rate is not None:
                rates[variant, threads] = rate
        if not rates:
            return None
        self.best[cell] = max(rates, key=rates.get)
        return rates[self.best[cell]]

    def variants(self, workload: str) -> Iterator[tuple[str, int]]:
        if self.options.device.startswith("cuda"):
            known, threads = GPU_VARIANTS.get(workload, ""), self.options.threads[-1:]
        else:
            known, threads = SCRIPTS[workload][2], self.options.threads
        asked = self.options.variants
        names = [name for name in known.split(",") if name and (not asked or name in asked)]
        names += [name for name in asked if name == "naive" and workload == "tree-lstm"]
        return itertools.product(names, threads)

    def rate(self, cell: Cell, variant: str, threads: int) -> float | None:
        """Instances/s of a variant, or None if it does not run here."""
        workload, mode, hidden, batch = cell
        if self.options.device.startswith("cuda"):
            command = [
                *(HERE / "torch_gpu.py", "--peers", self.folder, "--device", self.options.device),
                *("--workload", workload, "--variants", variant, "--mode", mode),
                *("--hidden", hidden, "--batch", batch),
            ]
            name = "instances_per_s"
        else:
            script, name, _ = SCRIPTS[workload]
            autocast = [HERE / "autocast.py"] if self.options.device == "cpu,bf16" else []
            modes = ["--modes", "train" if mode == "train" else "fwd"]
            command = [
                *(*autocast, self.folder / script, "--variants", variant, "--h", hidden),
                *("--bs", batch, "--threads", threads, "--out", self.folder / "out.jsonl"),
                *(modes if workload != "decode" else []),
            ]
        return self.number([self.python, *command], name, f"{variant} for {workload} ({mode})")

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
        if not DATA[workload]:
            return None
        source = self.options.data or self.options.peers
        for name in DATA[workload] if source else ():
            if (source / name).exists():
                return source / name
        drawn = self.folder / f"{workload}.txt"
        drawn.write_text(gate.output([self.workloads, workload, "--print-instances"]))
        return drawn

    def of_torch(self) -> pathlib.Path:
        """A folder of PyTorch's scripts, and the instances as these read them."""
        folder = self.folder / "torch"
        folder.mkdir()
        for script in self.options.peers.glob("*.py"):
            shutil.copy2(script, folder)
        trees, _ = instances.trees(self.file("tree-lstm"))
        vertices = [[(-1 if word is None else word, label) for label, word in tree] for tree in trees]
        sentences, *_ = instances.tagged(self.file("bilstm-tagger"))
        for name, items in (("trees.txt", vertices), ("sents.txt", sentences)):
            lines = (" ".join([str(len(item)), *("%d,%d" % pair for pair in item)]) for item in items)
            (folder / name).write_text("".join(line + "\n" for line in lines))
        return folder

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
    on_gpu = options.device.startswith("cuda")
    threads = options.threads[-1:] if on_gpu else options.threads
    found: list[Peer] = [Edb(options, count, inputs) for count in threads]
    if options.peers is None:
        print("PyTorch is left out: --peers says where its scripts are", file=sys.stderr)
    else:
        python = torch_python()
        found += [Torch(options, python, inputs)] if python else []
    if options.device == "cpu":
        python = environment("dynet", DYNET, DYNET_PYTHONS)
        found += [DyNet(options, python, inputs)] if python else []
    return found


def cells(options: argparse.Namespace) -> list[Cell]:
    sizes = itertools.product(options.only, options.hidden, options.batch, options.mode)
    return [(workload, mode, hidden, batch) for workload, hidden, batch, mode in sizes]


def measure(options: argparse.Namespace, found: list[Peer]) -> dict[Cell, dict[str, list[float]]]:
    speeds = {cell: {peer.name: [] for peer in found} for cell in cells(options)}
    start = time.monotonic()
    for turn in range(options.rounds):
        for cell, of_cell in speeds.items():
            for peer in found if turn % 2 == 0 else found[::-1]:
                speed = peer.speed(cell, turn)
                of_cell[peer.name] += [] if speed is None else [speed]
        minutes = (time.monotonic() - start) / 60
        print(f"round {turn + 1} of {options.rounds}, {minutes:.1f} minutes", file=sys.stderr)
        if options.json:
            keys = ("workload", "mode", "hidden", "batch")
            rows = [
                dict(zip(keys, cell))
                | {peer.name + peer.detail(cell): of_cell[peer.name] for peer in found}
                for cell, of_cell in speeds.items()
            ]
            options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return speeds


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
    """Compares the models of DyNet with their references; returns the exit status."""
    python = environment("dynet", DYNET, DYNET_PYTHONS)
    if python is None:
        return 2
    status = 0
    for workload in options.only:
        file = inputs.file(workload)
        print(f"{workload}:", flush=True)
        command = [python, HERE / DYNET_SCRIPTS[workload], "--check"]
        command += ["--data", file] if file else []
        status |= subprocess.run([str(part) for part in command]).returncode != 0
    return int(status)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words = lambda text: text.split(",")
    numbers = lambda text: [int(number) for number in text.split(",")]
    path = lambda text: pathlib.Path(text).resolve()
    parser.add_argument("--peers", type=path, help="where the scripts of PyTorch are")
    parser.add_argument("--data", type=path, help="instances [default: those in --peers]")
    parser.add_argument("--quick", action="store_true", help="h64 and h256, B32, fewer rounds")
    parser.add_argument("--only", type=words, default=list(DATA), metavar="WORKLOADS")
    parser.add_argument("--mode", type=words, default=["train", "infer"])
    parser.add_argument("--hidden", type=numbers, default=[64, 256])
    parser.add_argument("--batch", type=numbers, help="[default: 1,32,256]")
    parser.add_argument("--threads", type=numbers, default=[1, 2])
    parser.add_argument("--rounds", type=int, help="[default: 5, with --quick 3]")
    parser.add_argument("--seconds", type=float, default=0.5, help="timed at least [default: 0.5]")
    parser.add_argument("--variants", type=words, default=[], help="of PyTorch [default: all but naive]")
    parser.add_argument("--device", default="cpu", help="cpu; cpu,bf16; cuda or cuda:N")
    parser.add_argument("--workloads", type=path, help="a built `workloads`")
    parser.add_argument("--growing", type=path, help="a built bench `growing`")
    parser.add_argument("--json", type=pathlib.Path, help="where all speeds go, after each round")
    parser.add_argument("--check", action="store_true", help="check DyNet's models, and measure nothing")
    options = parser.parse_args()
    options.batch = options.batch or ([32] if options.quick else [1, 32, 256])
    options.rounds = options.rounds or (3 if options.quick else 5)
    for folder in (options.peers, options.data, options.json and options.json.parent):
        if folder and not folder.is_dir():
            parser.error(f"{folder} is no folder")
    for workload in options.only:
        if workload not in DATA:
            parser.error(f"`{workload}` is none of {', '.join(DATA)}")
    lists = [*GPU_VARIANTS.values(), *(variants for *_, variants in SCRIPTS.values()), "naive"]
    known = set(",".join(lists).split(","))
    for variant in options.variants:
        if variant not in known:
            parser.error(f"`{variant}` is none of {', '.join(sorted(known))}")
    if options.device != "cpu":
        options.only = [workload for workload in options.only if workload in GPU_VARIANTS]
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
