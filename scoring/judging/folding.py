"""Text folded so that spellings can be compared, with the way back to where each character stood."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Self


class Folded:
    """A folded text; what it takes to find the way back is made when somebody asks for it."""

    __slots__ = ("_digits", "_starts", "_way", "marked", "places", "text")

    def __init__(
        self, text: str, way: Callable[[], list[int]] | None, marked: str | None = None, *, latin: bool = False
    ) -> None:
        self.text = text
        self._way = way
        self._starts: list[int] | None = None
        self._digits = False if latin else None
        self.places: dict[object, list[int]] = {}
        """Where something stands in the text, as far as that was looked for."""
        self.marked = marked
        """The original, where each character stands where it stood and marks may stand among them."""

    @classmethod
    def same(cls, text: str) -> Self:
        """A text of which each character stands where it stood."""
        return cls(text, None)

    @property
    def even(self) -> bool:
        """Each character stands where it stood."""
        return self._way is None

    @property
    def other_digits(self) -> bool:
        """Decimal digits of other scripts stand in a text in compatibility form."""
        if self._digits is None:
            self._digits = other_digits(self.text)
        return self._digits

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the original that a piece of the folded text came from."""
        if self._way is None:
            return (start, end) if self.marked is None else _whole(self.marked, start, end)
        if self._starts is None:
            self._starts = self._way()
        starts = self._starts
        while start < end < len(starts) - 1 and starts[end] == starts[end - 1]:  # a piece is taken whole
            end += 1
        return starts[start], starts[end]


def _whole(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch of a text, with all of the pieces at its ends."""
    while start < end < len(text) and not _stands_alone(text[end]):
        end += 1
    while 0 < start < len(text) and not _stands_alone(text[start]):
        start -= 1
    return start, end


def _latin(text: str) -> bytes | None:
    """A text of Latin-1: to look at its bytes takes a third of the time. None where it is none."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return None


_LATIN = bytes(code for code in range(256) if unicodedata.is_normalized("NFKC", chr(code)))
"""What of Latin-1 is in compatibility form: none of it is a mark, so each stands for itself."""


def compatible(text: str) -> str:
    """The Unicode compatibility form, composed (NFKC)."""
    return unicodedata.normalize("NFKC", text)


def case_folded(text: str) -> str:
    """The full case folding."""
    return text.casefold()


def both(text: str) -> str:
    """The case folding of the Unicode compatibility form."""
    return unicodedata.normalize("NFKC", text).casefold()


def lower_ascii(text: str) -> str:
    """A text in compatibility form with its ASCII letters in lower case and `?` for what is no ASCII, place for place.

    A word of ASCII that has no `ss` stands in it wherever it stands as a word in the case folding, which takes longer:
    of other letters only sharp s becomes letters of ASCII without a mark behind them.
    """
    return text.encode("ascii", "replace").lower().decode()


def fold_case_too(text: str, plain: Folded) -> Folded:
    """A text in compatibility form, as it was folded, its case folded too."""
    folded = plain.text.casefold()
    if plain.even and len(folded) == len(text):
        return Folded(folded, None, plain.marked)
    return Folded(folded, lambda: _starts(text, both))


def fold_case(text: str) -> Folded:
    """A text, its case folded: each character by itself, so that where the length stays each stands where it stood."""
    folded = text.casefold()
    return Folded(folded, None if len(folded) == len(text) else lambda: _starts(text, case_folded))


def fold_compatible(text: str) -> Folded:
    """A text in its compatibility form: where none of its characters joins the one before, each is replaced alone.

    First those that are usual: when nothing else is left to be folded, nobody has to ask which there are.
    """
    if text.isascii():
        return Folded(text, None)
    latin = _latin(text)
    if unicodedata.is_normalized("NFKC", text) if latin is None else not latin.translate(None, _LATIN):
        return Folded(text, None, latin=latin is not None)
    folded = text
    for usual in (_BLANKS, _WIDE):
        before = folded
        for character, plain in usual:
            folded = folded.replace(character, plain)
        if folded is before:
            continue
        if folded.isascii() or unicodedata.is_normalized("NFKC", folded):
            if len(folded) == len(text):
                return Folded(folded, None, text, latin=latin is not None)
            return Folded(folded, lambda: _starts(text, compatible), latin=latin is not None)
    strange = {*"".join(_STRANGE_ONES.findall(text))}
    if not all(map(_stands_alone, strange)):
        return Folded(compatible(text), lambda: _starts(text, compatible))
    folded = text
    for character in strange:
        folded = folded.replace(character, compatible(character))
    return Folded(folded, None if len(folded) == len(text) else lambda: _starts(text, compatible))


_BLANKS, _WIDE = (
    tuple((character, compatible(character)) for character in usual)
    for usual in ("\u00a0\u202f\u2009\u2026", "\u3000\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\uff5e")
)
"""Blanks and signs of which a keyboard or a typesetter makes many: those that do not break, and wide ones."""


def _starts(text: str, how: Callable[[str], str]) -> list[int]:
    """Where the piece began that each character of a folded text came from; one more entry is the end."""
    starts: list[int] = []
    for begin, end, steady in _stretches(text):
        length = len(how(text[begin:end]))
        if not steady:
            starts += [begin] * length
        elif length == end - begin:
            starts += range(begin, end)
        else:
            for place in range(begin, end):
                starts += [place] * len(how(text[place]))
    return [*starts, len(text)]


_STEADY = (
    "\x00-\x7f\xa1-\xa7\xa9\xab-\xae\xb0\xb1\xb6\xb7\xbb\xbf-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e\u0388-\u03ce"
    "\u0400-\u0482\u048a-\u052f\u05d0-\u05ea\u0621-\u064a\u2012-\u2016\u2018-\u2023\u20ac\u2190-\u21ff\u3001-\u3029"
    "\u3041-\u3096\u30a0-\u30fe\u3400-\u9fff\uac00-\ud7a3"
)


def _stretches(text: str) -> Iterator[tuple[int, int, bool]]:
    """A text in stretches of usual characters (True), which fold each by itself, and the pieces between them."""
    done = 0
    for match in _STRANGE_ONES.finditer(text):
        begin = max(done, match.start() - 1)  # the first of them may be a mark of the one before
        if begin > done:
            yield done, begin, True
        yield from _pieces(text, begin, match.end())
        done = match.end()
    if done < len(text):
        yield done, len(text), True


_STRANGE_ONES = re.compile(f"[^{_STEADY}]+")
"""What may be a mark, a digit of another script, or no compatibility form: all but the usual letters and signs."""


@lru_cache(4_000)
def _stands_alone(character: str) -> bool:
    """A character that is no mark or later letter of a syllable, nor becomes one: none before it changes with it.

    Those that compose with what stands before them are marks, with a class or without, and the vowels and last letters
    of Hangul syllables (UAX #15); their halfwidth forms become such.
    """
    first = unicodedata.normalize("NFKD", character)[0]
    return unicodedata.category(first)[0] != "M" and not "\u1160" <= first <= "\u11ff"


def _pieces(text: str, begin: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """A character with what follows it and does not stand alone, one after another."""
    for place in range(begin + 1, end):
        if _stands_alone(text[place]):
            yield begin, place, False
            begin = place
    yield begin, end, False


def other_digits(text: str) -> bool:
    """Decimal digits of other scripts stand in a text in compatibility form."""
    if text.isascii() or not text.encode("utf-16-le", "surrogatepass")[1::2].translate(None, _NO_DIGITS):
        return False
    return _digits().search(text) is not None or any(map(str.isdecimal, _ASTRAL.findall(text)))


_NO_DIGITS = bytes(
    row
    for row in range(256)
    if not 0xD8 <= row <= 0xDF and not any(chr(row << 8 | low).isdecimal() for low in range(256) if row)
)
"""The upper bytes in UTF-16 of characters of which none is a digit of another script, nor half of one."""
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


@cache
def _digits() -> re.Pattern[str]:
    """The digits below U+10000: among no more characters than that a search takes one step each."""
    return re.compile(f"[{''.join(chr(code) for code in range(0x600, 0xD800) if chr(code).isdecimal())}\uff10-\uff19]")
