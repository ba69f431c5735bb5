"""Text folded so that spellings can be compared, with the way back to where each character stood."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Self


class Folded:
    """A folded text; what it takes to find the way back is made when somebody asks for it."""

    __slots__ = ("_starts", "_way", "text")

    def __init__(self, text: str, way: Callable[[], list[int]] | None) -> None:
        self.text = text
        self._way = way
        self._starts: list[int] | None = None

    @classmethod
    def same(cls, text: str) -> Self:
        """A text of which each character stands where it stood."""
        return cls(text, None)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the original that a piece of the folded text came from."""
        if self._way is None:
            return start, end
        if self._starts is None:
            self._starts = self._way()
        starts = self._starts
        while start < end < len(starts) - 1 and starts[end] == starts[end - 1]:  # a piece is taken whole
            end += 1
        return starts[start], starts[end]


def is_compatible(text: str) -> bool:
    """The text is in Unicode compatibility form."""
    return text.isascii() or unicodedata.is_normalized("NFKC", text)


def compatible(text: str) -> str:
    """The Unicode compatibility form, composed (NFKC)."""
    return unicodedata.normalize("NFKC", text)


def case_folded(text: str) -> str:
    """The full case folding."""
    return text.casefold()


def fold(text: str, how: Callable[[str], str], *, whole: bool = False) -> Folded:
    """Fold a text piece by piece; a piece is a character with the marks that follow it.

    It is folded as a `whole` where no character changes with its neighbours: always if only its case is folded, and a
    text that is in compatibility form. Where its length stays, each character stands where it stood: folding makes of
    none less than one.
    """
    if whole or is_compatible(text):
        folded = how(text)
        return Folded(folded, None if len(folded) == len(text) else lambda: _pieces(text, how)[1])
    pieces, starts = _pieces(text, how)
    return Folded("".join(pieces), lambda: starts)


def _pieces(text: str, how: Callable[[str], str]) -> tuple[list[str], list[int]]:
    """The pieces, and where each of their characters began; one more entry is the end."""
    pieces: list[str] = []
    starts: list[int] = []
    begin = 0
    for end in _ends(text):
        piece = how(text[begin:end])
        pieces.append(piece)
        starts += [begin] * len(piece)
        begin = end
    return pieces, [*starts, len(text)]


def _ends(text: str) -> list[int]:
    following = [i for i in range(1, len(text)) if not unicodedata.combining(text[i])]
    return [*following, len(text)] if text else []
