"""edb and PyTorch on the binary Tree-LSTM, in one sitting: one table of trees/s and ratios.

    cargo build --release --example workloads
    python benches/peers/run.py --peers DIR [--mode train] [--threads 2] [--hidden 64,256,512] [--batch 1,32,256]

DIR holds `treelstm_torch.py` and `trees.ptb.txt`; this Python has torch (and setuptools, for
torch.compile). For each size edb runs before and behind every PyTorch variant: the mean of both is its
figure, and how far they are apart says how quiet the machine was. edb's figures count everything from
parsed trees on (graphs, checks, schedule, forward, backward, update); PyTorch's leave out the
preparation of its batches, as its scripts do.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
VARIANTS = "naive,lvl,lvl_compile,manual,manual_compile"


def edb(options, hidden, batch):
    """Trees/s and the fraction of the machine's peak."""
    command = [
        *(options.workloads, "tree-lstm", "--data", options.peers / "trees.ptb.txt"),
        *("--mode", options.mode, "--hidden", hidden, "--batch", batch),
        *("--threads", options.threads, "--json"),
    ]
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, check=True)
    line = json.loads(done.stdout.splitlines()[-1])
    return line["instances_per_s"], line["fraction_of_peak"]


def torch(options, variant, hidden, batch):
    """Trees/s of a variant; none if it does not run here."""
    with tempfile.NamedTemporaryFile("r", suffix=".jsonl") as out:
        command = [
            *(sys.executable, options.peers / "treelstm_torch.py", "--variants", variant),
            *("--modes", "train" if options.mode == "train" else "fwd", "--h", hidden),
            *("--bs", batch, "--threads", options.threads, "--out", out.name),
        ]
        done = subprocess.run(
            [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        lines = out.read().splitlines()
    if done.returncode or not lines:
        error = done.stderr.decode().strip().splitlines()
        print(f"{variant}: {error[-1] if error else 'no result'}", file=sys.stderr)
        return None
    return json.loads(lines[-1])["trees_s"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=pathlib.Path, required=True)
    workloads = ROOT / "target/release/examples/workloads"
    parser.add_argument("--workloads", type=pathlib.Path, default=workloads)
    parser.add_argument("--mode", choices=["train", "infer"], default="train")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--hidden", default="64,256,512")
    parser.add_argument("--batch", default="1,32,256")
    parser.add_argument("--variants", default=VARIANTS)
    options = parser.parse_args()

    variants = options.variants.split(",")
    best_of = [variant for variant in variants if variant != "naive"]
    columns = ["hidden", "batch", "edb", "of peak", "apart", *variants, "edb / best", "edb / naive"]
    print(f"{options.mode}, {options.threads} threads, trees/s", flush=True)
    print("| " + " | ".join(columns) + " |\n|" + " --- |" * len(columns), flush=True)
    for hidden in options.hidden.split(","):
        for batch in options.batch.split(","):
            before, of_peak = edb(options, hidden, batch)
            rates = {variant: torch(options, variant, hidden, batch) for variant in variants}
            behind, again = edb(options, hidden, batch)
            own = (before + behind) / 2
            best = max((rates[variant] or 0 for variant in best_of), default=0)
            naive = rates.get("naive") or 0
            ratio = lambda other: f"{own / other:.2f}" if other else ""
            cells = [
                *(hidden, batch, f"{own:,.0f}", f"{(of_peak + again) / 2:.0%}"),
                f"{abs(before - behind) / own:.0%}",
                *(f"{rates[variant]:,.0f}" if rates[variant] else "" for variant in variants),
                *(ratio(best), ratio(naive)),
            ]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
