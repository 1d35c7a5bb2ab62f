"""Compares the speed of two builds of edb on one machine, and says what got slower beyond noise.

    python3 benches/gate.py BASE              the revision BASE with the working tree
    python3 benches/gate.py BASE NEW          two revisions, or two programs built already
    python3 benches/gate.py BASE --quick      fewer cells, in about ten minutes
    python3 benches/gate.py W W --policies default,machine --workload lattice-gru
                                              one program W by two policies that schedule
    python3 benches/gate.py --self-test       tests the statistics, and measures nothing

BASE and NEW are revisions of git, or paths of built `workloads`. A cell is a workload, a mode, a
number of hidden units, a size of minibatch and a number of threads. The workloads are the binary
Tree-LSTM, whose schedule is known without a policy; two lattices (`lattice-edbatch`,
`lattice-gru`) and a tree with two types of phrases (`tree-lstm-2type`), which are scheduled by a
learned policy, as are two more (`lattice-lstm`, `lattice-ner`), which `--quick` leaves out unless
they are named; and four of which the graph is not known before it runs: a decoder
(`translate-grow`) and a parser whose graphs grow, and a tagger (`ponder`) and a tree
(`routed-tree`) whose vertices decide how they go on. Both builds read the same trees, those of
`--data` or trees drawn here. What is no tree, each build draws itself from the same seed, so a
commit that changes how it is drawn changes these cells as well.

The speed of a machine drifts, so the builds alternate: in each round, every cell runs once with
either build, one right after the other, and which of them comes first changes from round to round
(A B, B A, A B, ..). The ratio of their speeds is the new build's divided by the base's. The result
of a cell is the median of the ratios of all rounds, with an interval that contains it in 95 of 100
cases, found by drawing the rounds again and again (bootstrap). A cell is *slower* if its median is
below 1 by more than the threshold and its whole interval is below 1, *faster* in the opposite
case, and otherwise *the same*. Of many cells on a busy machine, some look slower by chance; so a
cell that is not the same is measured in as many rounds again, and what these say must agree. A cell
whose workload the base does not know is *new only*. The exit status is 1 if a cell is slower, 2 if
there is nothing to compare.

Only the standard library of Python is needed.
"""

import argparse
import contextlib
import dataclasses
import io
import itertools
import json
import os
import pathlib
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
# What a cell has beside its workload.
SIZES = ("mode", "hidden", "batch", "threads")
TREE_LSTM = {"mode": "train,infer", "hidden": "64,256,512", "batch": "1,32,256", "threads": "1,2"}
# The workloads that decide while they run, and the lists of each.
DECIDING = ("translate-grow", "parser", "ponder", "routed-tree")
OF_DECIDING = {"mode": "train,infer", "hidden": "64,256", "batch": "32", "threads": "1,2"}
# The workloads that a learned policy schedules, and the lists of each.
SCHEDULED = ("lattice-edbatch", "lattice-gru", "tree-lstm-2type")
ALSO_SCHEDULED = ("lattice-lstm", "lattice-ner")
OF_SCHEDULED = TREE_LSTM | {"hidden": "64,256"}
GRID = {"tree-lstm": TREE_LSTM}
GRID |= dict.fromkeys(SCHEDULED + ALSO_SCHEDULED, OF_SCHEDULED)
GRID |= dict.fromkeys(DECIDING, OF_DECIDING)
QUICK = {"tree-lstm": TREE_LSTM | {"hidden": "64,256", "batch": "1,32"}}
QUICK |= dict.fromkeys(SCHEDULED + ALSO_SCHEDULED, OF_SCHEDULED | {"hidden": "64", "batch": "32"})
QUICK |= dict.fromkeys(DECIDING, OF_DECIDING | {"mode": "train"})
READ_TREES = ("tree-lstm", "routed-tree")
# Scores of 20,000 words would take so long that what it costs to grow would not be seen.
FURTHER = {"translate-grow": ["--ids-modulo", 256]}
# As many as `workloads` reads, with words as in the trees that it draws.
TREES = 256
WORDS = 20_000
LABELS = 5
RESAMPLES = 2000
CONFIDENCE = 0.95
# The verdict on a cell that only one build can run.
NEW_ONLY = "new only"


class Failure(Exception):
    """Why nothing can be compared."""


def main():
    options = arguments_of(sys.argv[1:])
    if options.self_test:
        program = unittest.main(argv=[sys.argv[0]], exit=False)
        return 0 if program.result.wasSuccessful() else 1
    try:
        return compare(options)
    except (Failure, OSError) as failure:
        print(failure, file=sys.stderr)
        return 2


def arguments_of(words):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("base", nargs="?", help="a revision, or the path of a built `workloads`")
    parser.add_argument("new", nargs="?", help="the same [default: the working tree]")
    parser.add_argument("--quick", action="store_true", help="fewer cells, if lists are not given")
    parser.add_argument("--workload", help=f"a list with commas [default: {','.join(GRID)}]")
    for name in SIZES:
        defaults = f"{TREE_LSTM[name]} for tree-lstm, other workloads have fewer"
        parser.add_argument(f"--{name}", help=f"a list with commas [default: {defaults}]")
    parser.add_argument("--rounds", type=int, default=5, help="[default: 5]")
    parser.add_argument("--seconds", type=float, default=0.5, help="timed at least [default: 0.5]")
    parser.add_argument("--passes", type=int, default=5, help="timed at least [default: 5]")
    parser.add_argument("--threshold", type=float, default=5, help="in percent [default: 5]")
    parser.add_argument("--policies", help="the --policy of each of the two, with a comma")
    parser.add_argument("--data", type=pathlib.Path, help="trees in the notation of SST")
    parser.add_argument("--json", type=pathlib.Path, help="[default: gate.json beside the builds]")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args(words)
    if options.base is None and not options.self_test:
        parser.error("say with what to compare: a revision, or the path of a built `workloads`")
    if options.policies is not None and len(options.policies.split(",")) != 2:
        parser.error("say two policies, with a comma between them")
    if options.rounds < 5:
        parser.error("an interval needs at least 5 rounds")
    for workload in workloads(options):
        if workload not in GRID:
            parser.error(f"`{workload}` is none of {', '.join(GRID)}")
    if options.data and not set(workloads(options)) & set(READ_TREES):
        parser.error(f"only {' and '.join(READ_TREES)} read --data")
    return options


def compare(options):
    """Measures all cells with both builds; returns the exit status."""
    folder = TARGET / "gate"
    folder.mkdir(parents=True, exist_ok=True)
    builds = [build(folder, options.base), build(folder, options.new)]
    if options.policies:
        named = zip(builds, options.policies.split(","))
        builds = [dataclasses.replace(of, name=policy, policy=policy) for of, policy in named]
    cells = list(grid(options))
    with tempfile.TemporaryDirectory() as temporary:
        data = options.data or trees_in(pathlib.Path(temporary))
        results = measured(builds, cells, data, options)
    path = options.json or folder / "gate.json"
    path.write_text(json.dumps(report(builds, options, results), indent=1) + "\n")
    print(table(results))
    print(f"\nRatios are the speed of {builds[1].name} divided by that of {builds[0].name}.")
    print(f"As JSON: {path}")
    verdicts = [result["verdict"] for result in results]
    if all(verdict == NEW_ONLY for verdict in verdicts):
        raise Failure(f"{builds[0].name} knows none of these workloads")
    slower = verdicts.count("slower")
    if slower:
        print(f"{slower} of {len(results)} cells are slower by more than {options.threshold:g} %")
    return 1 if slower else 0


def output(command, cwd=ROOT):
    """What a command prints on stdout; its errors are shown."""
    command = [str(part) for part in command]
    return printed(subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, text=True))


def provenance():
    """Of which revision, when and on what something is measured."""
    listed = pathlib.Path("/proc/cpuinfo")
    listed = listed.read_text() if listed.exists() else ""
    names = [line.split(":")[1].strip() for line in listed.splitlines() if line.startswith("model name")]
    return {
        "revision": output(["git", "describe", "--always", "--dirty", "--abbrev=12"]).strip(),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "machine": f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores",
    }


def save(path, text):
    """Writes a file whole, or leaves it as it was."""
    half = path.with_name(path.name + ".half")
    half.write_text(text)
    half.replace(path)


def printed(done):
    """What a command has printed on stdout."""
    if done.returncode:
        raise Failure(f"`{' '.join(done.args)}` failed with {done.returncode}")
    return done.stdout


@dataclasses.dataclass
class Build:
    """A program to measure, what it is called, and the policy by which it schedules, if one is named."""

    name: str
    program: pathlib.Path
    policy: str | None = None


def build(folder, what):
    """The program at a path, or that of a revision or the working tree, which is built."""
    if what is not None and pathlib.Path(what).is_file():
        return Build(what, pathlib.Path(what).resolve())
    if what is None:
        built = cargo_build(ROOT, TARGET)
        # A copy, so that whatever is built meanwhile is not what is measured.
        return Build("the working tree", shutil.copy2(built, folder / "workloads-working-tree"))
    revision = output(["git", "rev-parse", "--verify", "--end-of-options", f"{what}^{{commit}}"])
    revision = revision.strip()
    program = folder / f"workloads-{revision[:12]}"
    if not program.exists():
        with tempfile.TemporaryDirectory() as temporary:
            tree = pathlib.Path(temporary) / "edb"
            check_out(revision, tree)
            shutil.copy2(cargo_build(tree, folder / "build"), program)
    return Build(f"{what} ({revision[:12]})", program)


def check_out(revision, tree):
    """Writes the files of a revision, as files of now. With the dates that they have in git, cargo would take
    what it built of a later revision for theirs, since revisions share the folder of builds."""
    tree.mkdir()
    archive = tree.with_suffix(".tar")
    output(["git", "archive", "--output", archive, revision])
    output(["tar", "--extract", "--touch", "--file", archive, "--directory", tree])


def cargo_build(tree, into):
    """Builds `workloads` from a source tree; returns its path."""
    output(["cargo", "build", "--release", "--example", "workloads", "--target-dir", into], tree)
    return into / "release/examples/workloads"


def workloads(options):
    """The names of the workloads to measure."""
    if options.workload:
        return options.workload.split(",")
    return [name for name in GRID if not (options.quick and name in ALSO_SCHEDULED)]


def grid(options):
    """The cells: for each workload the values of each option, in every combination."""
    for workload in workloads(options):
        defaults = (QUICK if options.quick else GRID)[workload]
        values = [
            [int(value) if value.isdigit() else value for value in text.split(",")]
            for text in (getattr(options, name) or defaults[name] for name in SIZES)
        ]
        for sizes in itertools.product(*values):
            yield {"workload": workload} | dict(zip(SIZES, sizes))


def trees_in(folder):
    """A file of drawn trees."""
    data = folder / "trees.txt"
    data.write_text("".join(f"{tree}\n" for tree in drawn_trees(random.Random(1))))
    return data


def drawn_trees(rng):
    """Binary trees over 2 to 36 words, in the notation of the Stanford Sentiment Treebank."""
    for _ in range(TREES):
        parts = []
        for _ in range(rng.randint(2, 36)):
            # The probability of a word is roughly proportional to 1 / its number.
            word = int(WORDS ** rng.random()) - 1
            parts.append(f"({rng.randrange(LABELS)} w{word})")
        while len(parts) > 1:
            at = rng.randrange(1, len(parts))
            parts[at - 1 : at + 1] = [f"({rng.randrange(LABELS)} {parts[at - 1]} {parts[at]})"]
        yield parts[0]


def measured(builds, cells, data, options):
    """The results of all cells."""
    threshold = options.threshold / 100
    pairs = measure(builds, cells, data, options)
    results = [judged(cell, of_cell, threshold) for cell, of_cell in zip(cells, pairs)]
    is_doubtful = lambda result: result["verdict"] in ("slower", "faster")
    doubtful = [at for at, result in enumerate(results) if is_doubtful(result)]
    if doubtful:
        print(f"not the same: {len(doubtful)} of {len(cells)} cells, once more", file=sys.stderr)
        again = measure(builds, [cells[at] for at in doubtful], data, options)
        for at, further in zip(doubtful, again):
            results[at] = judged_again(cells[at], pairs[at], further, threshold)
    return results


def measure(builds, cells, data, options):
    """The speeds of each cell: for every round a pair, that of the base first, which is None if it
    does not know the workload."""
    pairs = [[] for _ in cells]
    start = time.monotonic()
    for turn in range(options.rounds):
        for cell, of_cell in zip(cells, pairs):
            speeds = {at: speed(builds[at], cell, data, options) for at in order(turn)}
            if speeds[1] is None:
                raise Failure(f"{builds[1].name} does not know the workload {cell['workload']}")
            of_cell.append((speeds[0], speeds[1]))
        minutes = (time.monotonic() - start) / 60
        print(f"round {turn + 1} of {options.rounds}, {minutes:.1f} minutes", file=sys.stderr)
    return pairs


def order(turn):
    """Which build runs first in a round."""
    return (0, 1) if turn % 2 == 0 else (1, 0)


def command_of(built, cell, data, options):
    """The command of one run."""
    workload = cell["workload"]
    parts = [built.program, workload, "--json", *FURTHER.get(workload, [])]
    if workload in READ_TREES:
        parts += ["--data", data.resolve()]
    parts += ["--seconds", options.seconds, "--passes", options.passes]
    for name in SIZES:
        parts += [f"--{name}", cell[name]]
    if built.policy:
        parts += ["--policy", built.policy]
    return [str(part) for part in parts]


def speed(built, cell, data, options):
    """The instances/s of one run, or None if the program does not know the workload."""
    done = subprocess.run(command_of(built, cell, data, options), capture_output=True, text=True)
    # It refuses any other argument with the same status.
    if done.returncode == 2 and f"'{cell['workload']}' for '<WORKLOAD>'" in done.stderr:
        return None
    sys.stderr.write(done.stderr)
    return json.loads(printed(done).splitlines()[-1])["instances_per_s"]


def judged(cell, pairs, threshold):
    """The result of a cell."""
    bases, news = zip(*pairs)
    if None in bases:
        return {**cell, "new": news, "verdict": NEW_ONLY}
    ratios = [new / base for base, new in pairs]
    middle = statistics.median(ratios)
    low, high = interval(ratios)
    return {
        **cell,
        "base": bases,
        "new": news,
        "ratio": middle,
        "low": low,
        "high": high,
        "verdict": verdict(middle, low, high, threshold),
    }


def judged_again(cell, pairs, further, threshold):
    """The result of a cell after further rounds, which have to give the same verdict alone."""
    verdicts = {judged(cell, part, threshold)["verdict"] for part in (pairs, further)}
    agreed = verdicts.pop() if len(verdicts) == 1 else "same"
    return judged(cell, pairs + further, threshold) | {"verdict": agreed}


def interval(ratios):
    """The bootstrap interval of the median, by percentiles."""
    rng = random.Random(0)
    medians = sorted(
        statistics.median(rng.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES)
    )
    outside = int((1 - CONFIDENCE) / 2 * RESAMPLES)
    return medians[outside], medians[-1 - outside]


def verdict(middle, low, high, threshold):
    """What a ratio of speeds and its interval say."""
    if middle < 1 - threshold and high < 1:
        return "slower"
    if middle > 1 + threshold and low > 1:
        return "faster"
    return "same"


def table(results):
    """The results as a Markdown table."""
    names = ["workload", *SIZES]
    columns = [*names, "base, inst/s", "new, inst/s", "ratio", "interval", "verdict"]
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    median = lambda speeds: f"{statistics.median(speeds):,.0f}"
    for result in results:
        base, ratio, bounds = "", "", ""
        if result["verdict"] != NEW_ONLY:
            base, ratio = median(result["base"]), f"{result['ratio']:.3f}"
            bounds = f"{result['low']:.3f} to {result['high']:.3f}"
        row = [str(result[name]) for name in names]
        row += [base, median(result["new"]), ratio, bounds, result["verdict"]]
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines)


def report(builds, options, results):
    """What is written as JSON."""
    return {
        "base": builds[0].name,
        "new": builds[1].name,
        "rounds": options.rounds,
        "threshold_percent": options.threshold,
        "confidence": CONFIDENCE,
        "cells": results,
    }


class SelfTest(unittest.TestCase):
    """Tests of what needs no measurement."""

    CELL = {"workload": "ponder", "mode": "train", "hidden": 8, "batch": 1, "threads": 2}

    def judge(self, *pairs):
        return judged({}, pairs, 0.05)

    def test_files_of_a_revision_are_of_now(self):
        began = time.time() - 2
        with tempfile.TemporaryDirectory() as temporary:
            tree = pathlib.Path(temporary) / "edb"
            check_out("HEAD", tree)
            self.assertGreater((tree / "Cargo.toml").stat().st_mtime, began)

    def test_equal_speeds_are_the_same(self):
        result = self.judge(*[(100, 100)] * 5)
        self.assertEqual(
            (result["ratio"], result["low"], result["high"], result["verdict"]), (1, 1, 1, "same")
        )

    def test_ratios_are_of_pairs(self):
        # The machine slows down fivefold; the ratio of each pair does not change.
        drifting = [(speed, speed * 0.9) for speed in (500, 400, 300, 200, 100)]
        result = self.judge(*drifting)
        self.assertAlmostEqual(result["ratio"], 0.9)
        self.assertEqual(result["verdict"], "slower")
        self.assertEqual(self.judge(*[(new, base) for base, new in drifting])["verdict"], "faster")

    def test_one_outlier_changes_no_verdict(self):
        self.assertEqual(self.judge(*[(100, 100)] * 6, (100, 20))["verdict"], "same")
        self.assertEqual(self.judge(*[(100, 80)] * 6, (100, 500))["verdict"], "slower")

    def test_a_verdict_needs_size_and_certainty(self):
        self.assertEqual(verdict(0.97, 0.96, 0.98, 0.05), "same")
        self.assertEqual(verdict(0.90, 0.70, 1.01, 0.05), "same")
        self.assertEqual(verdict(0.94, 0.90, 0.99, 0.05), "slower")
        self.assertEqual(verdict(1.03, 1.02, 1.04, 0.05), "same")
        self.assertEqual(verdict(1.10, 0.99, 1.30, 0.05), "same")
        self.assertEqual(verdict(1.06, 1.01, 1.10, 0.05), "faster")

    def test_further_rounds_have_to_agree(self):
        slow, equal, fast = ([(100, speed)] * 5 for speed in (80, 100, 120))
        verdict_of = lambda pairs, further: judged_again({}, pairs, further, 0.05)["verdict"]
        self.assertEqual(verdict_of(slow, slow), "slower")
        self.assertEqual(verdict_of(slow, equal), "same")
        self.assertEqual(verdict_of(slow, fast), "same")
        self.assertEqual(verdict_of(fast, fast), "faster")
        self.assertEqual(len(judged_again({}, slow, equal, 0.05)["base"]), 10)

    def test_an_interval_contains_the_median(self):
        rng = random.Random(3)
        contained = 0
        for _ in range(20):
            ratios = [rng.gauss(1, 0.1) for _ in range(9)]
            low, high = interval(ratios)
            self.assertTrue(min(ratios) <= low <= statistics.median(ratios) <= high <= max(ratios))
            contained += low <= 1 <= high
        self.assertGreaterEqual(contained, 17)

    def test_the_interval_is_the_same_every_time(self):
        ratios = [0.9, 1.0, 1.1, 0.95, 1.3]
        self.assertEqual(interval(ratios), interval(ratios))

    def test_the_builds_take_turns(self):
        self.assertEqual([order(turn) for turn in range(3)], [(0, 1), (1, 0), (0, 1)])

    def test_trees_are_binary(self):
        trees = list(drawn_trees(random.Random(1)))
        self.assertEqual(len(trees), TREES)
        for tree in trees:
            self.assertEqual(tree.count("("), tree.count(")"))
            self.assertEqual(tree.count("("), 2 * tree.count("w") - 1)
        self.assertEqual(trees, list(drawn_trees(random.Random(1))))

    def test_a_table_has_a_line_for_each_cell(self):
        pairs = [[(1000, 900)] * 5, [(None, 900)] * 5]
        lines = table([judged(self.CELL, of_cell, 0.05) for of_cell in pairs]).splitlines()
        self.assertEqual(
            lines[2:],
            [
                "| ponder | train | 8 | 1 | 2 | 1,000 | 900 | 0.900 | 0.900 to 0.900 | slower |",
                "| ponder | train | 8 | 1 | 2 |  | 900 |  |  | new only |",
            ],
        )

    def chosen(self, *arguments):
        return list(grid(arguments_of(["BASE", *arguments])))

    def test_cells_are_every_combination(self):
        cells = self.chosen("--quick", "--workload", "tree-lstm", "--hidden", "8")
        self.assertEqual(len(cells), 2 * 1 * 2 * 2)
        expected = {"workload": "tree-lstm", "mode": "train", "hidden": 8, "batch": 1, "threads": 1}
        self.assertEqual(cells[0], expected)

    def test_lists_are_for_all_chosen_workloads(self):
        cells = self.chosen("--workload", "ponder,tree-lstm", "--mode", "infer", "--batch", "7")
        self.assertEqual(len(cells), 2 * 2 + 3 * 2)
        self.assertEqual({(cell["mode"], cell["batch"]) for cell in cells}, {("infer", 7)})
        self.assertEqual([cell["workload"] for cell in cells[3:5]], ["ponder", "tree-lstm"])

    def test_every_workload_has_cells(self):
        full, quick = ([], 36, (24, 24), 8), (["--quick"], 16, (4, 0), 4)
        for arguments, of_trees, (scheduled, too), deciding in (full, quick):
            names = [cell["workload"] for cell in self.chosen(*arguments)]
            self.assertEqual(names.count("tree-lstm"), of_trees)
            self.assertEqual([names.count(name) for name in SCHEDULED], [scheduled] * 3)
            self.assertEqual([names.count(name) for name in DECIDING], [deciding] * 4)
            self.assertEqual([names.count(name) for name in ALSO_SCHEDULED], [too] * 2)
            self.assertEqual(len(names), of_trees + 3 * scheduled + 2 * too + 4 * deciding)

    def test_only_trees_are_handed_over(self):
        options, data = arguments_of(["BASE"]), pathlib.Path("trees.txt")
        built = Build("", pathlib.Path("program"))
        words = lambda name: command_of(built, self.CELL | {"workload": name}, data, options)
        self.assertEqual([name for name in GRID if "--data" in words(name)], list(READ_TREES))
        self.assertEqual([name for name in GRID if "--ids-modulo" in words(name)], list(FURTHER))
        self.assertEqual(words("ponder")[-4:], ["--batch", "1", "--threads", "2"])
        built = dataclasses.replace(built, policy="machine")
        self.assertEqual(words("ponder")[-4:], ["--threads", "2", "--policy", "machine"])

    def build(self, folder, name, script):
        program = pathlib.Path(folder) / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        return Build(name, program)

    def test_a_base_may_lack_a_workload(self):
        options, data = arguments_of(["BASE"]), pathlib.Path("trees.txt")
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
            new = self.build(folder, "new", "echo '{\"instances_per_s\": 900}'")
            refusal = "echo \"error: invalid value '$1' for '<WORKLOAD>'\" >&2; exit 2"
            old = self.build(folder, "old", refusal)
            expected = self.CELL | {"new": (900,) * options.rounds, "verdict": "new only"}
            self.assertEqual(measured([old, new], [self.CELL], data, options), [expected])
            with self.assertRaisesRegex(Failure, "old does not know the workload ponder"):
                measured([new, old], [self.CELL], data, options)
            wrong = self.build(folder, "wrong", "echo \"error: invalid value '0'\" >&2; exit 2")
            with self.assertRaisesRegex(Failure, "failed with 2"):
                measured([wrong, new], [self.CELL], data, options)


if __name__ == "__main__":
    sys.exit(main())
