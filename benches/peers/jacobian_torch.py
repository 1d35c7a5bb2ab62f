"""The Jacobian of an LSTM's last state by the first of its ten vectors, as in pfor's figure 3 (`Jacobian128`
and `Jacobian32` in `models`), in PyTorch.

    python jacobian_torch.py jacobian-128 --hidden 128 --batch 128 [--variants jacrev,jacfwd,by_hand]
    python jacobian_torch.py jacobian-32 --hidden 128 --batch 128
    python jacobian_torch.py jacobian-32 --check

Counted are the rows of the Jacobian, one for each hidden unit.

    jacrev   torch.func.jacrev: all rows in one backward pass
    jacfwd   torch.func.jacfwd: all columns in one forward pass
    by_hand  a forward pass, and a backward pass for all rows by hand, a matrix at each step: what an
             expert would write for this one model

    .._compile is the same by torch.compile. What is timed, and what not: `torch_peer.py`.
"""

from __future__ import annotations

from torch_peer import Network, compiled, main, models, torch


class Jacobian(Network):
    of, modes = models.Jacobian128, ("infer",)
    transform = staticmethod(torch.func.jacrev)

    def __init__(self, model: models.Model) -> None:
        super().__init__(model)
        self.found = torch.empty(0)
        self.of_last = self.transform(last)

    @staticmethod
    def prepare(_: list) -> dict:
        return {}

    def infer(self, minibatch: dict) -> None:
        p = self.p
        self.found = self.of_last(p["x"], p["rest"], p["Wx"], p["Wh"], p["b"])

    def gradients(self, minibatch: dict) -> tuple[float, dict[str, torch.Tensor]]:
        """Of the weighted sum of the last state, by the first vector."""
        self.infer(minibatch)
        p = self.p
        rows = torch.from_numpy(self.model.rows).to(p["x"].dtype)
        loss = last(p["x"], p["rest"], p["Wx"], p["Wh"], p["b"]) @ rows
        return float(loss), {"x": rows @ self.found}


def last(x: torch.Tensor, rest: torch.Tensor, wx: torch.Tensor, wh: torch.Tensor, b: torch.Tensor):
    """The last state, by the first vector."""
    gates = torch.cat((x.unsqueeze(0), rest)) @ wx + b
    h = c = x.new_zeros(wh.shape[0])
    size = len(h)
    for step, of_step in enumerate(gates):
        of_step = of_step + h @ wh if step else of_step
        i, f, o = torch.sigmoid(of_step[: 3 * size]).chunk(3)
        c = f * c + i * torch.tanh(of_step[3 * size :])
        h = o * torch.tanh(c)
    return h


class Compile(Jacobian):
    transform = staticmethod(lambda function: compiled(torch.func.jacrev(function)))


class Forward(Jacobian):
    transform = staticmethod(torch.func.jacfwd)


class ForwardCompile(Jacobian):
    transform = staticmethod(lambda function: compiled(torch.func.jacfwd(function)))


class ByHand(Jacobian):
    @torch.no_grad()
    def infer(self, minibatch: dict) -> None:
        p, size = self.p, self.hidden
        gates = torch.addmm(p["b"], torch.cat((p["x"].unsqueeze(0), p["rest"])), p["Wx"])
        h = c = gates.new_zeros(size)
        kept = []
        for step, of_step in enumerate(gates):
            of_step = torch.addmv(of_step, p["Wh"].t(), h) if step else of_step
            open_, g = torch.sigmoid(of_step[: 3 * size]), torch.tanh(of_step[3 * size :])
            i, f, o = open_.chunk(3)
            before, c = c, f * c + i * g
            tanh = torch.tanh(c)
            h = o * tanh
            # By how much each gate changes the cell or the state, and the cell the state.
            by_open = torch.cat((g, before, tanh)) * open_ * (1 - open_)
            kept.append((by_open, i * (1 - g * g), o * (1 - tanh * tanh), f))
        # A row for each number of the last state.
        dh, dc = torch.eye(size, dtype=gates.dtype), gates.new_zeros(size, size)
        of_gates = gates.new_empty(size, 4 * size)
        for step, (by_open, by_g, by_cell, f) in enumerate(reversed(kept)):
            dc = torch.addcmul(dc, dh, by_cell)
            parts = (dc, dc, dh)
            for at, part in enumerate(parts):
                own = slice(at * size, (at + 1) * size)
                torch.mul(part, by_open[own], out=of_gates[:, own])
            torch.mul(dc, by_g, out=of_gates[:, 3 * size :])
            if step + 1 < len(kept):
                dh, dc = of_gates @ p["Wh"].t(), dc * f
        self.found = of_gates @ p["Wx"].t()


if __name__ == "__main__":
    of = (models.Jacobian128, models.Jacobian32)
    variants = {
        **{"jacrev": Jacobian, "jacrev_compile": Compile, "jacfwd": Forward},
        **{"jacfwd_compile": ForwardCompile, "by_hand": ByHand},
    }
    main(variants, __doc__, models.chosen({model.workload: model for model in of}, __doc__))
