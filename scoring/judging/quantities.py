"""Numbers and amounts of money, as values and as tokens of a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from corpora.values import Json
from scoring.judging.currencies import CURRENCY
from scoring.judging.folding import Folded
from scoring.judging.tokens import alone

_COMMA_LOCALES = frozenset(
    "bg ca cs da de el es et eu fi fr gl hr hu id is it lt lv nb nl nn no pl pt ro ru sk sl sr sv tr uk vi".split()
)
_TOKEN = re.compile(r"(?<![\w.,])(?:(?<![^\s(])[-+\u2212])?\d(?:[\d.,'\u2019]|[ \u00a0\u202f](?=\d{3}(?!\d)))*")

Token = tuple[int, int, Decimal]
"""Start, end, value."""


def number(value: Json, locale: str | None = None) -> Decimal | None:
    """A JSON number, or a text that is one number and nothing else; a boolean is none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return Decimal(str(value))
    return _decimal(value.strip(), locale) if isinstance(value, str) else None


def money(value: Json, locale: str | None = None) -> Decimal | None:
    """An amount: a number, or a text of one number with a currency."""
    if isinstance(value, str):
        if value.isalpha():  # most words are no amounts
            return None
        return _decimal(CURRENCY.sub("", value).strip(), locale)
    return number(value)


def numbers_in(text: str, locale: str | None = None) -> Iterator[Token]:
    """Every number that stands in a text as a whole token: not 03 of 2027-03-04, not 3 of MP3, not 00718 as 718."""
    for match in _TOKEN.finditer(text):
        token = _token(text, match, locale)
        if token is not None:
            yield token


def _token(text: str, match: re.Match[str], locale: str | None) -> Token | None:
    written = match.group().rstrip(".,'\u2019")
    end = match.start() + len(written)
    value = None if _goes_on(text, match.start(), end) else _decimal(written, locale)
    return None if value is None else (match.start(), end, value)


def numbers_like(wanted: Decimal, readable: Folded, locale: str | None = None) -> Iterator[Token]:
    """Those of the numbers in a text that could be the wanted one, and more: to read each costs far more.

    The last three digits before its point stand together, whatever marks are between the others, and its point and the
    first digit of its fraction right behind them.
    """
    text = readable.text
    if readable.other_digits or any(mark in text and behind.search(text) for mark, behind in _PARTED):
        yield from numbers_in(text, locale)
        return
    for match in matches_over(_TOKEN, text, _places(wanted, text, locale), _begin):
        token = _token(text, match, locale)
        if token is not None:
            yield token


def matches_over(
    pattern: re.Pattern[str], text: str, places: Iterable[int], begin: Callable[[str, int], int | None]
) -> Iterator[re.Match[str]]:
    """Those matches of a pattern that a search of the whole text gives near some places, which rise.

    `begin`: from where to search for a place, at what no match goes across; None where that is not near. However many
    places there are, no part of the text is searched twice.
    """
    done = 0
    for at in places:
        if at < done:
            continue
        for match in pattern.finditer(text, max(done, begin(text, at) or 0)):
            if match.start() > at:
                done = match.start()
                break
            done = match.end()
            yield match
            if done > at:
                break
        else:
            return


_PARTED = [(mark, re.compile(rf"{mark}(?<=\d{mark})")) for mark in "'\u2019"]
"""Marks that may stand between any two digits, each sought for itself first: that takes a tenth of the time."""
_INSIDE = "0123456789.,'\u2019 \u00a0\u202f+-\u2212"


def _places(wanted: Decimal, text: str, locale: str | None) -> list[int]:
    """Where the last digits of a number before its point stand, and no digit before them where they are all."""
    whole, _, fraction = format(wanted.copy_abs(), "f").partition(".")
    fraction = fraction.rstrip("0")
    if fraction:
        found = places_of(f"{whole[-3:]}{_marks(locale)[0]}{fraction[0]}", text)
    elif len(whole) == 1:
        return alone(whole, text)
    else:
        digits = len(whole[-3:])
        found = [at for at in places_of(whole[-3:], text) if not text[at + digits : at + digits + 1].isdigit()]
    return found if len(whole) > 2 else [at for at in found if not text[max(0, at - 1) : at].isdigit()]


_PADDED = [re.compile(rf"{digit}(?!\d)(?:(?<!\d{digit})|(?<=0{digit})(?<!\d0{digit}))") for digit in range(10)]


def places_of(part: str, text: str) -> list[int]:
    """Where a piece of text begins in another, overlaps and all."""
    found = []
    at = text.find(part)
    while at >= 0:
        found.append(at)
        at = text.find(part, at + 1)
    return found


def runs_of(number: int, text: str, width: int = 1) -> list[int]:
    """Where a number stands in a text as one or two digits with no digit at either side, in their order."""
    digits = f"{number:0{width}}"
    if len(digits) == 1:
        return [
            match.start() - (text[match.start() - 1 : match.start()] == "0")
            for match in (_PADDED[number].finditer(text) if digits in text else ())
        ]
    return [
        at
        for at in places_of(digits, text)
        if not text[max(0, at - 1) : at].isdigit() and not text[at + len(digits) : at + len(digits) + 1].isdigit()
    ]


def _begin(text: str, at: int) -> int | None:
    near = text[max(0, at - 60) : at]
    kept = near.rstrip(_INSIDE)
    return at - len(near) + len(kept) if kept else None


def _goes_on(text: str, start: int, end: int) -> bool:
    """A date, time, range or code goes on where the digits stop."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if len(before) == 2 and before[1] in "-/:" and before[0].isalnum():
        return True
    if len(after) == 2 and after[0] in "-/:" and after[1].isdigit():
        return True
    if not (after[:1].isascii() and (after[:1].isalpha() or after[:1] == "_")):
        return False
    return not (_NTH.match(text[end : end + 3]) or CURRENCY.match(text, end))


_NTH = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)


def _decimal(written: str, locale: str | None) -> Decimal | None:
    """A written number by the rules of a locale; None where it is none, or has zeros in front like an id."""
    if written.isalpha():  # most words are no numbers
        return None
    plain = written if _PLAIN.issuperset(written) else _APART.sub("", written).replace("\u2212", "-")
    point, group = _marks(locale)
    whole, _, fraction = plain.partition(point)
    if group in whole:
        head, *rest = whole.split(group)
        if not 1 <= len(head.lstrip("+-")) <= 3 or any(len(part) != 3 for part in rest):
            return None
        whole = head + "".join(rest)
    digits = whole.lstrip("+-")
    if not digits.isdigit() or (len(digits) > 1 and digits[0] == "0") or not (fraction == "" or fraction.isdigit()):
        return None
    try:
        return Decimal(f"{whole}.{fraction or 0}")
    except InvalidOperation:  # pragma: no cover - digits only by now
        return None


_PLAIN = frozenset("0123456789.,-")
_APART = re.compile("[ \u00a0\u202f'\u2019]")


@lru_cache(1_000)  # a locale is one of those that the probes name
def _marks(locale: str | None) -> tuple[str, str]:
    """The decimal mark of a locale, and the mark between its thousands."""
    comma = bool(locale) and re.split("[-_]", locale or "")[0].lower() in _COMMA_LOCALES
    return (",", ".") if comma else (".", ",")
