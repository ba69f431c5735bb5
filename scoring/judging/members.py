"""The members of a set by how they are spelt, and the words for a value that misses them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from corpora.values import Json
from scoring.judging.spellings import ALL, rewrite, words

ORDER = (
    "case",
    "separator",
    "whitespace",
    "punctuation",
    "invisible",
    "unicode-form",
    "homoglyph",
    "decoration",
    "plural",
    "edit",
    "translation",
    "prefix",
    "truncation",
    "word-order",
    "multiple",
    "other-set",
)
"""The contract's order, in which classes are joined with `+`."""


class Near(NamedTuple):
    """The classes of a miss joined with `+`, or `none`; and the member, or the members where it names several."""

    name: str
    nearest: Json


class Members:
    """The members of a set by their rewritten spelling, made when the first miss is looked at."""

    def __init__(self, members: Sequence[str]) -> None:
        self.members = members

    @cached_property
    def by_spelling(self) -> dict[str, list[str]]:
        """Wholly rewritten spelling -> members."""
        found: dict[str, list[str]] = {}
        for member in self.members:
            found.setdefault(rewrite(member, ALL), []).append(member)
        return found

    @cached_property
    def by_words(self) -> dict[tuple[str, ...], list[str]]:
        """The words of a member, sorted -> members."""
        found: dict[tuple[str, ...], list[str]] = {}
        for member in self.members:
            found.setdefault(tuple(sorted(words(member))), []).append(member)
        return found

    @cached_property
    def spellings(self) -> list[str]:
        """Every rewritten spelling, sorted, so that ties are settled the same way everywhere."""
        return sorted(self.by_spelling)

    def prepare(self) -> None:
        """Make every table now."""
        _ = self.spellings, self.by_words


def joined(classes: Iterable[str]) -> str:
    """Classes joined with `+` in the contract's order."""
    return "+".join(sorted(set(classes), key=ORDER.index))
