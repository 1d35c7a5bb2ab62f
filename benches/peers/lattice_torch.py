"""The published lattice LSTM (`LatticeLstm` in `models`) in PyTorch, a minibatch of lattices character
by character. What ED-Batch measures under this name is another model: `lattice_edbatch_torch.py`.

    python lattice_torch.py --data LATTICES [--variants steps] [--mode train] [--hidden 256] [--check]

    steps          at each step, the characters of all lattices that go on are one batch, and the words
                   that begin behind them another; words wait in parts, by where they end. The products
                   with vectors of the tables are made at once, beforehand. It is what a careful user
                   would write, with autograd; the published code takes lattices one by one
    steps_compile  the same, with its pointwise work by torch.compile

There is no variant with a backward pass by hand, as trees and sentences have: it gains 1.1 to 1.3 times there.

What is timed, and what not: `torch_peer.py`.
"""

from __future__ import annotations

from typing import Any

from instances import Lattice
from torch_peer import ByAutograd, compiled, main, models, torch

F = torch.nn.functional


def prepare(batch: list[Lattice]) -> dict[str, Any]:
    """Lattices, the longest first. At each step: how many go on; the lattices in which words begin, and
    how many of these words end at the same step each; the lattices in which words end, in the order of
    where they began; and whether any end in a lattice."""
    batch = sorted(batch, key=lambda lattice: len(lattice.characters), reverse=True)
    steps = len(batch[0].characters)
    active = [sum(len(lattice.characters) > step for lattice in batch) for step in range(steps)]
    # By where they begin and end.
    words = sorted(
        (start, step, at, id)
        for at, lattice in enumerate(batch)
        for step, character in enumerate(lattice.characters)
        for start, id in character.words
    )
    begin: list[tuple] = []
    end: list[tuple] = []
    for step in range(steps):
        of_step = [word for word in words if word[0] == step]
        ends = sorted({word[1] for word in of_step})
        counts = [sum(word[1] == end for word in of_step) for end in ends]
        begin.append((torch.tensor([at for _, _, at, _ in of_step]), ends, counts))
        owners = [at for _, end, at, _ in words if end == step]
        has = torch.zeros(active[step], 1, dtype=torch.bool)
        has[owners] = True
        end.append((torch.tensor(owners), has))
    place = lambda step, at: sum(active[:step]) + at
    places = [(step, at) for step, count in enumerate(active) for at in range(count)]
    by_end = sorted(words, key=lambda word: (word[1], word[0]))
    return {
        "active": active,
        "begin": begin,
        "end": end,
        "ends": [len(owners) for owners, _ in end],
        "begins": [len(owners) for owners, *_ in begin],
        "E": torch.tensor([batch[at].characters[step].id for step, at in places]),
        "L": torch.tensor([id for *_, id in words], dtype=torch.long),
        # The last characters of the words, in the order in which these end.
        "last": torch.tensor([place(step, at) for _, step, at, _ in by_end], dtype=torch.long),
        "tags": torch.tensor([batch[at].tags[step + 1] for step, at in places]),
        "first tags": torch.tensor([lattice.tags[0] for lattice in batch]),
        "size": len(batch),
    }


def word(gates: torch.Tensor, c: torch.Tensor) -> torch.Tensor:
    """The cells of words."""
    h = c.shape[1]
    i, f = torch.sigmoid(gates[:, : 2 * h]).chunk(2, 1)
    return f * c + i * torch.tanh(gates[:, 2 * h :])


def character(gates: torch.Tensor, c: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    h = c.shape[1]
    i, f, o = torch.sigmoid(gates[:, : 3 * h]).chunk(3, 1)
    c = f * c + i * torch.tanh(gates[:, 3 * h :])
    return o * torch.tanh(c), c


def joined(
    gates: torch.Tensor,
    c: torch.Tensor,
    of_words: torch.Tensor,
    cells: torch.Tensor,
    owners: torch.Tensor,
    has: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """The same where words end in some lattices."""
    h = c.shape[1]
    i, f, o = torch.sigmoid(gates[:, : 3 * h]).chunk(3, 1)
    g = torch.tanh(gates[:, 3 * h :])
    share, own = torch.sigmoid(of_words).exp(), i.exp()
    mean = (own * g).index_add(0, owners, share * cells) / own.index_add(0, owners, share)
    c = torch.where(has, mean, f * c + i * g)
    return o * torch.tanh(c), c


class Steps(ByAutograd):
    of = models.LatticeLstm
    prepare = staticmethod(prepare)
    word, character, joined = staticmethod(word), staticmethod(character), staticmethod(joined)

    def loss(self, minibatch: dict, rows: dict) -> torch.Tensor:
        p, active = self.p, minibatch["active"]
        x, last = rows["E"], minibatch["last"]
        characters = torch.addmm(p["b"], x, p["W"]).split(active)
        words = torch.addmm(p["bw"], rows["L"], p["Ww"]).split(minibatch["begins"])
        gates = torch.addmm(p["bl"], x.index_select(0, last), p["Wl"]).split(minibatch["ends"])
        h = c = x.new_zeros(minibatch["size"], self.hidden)
        states: list[torch.Tensor] = []
        waiting: list[list[torch.Tensor]] = [[] for _ in active]
        for step, count in enumerate(active):
            starts, ends, counts = minibatch["begin"][step]
            if ends:
                of_words = torch.addmm(words[step], h.index_select(0, starts), p["Uw"])
                cells = self.word(of_words, c.index_select(0, starts))
                for end, cells in zip(ends, cells.split(counts)):
                    waiting[end].append(cells)
            if count < len(h):
                h, c = h[:count], c[:count]
            of_characters = torch.addmm(characters[step], h, p["U"])
            if waiting[step]:
                cells = torch.cat(waiting[step])
                of_words = torch.addmm(gates[step], cells, p["Ul"])
                h, c = self.joined(of_characters, c, of_words, cells, *minibatch["end"][step])
            else:
                h, c = self.character(of_characters, c)
            states.append(h)
        scores = torch.addmm(p["bv"], torch.cat(states), p["V"])
        return F.cross_entropy(scores, minibatch["tags"], reduction="sum") / minibatch["size"]


class StepsCompile(Steps):
    word, character = staticmethod(compiled(word)), staticmethod(compiled(character))
    joined = staticmethod(compiled(joined))


if __name__ == "__main__":
    main({"steps": Steps, "steps_compile": StepsCompile}, __doc__)
