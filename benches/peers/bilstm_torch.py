"""The BiLSTM tagger (`Tagger` in `models.py`) in PyTorch, a minibatch of sentences step by step.

    python bilstm_torch.py --data SENTENCES [--variants packed,by_hand] [--mode train] [--check]

    packed   nn.LSTM over packed sequences: cuDNN's on a GPU
    padded   nn.LSTM over padded sentences, which reaches oneDNN on a CPU: one for each direction, as a
             reversed sentence must not begin with its padding
    by_hand  the products with all words at once, and a loop over the products with states, which leaves
             each sentence at its end
    by_hand_compile  the same, with its pointwise work by torch.compile

What is timed, and what not: `torch_peer.py`.
"""

from __future__ import annotations

from typing import Any, Callable

from torch_peer import ByAutograd, WithLayers, compiled, main, models, torch

nn, F = torch.nn, torch.nn.functional


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


def cell(gates: torch.Tensor, c: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The new state and cell of an LSTM, for gates in the order of `models.py`."""
    i, f, o, g = gates.chunk(4, 1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def run_by_hand(
    gates: torch.Tensor, u: torch.Tensor, active: list[int], cell: Callable
) -> torch.Tensor:
    """The states of an LSTM, step by step, from the sums of its gates without the products with states."""
    states = []
    h = c = gates.new_zeros(active[0], u.shape[0])
    for step, of_step in enumerate(gates.split(active)):
        h, c = h[: len(of_step)], c[: len(of_step)]
        h, c = cell(torch.addmm(of_step, h, u) if step else of_step, c)
        states.append(h)
    return torch.cat(states)


def run_packed(layer: nn.LSTM, x: torch.Tensor, minibatch: dict[str, Any]) -> torch.Tensor:
    """The same by a layer; in both directions if it has them."""
    return layer(nn.utils.rnn.PackedSequence(x, minibatch["on_cpu"]))[0].data


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
        backward = self.run(backward, x.index_select(0, backwards), minibatch).index_select(0, backwards)
        states = torch.cat((self.run(forward, x, minibatch), backward), 1)
        return loss(torch.addmm(self.p["b"], states, self.p["V"]), minibatch)

    def run(self, layer: nn.LSTM, x: torch.Tensor, minibatch: dict) -> torch.Tensor:
        (steps, size), padded = minibatch["shape"], minibatch["padded"]
        x = x.new_zeros(steps * size, self.hidden).index_copy(0, padded, x)
        states = layer(x.view(steps, size, self.hidden))[0]
        return states.reshape(-1, self.hidden).index_select(0, padded)


class ByHand(ByAutograd):
    of = models.Tagger
    prepare, cell = staticmethod(prepare), staticmethod(cell)

    def loss(self, minibatch: dict, rows: dict) -> torch.Tensor:
        p, backwards = self.p, minibatch["backwards"]
        forward, backward = (p["bx"] + p["bh"]).chunk(2)
        x = rows["E"]
        gates = torch.addmm(forward, x, p["W forward"])
        forward = run_by_hand(gates, p["U forward"], minibatch["active"], self.cell)
        gates = torch.addmm(backward, x.index_select(0, backwards), p["W backward"])
        backward = run_by_hand(gates, p["U backward"], minibatch["active"], self.cell)
        backward = backward.index_select(0, backwards)
        scores = torch.addmm(p["b"], torch.cat((forward, backward), 1), p["V"])
        return loss(scores, minibatch)


class ByHandCompile(ByHand):
    cell = staticmethod(compiled(cell))


if __name__ == "__main__":
    networks = {"packed": Packed, "padded": Padded}
    main(networks | {"by_hand": ByHand, "by_hand_compile": ByHandCompile}, __doc__)
