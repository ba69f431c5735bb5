"""Days in a text: what looks like a date is found by its shape, and each find is read by a library (python-dateutil).

Never by its fuzzy mode, which fills in what nobody said. What a text leaves out stays left out.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator
from datetime import date, datetime
from functools import cache
from typing import NamedTuple

from scoring.judging.folding import Folded
from scoring.judging.quantities import matches_over, runs_of
from scoring.judging.texts import Source


class DayFound(NamedTuple):
    """A date in a text; `year` is False where the text leaves the year out, which is then 2000."""

    start: int
    end: int
    day: date
    year: bool


_MONTHS = (
    "jan january januar janvier enero gennaio janeiro januari janv ene genn",
    "feb february februar février fevrier febrero febbraio fevereiro februari févr febr",
    "mar march märz maerz mars marzo março marco maart mrz mrt",
    "apr april avril abril aprile avr abr",
    "may mai mayo maggio maio mei",
    "jun june juni juin junio giugno junho giu",
    "jul july juli juillet julio luglio julho juil lug",
    "aug august août aout agosto augustus ago",
    "sep sept september septembre septiembre settembre setembro set",
    "oct october oktober octobre octubre ottobre outubro okt ott out",
    "nov november novembre noviembre novembro",
    "dec december dezember décembre decembre diciembre dicembre dezembro dez dic déc",
)
_MONTH = "|".join(sorted((name for names in _MONTHS for name in names.split()), key=len, reverse=True))
_DAY_WORDS = r"(?:\s+(?:of|de|di|van|do|del|dell')\s*|\s*[-/]\s*|\s+|\.\s*)"
WEEKDAYS = (
    "monday montag lundi lunes lunedì segunda-feira maandag 月曜",
    "tuesday dienstag mardi martes martedì terça-feira dinsdag 火曜",
    "wednesday mittwoch mercredi miércoles mercoledì quarta-feira woensdag 水曜",
    "thursday donnerstag jeudi jueves giovedì quinta-feira donderdag 木曜",
    "friday freitag vendredi viernes venerdì sexta-feira vrijdag 金曜",
    "saturday samstag sonnabend samedi sábado sabato zaterdag 土曜",
    "sunday sonntag dimanche domingo domenica zondag 日曜",
)
"""The names of the days of a week from its first."""
# In compatibility form 1º is 1o and 1ª is 1a.
_NTH = r"(?:\.?(?:ste|st|nd|rd|th|er|re|ro|ra|do|da|to|ta|mo|vo|no|de|[eè]me|e|o|a|º|ª|°)(?!\w)\.?|\.)?"
_DAY = re.compile(
    rf"(?<![\w.,/-])(?:\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{4}}/\d{{1,2}}/\d{{1,2}}|\d{{1,2}}([./-])\d{{1,2}}\1(?:\d{{4}}|\d{{2}})"
    rf"|(?<!\d:)\d{{1,2}}{_NTH}{_DAY_WORDS}(?:{_MONTH})\b\.?(?:(?:,?\s+(?:de |del |of )?|[-/])\d{{4}})?"
    rf"|(?:{_MONTH})\b\.?\s+\d{{1,2}}{_NTH}(?!\d|:)(?:,?\s+\d{{4}})?)(?!\.?\d)"
    r"|(?<!\d)(?:\d{4}年\s*\d{1,2}月\s*\d{1,2}(?:日|(?!\d))|(?<!\d年)\d{1,2}月\s*\d{1,2}日)",
    re.IGNORECASE,
)


def days_in(text: str, locale: str | None = None) -> Iterator[DayFound]:
    """Every date in a text. Where day and month could be either and no locale decides, both readings."""
    for match in _DAY.finditer(text):
        yield from _days(match, locale)


def _days(match: re.Match[str], locale: str | None) -> Iterator[DayFound]:
    for read in _readings(match.group(), locale):
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
        if near and (not word or (before and word.casefold() not in _PARTS)):
            return first + len(near)
        near = before
    return None


def may_name_day(day: date, source: Source) -> bool:
    """False where a quick look says that a text names a day nowhere, its year too.

    Its year stands in it, and its day with what may be the month beside it.
    """
    readable = source.plain()
    return readable.other_digits or bool(_places(day, readable))


_NAMES = [tuple(dict.fromkeys(name[:3] for name in names.split())) for names in _MONTHS]
"""The first letters of the names of each month: one of them stands wherever a name does."""


def _day_first(locale: str | None) -> tuple[bool, ...]:
    if locale is None:
        return (True, False)
    return (locale.replace("_", "-").lower() not in ("en-us", "en-ca"),)


@cache
def _reader(*, day_first: bool) -> Callable[[str, datetime], datetime]:
    """The library's parser with the months of seven languages."""
    from dateutil import parser  # loaded when a date is looked for

    class Info(parser.parserinfo):
        MONTHS = [tuple(names.split()) for names in _MONTHS]  # type: ignore[misc]  # noqa: RUF012 - its own way
        JUMP = [*parser.parserinfo.JUMP, "de", "del", "di", "van", "do", "er", "º", "°"]  # noqa: RUF012

    reader = parser.parser(Info(dayfirst=day_first))
    return lambda text, default: reader.parse(text, default=default)


def _readings(written: str, locale: str | None) -> list[tuple[date, bool]]:
    """What a date can be, with whether it names a year: two days where day and month could be either."""
    plain = written.casefold()
    if "\u6708" in plain:
        plain = _CHARACTERS.sub("-", plain).replace("\u65e5", "")
    if plain[:4].isdigit():
        year, month, day = (int(part) for part in re.split("[-/]", plain))
        found = date_of(year, month, day)
        return [] if found is None else [(found, True)]
    found = _named(plain)
    if found is not None:
        return [(found, True)]
    readings = {_read(plain, first) for first in _day_first(locale)}
    return sorted(reading for reading in readings if reading is not None)


_CHARACTERS = re.compile(r"\s*[\u5e74\u6708]\s*")


def _read(plain: str, day_first: bool) -> tuple[date, bool] | None:
    """One date by the library, read over two years to see whether it names one."""
    known = _numbered(plain, day_first=day_first)
    if known is not None:
        return known, True
    plain = re.sub(rf"(?<!\w)(\d{{1,2}})(?:{_NTH[3:-2]})(?!\d)", r"\1 ", plain)
    read = _reader(day_first=day_first)
    try:
        one, other = (read(plain, datetime(year, 1, 1)) for year in (2000, 2004))
    except (ValueError, OverflowError):
        return None
    # The library takes a number that can be no day for a year, and the day from nowhere.
    return (one.date(), one.year == other.year) if runs_of(one.day, plain) else None


# The usual layouts as the library reads them, in a hundredth of the time; for None, ask the library.
_NUMBERS = re.compile(r"(\d\d?)([./-])(\d\d?)\2(\d{4})", re.ASCII)
_NAMED = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|\.)? (?:of )?([^\W\d_]+) ([0-9]{4})")
_LED = re.compile(r"([^\W\d_]+) ([0-9]{1,2})(?:st|nd|rd|th)?,? ([0-9]{4})")


def _numbered(plain: str, *, day_first: bool) -> date | None:
    """A day of digits alone."""
    numbers = _NUMBERS.fullmatch(plain)
    if numbers is None:
        return None
    one, other, year = int(numbers[1]), int(numbers[3]), int(numbers[4])
    day, month = (one, other) if one > 12 or (day_first and other <= 12) else (other, one)
    return date_of(year, month, day) if year > 99 else None


def _named(plain: str) -> date | None:
    """A day whose month has its name."""
    named = _NAMED.fullmatch(plain)
    if named is not None:
        day, name, year = named.groups()
    else:
        led = _LED.fullmatch(plain)
        if led is None:
            return None
        name, day, year = led.groups()
    return date_of(int(year), _MONTH_NUMBERS.get(name, 0), int(day)) if int(year) > 99 else None


_MONTH_NUMBERS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_PARTS = frozenset(_MONTH_NUMBERS) | frozenset(
    "ste st nd rd th er re ro ra do da to ta mo vo no eme \u00e8me e o a of de di van del dell".split()
)
"""The words of which a date is made."""


def date_of(year: int, month: int, day: int) -> date | None:
    """A day of the calendar; None where there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
