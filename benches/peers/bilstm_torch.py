"""The BiLSTM tagger (`Tagger` in `models`) in PyTorch, a minibatch of sentences step by step.

    python bilstm_torch.py --data SENTENCES [--variants packed,padded] [--mode train] [--check]

    packed   nn.LSTM over packed sequences: cuDNN's on a GPU
    padded   nn.LSTM over padded sentences, which reaches oneDNN on a CPU: one for each direction, as a
             reversed sentence must not begin with its padding
    loop     the products with all words at once, and a loop over the steps of both directions, which
             leaves each sentence at its end; autograd
    by_hand  the same with a backward pass by hand, and one product for the gradients of the recurrent
             weights: what an expert would write

    .._compile is the same with its pointwise work by torch.compile. What is timed, and what not:
    `torch_peer.py`.
"""

from __future__ import annotations

from typing import Any, Callable

from torch_peer import ByAutograd, WithLayers, compiled, main, models, torch

nn, F, aten = torch.nn, torch.nn.functional, torch.ops.aten


def packed(batch: list[list]) -> dict[str, Any]:
    """Sequences, the longest first, as their items step by step: how many go on at each step, and the place
    of each item read backwards, and in a padded minibatch."""
    lengths = [len(sequence) for sequence in batch]
    active = [sum(length > step for length in lengths) for step in range(lengths[0])]
    offsets = [sum(active[:step]) for step in range(len(active))]
    places = [(step, at) for step, count in enumerate(active) for at in range(count)]
    return {
        "items": [batch[at][step] for step, at in places],
        "active": active,
        "on_cpu": torch.tensor(active),
        "backwards": torch.tensor([offsets[lengths[at] - 1 - step] + at for step, at in places]),
        "padded": torch.tensor([step * len(batch) + at for step, at in places]),
        "shape": (len(active), len(batch)),
    }


def prepare(batch: list) -> dict[str, Any]:
    minibatch = packed(sorted(batch, key=len, reverse=True))
    words, tags = (torch.tensor(of) for of in zip(*minibatch.pop("items")))
    return {**minibatch, "E": words, "tags": tags}


def cell(gates: torch.Tensor, c: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """The new state and cell of an LSTM, for gates in the order of `models`, and what their backward pass
    needs: [directions, n, 4h] and [directions, n, h]."""
    h = c.shape[-1]
    open_, g = torch.sigmoid(gates[..., : 3 * h]), torch.tanh(gates[..., 3 * h :])
    c = open_[..., h : 2 * h] * c + open_[..., :h] * g
    tanh = torch.tanh(c)
    return open_[..., 2 * h :] * tanh, c, open_, g, tanh


def back_through_cell(dh, dc, before, open_, g, tanh, of_gates) -> torch.Tensor:
    """The gradient of the cell before; that of the gates goes where it is wanted."""
    i, f, o = open_.chunk(3, -1)
    dc = dc + aten.tanh_backward(dh * o, tanh)
    of_open = aten.sigmoid_backward(torch.cat((dc * g, dc * before, dh * tanh), -1), open_)
    torch.cat((of_open, aten.tanh_backward(dc * i, g)), -1, out=of_gates)
    return dc * f


def run(gates: torch.Tensor, u: torch.Tensor, active: list[int], cell: Callable) -> torch.Tensor:
    """The states of LSTMs side by side, step by step, from the sums of their gates without the products with
    states: [directions, items, 4h], `u` [directions, h, 4h]."""
    states = []
    h = c = None
    for of_step in gates.split(active, 1):
        count = of_step.shape[1]
        if h is None:
            c = gates.new_zeros(len(u), count, u.shape[1])
        else:
            if count < h.shape[1]:
                h, c = h[:, :count], c[:, :count]
            of_step = torch.baddbmm(of_step, h, u)
        h, c, *_ = cell(of_step, c)
        states.append(h)
    return torch.cat(states, 1)


class Run(torch.autograd.Function):
    """The same with a backward pass by hand."""

    @staticmethod
    def forward(ctx, gates, u, active, cell, back):
        kept = []
        states = gates.new_empty(*gates.shape[:2], u.shape[1])
        h, c, at = None, gates.new_zeros(len(u), active[0], u.shape[1]), 0
        for count in active:
            of_step, c = gates[:, at : at + count], c[:, :count]
            if h is not None:
                of_step = torch.baddbmm(of_step, h[:, :count], u)
            before = c
            h, c, *of_cell = cell(of_step, c)
            states[:, at : at + count] = h
            kept.append((before, *of_cell))
            at += count
        ctx.kept, ctx.active, ctx.back = kept, active, back
        ctx.save_for_backward(states, u)
        return states

    @staticmethod
    def backward(ctx, dh_all):
        states, u = ctx.saved_tensors
        active, directions, size = ctx.active, len(u), u.shape[1]
        of_gates = states.new_empty(*states.shape[:2], 4 * size)
        at, dc, of_next = states.shape[1], states.new_zeros(directions, 0, size), None
        for count, kept in zip(active[::-1], ctx.kept[::-1]):
            at -= count
            dh = dh_all[:, at : at + count]
            if of_next is not None:
                more = of_next.shape[1]
                dh = dh.clone()
                dh[:, :more].baddbmm_(of_next, u.transpose(1, 2))
                if more < count:
                    dc = F.pad(dc, (0, 0, 0, count - more))
            else:
                dc = torch.zeros_like(dh)
            of_next = of_gates[:, at : at + count]
            dc = ctx.back(dh, dc, *kept, of_next)
        # Each state but those of the last steps is one before another.
        first = active[0]
        before = torch.cat([of[:, :count] for of, count in zip(states.split(active, 1), active[1:])], 1)
        du = before.transpose(1, 2) @ of_gates[:, first:] if len(active) > 1 else torch.zeros_like(u)
        return of_gates, du, None, None, None


def run_packed(layer: nn.LSTM, x: torch.Tensor, minibatch: dict[str, Any]) -> torch.Tensor:
    """The same by a layer; in both directions if it has them."""
    return layer(nn.utils.rnn.PackedSequence(x, minibatch["on_cpu"]))[0].data


def run_padded(layer: nn.LSTM, x: torch.Tensor, minibatch: dict[str, Any]) -> torch.Tensor:
    """The same with padding; sequences of one length have none."""
    (steps, size), padded = minibatch["shape"], minibatch["padded"]
    if len(x) == steps * size:
        return layer(x.view(steps, size, -1))[0].view(len(x), -1)
    rows = x.new_zeros(steps * size, x.shape[1]).index_copy(0, padded, x)
    states = layer(rows.view(steps, size, -1))[0]
    return states.view(steps * size, -1).index_select(0, padded)


def loss(scores: torch.Tensor, minibatch: dict[str, Any]) -> torch.Tensor:
    return F.cross_entropy(scores, minibatch["tags"], reduction="sum") / minibatch["shape"][1]


class Packed(WithLayers):
    of = models.Tagger
    prepare = staticmethod(prepare)

    def __init__(self, model: models.Model) -> None:
        super().__init__(model)
        layer = nn.LSTM(self.hidden, self.hidden, bidirectional=True)
        parts = {
            "W forward": [layer.weight_ih_l0],
            "U forward": [layer.weight_hh_l0],
            "W backward": [layer.weight_ih_l0_reverse],
            "U backward": [layer.weight_hh_l0_reverse],
            "bx": [layer.bias_ih_l0, layer.bias_ih_l0_reverse],
            "bh": [layer.bias_hh_l0, layer.bias_hh_l0_reverse],
        }
        self.replace([layer], parts)

    def loss(self, minibatch: dict, rows: dict) -> torch.Tensor:
        states = run_packed(self.layers[0], rows["E"], minibatch)
        return loss(torch.addmm(self.p["b"], states, self.p["V"]), minibatch)


class Padded(WithLayers):
    of = models.Tagger
    prepare = staticmethod(prepare)

    def __init__(self, model: models.Model) -> None:
        super().__init__(model)
        layers = [nn.LSTM(self.hidden, self.hidden) for _ in model.directions]
        parts = {"bx": [layer.bias_ih_l0 for layer in layers], "bh": [layer.bias_hh_l0 for layer in layers]}
        for direction, layer in zip(model.directions, layers):
            parts |= {f"W {direction}": [layer.weight_ih_l0], f"U {direction}": [layer.weight_hh_l0]}
        self.replace(layers, parts)

    def loss(self, minibatch: dict, rows: dict) -> torch.Tensor:
        x, backwards = rows["E"], minibatch["backwards"]
        forward, backward = self.layers
        backward = run_padded(backward, x.index_select(0, backwards), minibatch)
        states = torch.cat((run_padded(forward, x, minibatch), backward.index_select(0, backwards)), 1)
        return loss(torch.addmm(self.p["b"], states, self.p["V"]), minibatch)


class Loop(ByAutograd):
    of = models.Tagger
    prepare, cell = staticmethod(prepare), staticmethod(cell)

    def loss(self, minibatch: dict, rows: dict) -> torch.Tensor:
        p, backwards = self.p, minibatch["backwards"]
        x = torch.stack((rows["E"], rows["E"].index_select(0, backwards)))
        w, u = (torch.stack([p[f"{of} {name}"] for name in self.model.directions]) for of in "WU")
        gates = torch.baddbmm((p["bx"] + p["bh"]).view(2, 1, -1), x, w)
        forward, backward = self.run(gates, u, minibatch["active"])
        states = torch.cat((forward, backward.index_select(0, backwards)), 1)
        return loss(torch.addmm(p["b"], states, p["V"]), minibatch)

    def run(self, gates: torch.Tensor, u: torch.Tensor, active: list[int]) -> torch.Tensor:
        return run(gates, u, active, self.cell)


class LoopCompile(Loop):
    cell = staticmethod(compiled(cell))


class ByHand(Loop):
    back = staticmethod(back_through_cell)

    def run(self, gates: torch.Tensor, u: torch.Tensor, active: list[int]) -> torch.Tensor:
        return Run.apply(gates, u, active, self.cell, self.back)


class ByHandCompile(ByHand):
    cell, back = staticmethod(compiled(cell)), staticmethod(compiled(back_through_cell))


VARIANTS = {
    **{"packed": Packed, "padded": Padded, "loop": Loop, "loop_compile": LoopCompile},
    **{"by_hand": ByHand, "by_hand_compile": ByHandCompile},
}

if __name__ == "__main__":
    main(VARIANTS, __doc__)
