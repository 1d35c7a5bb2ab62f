"""Measures edb, PyTorch and DyNet in one session, as a table of instances/s.

    python3 benches/peers/run.py [--data DIR] [--quick] [--papers] [--only WORKLOADS] [--json FILE]
    python3 benches/peers/run.py --from FILE [--within README.md]
    python3 benches/peers/run.py --check
    python3 benches/peers/run.py --device cuda

It builds edb (`workloads`, and the benches that measure the others), makes an environment for each peer
(`environments.py`), and lets all take turns: in each round, every cell is measured once with each program,
one right after the other, and the order changes from round to round. What --json FILE has of this revision,
machine and day is not measured again, so that a run that was interrupted goes on. It prints two tables, the
first as README has it: how fast edb is on its best number of threads, and in brackets how many times as fast
as PyTorch and DyNet. Figures are medians of the rounds. "apart" is how far the rounds of edb on most threads
lie apart, divided by their median: how quiet the machine was. What a peer lacks, or a variant of its
program, is said in a line. Sizes of papers' tables (--papers) are in the second table only.

The workloads are the binary Tree-LSTM, the BiLSTM tagger, the lattice LSTM, what ED-Batch measures as one
(`lattice-edbatch`), and a decoder that stops at its own end symbol; further of ED-Batch, the Tree-LSTM
with two types of phrases, the Tree-GRU, MV-RNN, the lattice GRU, and an encoder-decoder (`translate`); of
Cavs, the child-sum Tree-LSTM and, in training, language models over sentences and over 64 words
(`fixed-lstm`), and Tree-FC; of pfor, in the paper's size only, a linear layer, a perceptron, and an LSTM
over 1 to 100 words (`lengths`) in inference, gradients of each example of an LSTM, cut to a norm
(`each-lstm`), and its Jacobians by a vector of 128 or 32 numbers, both without what is prepared; edb's
are all those of one run of a bench, once a round. Trees, sentences, lattices and texts are the same for
all programs: those in `--data`, in the layout of `workloads.py`, or else those that edb's `workloads`
draws. The vectors of layers, Tree-FC's words and the decoder's weights are drawn by each; the decoder's
speeds are for sentences of one length.

The programs of the peers are in this folder: `models` says what each computes, and `--check` compares
their losses and gradients with it. DyNet has one thread, and times what edb does: graphs, forward,
backward, update. PyTorch's do not count the preparation of their batches; the first round measures all
their variants on each number of threads, further ones the fastest of these. On a GPU, and with `--device
cpu,bf16` (where PyTorch runs under autocast, with which what is written by hand fails), DyNet is left out.
Python is 3.9 or later; DyNet needs one of 3.8 to 3.11 on the path.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import environments
import gate
import instances
from workloads import WORKLOADS


SYMBOLS = 10_000
# So many numbers has one matrix of each instance of a minibatch at most.
MOST_OF_MATRICES = 2**21
# At least so many in a round: the rounds are what a median is of.
PASSES = 2

PEERS = ("PyTorch", "DyNet")
# Large tensors keep their memory, as PyTorch's guide to tuning has it: otherwise it is mapped, and faulted
# in page by page, in each step.
TUNED = {
    **{"THP_MEM_ALLOC_ENABLE": "1", "MALLOC_MMAP_MAX_": "0"},
    **{"MALLOC_TRIM_THRESHOLD_": str(2**34), "MALLOC_TOP_PAD_": str(2**28)},
}
ENVIRONMENT = {**os.environ, **TUNED}
# What is known of a cell: its parts, and the speeds of each program.
Row = dict[str, Any]
# A workload, a mode, and the numbers of hidden units and of instances in a minibatch.
Cell = tuple[str, str, int, int]
KEYS = ("workload", "mode", "hidden", "batch")
Speeds = dict[Cell, dict[str, list[float]]]


class Peer:
    """A program to measure."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.silent: set[str] = set()

    def speed(self, cell: Cell, turn: int) -> float | None:
        """Instances/s, or None if this peer does not have the cell."""
        raise NotImplementedError

    def rows(self, command: list[Any], what: str) -> list[dict[str, Any]]:
        """The lines of JSON that a command prints, but for those with an error, which is said."""
        done = subprocess.run(
            [str(part) for part in command], capture_output=True, text=True, env=ENVIRONMENT
        )
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        wrong = {f"{what}, {row['variant']}": row["error"] for row in rows if "error" in row}
        if done.returncode and not wrong:
            wrong[what] = (done.stderr.strip().splitlines() or ["no reason is given"])[-1]
        for of, why in wrong.items():
            self.lacks(of, why)
        return [row for row in rows if "error" not in row]

    def recall(self, cell: Cell, detail: str) -> None:
        """Takes over from a run that was interrupted what stood behind a figure."""

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
        if WORKLOADS[workload].bench:
            return self.derivatives(turn, workload).get((hidden, batch))
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
        numbers = gate.output([self.inputs.bench("growing"), self.threads, sizes]).split()
        longer = int(numbers[11]) / symbols_of(batch)
        return {"infer": longer * float(numbers[4]), "train": longer * float(numbers[8])}

    @functools.cache
    def derivatives(self, turn: int, workload: str) -> dict[tuple[int, int], float]:
        """By hidden units and examples, or rows of a Jacobian: all lines of a bench."""
        name, width = workload.split("-")
        further = [] if name == "each" else ["--jacobians"]
        command = [self.inputs.bench(WORKLOADS[workload].bench), self.threads, "--json", *further]
        rows = [json.loads(line) for line in gate.output(command).splitlines()]
        if name == "each":
            of = (row for row in rows if row["model"] == "lstm")
            return {(row["hidden"], row["graphs"]): row["clipped_per_s"] for row in of}
        of = (row for row in rows if row["width"] == int(width))
        return {(row["hidden"], row["hidden"]): 1e3 * row["hidden"] / row["together_ms"] for row in of}


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
        rows = self.rows(command, f"{workload} (h{hidden} B{batch}, {mode})")
        for row in rows:
            row["instances_per_s"] *= row.get("symbols", symbols_of(batch)) / symbols_of(batch)
        return rows


class DyNet(Other):
    name, suffix = "DyNet", "dynet"

    def speed(self, cell: Cell, turn: int) -> float | None:
        if not WORKLOADS[cell[0]].in_dynet:
            return None
        return next((row["instances_per_s"] for row in self.run(cell)), None)


class Torch(Other):
    name, suffix = "PyTorch", "torch"

    def __init__(self, *of: Any) -> None:
        super().__init__(*of)
        self.best: dict[Cell, tuple[str, int]] = {}

    def speed(self, cell: Cell, turn: int) -> float | None:
        options = self.options
        on_gpu = options.device.startswith("cuda")
        variants = ",".join(options.variants) or (WORKLOADS[cell[0]].on_gpu if on_gpu else "")
        threads = options.threads[-1:] if on_gpu else options.threads
        if turn > 0:
            if cell not in self.best:
                return None
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
        return f" ({variant}, {plural(threads)})"

    def recall(self, cell: Cell, detail: str) -> None:
        variant, threads = re.fullmatch(r" \((.*), (\d+) threads?\)", detail).groups()
        self.best[cell] = variant, int(threads)


def plural(threads: int) -> str:
    return f"{threads} thread{'s' if threads > 1 else ''}"


def symbols_of(batch: int) -> int:
    """So many symbols the sentences of the decoder have together. Each program draws its own weights, with
    which sentences differ by some symbols, so speeds are given for sentences of this length."""
    return 400 if batch == 1 else 3_200


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

    @functools.cache
    def bench(self, name: str) -> pathlib.Path:
        return self.built(["bench", "--package", "edb-benches", "--bench", name, "--no-run"])

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

    def source(self, workload: str) -> str:
        file = self.file(workload)
        if file is None:
            return f"{workload}: nothing is read"
        return f"{workload}: {'drawn' if self.folder in file.parents else file.name}"


def peers(options: argparse.Namespace, inputs: Inputs) -> list[Peer]:
    # Built before anything is measured.
    benches = {WORKLOADS[workload].bench for workload in options.only} - {None}
    _ = inputs.workloads, [inputs.bench(name) for name in benches]
    on_gpu = options.device.startswith("cuda")
    threads = options.threads[-1:] if on_gpu else options.threads
    found: list[Peer] = [Edb(options, count, inputs) for count in threads]
    python = environments.torch()
    found += [Torch(options, python, inputs)] if python else []
    if options.device == "cpu":
        python = environments.dynet()
        found += [DyNet(options, python, inputs)] if python else []
    return found


def cells(options: argparse.Namespace) -> list[Cell]:
    found = []
    for workload in options.only:
        of = WORKLOADS[workload]
        modes = [mode for mode in options.mode if mode in of.modes]
        of_cells = []
        if options.grid:
            hidden = [of.hidden] if of.hidden else options.hidden
            sizes = itertools.product(hidden, [of.batch] if of.batch else options.batch)
            of_cells = [(workload, mode, *size) for size in sizes for mode in modes]
        if options.papers:
            of_cells += [(workload, *cell) for cell in of.papers if cell[0] in modes]
        found += [cell for cell in dict.fromkeys(of_cells) if not of.matrices or fits(*cell[2:])]
    return found


def fits(hidden: int, batch: int) -> bool:
    """Whether a minibatch of matrices fits into the memory of a small machine, as in `papers`."""
    return batch * hidden**2 <= MOST_OF_MATRICES


def measure(options: argparse.Namespace, found: list[Peer], head: dict[str, str]) -> list[Row]:
    speeds = {cell: {peer.name: [] for peer in found} for cell in cells(options)}
    recall(speeds, found, options, head)
    start = time.monotonic()
    for turn in range(options.rounds):
        for cell, of_cell in speeds.items():
            for peer in found if turn % 2 == 0 else found[::-1]:
                if len(of_cell[peer.name]) > turn:
                    continue
                speed = peer.speed(cell, turn)
                of_cell[peer.name] += [] if speed is None else [speed]
            save(options.json, head, written(speeds, found))
        minutes = (time.monotonic() - start) / 60
        print(f"round {turn + 1} of {options.rounds}, {minutes:.1f} minutes", file=sys.stderr, flush=True)
    return written(speeds, found)


def recall(speeds: Speeds, found: list[Peer], options: argparse.Namespace, head: dict[str, str]) -> None:
    """Takes what an interrupted run has measured of this revision, machine and day."""
    path = options.json
    if path is None or not path.exists() or head["revision"].endswith("-dirty"):
        return
    known = json.loads(path.read_text())
    if known | head != known:
        return
    for row in known["cells"]:
        cell = tuple(row[key] for key in KEYS)
        for peer, name in itertools.product(found, row):
            if name.startswith(peer.name) and row[name] and cell in speeds:
                speeds[cell][peer.name] += row[name]
                peer.recall(cell, name.removeprefix(peer.name))


def written(speeds: Speeds, found: list[Peer]) -> list[Row]:
    """What is measured until now: of each cell, the speeds of each program in all rounds."""
    return [
        dict(zip(KEYS, cell)) | {peer.name + peer.detail(cell): of_cell[peer.name] for peer in found}
        for cell, of_cell in speeds.items()
        if any(of_cell.values())
    ]


def save(path: pathlib.Path | None, head: dict[str, str], rows: list[Row]) -> None:
    if path is not None:
        gate.save(path, json.dumps({**head, "cells": rows}, indent=1) + "\n")


def heading(options: argparse.Namespace, inputs: Inputs) -> dict[str, str]:
    """What, when and on what something is measured."""
    return {
        **gate.provenance(),
        "device": options.device,
        "peers": f"{environments.TORCH[0]}, {environments.DYNET[0]}",
        "instances": "; ".join(inputs.source(workload) for workload in options.only),
    }


def medians(row: Row, program: str) -> dict[str, float]:
    """The median speed of a program as it was run, by what is behind its name."""
    of = {name: speeds for name, speeds in row.items() if name.startswith(program) and speeds}
    return {name.removeprefix(program): statistics.median(speeds) for name, speeds in of.items()}


def best(row: Row, program: str) -> float | None:
    return max(medians(row, program).values(), default=None)


def summary(rows: list[Row]) -> str:
    """The table in README: instances/s of edb, and how many times as fast that is as each peer."""
    sizes = list(dict.fromkeys((row["hidden"], row["mode"]) for row in rows if shown(row)))
    columns = [f"h{hidden}, {mode}" for hidden, mode in sizes]
    lines = table_of(["model", "minibatch", *columns])
    cells = {(row["workload"], row["batch"], row["hidden"], row["mode"]): row for row in rows}
    for workload, batch in dict.fromkeys((row["workload"], row["batch"]) for row in rows if shown(row)):
        of = [cells.get((workload, batch, *size)) for size in sizes]
        lines.append(line([workload, str(batch), *("" if row is None else against(row) for row in of)]))
    return "\n".join(lines)


def shown(row: Row) -> bool:
    of = WORKLOADS[row["workload"]]
    return of.hidden is None and (row["mode"], row["hidden"], row["batch"]) not in of.papers


def against(row: Row) -> str:
    own = best(row, "edb")
    times = [best(row, peer) for peer in PEERS]
    times = ["-" if of_peer is None else f"{own / of_peer:.1f}" for of_peer in times]
    return f"{own:,.0f} ({', '.join(times)})"


def table(rows: list[Row]) -> str:
    """All that was measured."""
    threads = list(dict.fromkeys(of for row in rows for of in medians(row, "edb")))
    ratios = [f"edb to {peer}" for peer in PEERS]
    columns = ["workload", "mode", "size", *(f"edb{of}" for of in threads), *PEERS, *ratios, "apart"]
    lines = table_of(columns)
    for row in rows:
        own, most = medians(row, "edb"), best(row, "edb") or math.nan
        cells = [f"{own[of]:,.0f}" if of in own else "" for of in threads]
        for peer in PEERS:
            cells += [f"{speed:,.0f}{of}" for of, speed in medians(row, peer).items()] or [""]
        others = [best(row, peer) for peer in PEERS]
        cells += [f"{most / other:.1f}" if other else "" for other in others]
        rounds = row.get("edb" + threads[-1]) or [math.nan]
        apart = (max(rounds) - min(rounds)) / statistics.median(rounds)
        size = f"h{row['hidden']} B{row['batch']}"
        lines.append(line([row["workload"], row["mode"], size, *cells, f"{apart:.0%}"]))
    return "\n".join(lines)


def table_of(columns: list[str]) -> list[str]:
    return [line(columns), "|" + " --- |" * len(columns)]


def line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def printed(found: dict[str, Any]) -> str:
    head = "{revision}, {date}, {machine}, {device}; {peers}. {instances}".format(**found)
    return f"{head}\n\n{summary(found['cells'])}\n\n{table(found['cells'])}"


def check(options: argparse.Namespace, inputs: Inputs) -> int:
    """Compares the peers' models with their references; returns the exit status."""
    pythons = {"dynet": environments.dynet(), "torch": environments.torch()}
    status = 2 if None in pythons.values() else 0
    for workload in options.only:
        of = WORKLOADS[workload]
        data = ["--data", inputs.file(workload)] if of.data else []
        for suffix, python in pythons.items():
            program = HERE / f"{of.script}_{suffix}.py"
            if python is not None and (suffix == "torch" or of.in_dynet):
                print(f"{workload}, {suffix}:", flush=True)
                command = [python, program, *of.arguments, "--check", *data]
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
    of_papers = "the sizes of papers' tables; beside others only if these are given"
    parser.add_argument("--papers", action="store_true", help=of_papers)
    parser.add_argument("--only", type=words, default=list(WORKLOADS), metavar="WORKLOADS")
    parser.add_argument("--mode", type=words, default=["train", "infer", "clipped"])
    parser.add_argument("--hidden", type=numbers, help="[default: 64,256,512]")
    parser.add_argument("--batch", type=numbers, help="[default: 1,32,256]")
    parser.add_argument("--threads", type=numbers, default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3, help="[default: 3]")
    parser.add_argument("--seconds", type=float, default=0.5, help="timed at least [default: 0.5]")
    parser.add_argument("--variants", type=words, default=[], help="of PyTorch [default: all]")
    parser.add_argument("--device", default="cpu", help="cpu; cpu,bf16; cuda or cuda:N")
    parser.add_argument("--workloads", type=path, help="a built `workloads`")
    parser.add_argument("--json", type=pathlib.Path, help="where all speeds go, and where a run goes on")
    parser.add_argument("--from", dest="printed", type=path, help="print what is in such a file only")
    parser.add_argument("--within", type=path, help="check that the first table of --from is in this text")
    parser.add_argument("--check", action="store_true", help="check the peers' models, and measure nothing")
    options = parser.parse_args()
    options.grid = bool(not options.papers or options.quick or options.hidden or options.batch)
    options.hidden = options.hidden or ([64, 256] if options.quick else [64, 256, 512])
    options.batch = options.batch or ([32] if options.quick else [1, 32, 256])
    for folder in (options.data, options.json and options.json.parent):
        if folder and not folder.is_dir():
            parser.error(f"{folder} is no folder")
    for workload in options.only:
        if workload not in WORKLOADS:
            parser.error(f"`{workload}` is none of {', '.join(WORKLOADS)}")
    if not options.grid:
        options.only = [workload for workload in options.only if WORKLOADS[workload].papers]
    if options.device != "cpu":
        options.only = [workload for workload in options.only if WORKLOADS[workload].on_gpu]
    return options


def main() -> int:
    options = arguments()
    if options.printed:
        found = json.loads(options.printed.read_text())
        if options.within is None:
            print(printed(found))
        elif summary(found["cells"]) not in options.within.read_text():
            print(f"{options.within} should have this table:\n\n{summary(found['cells'])}")
            return 1
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        inputs = Inputs(options, pathlib.Path(temporary))
        try:
            if options.check:
                return check(options, inputs)
            found, head = peers(options, inputs), heading(options, inputs)
            rows = measure(options, found, head)
        except (gate.Failure, OSError) as failure:
            print(failure, file=sys.stderr)
            return 2
        print(printed({**head, "cells": rows}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
