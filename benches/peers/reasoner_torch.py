"""The recursive reasoner of `--example reasoner` in PyTorch, with its weights, on its puzzles.

    cargo run --release --example reasoner -- --save MODEL --write PUZZLES
    python benches/peers/reasoner_torch.py --model MODEL --puzzles PUZZLES [--threads 2] [--batch 64]

Every variant stops a puzzle when it is sure of every cell, as edb does, and has the same outputs (checked to 1e-5):
`maximum` runs all puzzles of a minibatch for 16 steps, under a mask; `compact` goes on with those that are not sure yet.
Prints a line of JSON for each, in inference and in training (gradients; no optimiser), the best of several runs.
"""

import argparse
import json
import time

import torch
import torch.nn.functional as F
from safetensors.torch import load_file

ENOUGH, MOST = 0.9, 16


def norm(x, gain):
    return x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * gain


def improve(p, s):
    a = norm(s, p["gain"])
    return s + F.gelu(a @ p["w"] + (p["mix"] @ a) @ p["v"] + p["b"]) @ p["d"]


def logits_of(p, s):
    return norm(s, p["gain_read"]) @ p["read"]


def is_sure(logits):
    return logits.softmax(-1).max(-1).values.min(-1).values >= ENOUGH


def losses(logits, labels):
    """The cross-entropies of the cells that have a label, of each puzzle."""
    of_cells = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="none", ignore_index=-1)
    return of_cells.reshape(labels.shape).sum(-1)


def maximum(p, given, labels=None):
    s = given @ p["embed"] + p["place"]
    found, steps, loss = s @ p["read"], torch.zeros(len(s)), 0.0
    active = torch.ones(len(s), dtype=torch.bool)
    for _ in range(MOST):
        s = improve(p, s)
        logits = logits_of(p, s)
        if labels is not None:
            loss = loss + (losses(logits, labels) * active).sum()
        found = torch.where(active[:, None, None], logits, found)
        steps += active
        active = active & ~is_sure(logits.detach())
    return found, steps, loss


def compact(p, given, labels=None):
    s = given @ p["embed"] + p["place"]
    found, steps, loss = torch.empty(len(s), *(s @ p["read"]).shape[1:]), torch.zeros(len(s)), 0.0
    left = torch.arange(len(s))
    for step in range(1, MOST + 1):
        s = improve(p, s)
        logits = logits_of(p, s)
        if labels is not None:
            loss = loss + losses(logits, labels).sum()
        stop = is_sure(logits.detach()) if step < MOST else torch.ones(len(s), dtype=torch.bool)
        if stop.any():
            found[left[stop]] = logits.detach()[stop]
            steps[left[stop]] = step
            go = ~stop
            left, s = left[go], s[go]
            labels = None if labels is None else labels[go]
            if len(left) == 0:
                break
    return found, steps, loss


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--puzzles", required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    p = {name.removeprefix("learn."): value for name, value in load_file(arguments.model).items()}
    p = {name: value.clone().requires_grad_() for name, value in p.items() if value.is_floating_point()}
    records = [json.loads(line) for line in open(arguments.puzzles)]
    side = max(records[0]["solution"])
    known = torch.tensor([record["given"] for record in records])
    given = F.one_hot(known, side + 1).float()
    labels = torch.where(known == 0, torch.tensor([record["solution"] for record in records]) - 1, -1)
    expected = torch.tensor([record["logits"] for record in records]).reshape(len(records), -1, side)
    expected_steps = torch.tensor([float(record["steps"]) for record in records])
    for name, run in [("maximum", maximum), ("compact", compact)]:
        with torch.no_grad():
            found, steps, _ = run(p, given)
        same = steps == expected_steps
        # Where a puzzle is sure by a hair, one of both takes a step more.
        assert same.float().mean() > 0.99, f"{name}: {(~same).sum()} puzzles take other steps"
        torch.testing.assert_close(found[same], expected[same], rtol=1e-4, atol=1e-5)
        times = {}
        for training in (False, True):
            best = float("inf")
            for _ in range(arguments.runs):
                start = time.perf_counter()
                for at in range(0, len(given), arguments.batch):
                    some = slice(at, at + arguments.batch)
                    if training:
                        run(p, given[some], labels[some])[2].backward()
                        for value in p.values():
                            value.grad = None
                    else:
                        with torch.no_grad():
                            run(p, given[some])
                best = min(best, time.perf_counter() - start)
            times["training" if training else "inference"] = len(given) / best
        row = {"variant": name, "threads": arguments.threads, "batch": arguments.batch, "mean_steps": float(steps.mean())}
        row |= {f"{what}_puzzles_per_s": round(rate, 1) for what, rate in times.items()}
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
