"""Trains the examples on real data, and prints the table of the book's chapter "Results".

    python3 benches/results.py --data DIR --json FILE [--only tagger,sentiment] [--at-once 2]
    python3 benches/results.py --from FILE [--within book/src/results.md]

Each run is a process on one thread, as many at once as there are processors; the longest begin first. Its
seconds are processor time, user and system. What FILE has of this revision is not run again, so that a run
that was interrupted goes on. DIR has a folder for each data set, with the names in RUNS.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import threading
from typing import Any, NamedTuple

import gate


class Run(NamedTuple):
    example: str
    arguments: str
    # The folder of the data set, and its name; empty if the data are generated.
    data: str
    named: str
    measured: str
    # What of the results is shown, and with how many digits behind the point.
    keys: str
    digits: int = 3
    published: str = ""

    @property
    def command(self) -> str:
        return " ".join(part for part in (self.example, self.arguments) if part)


# In the order of the table.
RUNS = [
    Run("tagger", "", "ud_ewt", "UD English EWT", "UPOS accuracy, test", "test_accuracy",
        published="0.969, a transformer (explosion, `en_udv25_englishewt_trf`)"),
    Run("tagger", "--chars", "ud_ewt", "UD English EWT", "the same", "test_accuracy", published="the same"),
    Run("tagger", "", "wikiner", "WikiNER", "entity F1, dev split", "test_f1"),
    Run("tagger", "--chars", "wikiner", "WikiNER", "the same", "test_f1"),
    Run("language_model", "--epochs 6", "ptb_lm", "Penn Treebank", "perplexity, dev, test",
        "dev_perplexity test_perplexity", 1, "about 115, small LSTM, test (Zaremba et al., 2014)"),
    Run("translate", "", "multi30k_ende", "Multi30k, English to German", "perplexity, dev, test",
        "dev_perplexity test_perplexity", 1),
    Run("translate", "--grow", "multi30k_ende", "Multi30k", "BLEU, dev, test", "dev_bleu test_bleu", 1),
    Run("sentiment", "", "sst", "SST", "fine-grained, binary, test", "test_fine test_binary",
        published="0.510, 0.880, with GloVe vectors (Tai et al., 2015)"),
    Run("sentiment", "--cell tree-gru", "sst", "SST", "the same", "test_fine test_binary"),
    Run("sentiment", "--cell tree-lstm-2type", "sst", "SST", "the same", "test_fine test_binary"),
    Run("sentiment", "--cell mv-rnn", "sst", "SST", "the same", "test_fine test_binary"),
    Run("sentiment", "--cell routed", "sst", "SST", "the same", "test_fine test_binary"),
    Run("ponder", "", "ud_ewt", "UD English EWT", "UPOS accuracy, test", "test_accuracy"),
    Run("relatedness", "", "sick", "SICK", "Pearson r, test", "test_pearson_r",
        published="0.868 (Tai et al., 2015)"),
    Run("lattice_ner", "", "zh_lattice", "Resume", "entity F1, test", "test_f1",
        published="0.945 (Zhang and Yang, 2018)"),
    Run("lattice_ner", "--cell lattice-gru", "zh_lattice", "Resume", "the same", "test_f1"),
    Run("molecules", "", "molecules", "ESOL", "RMSE, test, by scaffolds", "test_rmse",
        published="0.885 ± 0.029, GCN (MoleculeNet)"),
    Run("parser", "", "ud_ewt", "UD English EWT", "UAS, LAS, test; with a static oracle",
        "test_uas test_las static_test_uas static_test_las"),
    Run("generate", "", "", "generated arithmetic", "exact trees, test", "test_exact"),
    Run("tree_fc", "--epochs 8", "", "generated", "loss, test; guessing gives 1.609", "test_loss", 4),
]
LONGEST = ["language_model --epochs 6", "translate --grow", "translate", "parser"]


def measure(run: Run, options: argparse.Namespace) -> dict[str, Any]:
    """Runs an example to its end; says what it has found, and what it took."""
    command = [options.folder / run.example, *shlex.split(run.arguments), "--threads", "1", "--json"]
    command += ["--data", options.data / run.data] if run.data else []
    child = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    lines = child.stdout.read().splitlines()
    _, status, used = os.wait4(child.pid, 0)
    if status or not lines:
        raise gate.Failure(f"{run.command} failed: {os.waitstatus_to_exitcode(status)}")
    epochs = [int(match[1]) for match in map(re.compile(r"epoch (\d+): loss").match, lines) if match]
    row = {"command": run.command, "data": run.data, "seconds": used.ru_utime + used.ru_stime}
    return {**row, "epochs": max(epochs), "found": json.loads(lines[-1])}


def table(rows: list[dict[str, Any]]) -> str:
    columns = ["example", "command, after `cargo run --release --example`", "measured", "edb"]
    columns += ["published", "epochs", "seconds"]
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    by_key = {(row["command"], row["data"]): row for row in rows}
    for run in RUNS:
        row = by_key.get((run.command, run.data))
        if row is None:
            continue
        found = row["found"]
        data = f" --data DIR` ({run.named})" if run.data else f"` ({run.named})"
        command = f"`{run.example}" + (" --" if run.arguments or run.data else "")
        command += f" {run.arguments}" * bool(run.arguments) + data
        values = ", ".join(f"{found[key]:.{run.digits}f}" for key in run.keys.split())
        best, last = found["epoch"], row["epochs"]
        epochs = str(last) if best == last else f"{best} of {last}"
        cells = [f"`{run.example}`", command, run.measured, values, run.published, epochs]
        lines.append("| " + " | ".join([*cells, f"{row['seconds']:.0f}"]) + " |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    path = lambda text: pathlib.Path(text).resolve()
    parser.add_argument("--data", type=path, help="a folder of data sets")
    parser.add_argument("--json", type=path, help="where the results go, and where a run goes on")
    parser.add_argument("--only", help="these examples, with commas")
    parser.add_argument("--at-once", type=int, default=os.cpu_count(), help="processes [default: all]")
    parser.add_argument("--from", dest="printed", type=path, help="print the table of this file only")
    parser.add_argument("--within", type=path, help="check that the table of --from is in this text")
    options = parser.parse_args()
    if options.printed:
        found = table(json.loads(options.printed.read_text())["runs"])
        if options.within is None:
            print(found)
        elif found not in options.within.read_text():
            print(f"{options.within} should have this table:\n\n{found}")
            return 1
        return 0
    if not options.data or not options.json:
        parser.error("--data and --json are needed")
    for folder in (options.data, options.json.parent):
        if not folder.is_dir():
            parser.error(f"{folder} is no folder")
    revision = gate.provenance()["revision"]
    rows = json.loads(options.json.read_text())["runs"] if options.json.exists() else []
    # What is changed since a revision is not known of a file.
    rows = [row for row in rows if row["revision"] == revision and not revision.endswith("-dirty")]
    done = {(row["command"], row["data"]) for row in rows}
    known = {run.example for run in RUNS}
    asked = set(options.only.split(",")) if options.only else known
    if asked - known:
        parser.error(f"{', '.join(sorted(asked - known))}: expected some of {', '.join(sorted(known))}")
    runs = [run for run in RUNS if run.example in asked and (run.command, run.data) not in done]
    runs.sort(key=lambda run: LONGEST.index(run.command) if run.command in LONGEST else len(LONGEST))
    gate.output(["cargo", "build", "--release", "--workspace", "--examples", "--target-dir", gate.TARGET])
    options.folder = gate.TARGET / "release/examples"
    lock, failed = threading.Lock(), 0

    def one(run: Run) -> None:
        row = {**gate.provenance(), **measure(run, options)}
        with lock:
            rows.append(row)
            gate.save(options.json, json.dumps({"runs": rows}, indent=1) + "\n")
            print(f"{run.command} ({run.named}): {row['seconds']:.0f} s", file=sys.stderr, flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.at_once) as workers:
        for run, future in [(run, workers.submit(one, run)) for run in runs]:
            try:
                future.result()
            except (gate.Failure, OSError, ValueError) as failure:
                failed += 1
                print(f"{run.command} ({run.named}): {failure}", file=sys.stderr, flush=True)
    print(table(rows))
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
