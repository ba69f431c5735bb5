"""Where a text stands in another as a whole token: `est` is no token of `latest`, nor 904 of 90418."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from operator import itemgetter
from unicodedata import category

# Scripts that write no spaces between words: a border inside them cannot be seen, and one against them always can.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\uac00-\ud7af\u3400-\u9fff\uf900-\ufaff]|[\U00020000-\U0003ffff]"
)
_JOINERS = frozenset(".,:/-")
_ID_JOINERS = frozenset(".,:/-+#@&=~")
_MINUS = frozenset("-\u2212")
_APOSTROPHES = frozenset("'\u2019")


def find_token(needle: str, text: str, *, strict: bool = False) -> int:
    """Where `needle` stands in `text` as a whole token, or -1. `strict`: the signs that join an id join here too."""
    if not needle or needle[0] not in text:  # one character is looked for in a tenth of the time
        return -1
    if needle in _ALONE:
        return next((at for at in alone(needle, text) if is_token(text, at, at + 1, strict=strict)), -1)
    at = text.find(needle)
    while at >= 0:
        if is_token(text, at, at + len(needle), strict=strict):
            return at
        at = text.find(needle, at + 1)
    return -1


# The digit comes first in the pattern: so it is found as quickly as a text is.
_ALONE = {digit: re.compile(rf"{digit}(?![0-9])(?<![0-9]{digit})") for digit in "0123456789"}


def alone(digit: str, text: str) -> list[int]:
    """Where a digit stands with none at either side: in a text of long numbers these are few."""
    return [match.start() for match in _ALONE[digit].finditer(text)] if digit in text else []


def is_token(text: str, start: int, end: int, *, strict: bool = False) -> bool:
    """True where nothing at either border goes on with the token."""
    before, after = text[max(0, start - 2) : start], text[end : end + 3]
    if not strict and _list_item(text, start, end):
        return True
    if before and text[start] in _MINUS and text[start + 1 : end][:1].isdigit() and _word(before[-1]):
        return False  # a dash: -3 is no token of "5-3"
    return not (_joined_before(before, text[start], strict) or _joined_after(text[end - 1], after, strict))


# Digits with commas that are no number with thousands or a decimal comma: a list, as in "2,3,4".
_DIGIT_LIST = re.compile(r"(?<![\w.,:/-])(?!\d{1,3}(?:,\d{3})+(?!,?\d))\d+(?:,\d+){2,}(?![\w.:/-]*\w)")


def _list_item(text: str, start: int, end: int) -> bool:
    """The digits are one item of a list without blanks."""
    if not text[start:end].isdigit() or "," not in (text[start - 1 : start], text[end : end + 1]):
        return False
    if text[start - 1 : start].isdigit() or text[end : end + 1].isdigit():
        return False
    spans = _digit_lists(text)
    before = bisect_right(spans, start, key=itemgetter(0))
    return before > 0 and end <= spans[before - 1][1]


@lru_cache(8)  # one text is asked of for each place where a digit stands
def _digit_lists(text: str) -> tuple[tuple[int, int], ...]:
    """Where the lists of digits in a text begin and end."""
    return tuple(found.span() for found in _DIGIT_LIST.finditer(text))


def _word(character: str) -> bool:
    """What words are made of."""
    return character.isalnum() or character == "_" or _mark(character)


def _mark(character: str) -> bool:
    """An accent or a vowel sign, which belongs to the character before it; what only says how that is drawn is none."""
    return category(character) in ("Mn", "Mc") and not ("\ufe00" <= character <= "\ufe0f" or character >= "\U000e0100")


def _same_word(left: str, right: str) -> bool:
    """Two neighbours that belong to one word."""
    if not (_word(left) and _word(right)):
        return False
    return _mark(right) or not (_UNSPACED.match(left) or _UNSPACED.match(right))


def _joined_before(before: str, edge: str, strict: bool) -> bool:
    if not before or not _word(edge):
        return False
    if _same_word(before[-1], edge) or (not strict and edge.isdigit() and _signed(before)):
        return True
    return len(before) == 2 and _linked(before[0], before[1], edge, strict)


def _signed(before: str) -> bool:
    """What stands in front of a digit is its minus: 5 is no token of "-5"."""
    return before[-1] in _MINUS and (len(before) == 1 or before[0].isspace() or before[0] == "(")


def _joined_after(edge: str, after: str, strict: bool) -> bool:
    if not after or not _word(edge):
        return False
    if _same_word(edge, after[0]):
        return True
    possessive = after[0] in _APOSTROPHES and after[1:2] in ("s", "S") and not _word(after[2:3] or " ")
    return len(after) >= 2 and not possessive and _linked(edge, after[0], after[1], strict)


def _linked(left: str, sign: str, right: str, strict: bool) -> bool:
    """A sign between two characters that makes them one token: 3.5, 09:00, 2027-03-04, don't, and for ids AC-904."""
    if strict and sign in _ID_JOINERS:
        return _same_word(left, right)
    if sign in _JOINERS:
        return left.isdigit() and right.isdigit()
    return sign in _APOSTROPHES and left.isalpha() and right.isalpha()
