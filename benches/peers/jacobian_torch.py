"""The Jacobian of an LSTM's last state by the first of its ten vectors, as in pfor's figure 3, in PyTorch.

    python jacobian_torch.py jacobian-128 [--variants jacrev,jacfwd] [--check]
    python jacobian_torch.py jacobian-32

There are 128 hidden units, and vectors of 128 or of 32 numbers. Counted are the rows of the Jacobian, one for
each hidden unit.

    jacrev   torch.func.jacrev: all rows in one backward pass
    jacfwd   torch.func.jacfwd: all columns in one forward pass

What is timed, and what not: `torch_peer.py`.
"""

from __future__ import annotations

from torch_peer import Network, main, models, torch


class Jacobian(Network):
    transform = staticmethod(torch.func.jacrev)

    @staticmethod
    def prepare(_: list) -> dict:
        return {}

    def last(self, first: torch.Tensor) -> torch.Tensor:
        """The last state, by the first vector."""
        p = self.p
        h = c = first.new_zeros(self.hidden)
        for x in (first, *p["rest"]):
            i, f, o, g = (x @ p["Wx"] + h @ p["Wh"] + p["b"]).chunk(4)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
        return h

    def infer(self, minibatch: dict) -> None:
        self.found = self.transform(self.last)(self.p["x"].view(-1))

    def gradients(self, minibatch: dict) -> tuple[float, dict[str, torch.Tensor]]:
        """Of the sum of the last state, by the first vector."""
        self.infer(minibatch)
        x = self.p["x"].view(-1)
        return float(self.last(x).sum()), {"x": self.found.sum(0).view_as(self.p["x"])}


class Forward(Jacobian):
    transform = staticmethod(torch.func.jacfwd)


if __name__ == "__main__":
    of = (models.Jacobian128, models.Jacobian32)
    variants = {"jacrev": Jacobian, "jacfwd": Forward}
    main(variants, __doc__, models.chosen({model.workload: model for model in of}, __doc__))
