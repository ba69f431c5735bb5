"""Text folded so that spellings can be compared, with the way back to where each character stood."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import NamedTuple


class Folded(NamedTuple):
    """A folded text; `starts[i]` is where its character `i` began in the original, and one more entry is its end."""

    text: str
    starts: tuple[int, ...] | None
    """None where each character stands where it stood."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the original that a piece of the folded text came from."""
        return (start, end) if self.starts is None else (self.starts[start], self.starts[end])


def compatible(text: str) -> str:
    """The Unicode compatibility form, composed (NFKC)."""
    return unicodedata.normalize("NFKC", text)


def case_folded(text: str) -> str:
    """The full case folding."""
    return text.casefold()


def fold(text: str, how: Callable[[str], str]) -> Folded:
    """Fold a text piece by piece; a piece is a character with the marks that follow it.

    A text in compatibility form is folded whole where its length stays: folding makes of no character less than one,
    so that each then stands where it stood.
    """
    if unicodedata.is_normalized("NFKC", text):
        whole = how(text)
        if len(whole) == len(text):
            return Folded(whole, None)
    pieces: list[str] = []
    starts: list[int] = []
    begin = 0
    for end in _ends(text):
        piece = how(text[begin:end])
        pieces.append(piece)
        starts += [begin] * len(piece)
        begin = end
    return Folded("".join(pieces), (*starts, len(text)))


def _ends(text: str) -> list[int]:
    following = [i for i in range(1, len(text)) if not unicodedata.combining(text[i])]
    return [*following, len(text)] if text else []
