"""Measures PyTorch on a GPU, in the same session as edb, with models as an engineer would write them.

    python benches/peers/torch_gpu.py --peers DIR [--device cuda] [--hidden 256] [--batch 32]

Models and data are those in DIR (`treelstm_torch.py`, `bilstm_torch.py`): the binary Tree-LSTM, level by
level, and for chains the BiLSTM tagger, whose `nn.LSTM` is cuDNN's on a GPU.

    tree-lstm      lvl             levels, children side by side; autograd
                   manual          the same with a backward pass by hand: one product for each weight
                   .._compile      their pointwise work by torch.compile
                   .._graph        a whole step as a CUDA graph, one for each minibatch
    bilstm-tagger  packed          nn.LSTM on a packed sequence: cuDNN
                   packed_graph    the same as a CUDA graph

A CUDA graph fits one topology only. These are captured before the timing, for the same minibatches that
are timed, so they are faster than training on new data could be. No variant counts the preparation of its
minibatches or their transfer to the device. TF32 is off unless asked for, as in edb.
"""

import argparse
import contextlib
import importlib
import json
import pathlib
import statistics
import sys
import time

import torch


def peer(directory, name):
    """Imports a script in DIR as a module; importing it makes it read its arguments."""
    arguments, sys.argv = sys.argv, [name, "--threads", str(torch.get_num_threads())]
    sys.path.insert(0, str(directory))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.pop(0)
        sys.argv = arguments


def moved(value, device):
    """Moves the tensors of a minibatch to the device, except what a packed sequence needs on the CPU."""
    if isinstance(value, torch.Tensor):
        return value.to(device)
    if isinstance(value, dict):
        return {key: value[key] if key == "bsz_t" else moved(value[key], device) for key in value}
    if isinstance(value, (list, tuple)):
        return type(value)(moved(item, device) for item in value)
    return value


def trees(options):
    """The Tree-LSTM: how to make a variant, how to prepare a minibatch, the data, and its work."""
    module = peer(options.peers, "treelstm_torch")

    def make(variant, hidden):
        model = module.VAR[variant](hidden)
        for name, value in model.p.items():
            trained = value.requires_grad
            model.p[name] = value.detach().to(options.device).requires_grad_(trained)
        return model

    data = module.load_trees()
    return make, lambda model, part: model.prep(part), data, module.flops


def chains(options):
    """The same for the BiLSTM tagger."""
    module = peer(options.peers, "bilstm_torch")

    def make(variant, hidden):
        model = module.VAR[variant](hidden)
        model.E = model.E.to(options.device)
        for part in model.mods:
            part.to(options.device)
        return model

    data = module.load_any(options.peers / "sents.txt")
    flops = lambda part, hidden: module.flops(sum(map(len, part)), hidden)
    return make, lambda model, part: module.prep(part), data, flops


WORKLOADS = {
    "tree-lstm": (trees, "lvl,lvl_compile,lvl_graph,manual,manual_compile,manual_graph"
                         ",manual_compile_graph"),
    "bilstm-tagger": (chains, "packed,packed_graph"),
}


def captured(step, minibatch, pool):
    """A step as a CUDA graph."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            step(minibatch)
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, pool=pool):
        step(minibatch)
    return graph.replay


def timed(run, passes, on_gpu):
    """The median seconds of a pass."""
    seconds = []
    for _ in range(passes):
        if on_gpu:
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            run()
            end.record()
            end.synchronize()
            seconds.append(begin.elapsed_time(end) / 1e3)
        else:
            start = time.perf_counter()
            run()
            seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def measure(options, workload, variant, hidden, batch):
    """Measures a variant; raises its error if it does not run here."""
    on_gpu = options.device.startswith("cuda")
    is_graph = variant.endswith("_graph")
    if is_graph and not on_gpu:
        raise RuntimeError("CUDA graphs need a GPU")
    make, prepare, data, flops = WORKLOADS[workload][0](options)
    data = data[: options.instances // 4 if batch == 1 else options.instances]
    model = make(variant.removesuffix("_graph"), hidden)
    step = model.train if options.mode == "train" else model.fwd
    parts = [data[at : at + batch] for at in range(0, len(data), batch)]
    minibatches = [moved(prepare(model, part), options.device) for part in parts]
    # Tensors that the models create in a step are created on the device of their parameters.
    with torch.device(options.device) if on_gpu else contextlib.nullcontext():
        if is_graph:
            pool = torch.cuda.graph_pool_handle()
            steps = [captured(step, minibatch, pool) for minibatch in minibatches]
        else:
            steps = [lambda minibatch=minibatch: step(minibatch) for minibatch in minibatches]

        def run():
            for step in steps:
                step()

        for _ in range(options.warm_up):
            run()
        if on_gpu:
            torch.cuda.synchronize()
        seconds = timed(run, options.passes, on_gpu)
        # Reads the loss, which nothing else checks when a CUDA graph is replayed.
        loss = float(model.fwd(minibatches[0]))
    if not loss == loss:
        raise RuntimeError("the loss is not a number")
    times = 3 if options.mode == "train" else 1
    return {
        "workload": workload,
        "variant": variant,
        "device": torch.cuda.get_device_name() if on_gpu else "cpu",
        "torch": torch.__version__,
        "tf32": options.tf32,
        "mode": options.mode,
        "hidden": hidden,
        "batch": batch,
        "instances_per_s": len(data) / seconds,
        "ms_per_batch": 1e3 * seconds / len(steps),
        "gflops": times * flops(data, hidden) / seconds / 1e9,
        "loss": loss,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=pathlib.Path, required=True)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--workload", choices=WORKLOADS, default="tree-lstm")
    parser.add_argument("--variants", help="those of the list above, with commas [default: all]")
    parser.add_argument("--mode", choices=["train", "infer"], default="train")
    parser.add_argument("--hidden", default="256")
    parser.add_argument("--batch", default="32")
    parser.add_argument("--instances", type=int, default=256)
    parser.add_argument("--passes", type=int, default=7)
    parser.add_argument("--warm-up", type=int, default=3)
    parser.add_argument("--tf32", action="store_true")
    options = parser.parse_args()
    options.peers = options.peers.resolve()
    torch.backends.cuda.matmul.allow_tf32 = options.tf32
    torch.backends.cudnn.allow_tf32 = options.tf32
    torch.manual_seed(0)
    failed = 0
    variants = (options.variants or WORKLOADS[options.workload][1]).split(",")
    for hidden in map(int, options.hidden.split(",")):
        for batch in map(int, options.batch.split(",")):
            for variant in variants:
                try:
                    found = measure(options, options.workload, variant, hidden, batch)
                    print(json.dumps(found), flush=True)
                except Exception as error:  # the other variants still run
                    failed += 1
                    print(f"{variant}: {error}", file=sys.stderr, flush=True)
    return 1 if failed == len(variants) else 0


if __name__ == "__main__":
    sys.exit(main())
