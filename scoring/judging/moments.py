"""Dates, times of day and zones: read from an emitted value, and found in a text.

A text is searched for what looks like a date; each find is read by a library (python-dateutil), never by its fuzzy
mode, which fills in what nobody said. What a text leaves out stays left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from functools import cache, lru_cache
from typing import NamedTuple

from corpora.values import Json
from scoring.judging.quantities import matches_over, other_digits, places_of
from scoring.judging.zones import Zone, zone


class Moment(NamedTuple):
    """What a value says of a point in time; None for what it does not say."""

    day: date | None
    time: time | None
    zone: Zone | None


class DayFound(NamedTuple):
    """A date in a text; `year` is False where the text leaves the year out, which is then 2000."""

    start: int
    end: int
    day: date
    year: bool


class TimeFound(NamedTuple):
    """A time of day in a text."""

    start: int
    end: int
    time: time


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
_NTH = r"(?:st|nd|rd|th|er|º|°|\.)?"
_DAY = re.compile(
    rf"(?<![\w.,/-])(?:\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{4}}/\d{{1,2}}/\d{{1,2}}|\d{{1,2}}([./-])\d{{1,2}}\1(?:\d{{4}}|\d{{2}})"
    rf"|(?<!\d:)\d{{1,2}}{_NTH}{_DAY_WORDS}(?:{_MONTH})\b\.?(?:(?:,?\s+(?:de |del |of )?|[-/])\d{{4}})?"
    rf"|(?:{_MONTH})\b\.?\s+\d{{1,2}}{_NTH}(?!\d|:)(?:,?\s+\d{{4}})?)(?!\.?\d)"
    r"|\d{4}年\s*\d{1,2}月\s*\d{1,2}日?|\d{1,2}月\s*\d{1,2}日",
    re.IGNORECASE,
)
_HOURS = {
    name: number
    for number, names in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
    for name in (names,)
}
_HALF = r"(?P<half>a\.?m\.?|p\.?m\.?|in the morning|in the afternoon|in the evening|at night|tonight)"
_CLOCK = re.compile(
    rf"(?<![\w.,:/+-])(?P<hour>[01]?\d|2[0-4])(?:[:h](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:\.\d+)?)?)(?!\d)(?:\s*{_HALF}\b)?"
    rf"|(?<=T)(?P<hour2>[01]\d|2[0-4]):(?P<minute2>[0-5]\d)(?::(?P<second2>[0-5]\d)(?:\.\d+)?)?"
    rf"|(?<![\w.,:/+-])(?P<hour3>[01]?\d|2[0-4])(?:\.(?P<minute3>[0-5]\d))?\s*(?:{_HALF.replace('half', 'half3')}\b"
    r"|Uhr\b|o'clock\b|o\u2019clock\b|heures?\b|h\b|時)"
    rf"|\b(?P<word>{'|'.join(_HOURS)})(?:\s+o['\u2019]clock)?\s+{_HALF.replace('half', 'half4')}"
    rf"|\b(?P<word2>{'|'.join(_HOURS)})\s+o['\u2019]clock|\b(?P<noon>noon|midday|midnight)\b",
    re.IGNORECASE,
)
_ISO = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?\s*(Z|[+-]\d{2}:?\d{2}|[A-Za-z_/]+)?",
    re.IGNORECASE,
)


_LONGEST = 200
"""No date or time is written with more characters."""


def moment(value: Json) -> Moment | None:
    """An emitted date, time or both; None where the value is no such text."""
    return _moment(value) if isinstance(value, str) and len(value) <= _LONGEST else None


@lru_cache(1_000)  # one value is asked for its day, its zone and what was added
def _moment(value: str) -> Moment | None:
    iso = _ISO.fullmatch(value.strip())
    if iso:
        day = _date(*(int(part) for part in iso.groups()[:3]))
        clock = None if iso[4] is None else _time(int(iso[4]), int(iso[5]), int(iso[6] or 0))
        if day is None or (iso[4] is not None and clock is None):  # no such day, or no such time
            return None
        return Moment(day, clock, zone(iso[7]) if iso[7] else None)
    days = list(days_in(value))
    times = list(times_in(value))
    rest = _blanked(value, [*days, *times]).strip(" ,T@")
    if len(rest) > 12 or not (days or times):
        return None
    return Moment(days[0].day if days and days[0].year else None, times[0].time if times else None, zone(rest or None))


def _blanked(text: str, found: list[DayFound | TimeFound]) -> str:
    for hit in found:
        text = text[: hit.start] + " " * (hit.end - hit.start) + text[hit.end :]
    return text


def days_in(text: str, locale: str | None = None) -> Iterator[DayFound]:
    """Every date in a text. Where day and month could be either and no locale decides, both readings."""
    for match in _DAY.finditer(text):
        yield from _days(match, locale)


def _days(match: re.Match[str], locale: str | None) -> Iterator[DayFound]:
    readings = {_read(match.group(), first) for first in _day_first(locale)}
    for read in sorted(reading for reading in readings if reading is not None):
        yield DayFound(match.start(), match.end(), *read)


def days_like(wanted: date, text: str, locale: str | None = None) -> Iterator[DayFound]:
    """Those of the dates in a text that could be the wanted one, and more: to read each costs far more."""
    if other_digits(text):
        yield from days_in(text, locale)
        return
    for match in matches_over(_DAY, text, sorted(_runs(wanted.day, text)), _begin):
        yield from _days(match, locale)


_BLANKS = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u1680\u2028\u2029"
"""Every blank in a text in compatibility form."""
_INSIDE = f"0123456789.,/-{_BLANKS}\u5e74\u6708\u65e5\u00ba\u00b0'"


def _begin(text: str, at: int) -> int | None:
    """Where what no date goes across ends before a place: a word that is no part of one."""
    first = max(0, at - 100)
    near = text[first:at]
    while near:
        near = near.rstrip(_INSIDE)
        word = len(near)
        while word and near[word - 1].isalpha():
            word -= 1
        if near and (word == len(near) or (near[word:].casefold() not in _PARTS and word)):
            return first + len(near)
        near = near[:word]
    return None


def times_in(text: str) -> Iterator[TimeFound]:
    """Every time of day in a text."""
    for match in _CLOCK.finditer(text):
        found = _clock_of(match)
        if found is not None:
            yield TimeFound(match.start(), match.end(), found)


def says_time(wanted: time, text: str) -> bool:
    """A time of day is one of those in a text; to read each would cost far more."""
    if other_digits(text) or wanted.hour % 12 == 0:  # noon and midnight have words of their own
        return any(found.time == wanted for found in times_in(text))
    hours = {wanted.hour, wanted.hour % 12}
    places = [at for hour in hours for at in _runs(hour, text)]
    word = _WORDS[wanted.hour % 12]
    if text.isascii():
        places += places_of(word, text.lower())
    else:
        places += [match.start() for match in re.finditer(word, text, re.IGNORECASE)]
    for at in places:
        match = _CLOCK.match(text, at)
        if match is not None and _clock_of(match) == wanted:
            return True
    return False


_WORDS = {number: name for name, number in _HOURS.items()}


def may_name_day(day: date, text: str, folded: str) -> bool:
    """False where a quick look says that a text names a day nowhere, its year too. `folded`: its case folded.

    Year, day and month stand in it: the month as digits or by one of its names.
    """
    if other_digits(text):
        return True
    if f"{day.year:04}" not in text and not _runs(day.year % 100, text, 2):
        return False
    return bool(_runs(day.day, text)) and (
        any(name in folded for name in _NAMES[day.month - 1]) or bool(_runs(day.month, text))
    )


_NAMES = tuple(tuple({name[:3].casefold() for name in names.split()}) for names in _MONTHS)
"""The first letters of the names of each month: one of them stands wherever a name does."""


def _runs(number: int, text: str, width: int = 1) -> list[int]:
    """Where a number stands in a text as one or two digits with no digit at either side."""
    return [
        at
        for digits in ((f"{number}", f"0{number}") if number < 10 and width == 1 else (f"{number:02}",))
        for at in places_of(digits, text)
        if not text[max(0, at - 1) : at].isdigit() and not text[at + len(digits) : at + len(digits) + 1].isdigit()
    ]


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


def _read(written: str, day_first: bool) -> tuple[date, bool] | None:
    """One date by the library, read over two years to see whether it names one."""
    plain = re.sub(r"\s*[年月]\s*", "-", written).replace("日", "").casefold()
    if plain[:4].isdigit():
        year, month, day = (int(part) for part in re.split("[-/]", plain))
        found = _date(year, month, day)
        return None if found is None else (found, True)
    known = _plainly(plain, day_first=day_first)
    if known is not None:
        return known
    plain = re.sub(rf"^(\d{{1,2}})(?:{_NTH[3:-2]})(?=\D)", r"\1 ", plain)
    read = _reader(day_first=day_first)
    try:
        one, other = (read(plain, datetime(year, 1, 1)) for year in (2000, 2004))
    except (ValueError, OverflowError):
        return None
    # The library takes a number that can be no day for a year, and the day from nowhere.
    return (one.date(), one.year == other.year) if _runs(one.day, plain) else None


_NUMBERS = re.compile(r"(\d\d?)([./-])(\d\d?)\2(\d{4})", re.ASCII)
_NAMED = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|\.)? (?:of )?([^\W\d_]+) ([0-9]{4})")
_LED = re.compile(r"([^\W\d_]+) ([0-9]{1,2})(?:st|nd|rd|th)?,? ([0-9]{4})")


def _plainly(plain: str, *, day_first: bool) -> tuple[date, bool] | None:
    """The usual layouts as the library reads them, in a hundredth of the time; None: ask the library."""
    numbers = _NUMBERS.fullmatch(plain)
    if numbers:
        one, other, year = int(numbers[1]), int(numbers[3]), int(numbers[4])
        day, month = (one, other) if one > 12 or (day_first and other <= 12) else (other, one)
    else:
        named, led = _NAMED.fullmatch(plain), _LED.fullmatch(plain)
        if named:
            day, month, year = int(named[1]), _MONTH_NUMBERS.get(named[2], 0), int(named[3])
        elif led:
            day, month, year = int(led[2]), _MONTH_NUMBERS.get(led[1], 0), int(led[3])
        else:
            return None
    found = _date(year, month, day) if year > 99 else None
    return None if found is None else (found, True)


_MONTH_NUMBERS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_PARTS = frozenset(_MONTH_NUMBERS) | frozenset("st nd rd th er of de di van do del dell".split())
"""The words of which a date is made."""


def _clock_of(match: re.Match[str]) -> time | None:
    return _clock({name: part for name, part in match.groupdict().items() if part is not None})


def _clock(parts: dict[str, str]) -> time | None:
    if "noon" in parts:
        return time(0 if parts["noon"].lower() == "midnight" else 12)
    word = parts.get("word") or parts.get("word2")
    written = parts.get("hour") or parts.get("hour2") or parts.get("hour3")
    hour = _HOURS[word.lower()] if word else int(written or 0)
    minute = int(parts.get("minute") or parts.get("minute2") or parts.get("minute3") or 0)
    second = int(parts.get("second") or parts.get("second2") or 0)
    half = (parts.get("half") or parts.get("half3") or parts.get("half4") or "").lower()
    return _time(_twenty_four(hour, half), minute, second)


def _twenty_four(hour: int, half: str) -> int:
    """An hour of twelve with its half of the day, as an hour of twenty-four."""
    if not half or hour > 12:
        return hour
    morning = (half.startswith("a") and half != "at night") or half == "in the morning"
    return hour % 12 if morning else hour % 12 + 12


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _time(hour: int, minute: int, second: int) -> time | None:
    return time(hour % 24, minute, second) if hour <= 24 and minute < 60 and second < 60 else None
