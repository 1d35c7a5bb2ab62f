"""The encoder-decoder with attention (`Translator` in `models`) in PyTorch.

    python translate_torch.py --data PAIRS [--mode train] [--hidden 256] [--batch 32] [--check]

    packed  nn.LSTM over packed sequences, as a state at the end of each is needed; attention of all steps at
            once over padded sentences, with a mask; only real words have scores

What is timed, and what not: `torch_peer.py`.
"""

from __future__ import annotations

from bilstm_torch import packed
from torch_peer import WithLayers, main, models, torch

nn, F = torch.nn, torch.nn.functional


def prepare(batch: list) -> dict:
    """Sources, the longest first, and translations, the longest first, with the place of the source of each."""
    batch = sorted(batch, key=lambda pair: len(pair[0]), reverse=True)
    order = sorted(range(len(batch)), key=lambda at: len(batch[at][1]), reverse=True)
    source = packed([words for words, _ in batch])
    target = packed([list(zip(batch[at][1], batch[at][1][1:])) for at in order])
    words, following = (torch.tensor(of) for of in zip(*target.pop("items")))
    lengths = torch.tensor([len(batch[at][0]) for at in order])
    return {
        "E": torch.tensor(source.pop("items")),
        "T": words,
        "following": following,
        "source": source,
        "target": target,
        "order": torch.tensor(order),
        "padding": torch.arange(int(lengths.max())) >= lengths.unsqueeze(1),
    }


def padded(x: torch.Tensor, sequences: dict) -> torch.Tensor:
    """Packed sequences with padding: [steps, n, ..]."""
    steps, size = sequences["shape"]
    rows = x.new_zeros(steps * size, x.shape[1]).index_copy(0, sequences["padded"], x)
    return rows.view(steps, size, -1)


class Packed(WithLayers):
    of = models.Translator
    prepare = staticmethod(prepare)

    def __init__(self, model: models.Model) -> None:
        super().__init__(model)
        layers = [nn.LSTM(self.hidden, self.hidden) for _ in range(3)]
        parts = {}
        for of, layer in zip((" forward", " backward", "d"), layers):
            # The layer has a bias more than the model: 0, and not trained.
            nn.init.zeros_(layer.bias_hh_l0).requires_grad_(False)
            parts |= {f"W{of}": [layer.weight_ih_l0], f"U{of}": [layer.weight_hh_l0]}
            parts[f"b{of}"] = [layer.bias_ih_l0]
        self.replace(layers, parts)

    def loss(self, minibatch: dict, rows: dict) -> torch.Tensor:
        p, source, target = self.p, minibatch["source"], minibatch["target"]
        forward, backward, decoder = self.layers
        run = lambda layer, x, of, *state: layer(
            nn.utils.rnn.PackedSequence(self.dropped(x), of["on_cpu"]), *state
        )
        backwards, order = source["backwards"], minibatch["order"]
        ahead, _ = run(forward, rows["E"], source)
        back, last = run(backward, rows["E"].index_select(0, backwards), source)
        read = torch.tanh(torch.cat((ahead.data, back.data.index_select(0, backwards)), 1) @ p["Wk"])
        both = padded(torch.cat((read, read @ p["Wa"]), 1), source)
        words, keys = both.index_select(1, order).transpose(0, 1).chunk(2, 2)
        states = run(decoder, rows["T"], target, tuple(of.index_select(1, order) for of in last))[0].data
        scores = torch.bmm(padded(states, target).transpose(0, 1), keys.transpose(1, 2))
        shares = scores.masked_fill(minibatch["padding"].unsqueeze(1), -torch.inf).softmax(2)
        attended = torch.bmm(shares, words).transpose(0, 1).reshape(-1, self.hidden)
        attended = attended.index_select(0, target["padded"])
        new = torch.tanh(torch.cat((attended, states), 1) @ p["Wc"])
        scores = torch.addmm(p["bv"], self.dropped(new), p["V"])
        return F.cross_entropy(scores, minibatch["following"], reduction="sum") / len(order)


if __name__ == "__main__":
    main({"packed": Packed}, __doc__)
