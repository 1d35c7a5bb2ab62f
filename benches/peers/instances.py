"""Reads the first instances of a file in a format of `examples/workloads`, and numbers their words,
as that does. Files may be gzip'd. Needs Python 3.8 and nothing else."""

from __future__ import annotations

import gzip
import pathlib
import re
from typing import Iterable, Iterator, NamedTuple

# How many instances a pass takes, and how many words and tags drawn instances have.
MOST = 256
WORDS = 20_000
TAGS = 17
# The words of the Penn Treebank, but for the end mark.
TREEBANK = 9_999
# The words of `lengths`.
LENGTHS_WORDS = 128

# A phrase: its label, and its word, or None if it joins the two phrases before it. A tree is a list
# of them, parts before the whole.
Phrase = "tuple[int, int | None]"


class Character(NamedTuple):
    """A character of a lattice, and the words that end at it, each with where it begins."""

    id: int
    words: list[tuple[int, int]]


class Lattice(NamedTuple):
    """The tags of the first position and of the position after each character, and the characters."""

    tags: list[int]
    characters: list[Character]


def lines(path: pathlib.Path) -> Iterator[str]:
    """The lines that are not blank. Only a line feed ends one: words may contain other spaces."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="\n") as file:
        yield from (line.rstrip("\r\n") for line in file if line.strip())


def first(path: pathlib.Path) -> list[str]:
    return [line for line, _ in zip(lines(path), range(MOST))]


def numbered(letter: str, size: int, names: Iterable[str]) -> tuple[dict[str, int], int]:
    """The number of each name, and how many rows a table of them has. Drawn names are a letter and
    a number; others are numbered as they come."""
    unique = list(dict.fromkeys(names))
    pattern = re.compile(letter + r"(\d+)", re.ASCII)
    found = [pattern.fullmatch(name) for name in unique]
    if all(match and int(match[1]) < size for match in found):
        return {match[0]: int(match[1]) for match in found}, size
    return {name: number for number, name in enumerate(unique)}, len(unique)


def sentence(line: str) -> list[str]:
    """The words of a line, without end marks."""
    words = [word for word in line.split(" ") if word]
    words = words[:-1] if words[-1:] == ["</s>"] else words
    return words[1:] if words[:1] == ["<s>"] else words


def text(path: pathlib.Path, size: int) -> tuple[list[list[int]], int]:
    """The sentences of a text, one a line, and the number of the end mark behind them, which is that of
    words in the whole file. Drawn words have numbers below `size`."""
    read = [sentence(line) for line in lines(path)]
    ids, end = numbered("w", size, (word for words in read for word in words))
    return [[ids[word] for word in words] for words in read], end


def pairs(path: pathlib.Path) -> tuple[list[tuple[list[int], list[int]]], int, int]:
    """Sentences `source ||| translation`, and the numbers of words of both, of which the second is that of
    the end mark of translations."""
    read = [line.split("|||", 1) for line in first(path)]
    sources = [[word for word in source.split(" ") if word] for source, _ in read]
    targets = [sentence(target) for _, target in read]
    ids, words = numbered("w", WORDS, (word for source in sources for word in source))
    of_target, end = numbered("w", WORDS, (word for target in targets for word in target))
    found = [
        ([ids[word] for word in source], [of_target[word] for word in target])
        for source, target in zip(sources, targets)
    ]
    return found, words, end


def lengths() -> list[list[int]]:
    """The sentences of `papers --only pfor/fig1`: of a hundred, one has each length from 1 to 100."""
    words = lambda sentence: range(sentence * 37 % 100 + 1)
    return [
        [(31 * sentence + 17 * word) % LENGTHS_WORDS for word in words(sentence)]
        for sentence in range(MOST)
    ]


def trees(path: pathlib.Path) -> tuple[list[list[Phrase]], int]:
    """Trees in the notation of the Stanford Sentiment Treebank, and the size of the table."""
    read = [list(phrases(line)) for line in first(path)]
    texts = (word for tree in read for _, word in tree if word is not None)
    ids, size = numbered("w", WORDS, texts)
    return [[(label, ids.get(word)) for label, word in tree] for tree in read], size


def phrases(line: str) -> Iterator[tuple[int, str | None]]:
    opened: list[tuple[int, str | None]] = []
    parts = iter(re.findall(r"[()]|[^ ()]+", line))
    for part in parts:
        if part == "(":
            opened.append((int(next(parts)), None))
        elif part == ")":
            yield opened.pop()
        else:
            opened[-1] = (opened[-1][0], part)


def tagged(path: pathlib.Path) -> tuple[list[list[tuple[int, int]]], int, int]:
    """Sentences of words with tags, as in WikiNER, and the numbers of words and tags."""
    read = [[item.rsplit("|", 1) for item in line.split(" ") if item] for line in first(path)]
    words, word_count = numbered("w", WORDS, (word for sentence in read for word, _ in sentence))
    tags, tag_count = numbered("T", TAGS, (tag for sentence in read for _, tag in sentence))
    sentences = [[(words[word], tags[tag]) for word, tag in sentence] for sentence in read]
    return sentences, word_count, tag_count


def lattices(path: pathlib.Path) -> tuple[list[Lattice], list[int]]:
    """Lattices in the format of ED-Batch's benchmark, and the numbers of characters, words, tags."""
    numbers = (int(number) for line in lines(path) for number in line.split())
    read, sizes = [], [1, 1, 1]
    for _ in range(min(next(numbers), MOST)):
        length = next(numbers)
        tags = [next(numbers) for _ in range(length)]
        characters = []
        for place, tag in enumerate(tags):
            arcs = [(next(numbers), next(numbers)) for _ in range(next(numbers))]
            words = [arc for arc in arcs if arc[0] + 1 != place]
            ids = [id for start, id in arcs if start + 1 == place]
            characters += [Character(id, words) for id in ids]
            parts = (ids, [id for _, id in words], [tag])
            sizes = [max([size, *(id + 1 for id in part)]) for size, part in zip(sizes, parts)]
        read.append(Lattice(tags, characters))
    return read, sizes
