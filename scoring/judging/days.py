"""Days in a text: what looks like a date is found by its shape, and each find is read. What it leaves out stays so."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from scoring.judging.dates import MONTHS, NTH, PARTS, readings
from scoring.judging.folding import Folded
from scoring.judging.quantities import matches_over, runs_of
from scoring.judging.texts import Source


class DayFound(NamedTuple):
    """A date in a text; `year` is False where the text leaves the year out, which is then 2000."""

    start: int
    end: int
    day: date
    year: bool


_MONTH = "|".join(sorted((name for names in MONTHS for name in names.split()), key=len, reverse=True))
_DAY_WORDS = r"(?:\s+(?:of|de|di|van|do|del|dell')\s*|\s*[-/]\s*|\s+|\.\s*)"
_DAY = re.compile(
    rf"(?<![\w.,/-])(?:\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{4}}/\d{{1,2}}/\d{{1,2}}|\d{{1,2}}([./-])\d{{1,2}}\1(?:\d{{4}}|\d{{2}})"
    rf"|(?<!\d:)\d{{1,2}}{NTH}{_DAY_WORDS}(?:{_MONTH})\b\.?(?:(?:,?\s+(?:de |del |of )?|[-/])\d{{4}})?"
    rf"|(?:{_MONTH})\b\.?\s+\d{{1,2}}{NTH}(?!\d|:)(?:,?\s+\d{{4}})?)(?!\.?\d)"
    r"|(?<!\d)(?:\d{4}年\s*\d{1,2}月\s*\d{1,2}(?:日|(?!\d))|(?<!\d年)\d{1,2}月\s*\d{1,2}日)",
    re.IGNORECASE,
)


def days_in(text: str, locale: str | None = None) -> Iterator[DayFound]:
    """Every date in a text. Where day and month could be either and no locale decides, both readings."""
    for match in _DAY.finditer(text):
        yield from _days(match, locale)


def _days(match: re.Match[str], locale: str | None) -> Iterator[DayFound]:
    for read in readings(match.group(), locale):
        yield DayFound(match.start(), match.end(), *read)


def days_like(wanted: date, readable: Folded, locale: str | None = None) -> Iterator[DayFound]:
    """Those of the dates with a year in a text that could be the wanted one, and more: to read each costs far more."""
    text = readable.text
    if readable.other_digits:
        yield from days_in(text, locale)
        return
    for match in matches_over(_DAY, text, _places(wanted, readable), _begin):
        yield from _days(match, locale)


def _places(wanted: date, readable: Folded) -> list[int]:
    """Where the digits of a day stand with what may be its month beside them; kept, for they are asked for twice."""
    found = readable.places.get(wanted)
    if found is None:
        text = readable.text
        named = f"{wanted.year:04}" in text or runs_of(wanted.year % 100, text, 2)
        found = [at for at in runs_of(wanted.day, text) if _may_be_day(wanted, text, at)] if named else []
        readable.places[wanted] = found
    return found


def _may_be_day(wanted: date, text: str, at: int) -> bool:
    """The year stands near a day and the month beside it, or there are more blanks than one sees at a look."""
    end = at + 1 + text[at + 1 : at + 2].isdigit()
    before, after = text[max(0, at - _NEAR) : at], text[end : end + _NEAR]
    if not (_numbered_month(wanted, before, after) or before[-1:].isspace() or _NAME_FOLLOWS.match(after)):
        return False
    near = f"{before}\n{after}"
    words = "".join(near.split()).casefold()
    if len(near) - len(words) > _MANY_BLANKS:
        return True
    named = _numbered_month(wanted, before, after) or any(name in words for name in _NAMES[wanted.month - 1])
    return named and f"{wanted.year % 100:02}" in words


def _numbered_month(wanted: date, before: str, after: str) -> bool:
    """A month stands beside a day as digits behind one sign, or before it in Japanese."""
    month = str(wanted.month)
    return (
        (before[-1:] in _SIGNS and before[:-1].endswith(month))
        or (after[:1] in _SIGNS and after[1:3].removeprefix("0").startswith(month))
        or before.rstrip().endswith("\u6708")
    )


_SIGNS = "./-"
_NAME_FOLLOWS = re.compile(r"[\w\s\u00ba\u00aa\u00b0]|[./-](?!\d)")
_NEAR = 60
_MANY_BLANKS = 25
"""A date is written in at most 35 characters that are no blanks."""


_BLANKS = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u1680\u2028\u2029"
"""Every blank in a text in compatibility form."""
_LETTERS = string.ascii_letters
_INSIDE = f"0123456789.,/-{_BLANKS}\u5e74\u6708\u65e5\u00ba\u00aa\u00b0'"


def _begin(text: str, at: int) -> int | None:
    """Where what no date goes across ends before a place: a word that is no part of one."""
    first = max(0, at - 100)
    near = text[first:at]
    while near:
        near = near.rstrip(_INSIDE)
        before = near.rstrip(_LETTERS)
        while before and before[-1].isalpha():
            before = before[:-1].rstrip(_LETTERS)
        word = near[len(before) :]
        if near and (not word or (before and word.casefold() not in PARTS)):
            return first + len(near)
        near = before
    return None


def may_name_day(day: date, source: Source) -> bool:
    """False where a quick look says that a text names a day nowhere, its year too.

    Its year stands in it, and its day with what may be the month beside it.
    """
    readable = source.plain()
    return readable.other_digits or bool(_places(day, readable))


_NAMES = [tuple(dict.fromkeys(name[:3] for name in names.split())) for names in MONTHS]
"""The first letters of the names of each month: one of them stands wherever a name does."""
