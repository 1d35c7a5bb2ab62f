"""Reference traces of PyTorch's optimisers and rate schedules, and statistics of its initialisers.

Writes optimizers.safetensors beside this file: see README.md.
"""

import math
from pathlib import Path

import numpy
import torch
from safetensors.numpy import save_file

STEPS = 20
# A vector of 4 values; its gradients change sign, vanish sometimes and differ in size.
START = torch.tensor([1.0, -2.0, 0.5, 3.0], dtype=torch.float64)
GRADIENTS = torch.stack([
    torch.tensor([math.sin(0.9 * t) + 0.3, 2.0 * math.cos(0.7 * t), 1e-2 * (t % 5 - 2), 5.0 - t / 3])
    for t in range(STEPS)
]).to(torch.float64)


class Lion(torch.optim.Optimizer):
    """Chen et al. (2023), algorithm 2."""

    def __init__(self, params, lr, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            (first, second), rate = group["betas"], group["lr"]
            for p in group["params"]:
                momentum = self.state[p].setdefault("momentum", torch.zeros_like(p))
                update = torch.sign(first * momentum + (1 - first) * p.grad)
                p -= rate * (update + group["weight_decay"] * p)
                momentum.mul_(second).add_(p.grad, alpha=1 - second)


o = torch.optim
OPTIMIZERS = {
    "sgd": lambda p: o.SGD(p, lr=0.1),
    "sgd_decay": lambda p: o.SGD(p, lr=0.1, weight_decay=0.05),
    "momentum": lambda p: o.SGD(p, lr=0.05, momentum=0.9),
    "momentum_decay": lambda p: o.SGD(p, lr=0.05, momentum=0.9, weight_decay=0.05),
    "nesterov": lambda p: o.SGD(p, lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.01),
    "adagrad": lambda p: o.Adagrad(p, lr=0.1),
    "adagrad_all": lambda p: o.Adagrad(
        p, lr=0.1, lr_decay=0.1, weight_decay=0.05, initial_accumulator_value=0.5, eps=1e-6),
    "rmsprop": lambda p: o.RMSprop(p, lr=0.01),
    "rmsprop_momentum": lambda p: o.RMSprop(p, lr=0.01, alpha=0.9, momentum=0.5, weight_decay=0.05),
    "rmsprop_centred": lambda p: o.RMSprop(p, lr=0.01, alpha=0.9, centered=True, eps=1e-4),
    "rmsprop_all": lambda p: o.RMSprop(
        p, lr=0.01, alpha=0.9, centered=True, momentum=0.5, weight_decay=0.05, eps=1e-4),
    "adadelta": lambda p: o.Adadelta(p, lr=1.0),
    "adadelta_all": lambda p: o.Adadelta(p, lr=0.5, rho=0.95, eps=1e-4, weight_decay=0.05),
    "adam": lambda p: o.Adam(p, lr=0.1),
    "adam_decay": lambda p: o.Adam(p, lr=0.1, betas=(0.8, 0.95), eps=1e-6, weight_decay=0.05),
    "adamw": lambda p: o.AdamW(p, lr=0.1, weight_decay=0.1),
    "amsgrad": lambda p: o.Adam(p, lr=0.1, betas=(0.9, 0.9), amsgrad=True),
    "amsgradw": lambda p: o.AdamW(p, lr=0.1, betas=(0.9, 0.9), amsgrad=True, weight_decay=0.1),
    "nadam": lambda p: o.NAdam(p, lr=0.05),
    "nadamw": lambda p: o.NAdam(
        p, lr=0.05, weight_decay=0.1, momentum_decay=0.01, decoupled_weight_decay=True),
    "radam": lambda p: o.RAdam(p, lr=0.05),
    "radam_decay": lambda p: o.RAdam(p, lr=0.05, betas=(0.8, 0.9), weight_decay=0.05),
    "lion": lambda p: Lion(p, lr=0.05),
    "lion_decay": lambda p: Lion(p, lr=0.05, betas=(0.8, 0.95), weight_decay=0.1),
}


def trace(make, dtype):
    p = torch.nn.Parameter(START.to(dtype).clone())
    optimizer = make([p])
    values = []
    for gradient in GRADIENTS.to(dtype):
        p.grad = gradient.clone()
        optimizer.step()
        values.append(p.detach().clone())
    return torch.stack(values).numpy()


def sparse_trace(make, dtype):
    """A table of 4 rows of 1 value; in step t rows t % 4 and (t + 1) % 4 have a gradient."""
    p = torch.nn.Parameter(START.to(dtype).clone().reshape(4, 1))
    optimizer = make([p])
    values = []
    for t, gradient in enumerate(GRADIENTS.to(dtype)):
        rows = torch.tensor(sorted([t % 4, (t + 1) % 4]))
        p.grad = torch.sparse_coo_tensor(rows[None], gradient[rows][:, None], (4, 1))
        optimizer.step()
        values.append(p.detach().clone().reshape(4))
    return torch.stack(values).numpy()


def clipped_trace():
    """SGD with gradients clipped to a norm of 1, and then each value to 0.5."""
    p = torch.nn.Parameter(START.clone())
    optimizer = o.SGD([p], lr=0.1)
    values = []
    for gradient in GRADIENTS:
        p.grad = gradient.clone()
        torch.nn.utils.clip_grad_norm_([p], 1.0)
        torch.nn.utils.clip_grad_value_([p], 0.5)
        optimizer.step()
        values.append(p.detach().clone())
    return torch.stack(values).numpy()


s = torch.optim.lr_scheduler
SCHEDULES = {
    "step": lambda opt: s.StepLR(opt, step_size=7, gamma=0.5),
    "exponential": lambda opt: s.ExponentialLR(opt, gamma=0.9),
    "linear": lambda opt: s.LinearLR(opt, start_factor=0.1, end_factor=1.0, total_iters=8),
    "cosine": lambda opt: s.CosineAnnealingLR(opt, T_max=19, eta_min=0.1),
    "one_cycle": lambda opt: s.OneCycleLR(opt, max_lr=1.0, total_steps=STEPS, cycle_momentum=False),
    "one_cycle_23": lambda opt: s.OneCycleLR(opt, max_lr=1.0, total_steps=23, cycle_momentum=False),
}
# A score for each step, for ReduceLROnPlateau.
SCORES = [1.0, 0.8, 0.81, 0.8, 0.8, 0.79, 0.9, 0.9, 0.9, 0.9, 0.5, 0.6, 0.6, 0.6, 0.6, 0.4, 0.5, 0.5,
          0.5, 0.5]


def rates(make):
    optimizer = o.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    scheduler = make(optimizer)
    rates = []
    for _ in range(STEPS):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return numpy.array(rates)


def plateau_rates():
    optimizer = o.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    scheduler = s.ReduceLROnPlateau(
        optimizer, factor=0.5, patience=2, threshold=0.0, threshold_mode="abs", min_lr=0.2)
    rates = []
    for score in SCORES:
        scheduler.step(score)
        rates.append(optimizer.param_groups[0]["lr"])
    return numpy.array(rates)


i = torch.nn.init
INITIALIZERS = {
    "xavier_uniform": i.xavier_uniform_,
    "xavier_normal": i.xavier_normal_,
    "kaiming_uniform": lambda w: i.kaiming_uniform_(w, nonlinearity="relu"),
    "kaiming_normal": lambda w: i.kaiming_normal_(w, nonlinearity="relu"),
    "lecun_uniform": lambda w: i.kaiming_uniform_(w, nonlinearity="linear"),
    "lecun_normal": lambda w: i.kaiming_normal_(w, nonlinearity="linear"),
    "truncated_normal": lambda w: i.trunc_normal_(w, std=0.1, a=-0.2, b=0.2),
    "orthogonal": i.orthogonal_,
}


def statistics(fill):
    """Mean, standard deviation and greatest magnitude of a matrix of 200 rows and 300 columns."""
    torch.manual_seed(1)
    w = fill(torch.empty(200, 300, dtype=torch.float64))
    return numpy.array([w.mean(), w.std(), w.abs().max()])


def main():
    tensors = {"start": START.numpy(), "gradients": GRADIENTS.numpy(), "scores": numpy.array(SCORES)}
    for name, dtype in [("f32", torch.float32), ("f64", torch.float64)]:
        for optimizer, make in OPTIMIZERS.items():
            tensors[f"{optimizer}.{name}"] = trace(make, dtype)
        sparse = {
            "sparse_adam": lambda p: o.SparseAdam(p, lr=0.1),
            "sparse_sgd": lambda p: o.SGD(p, lr=0.1),
            "sparse_adagrad": lambda p: o.Adagrad(p, lr=0.1),
        }
        for optimizer, make in sparse.items():
            tensors[f"{optimizer}.{name}"] = sparse_trace(make, dtype)
    tensors["clipped"] = clipped_trace()
    for name, make in SCHEDULES.items():
        tensors[f"rate.{name}"] = rates(make)
    tensors["rate.plateau"] = plateau_rates()
    for name, fill in INITIALIZERS.items():
        tensors[f"init.{name}"] = statistics(fill)
    path = Path(__file__).with_suffix(".safetensors")
    save_file(tensors, path, metadata={"torch": torch.__version__})
    print(f"{path.name}: {len(tensors)} tensors, {path.stat().st_size} bytes, torch {torch.__version__}")


main()
