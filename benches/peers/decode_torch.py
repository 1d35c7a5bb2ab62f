"""The decoder that stops at its own end symbol (`Decoder` in `models`) in PyTorch.

    python decode_torch.py [--variants shrink,late] [--mode train] [--hidden 256] [--batch 32] [--check]

    shrink  whoever has stopped leaves the minibatch: what a careful user would write. In training, each
            step has its scores and their gradients, by autograd
    late    in training, the gradients of the scores are one product for all steps, by a function of its
            own, which keeps no scores twice: what an expert would write

What is timed, and what not: `torch_peer.py`. Here nothing is prepared.
"""

from __future__ import annotations

from torch_peer import Network, main, models, torch

F = torch.nn.functional


def greatest(scores: torch.Tensor) -> torch.Tensor:
    """The column of each row's greatest number. On a CPU, numpy's is several times as fast as PyTorch's."""
    if scores.device.type == "cpu":
        return torch.from_numpy(scores.numpy().argmax(1))
    return scores.argmax(1)


class Shrink(Network):
    of = models.Decoder

    def __init__(self, model: models.Model) -> None:
        super().__init__(model)
        self.trained = [p for name, p in self.p.items() if name not in model.tables]
        for p in self.trained:
            p.requires_grad_()
        self.targets = torch.tensor([model.target(at) for at in range(model.sentences)])

    @staticmethod
    def prepare(batch: list[int]) -> dict:
        return {"H0": torch.tensor(batch)}

    def cell(self, x: torch.Tensor, h: torch.Tensor, c: torch.Tensor) -> tuple:
        p = self.p
        i, f, g, o = torch.addmm(torch.addmm(p["b"], x, p["Wx"]), h, p["Wh"]).chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c

    def scores(self, h: torch.Tensor, step: int, targets: torch.Tensor) -> torch.Tensor:
        scores = torch.addmm(self.p["bo"], h, self.p["Wo"])
        # A constant, of which autograd needs to know nothing.
        scores.detach()[:, self.model.end] += 2.0 * (step - targets)
        return scores

    def talk(self, minibatch: dict, h: torch.Tensor, step_of) -> list[torch.Tensor]:
        """What is said at each step, and by whom; `step_of` says a step's new state and symbols."""
        model = self.model
        active = minibatch["H0"]
        c, symbols = torch.zeros_like(h), torch.full_like(active, model.begin)
        targets = self.targets.to(active.device).index_select(0, active)
        said = []
        for step in range(model.most):
            h, c, symbols = step_of(symbols, h, c, step, targets)
            said.append((active, symbols))
            go_on = (symbols != model.end).nonzero().squeeze(1)
            if not len(go_on):
                break
            if len(go_on) < len(active):
                of = (h, c, symbols, targets, active)
                h, c, symbols, targets, active = (one.index_select(0, go_on) for one in of)
        return said

    def remember(self, said: list) -> None:
        """Symbols as numbers of Python: an answer that nobody can read is none."""
        found = [list(zip(active.tolist(), symbols.tolist())) for active, symbols in said]
        self.model.said.update((at, []) for at, _ in found[0])
        for of_step in found:
            for at, symbol in of_step:
                self.model.said[at].append(symbol)

    @torch.inference_mode()
    def infer(self, minibatch: dict) -> None:
        def step_of(symbols, h, c, step, targets):
            h, c = self.cell(self.p["E"].index_select(0, symbols), h, c)
            return h, c, greatest(self.scores(h, step, targets))

        self.remember(self.talk(minibatch, self.p["H0"].index_select(0, minibatch["H0"]), step_of))

    def train(self, minibatch: dict) -> torch.Tensor:
        start = self.p["H0"].index_select(0, minibatch["H0"]).requires_grad_()
        read: list[tuple[torch.Tensor, torch.Tensor]] = []
        steps: list = []

        def step_of(symbols, h, c, step, targets):
            x = self.p["E"].index_select(0, symbols).requires_grad_()
            read.append((symbols, x))
            h, c = self.cell(x, h, c)
            return h, c, self.said_of(h, step, targets, steps)

        said = self.talk(minibatch, start, step_of)
        loss = self.loss_of(steps) / len(start)
        loss.backward()
        rate = self.model.learning_rate
        with torch.no_grad():
            self.p["H0"].index_add_(0, minibatch["H0"], start.grad, alpha=-rate)
            symbols, grads = (torch.cat(of) for of in zip(*((of, x.grad) for of, x in read)))
            self.p["E"].index_add_(0, symbols, grads, alpha=-rate)
            torch._foreach_add_(self.trained, [p.grad for p in self.trained], alpha=-rate)
            for p in self.trained:
                p.grad = None
        self.remember(said)
        return loss.detach()

    def said_of(self, h: torch.Tensor, step: int, targets: torch.Tensor, steps: list) -> torch.Tensor:
        scores = self.scores(h, step, targets)
        symbols = greatest(scores.detach())
        steps.append(F.cross_entropy(scores, symbols, reduction="sum"))
        return symbols

    def loss_of(self, steps: list) -> torch.Tensor:
        return torch.stack(steps).sum()

    def right(self) -> bool:
        return self.model.right()

    def further(self) -> dict[str, int]:
        return {"symbols": sum(map(len, self.model.said.values()))}


class Losses(torch.autograd.Function):
    """The sum of the cross-entropies of scores that are known already, `states Wo + bo` and a constant. The
    scores are not kept."""

    @staticmethod
    def forward(ctx, states, wo, bo, scores, symbols):
        rows = torch.arange(len(symbols), device=symbols.device)
        own = scores[rows, symbols]
        loss = (scores.logsumexp(1) - own).sum()
        # What the gradient begins with takes the place of the scores.
        torch.softmax(scores, 1, out=scores)
        scores[rows, symbols] -= 1
        ctx.save_for_backward(states, wo, scores)
        return loss

    @staticmethod
    def backward(ctx, gradient):
        states, wo, of_scores = ctx.saved_tensors
        of_scores = of_scores.mul_(gradient)
        return of_scores @ wo.t(), states.t() @ of_scores, of_scores.sum(0), None, None


class Late(Shrink):
    modes = ("train",)

    def __init__(self, model: models.Model) -> None:
        super().__init__(model)
        self.kept = torch.empty(0, model.symbols)

    def said_of(self, h: torch.Tensor, step: int, targets: torch.Tensor, steps: list) -> torch.Tensor:
        at = sum(len(symbols) for _, symbols in steps)
        if len(self.kept) < at + len(h):
            more = h.new_empty(at + len(h), self.model.symbols)
            more[:at] = self.kept[:at]
            self.kept = more
        with torch.no_grad():
            scores = torch.addmm(self.p["bo"], h, self.p["Wo"], out=self.kept[at : at + len(h)])
            scores[:, self.model.end] += 2.0 * (step - targets)
            symbols = greatest(scores)
        steps.append((h, symbols))
        return symbols

    def loss_of(self, steps: list) -> torch.Tensor:
        states, symbols = (torch.cat(of) for of in zip(*steps))
        scores = self.kept[: len(symbols)]
        return Losses.apply(states, self.p["Wo"], self.p["bo"], scores, symbols)


if __name__ == "__main__":
    main({"shrink": Shrink, "late": Late}, __doc__)
