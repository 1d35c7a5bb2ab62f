"""Gradients of each example, cut to a norm and added up (`EachLstm` in `models`), in PyTorch.

    python each_torch.py --mode clipped [--variants loop,vmap,by_hand] [--hidden 256] [--batch 32] [--check]

    loop     example by example
    vmap     torch.func.vmap of torch.func.grad, of 16 examples at a time, whose gradients stay in caches
    by_hand  one backward pass to the gates; norms are of products of the steps' factors (Goodfellow, 2015,
             for sequences), and the sum is one product, so that no example's gradient is formed: what an
             expert would write for this one model

What is timed, and what not: `torch_peer.py`.
"""

from __future__ import annotations

from torch_peer import Network, main, models, torch

F = torch.nn.functional
NAMES = ("Wx", "Wh", "b", "Wc", "bc")
AT_ONCE = 16


def cell(gates: torch.Tensor, c: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    i, f, o, g = gates.chunk(4, -1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def loss_of_one(p: tuple[torch.Tensor, ...], x: torch.Tensor, label: torch.Tensor) -> torch.Tensor:
    """Of one example: [steps, width]."""
    wx, wh, b, wc, bc = p
    gates = x @ wx + b
    h = c = x.new_zeros(wh.shape[0])
    for of_step in gates:
        h, c = cell(of_step + h @ wh, c)
    return F.cross_entropy((h @ wc + bc).unsqueeze(0), label.unsqueeze(0))


class Each(Network):
    of, modes = models.EachLstm, ("clipped",)

    @staticmethod
    def prepare(batch: list) -> dict:
        vectors, labels = zip(*batch)
        vectors = [torch.from_numpy(x).to(torch.get_default_dtype()) for x in vectors]
        return {"x": torch.stack(vectors), "labels": torch.tensor(labels)}

    def weights_of(self) -> tuple[torch.Tensor, ...]:
        return tuple(self.p[name] for name in NAMES)

    def infer(self, minibatch: dict) -> None:
        """Nothing is asked for but gradients."""

    def train(self, minibatch: dict) -> torch.Tensor:
        loss, _, self.sums = self.clipped(minibatch["x"], minibatch["labels"])
        return loss / len(minibatch["labels"])

    def gradients(self, minibatch: dict) -> tuple[float, dict[str, torch.Tensor]]:
        loss = float(self.train(minibatch))
        return loss, {name: of / len(minibatch["labels"]) for name, of in zip(NAMES, self.sums)}

    def clipped(self, x: torch.Tensor, labels: torch.Tensor) -> tuple:
        """The sum of the losses, the norms of the gradients, and the sums of what is left of these."""
        raise NotImplementedError

    def share(self, norms: torch.Tensor) -> torch.Tensor:
        return (self.model.clip / norms).clamp(max=1.0)

    def right(self) -> bool:
        """Whether norms and sums are those of the loop where half of the gradients are cut."""
        model = self.model
        loop = Loop(model)
        loop.p = self.p
        x, labels = torch.rand(5, model.steps, model.width), torch.arange(5)
        uncut, model.clip = model.clip, float(loop.clipped(x, labels)[1].median())
        found, expected = (of.clipped(x, labels) for of in (self, loop))
        model.clip = uncut
        pairs = [*zip(found[:2], expected[:2]), *zip(found[2], expected[2])]
        tolerance = 1e-9 if x.dtype == torch.float64 else 1e-4
        return all(torch.allclose(*pair, rtol=tolerance, atol=tolerance) for pair in pairs)


class Loop(Each):
    def clipped(self, x: torch.Tensor, labels: torch.Tensor) -> tuple:
        p = [of.requires_grad_() for of in self.weights_of()]
        sums, norms, total = [torch.zeros_like(of) for of in p], [], x.new_zeros(())
        for example, label in zip(x, labels):
            loss = loss_of_one(p, example, label)
            gradients = torch.autograd.grad(loss, p)
            norm = torch.stack(torch._foreach_norm(gradients)).norm()
            torch._foreach_add_(sums, [of * self.share(norm) for of in gradients])
            norms.append(norm)
            total += loss.detach()
        for of in p:
            of.requires_grad_(False)
        return total, torch.stack(norms), sums


class Vmap(Each):
    def clipped(self, x: torch.Tensor, labels: torch.Tensor) -> tuple:
        each = torch.func.vmap(torch.func.grad_and_value(loss_of_one), in_dims=(None, 0, 0))
        parts = [self.part(each, *of) for of in zip(x.split(AT_ONCE), labels.split(AT_ONCE))]
        total, norms, sums = zip(*parts)
        return sum(total), torch.cat(norms), [sum(of) for of in zip(*sums)]

    def part(self, each, x: torch.Tensor, labels: torch.Tensor) -> tuple:
        gradients, losses = each(self.weights_of(), x, labels)
        squares = [of.flatten(1).pow(2).sum(1) for of in gradients]
        norms = torch.stack(squares).sum(0).sqrt()
        share = self.share(norms)
        return losses.sum(), norms, [(share @ of.flatten(1)).view(of.shape[1:]) for of in gradients]


class ByHand(Each):
    def clipped(self, x: torch.Tensor, labels: torch.Tensor) -> tuple:
        wx, wh, b, wc, bc = self.weights_of()
        count, steps, width = x.shape
        gates = torch.addmm(b, x.reshape(-1, width), wx).view(count, steps, -1).transpose(0, 1)
        gates = gates.contiguous().requires_grad_()
        h = c = x.new_zeros(count, self.hidden)
        states = [h]
        for of_step in gates:
            h, c = cell(torch.addmm(of_step, h, wh), c)
            states.append(h)
        scores = torch.addmm(bc, h, wc)
        loss = F.cross_entropy(scores, labels, reduction="sum")
        of_gates, of_scores = torch.autograd.grad(loss, (gates, scores))
        with torch.no_grad():
            of_gates, last = of_gates.transpose(0, 1), states.pop()
            inputs = torch.cat((x, torch.stack(states, 1)), 2)
            # A bias is one more input, of 1.
            products = torch.bmm(inputs, inputs.transpose(1, 2)) + 1
            squares = (products * torch.bmm(of_gates, of_gates.transpose(1, 2))).sum((1, 2))
            squares += (last.square().sum(1) + 1) * of_scores.square().sum(1)
            norms = squares.sqrt()
            share = self.share(norms)
            of_gates = (of_gates * share[:, None, None]).reshape(count * steps, -1)
            of_scores = of_scores * share[:, None]
            both = inputs.reshape(count * steps, -1).t() @ of_gates
            sums = [both[:width], both[width:], of_gates.sum(0), last.t() @ of_scores, of_scores.sum(0)]
        return loss.detach(), norms, sums


if __name__ == "__main__":
    main({"loop": Loop, "vmap": Vmap, "by_hand": ByHand}, __doc__)
