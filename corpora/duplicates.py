"""Conversations that are too much alike: two from one template count as one, whatever the table says."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corpora.canonical import canonical
from corpora.corpus import Corpus
from corpora.errors import BadInput
from corpora.fixtures import Fixture

BOUND = 0.5
"""The largest likeness of two hand-written fixtures that passes."""
GRAM = 5
"""Words that are compared at a time."""

# A character of a script without spaces counts as a word.
_WORD = re.compile(
    "[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\\W_\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)


class Pair(NamedTuple):
    """Two fixtures, and how much alike they are: the Jaccard index of their word 5-grams, from 0 to 1."""

    likeness: float
    one: Fixture
    other: Fixture


def by_hand(corpus: Corpus) -> list[Fixture]:
    """The fixtures that stand in fixtures.jsonl; those that a world makes have no line."""
    return [fixture for fixture in corpus.fixtures if fixture.line]


def nearest_pair(fixtures: Sequence[Fixture]) -> Pair | None:
    """The two that are most alike; None where no two share five words in a row."""
    return max(pairs(fixtures), key=lambda pair: pair.likeness, default=None)


def pairs(fixtures: Sequence[Fixture]) -> Iterator[Pair]:
    """Every two fixtures that share a 5-gram. Costs what is shared, not all pairs."""
    grams = [grams_of(fixture) for fixture in fixtures]
    holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, own in enumerate(grams):
        shared = Counter(earlier for gram in own for earlier in holders[gram])
        for earlier, count in shared.items():
            likeness = count / (len(own) + len(grams[earlier]) - count)
            yield Pair(likeness, fixtures[earlier], fixtures[number])
        for gram in own:
            holders[gram].append(number)


def grams_of(fixture: Fixture) -> frozenset[tuple[str, ...]]:
    """The word 5-grams of all that stands in its messages; a shorter one is compared whole."""
    words = words_of(fixture)
    return frozenset(tuple(words[at : at + GRAM]) for at in range(max(1, len(words) - GRAM + 1)))


def words_of(fixture: Fixture) -> list[str]:
    """The words of all its messages, in lower case."""
    return [word.casefold() for m in fixture.messages for word in _WORD.findall(m.content or "")]


def too_alike(corpus: Corpus) -> Iterator[BadInput]:
    """Hand-written fixtures above the bound, and any two that show the model the very same."""
    path = f"{corpus.folder}/fixtures.jsonl"
    for pair in pairs(by_hand(corpus)):
        if pair.likeness > BOUND:
            yield BadInput(
                f"{pair.other.id} is {pair.likeness:.2f} like {pair.one.id} (line {pair.one.line}), more than {BOUND}; "
                "rewrite one of them",
                path=path,
                line=pair.other.line,
                field="messages",
            )

    shown: dict[bytes, Fixture] = {}
    for fixture in corpus.fixtures:
        first = shown.setdefault(canonical([fixture.visible, fixture.messages]), fixture)
        if first is not fixture:
            yield BadInput(
                f"{fixture.id} shows the model the same as {first.id}; change what is shown, or drop one",
                path=path if fixture.line else f"{corpus.folder}/worlds.toml",
                line=fixture.line or None,
                field="messages",
            )
