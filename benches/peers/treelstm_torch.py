"""The binary Tree-LSTM (`TreeLstm` in `models`) in PyTorch, a minibatch of trees level by level.

    python treelstm_torch.py --data TREES [--variants levels,by_hand] [--mode train] [--hidden 256] [--check]

    levels     levels counted from the roots, so that the children of a level are the next one, side by
               side: what a careful user would write, with autograd
    by_hand    the same with a backward pass by hand, and one product for each weight's gradient, which
               goes into the weight at once: what an expert would write for this one model
    .._compile their pointwise work by torch.compile

What is timed, and what not: `torch_peer.py`.
"""

from __future__ import annotations

from torch_peer import ByAutograd, Network, compiled, main, models, torch

F, aten = torch.nn.functional, torch.ops.aten


def prepare(batch: list) -> dict:
    """Levels from the roots down. Of each: the places of its phrases, in the order of which the next level
    has their children in pairs; how many words it has; and how its rows are made from its phrases,
    followed by its words."""
    level = [(tree, children(tree), len(tree) - 1) for tree in batch]
    levels, words, labels, leaves, offsets = [], [], [], [], [0]
    while level:
        following, phrases, order, count = [], [], [], 0
        for place, (tree, below, at) in enumerate(level):
            label, word = tree[at]
            labels.append(label)
            if word is None:
                order.append(len(phrases))
                phrases.append(offsets[-1] + place)
                following += [(tree, below, child) for child in below[at]]
            else:
                order.append(~count)
                words.append(word)
                leaves.append(offsets[-1] + place)
                count += 1
        order = [at if at >= 0 else len(phrases) + ~at for at in order]
        levels.append((torch.tensor(phrases), count, torch.tensor(order)))
        offsets.append(offsets[-1] + len(level))
        level = following
    return {
        "levels": levels,
        "offsets": offsets,
        "E": torch.tensor(words),
        "leaves": torch.tensor(leaves),
        "labels": torch.tensor(labels),
        "size": len(batch),
    }


def children(tree: list) -> list[tuple[int, int] | None]:
    open_, found = [], []
    for at, (_, word) in enumerate(tree):
        if word is None:
            right, left = open_.pop(), open_.pop()
            found.append((left, right))
        else:
            found.append(None)
        open_.append(at)
    return found


def word(gates: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    i, o, u = gates.chunk(3, 1)
    c = torch.sigmoid(i) * torch.tanh(u)
    return torch.sigmoid(o) * torch.tanh(c), c


def phrase(gates: torch.Tensor, cells: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """`cells` of both children: [n, 2, h]."""
    h = cells.shape[2]
    i, fl, fr, o = torch.sigmoid(gates[:, : 4 * h]).chunk(4, 1)
    c = i * torch.tanh(gates[:, 4 * h :]) + fl * cells[:, 0] + fr * cells[:, 1]
    return o * torch.tanh(c), c


class Trees(ByAutograd):
    prepare = staticmethod(prepare)

    def words(self, rows: dict) -> tuple[torch.Tensor, ...]:
        """The states of words: one tensor for each of their parts."""
        raise NotImplementedError

    def phrases(self, minibatch: dict, level: int, *below: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """The states of the phrases of a level, from the parts of their children's: [n, 2, ..]."""
        raise NotImplementedError

    def loss(self, minibatch: dict, rows: dict) -> torch.Tensor:
        p, levels = self.p, minibatch["levels"]
        counts = [count for _, count, _ in levels]
        leaves = list(zip(*(of.split(counts) for of in self.words(rows))))
        # The deepest level has words only.
        state = leaves.pop()
        found = [state[0]]
        for level in range(len(leaves) - 1, -1, -1):
            _, count, order = levels[level]
            below = (of.view(-1, 2, *of.shape[1:]) for of in state)
            state = self.phrases(minibatch, level, *below)
            if count:
                state = [torch.cat(of).index_select(0, order) for of in zip(state, leaves[level])]
            found.append(state[0])
        scores = torch.addmm(p["bc"], self.dropped(torch.cat(found[::-1])), p["Wc"])
        return F.cross_entropy(scores, minibatch["labels"], reduction="sum") / minibatch["size"]


class Levels(Trees):
    of = models.TreeLstm
    word, phrase = staticmethod(word), staticmethod(phrase)

    def words(self, rows: dict) -> tuple[torch.Tensor, ...]:
        return self.word(torch.addmm(self.p["bW"], self.dropped(rows["E"]), self.p["W"]))

    def phrases(self, minibatch: dict, level: int, *below: torch.Tensor) -> tuple[torch.Tensor, ...]:
        h, c = below
        return self.phrase(self.gates(h.view(-1, 2 * self.hidden), minibatch, level), c)

    def gates(self, parts: torch.Tensor, minibatch: dict, level: int) -> torch.Tensor:
        return torch.addmm(self.p["bU"], parts, self.p["U"])


class LevelsCompile(Levels):
    word, phrase = staticmethod(compiled(word)), staticmethod(compiled(phrase))


def kept_word(gates: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """The state of words, and what their backward pass needs."""
    h = gates.shape[1] // 3
    open_, u = torch.sigmoid(gates[:, : 2 * h]), torch.tanh(gates[:, 2 * h :])
    c = open_[:, :h] * u
    tanh = torch.tanh(c)
    return open_[:, h:] * tanh, c, tanh, open_, u


def kept_phrase(gates: torch.Tensor, cells: torch.Tensor) -> tuple[torch.Tensor, ...]:
    h = cells.shape[2]
    open_, u = torch.sigmoid(gates[:, : 4 * h]), torch.tanh(gates[:, 4 * h :])
    c = open_[:, :h] * u + open_[:, h : 2 * h] * cells[:, 0] + open_[:, 2 * h : 3 * h] * cells[:, 1]
    tanh = torch.tanh(c)
    return open_[:, 3 * h :] * tanh, c, tanh, open_, u


def back_through_word(dh, dc, tanh, open_, u) -> torch.Tensor:
    """The gradients of the gates."""
    i, o = open_.chunk(2, 1)
    dc = dc + aten.tanh_backward(dh * o, tanh)
    of_open = aten.sigmoid_backward(torch.cat((dc * u, dh * tanh), 1), open_)
    return torch.cat((of_open, aten.tanh_backward(dc * i, u)), 1)


def back_through_phrase(dh, dc, tanh, open_, u, cells, of_gates) -> torch.Tensor:
    """The gradients of the children's cells; those of the gates go where they are wanted."""
    i, fl, fr, o = open_.chunk(4, 1)
    dc = dc + aten.tanh_backward(dh * o, tanh)
    parts = (dc * u, dc * cells[:, 0], dc * cells[:, 1], dh * tanh)
    of_open = aten.sigmoid_backward(torch.cat(parts, 1), open_)
    torch.cat((of_open, aten.tanh_backward(dc * i, u)), 1, out=of_gates)
    return torch.cat((dc * fl, dc * fr), 1)


class ByHand(Network):
    of = models.TreeLstm
    prepare = staticmethod(prepare)
    word, phrase = staticmethod(kept_word), staticmethod(kept_phrase)
    back_word, back_phrase = staticmethod(back_through_word), staticmethod(back_through_phrase)

    def forward(self, minibatch: dict) -> tuple:
        p, h, at = self.p, self.hidden, minibatch["offsets"]
        x = p["E"].index_select(0, minibatch["E"])
        states, cells = torch.empty(at[-1], h), torch.empty(at[-1], h)
        new, c, *of_words = self.word(torch.addmm(p["bW"], x, p["W"]))
        states.index_copy_(0, minibatch["leaves"], new)
        cells.index_copy_(0, minibatch["leaves"], c)
        levels = minibatch["levels"]
        kept = [()] * len(levels)
        for level in range(len(levels) - 2, -1, -1):
            below = slice(at[level + 1], at[level + 2])
            gates = torch.addmm(p["bU"], states[below].view(-1, 2 * h), p["U"])
            new, c, *kept[level] = self.phrase(gates, cells[below].view(-1, 2, h))
            states.index_copy_(0, levels[level][0], new)
            cells.index_copy_(0, levels[level][0], c)
        logs = F.log_softmax(torch.addmm(p["bc"], states, p["Wc"]), 1)
        loss = F.nll_loss(logs, minibatch["labels"], reduction="sum") / minibatch["size"]
        return loss, x, states, cells, of_words, kept, logs

    @torch.inference_mode()
    def infer(self, minibatch: dict) -> torch.Tensor:
        return self.forward(minibatch)[0]

    @torch.no_grad()
    def train(self, minibatch: dict) -> torch.Tensor:
        p, h, at, size = self.p, self.hidden, minibatch["offsets"], minibatch["size"]
        loss, x, states, cells, of_words, kept, logs = self.forward(minibatch)
        count = at[-1]
        of_scores = logs.exp_()
        of_scores[torch.arange(count), minibatch["labels"]] -= 1
        of_scores /= size
        dh, dc = of_scores @ p["Wc"].t(), torch.empty(count, h)
        dc[:size] = 0
        of_gates, done = torch.empty((count - size) // 2, 5 * h), 0
        for level, (phrases, *_) in enumerate(minibatch["levels"][:-1]):
            below, n = slice(at[level + 1], at[level + 2]), phrases.shape[0]
            of_level = of_gates[done : done + n]
            done += n
            of_cells = self.back_phrase(
                dh.index_select(0, phrases),
                dc.index_select(0, phrases),
                *kept[level],
                cells[below].view(-1, 2, h),
                of_level,
            )
            dh[below].view(n, 2 * h).addmm_(of_level, p["U"].t())
            dc[below].view(n, 2 * h).copy_(of_cells)
        leaves = minibatch["leaves"]
        of_leaves = self.back_word(dh.index_select(0, leaves), dc.index_select(0, leaves), *of_words)
        rate, dx = self.model.learning_rate, of_leaves @ p["W"].t()
        p["Wc"].addmm_(states.t(), of_scores, alpha=-rate)
        p["bc"].sub_(of_scores.sum(0), alpha=rate)
        p["U"].addmm_(states[size:].view(-1, 2 * h).t(), of_gates, alpha=-rate)
        p["bU"].sub_(of_gates.sum(0), alpha=rate)
        p["W"].addmm_(x.t(), of_leaves, alpha=-rate)
        p["bW"].sub_(of_leaves.sum(0), alpha=rate)
        p["E"].index_add_(0, minibatch["E"], dx, alpha=-rate)
        return loss


class ByHandCompile(ByHand):
    word, phrase = staticmethod(compiled(kept_word)), staticmethod(compiled(kept_phrase))
    back_word = staticmethod(compiled(back_through_word))
    back_phrase = staticmethod(compiled(back_through_phrase))


if __name__ == "__main__":
    networks = {"levels": Levels, "by_hand": ByHand}
    main(networks | {"levels_compile": LevelsCompile, "by_hand_compile": ByHandCompile}, __doc__)
