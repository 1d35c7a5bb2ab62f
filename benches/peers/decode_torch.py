"""The decoder that stops at its own end symbol (`Decoder` in `models.py`) in PyTorch.

    python decode_torch.py [--variants shrink,masked,late] [--mode train] [--hidden 256] [--batch 32] [--check]

    shrink  whoever has stopped leaves the minibatch: what a careful user would write. In training, each
            step has its scores and their gradients, by autograd
    masked  all go on until the last has stopped (inference only)
    late    `shrink`, but in training the gradients of the scores are one product for all steps, by a
            function of its own: what an expert would write

What is timed, and what not: `torch_peer.py`. Here nothing is prepared.
"""

from __future__ import annotations

from torch_peer import Network, main, models, torch

F = torch.nn.functional


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
            return h, c, self.scores(h, step, targets).argmax(1)

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
        symbols = scores.argmax(1)
        steps.append(F.cross_entropy(scores, symbols, reduction="sum"))
        return symbols

    def loss_of(self, steps: list) -> torch.Tensor:
        return torch.stack(steps).sum()

    def right(self) -> bool:
        return self.model.right()


class Masked(Shrink):
    @torch.inference_mode()
    def infer(self, minibatch: dict) -> None:
        model, active = self.model, minibatch["H0"]
        h = self.p["H0"].index_select(0, active)
        c, symbols = torch.zeros_like(h), torch.full_like(active, model.begin)
        targets = self.targets.to(active.device).index_select(0, active)
        said, talks = [], torch.ones_like(active, dtype=torch.bool)
        for step in range(model.most):
            h, c = self.cell(self.p["E"].index_select(0, symbols), h, c)
            symbols = torch.where(talks, self.scores(h, step, targets).argmax(1), model.end)
            said.append(symbols)
            talks &= symbols != model.end
            if not talks.any():
                break
        said = torch.stack(said, 1).tolist()
        until = lambda line: line[: line.index(model.end) + 1] if model.end in line else line
        model.said.update(zip(active.tolist(), map(until, said)))


class Losses(torch.autograd.Function):
    """The sum of the cross-entropies of scores that are known already, `states Wo + bo` and a constant."""

    @staticmethod
    def forward(ctx, states, wo, bo, scores, symbols):
        logs = F.log_softmax(scores, 1)
        ctx.save_for_backward(states, wo, logs, symbols)
        return F.nll_loss(logs, symbols, reduction="sum")

    @staticmethod
    def backward(ctx, gradient):
        states, wo, logs, symbols = ctx.saved_tensors
        of_scores = logs.exp()
        of_scores[torch.arange(len(symbols), device=symbols.device), symbols] -= 1
        of_scores *= gradient
        return of_scores @ wo.t(), states.t() @ of_scores, of_scores.sum(0), None, None


class Late(Shrink):
    def said_of(self, h: torch.Tensor, step: int, targets: torch.Tensor, steps: list) -> torch.Tensor:
        with torch.no_grad():
            scores = self.scores(h, step, targets)
            symbols = scores.argmax(1)
        steps.append((h, scores, symbols))
        return symbols

    def loss_of(self, steps: list) -> torch.Tensor:
        states, scores, symbols = (torch.cat(of) for of in zip(*steps))
        return Losses.apply(states, self.p["Wo"], self.p["bo"], scores, symbols)


if __name__ == "__main__":
    main({"shrink": Shrink, "masked": Masked, "late": Late}, __doc__)
