"""The dependency parser of `examples/parser` in PyTorch, on the CPU, as one JSON line.

    python benches/peers/parser_torch.py --data DIR [--variant one] [--threads 2] [--hidden 128]

DIR contains en_ewt-ud-train.conllu and -test, plain or gzip'd.

    one        sentence by sentence, one transition after the other: what a user writes
    lockstep   a minibatch takes its transitions together: a packed LSTM, and in each step one product for
               all sentences that are not done

Both have the model, the features, the oracle and the minibatches of 16 of the example, its word dropout
included, and the tables of the whole training split. Training and parsing are measured on the first 256
sentences of their split: the median of some passes after a warm-up. Reading the files and numbering the
words is not counted.

    --check    trains the epochs that are given first, and prints the accuracy on the whole test split
"""

import argparse
import collections
import gzip
import json
import os
import pathlib
import random
import statistics
import time

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--data", type=pathlib.Path, required=True)
parser.add_argument("--variant", choices=["one", "lockstep"], default="one")
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--hidden", type=int, default=128)
parser.add_argument("--batch", type=int, default=16)
parser.add_argument("--sentences", type=int, default=256)
parser.add_argument("--passes", type=int, default=3)
parser.add_argument("--check", type=int, default=0, metavar="EPOCHS")
options = parser.parse_args()
# A thread that waits must not take the other's core.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(options.threads)

import torch
from torch import nn
from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence

BARRED = -1e4
SHIFT, LEFT, RIGHT = range(3)


def read(name):
    """Sentences of (form, tag, head, relation); the head of the root is behind the last word."""
    path = options.data / f"en_ewt-ud-{name}.conllu"
    packed = path.with_name(path.name + ".gz")
    text = path.read_text("utf-8") if path.exists() else gzip.open(packed, "rt", encoding="utf-8").read()
    sentences = []
    for block in text.split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if line and line[0] != "#"]
        rows = [row for row in rows if row[0].isdigit()]
        if rows:
            head = lambda row: (int(row[6]) or len(rows) + 1) - 1
            sentences.append([(row[1].lower(), row[3], head(row), row[7].split(":")[0]) for row in rows])
    return sentences


class Numbers:
    def __init__(self, train):
        words = [word for sentence in train for word in sentence]
        self.counts = collections.Counter(form for form, *_ in words)
        suffixes = collections.Counter(form[-3:] for form, *_ in words)
        self.words = {form: number for number, form in enumerate(self.counts, 1)}
        frequent = [suffix for suffix, count in suffixes.items() if count > 1]
        self.suffixes = {suffix: number for number, suffix in enumerate(frequent, 1)}
        self.tags = {tag: number for number, tag in enumerate(sorted({tag for _, tag, *_ in words}))}
        self.relations = {name: number for number, name in enumerate(sorted({word[3] for word in words}))}

    def encode(self, sentence):
        """The numbers of the words and of an artificial root, how often words are dropped, and gold arcs."""
        ids = [self.words.get(form, 0) for form, *_ in sentence] + [0]
        suffixes = [self.suffixes.get(form[-3:], 0) for form, *_ in sentence] + [0]
        tags = [self.tags[tag] for _, tag, *_ in sentence] + [len(self.tags)]
        drops = [0.25 / (0.25 + self.counts[form]) for form, *_ in sentence] + [0.0]
        gold = [(head, self.relations.get(relation, -1)) for _, _, head, relation in sentence]
        return torch.tensor([ids, suffixes, tags]), torch.tensor(drops), gold


class Parse:
    """The arc-hybrid system and its dynamic oracle, as in `examples/parser/transitions.rs`."""

    def __init__(self, gold):
        self.stack, self.next, self.gold = [], 0, gold
        self.arcs = [None] * len(gold)

    def done(self):
        return not self.stack and self.next == len(self.gold)

    def allowed(self):
        depth, has_words = len(self.stack), self.next < len(self.gold)
        return [has_words, depth == 1 or has_words and depth > 1, depth > 1]

    def take(self, number):
        kind, relation = (SHIFT, 0) if number == 0 else (1 + (number - 1) % 2, (number - 1) // 2)
        if kind == SHIFT:
            self.stack.append(self.next)
            self.next += 1
        else:
            top = self.stack.pop()
            self.arcs[top] = (self.next if kind == LEFT else self.stack[-1], relation)

    def cost(self, kind):
        if not self.stack:
            return 0
        *below, top = self.stack
        next, root = self.next, len(self.gold)
        head = self.gold[next if kind == SHIFT else top][0]
        if kind == SHIFT:
            return (head == root or head in below) + sum(self.gold[word][0] == next for word in self.stack)
        if kind == RIGHT:
            lost = next <= head < root
        elif head > next:
            lost = head < root or not below
        else:
            lost = below[-1:] == [head]
        return lost + sum(head == top for head, _ in self.gold[next:])

    def right(self):
        """The numbers of the transitions that are best."""
        relation = self.gold[self.stack[-1]][1] if self.stack else 0
        numbers = {SHIFT: 0, LEFT: 1 + 2 * relation, RIGHT: 2 + 2 * relation}
        costs = {kind: self.cost(kind) for kind, allowed in enumerate(self.allowed()) if allowed}
        return [numbers[kind] for kind, cost in costs.items() if cost == min(costs.values())]

    def view(self):
        """The places of the three words on top of the stack and of the next one; -1 for none."""
        return [-1] * max(0, 3 - len(self.stack)) + self.stack[-3:] + [self.next]


class Parser(nn.Module):
    def __init__(self, numbers, hidden):
        super().__init__()
        sizes = [len(numbers.words) + 1, len(numbers.suffixes) + 1, len(numbers.tags) + 1]
        widths = [hidden, hidden // 2, hidden // 2]
        self.tables = nn.ModuleList(nn.Embedding(size, width) for size, width in zip(sizes, widths))
        for table in self.tables:
            nn.init.uniform_(table.weight, -0.1, 0.1)
        self.lstm = nn.LSTM(2 * hidden, hidden, num_layers=2, bidirectional=True, dropout=0.3)
        self.none = nn.Parameter(torch.empty(1, 2 * hidden).uniform_(-0.1, 0.1))
        transitions = 1 + 2 * len(numbers.relations)
        self.choose = nn.Sequential(
            *(nn.Linear(8 * hidden, hidden), nn.Tanh(), nn.Dropout(0.3), nn.Linear(hidden, transitions))
        )
        self.dropout = nn.Dropout(0.3)
        # The masks of transitions of each of the 8 sets of allowed kinds.
        kinds = torch.tensor([SHIFT] + [LEFT, RIGHT] * len(numbers.relations))
        self.masks = {}
        for number in range(8):
            allowed = tuple(bool(number >> kind & 1) for kind in range(3))
            self.masks[allowed] = torch.where(torch.tensor(allowed)[kinds], 0.0, BARRED)

    def embed(self, ids, drops):
        if self.training:
            ids = torch.stack([ids[0] * (torch.rand(drops.shape) >= drops), ids[1], ids[2]])
        return self.dropout(torch.cat([table(row) for table, row in zip(self.tables, ids)], 1))

    def follow(self, scores, parse, exploration):
        """Takes a transition; returns the loss, or None in parsing."""
        if exploration is None:
            parse.take(int(scores.argmax()))
            return None
        right = parse.right()
        of_right = scores[right]
        best = int(scores.argmax()) if random.random() < exploration else right[int(of_right.argmax())]
        parse.take(best)
        return scores.logsumexp(0) - of_right.logsumexp(0)

    def one(self, sentences, exploration):
        """Parses one sentence after the other; returns the arcs and the loss."""
        arcs, losses = [], []
        for ids, drops, gold in sentences:
            vectors = self.dropout(self.lstm(self.embed(ids, drops))[0])
            vectors = torch.cat([vectors, self.none])
            parse = Parse(gold)
            while not parse.done():
                scores = self.choose(vectors[parse.view()].flatten())
                scores = scores + self.masks[tuple(parse.allowed())]
                losses.append(self.follow(scores, parse, exploration))
            arcs.append(parse.arcs)
        return arcs, losses

    def lockstep(self, sentences, exploration):
        """Parses all sentences together; returns the arcs and the loss."""
        packed = pack_sequence([self.embed(ids, drops) for ids, drops, _ in sentences], enforce_sorted=False)
        vectors, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        width = vectors.shape[1]
        vectors = torch.cat([self.dropout(vectors).flatten(0, 1), self.none])
        none = len(vectors) - 1
        parses = [Parse(gold) for *_, gold in sentences]
        losses, active = [], list(enumerate(parses))
        while active:
            place = lambda number, word: none if word < 0 else number * width + word
            views = [[place(number, word) for word in parse.view()] for number, parse in active]
            scores = self.choose(vectors[torch.tensor(views)].flatten(1))
            scores = scores + torch.stack([self.masks[tuple(parse.allowed())] for _, parse in active])
            best = scores.argmax(1).tolist()
            if exploration is not None:
                bars = torch.full_like(scores, BARRED)
                for row, (_, parse) in enumerate(active):
                    bars[row, parse.right()] = 0.0
                of_right = scores + bars
                right = of_right.argmax(1).tolist()
                losses.append((scores.logsumexp(1) - of_right.logsumexp(1)).sum())
                best = [a if random.random() < exploration else b for a, b in zip(best, right)]
            for (_, parse), number in zip(active, best):
                parse.take(number)
            active = [(number, parse) for number, parse in active if not parse.done()]
        return [parse.arcs for parse in parses], losses


def train(model, optimizer, sentences, exploration=0.9):
    model.train()
    run = getattr(model, options.variant)
    for start in range(0, len(sentences), options.batch):
        batch = sentences[start : start + options.batch]
        _, losses = run(batch, exploration)
        (torch.stack(losses).sum() / len(batch)).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        optimizer.zero_grad()


@torch.no_grad()
def parse(model, sentences):
    model.eval()
    run = getattr(model, options.variant)
    starts = range(0, len(sentences), 32)
    return [arcs for start in starts for arcs in run(sentences[start : start + 32], None)[0]]


def rate(sentences, work):
    """Sentences/s: the median after a warm-up."""
    work(sentences)
    times = []
    for _ in range(options.passes):
        start = time.perf_counter()
        work(sentences)
        times.append(time.perf_counter() - start)
    return len(sentences) / statistics.median(times)


def main():
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    random.seed(1)
    train_split, test_split = read("train"), read("test")
    numbers = Numbers(train_split)
    train_split, test_split = ([numbers.encode(s) for s in split] for split in (train_split, test_split))
    model = Parser(numbers, options.hidden)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    result = {"variant": options.variant, "threads": options.threads, "hidden": options.hidden}
    for epoch in range(options.check):
        order = random.sample(train_split, len(train_split))
        for group in optimizer.param_groups:
            group["lr"] = 2e-3 * (1 - epoch / options.check)
        train(model, optimizer, order, 0.9 if epoch else 0.0)
    if options.check:
        found = [arc for arcs in parse(model, test_split) for arc in arcs]
        gold = [arc for *_, gold in test_split for arc in gold]
        result["test_uas"] = sum(a[0] == b[0] for a, b in zip(found, gold)) / len(gold)
        result["test_las"] = sum(a == b for a, b in zip(found, gold)) / len(gold)
    some, others = (split[: options.sentences] for split in (train_split, test_split))
    words = [sum(len(gold) for *_, gold in split) / len(split) for split in (some, others)]
    trained = rate(some, lambda sentences: train(model, optimizer, sentences))
    parsed = rate(others, lambda sentences: parse(model, sentences))
    result |= {"train_sentences_s": trained, "train_words_s": trained * words[0]}
    result |= {"parse_sentences_s": parsed, "parse_words_s": parsed * words[1]}
    print(json.dumps({key: round(v, 4) if isinstance(v, float) else v for key, v in result.items()}))


if __name__ == "__main__":
    main()
