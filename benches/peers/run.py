"""Measures edb and PyTorch in one session, as a table of instances/s and ratios.

    cargo build --release --example workloads
    python benches/peers/run.py --peers DIR [--mode train] [--threads 2] [--hidden 64,256,512] [--batch 1,32,256]
        [--workload bilstm-tagger]

    python benches/peers/run.py --peers DIR --device cpu,bf16 --variants lvl

    cargo build --release --features cuda --example workloads
    python benches/peers/run.py --peers DIR --device cuda

The workload is the binary Tree-LSTM or the BiLSTM tagger. DIR contains `treelstm_torch.py` and
`trees.ptb.txt`, and for the tagger `bilstm_torch.py` and `sents.tags.txt`; on a GPU, `torch_gpu.py`
runs PyTorch. With `cpu,bf16`, PyTorch runs under autocast, with which the `manual` variants fail.
Python needs torch (and setuptools, for torch.compile).

For each size, edb runs before and after every PyTorch variant. Its figure is the mean of both runs;
their difference shows how quiet the machine was. edb's figures include everything from parsed trees
on (graphs, checks, schedule, forward, backward, update). PyTorch's leave out the preparation of its
batches, as its scripts do.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
VARIANTS = {
    "tree-lstm": "naive,lvl,lvl_compile,manual,manual_compile",
    "bilstm-tagger": "packed,onednn,cellloop,hand",
}
GPU_VARIANTS = {
    "tree-lstm": "lvl,lvl_compile,lvl_graph,manual,manual_compile,manual_graph,manual_compile_graph",
    "bilstm-tagger": "packed,packed_graph",
}
SCRIPTS = {
    "tree-lstm": ("treelstm_torch.py", "trees_s"),
    "bilstm-tagger": ("bilstm_torch.py", "sents_s"),
}
DATA = {"tree-lstm": "trees.ptb.txt", "bilstm-tagger": "sents.tags.txt"}


def edb(options, hidden, batch):
    """Instances/s and the fraction of the machine's peak."""
    data = options.peers / DATA[options.workload]
    command = [
        *(options.workloads, options.workload, "--data", data, "--device", options.device),
        *("--mode", options.mode, "--hidden", hidden, "--batch", batch),
        *("--threads", options.threads, "--seconds", options.seconds, "--json"),
    ]
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, check=True)
    line = json.loads(done.stdout.splitlines()[-1])
    return line["instances_per_s"], line["fraction_of_peak"]


def torch(options, variant, hidden, batch):
    """Instances/s of a variant; None if it does not run on this machine."""
    if not options.device.startswith("cpu"):
        return torch_gpu(options, variant, hidden, batch)
    script, rate = SCRIPTS[options.workload]
    with tempfile.NamedTemporaryFile("r", suffix=".jsonl") as out:
        command = [
            *(sys.executable, *autocast(options), options.peers / script, "--variants", variant),
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
    return json.loads(lines[-1])[rate]


def autocast(options):
    """What stands before a script of PyTorch, so that it runs in edb's precision."""
    return [ROOT / "benches/peers/autocast.py"] if options.device == "cpu,bf16" else []


def torch_gpu(options, variant, hidden, batch):
    """As above, on a GPU."""
    command = [
        *(sys.executable, ROOT / "benches/peers/torch_gpu.py", "--peers", options.peers),
        *("--device", options.device, "--workload", options.workload, "--variants", variant),
        *("--mode", options.mode, "--hidden", hidden, "--batch", batch),
    ]
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE)
    lines = done.stdout.splitlines()
    return json.loads(lines[-1])["instances_per_s"] if lines else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=pathlib.Path, required=True)
    workloads = ROOT / "target/release/examples/workloads"
    parser.add_argument("--workloads", type=pathlib.Path, default=workloads)
    parser.add_argument("--mode", choices=["train", "infer"], default="train")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", default="2", help="how long edb runs each time")
    parser.add_argument("--hidden", default="64,256,512")
    parser.add_argument("--batch", default="1,32,256")
    parser.add_argument("--device", default="cpu", help="cpu; cpu,bf16; cuda or cuda:N")
    parser.add_argument("--workload", choices=DATA, default="tree-lstm")
    parser.add_argument("--variants")
    options = parser.parse_args()
    on_gpu = not options.device.startswith("cpu")

    known = (GPU_VARIANTS if on_gpu else VARIANTS)[options.workload]
    variants = (options.variants or known).split(",")
    best_of = [variant for variant in variants if variant != "naive"]
    columns = ["hidden", "batch", "edb", "of peak", "apart", *variants, "edb / best", "edb / naive"]
    where = options.device if on_gpu else f"{options.device}, {options.threads} threads"
    print(f"{options.workload}, {options.mode}, {where}, instances/s", flush=True)
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
