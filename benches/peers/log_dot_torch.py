"""Products of logarithms in PyTorch, of the sizes of `cargo bench --bench matrices -- --logs`.

    python log_dot_torch.py [--threads 2]

Prints a line of JSON for each size: the microseconds of a minibatch of 32 forward, and forward and backward, by
`torch.logsumexp`, which makes a tensor of three axes; the same by powers, a product and a logarithm; and the
greatest error of each in f32, beside itself in f64.
"""

import argparse
import json
import statistics
import time

import torch

BATCH = 32


def by_terms(a, b):
    return torch.logsumexp(a[..., None] + b, -2)


def by_powers(a, b):
    greatest = a.max(-1, keepdim=True).values
    return ((a - greatest).exp() @ b.exp()).log() + greatest


def seconds(run):
    times = []
    for _ in range(40):
        start = time.perf_counter()
        for _ in range(20):
            run()
        times.append((time.perf_counter() - start) / 20)
    return statistics.median(times[5:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    for width in [17, 64, 256]:
        a = torch.rand(BATCH, width) * 6 - 3
        b = (torch.rand(width, width) * 6 - 3).requires_grad_()
        row = {"shape": f"[{width}] [{width}, {width}]", "batch": BATCH, "threads": options.threads}
        exact = by_terms(a.double(), b.double())
        for name, f in [("by_terms", by_terms), ("by_powers", by_powers)]:

            def forward():
                with torch.no_grad():
                    return f(a, b)

            def both():
                b.grad = None
                f(a.requires_grad_(), b).logsumexp(-1).sum().backward()

            row[name] = seconds(forward) * 1e6
            row[f"{name}_with_gradients"] = seconds(both) * 1e6
            row[f"{name}_error"] = (forward().double() - exact).abs().max().item()
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
