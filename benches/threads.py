"""How much faster edb is on more threads: 1, 2, 4, .. of them, as many as this machine has cores.

    python3 benches/threads.py                the working tree
    python3 benches/threads.py REVISION       a revision of git, or the path of a built `workloads`

Static graphs (a Tree-LSTM), graphs that grow (a decoder and a parser), and vertices that decide (a
tagger that thinks, a tree that chooses experts). In each round every cell runs once on each number of
threads, one right after the other. The efficiency is the speed divided by that on one thread and by
the number of threads: 1.00 if each further thread does as much as the first. All figures are medians
of the rounds.

Only the standard library of Python is needed; programs are built, and run, as `gate.py` does.
"""

import argparse
import itertools
import json
import os
import pathlib
import statistics
import sys
import tempfile

import gate

WORKLOADS = ("tree-lstm", *gate.DECIDING)
SIZES = {"mode": "train", "hidden": "64,256", "batch": "32,256"}


def main():
    options = arguments_of(sys.argv[1:])
    try:
        return measure(options)
    except (gate.Failure, OSError) as failure:
        print(failure, file=sys.stderr)
        return 2


def arguments_of(words):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("built", nargs="?", help="[default: the working tree]")
    parser.add_argument("--workload", default=",".join(WORKLOADS), help="[default: %(default)s]")
    for name, default in SIZES.items():
        parser.add_argument(f"--{name}", default=default, help="[default: %(default)s]")
    parser.add_argument("--most", type=int, default=len(os.sched_getaffinity(0)), help="threads")
    parser.add_argument("--rounds", type=int, default=3, help="[default: 3]")
    parser.add_argument("--seconds", type=float, default=0.5, help="timed at least [default: 0.5]")
    parser.add_argument("--passes", type=int, default=3, help="timed at least [default: 3]")
    parser.add_argument("--data", type=pathlib.Path, help="trees in the notation of SST")
    parser.add_argument("--json", action="store_true", help="an object of JSON a line")
    options = parser.parse_args(words)
    if options.most < 1 or options.rounds < 1:
        parser.error("--most and --rounds are at least 1")
    return options


def counts(most):
    """1, 2, 4, .. up to the most, which is the last."""
    powers = [2**power for power in range(most.bit_length()) if 2**power < most]
    return [*powers, most]


def measure(options):
    folder = gate.TARGET / "gate"
    folder.mkdir(parents=True, exist_ok=True)
    built = gate.build(folder, options.built)
    names = ("workload", *SIZES)
    lists = [getattr(options, name).split(",") for name in names]
    cells = [dict(zip(names, values)) for values in itertools.product(*lists)]
    threads = counts(options.most)
    speeds = {}
    with tempfile.TemporaryDirectory() as temporary:
        data = options.data or gate.trees_in(pathlib.Path(temporary))
        for _ in range(options.rounds):
            for (at, cell), count in itertools.product(enumerate(cells), threads):
                speed = gate.speed(built, cell | {"threads": count}, data, options)
                if speed is None:
                    raise gate.Failure(f"there is no workload {cell['workload']}")
                speeds.setdefault((at, count), []).append(speed)
    if not options.json:
        columns = [*names, "instances/s", *(f"{count} threads" for count in threads[1:])]
        print("| " + " | ".join(columns) + " |")
        print("|" + " --- |" * len(columns))
    for at, cell in enumerate(cells):
        of_cell = [statistics.median(speeds[at, count]) for count in threads]
        gains = [speed / of_cell[0] for speed in of_cell]
        if options.json:
            of_counts = zip(threads, of_cell, gains)
            rows = [
                {"threads": count, "speed": speed, "efficiency": gain / count}
                for count, speed, gain in of_counts
            ]
            print(json.dumps(cell | {"threads": rows}))
            continue
        shown = [f"{gain:.2f} ({gain / count:.2f})" for count, gain in zip(threads, gains)]
        print("| " + " | ".join([*cell.values(), f"{of_cell[0]:,.0f}", *shown[1:]]) + " |")
    if not options.json:
        print("\nHow much faster than one thread, and the efficiency.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
