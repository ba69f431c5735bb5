"""One written date: which days it can be, and whether it names a year.

By a library (python-dateutil), never by its fuzzy mode, which fills in what nobody said; what is written in a usual
layout is read without it, to the same end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from functools import cache

from scoring.judging.quantities import runs_of

MONTHS = (
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
"""The names of each month in seven languages."""
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
NTH = r"(?:\.?(?:ste|st|nd|rd|th|er|re|ro|ra|do|da|to|ta|mo|vo|no|de|[eè]me|e|o|a|º|ª|°)(?!\w)\.?|\.)?"
"""What may stand right behind the number of a day."""


def _day_first(locale: str | None) -> tuple[bool, ...]:
    if locale is None:
        return (True, False)
    return (locale.replace("_", "-").lower() not in ("en-us", "en-ca"),)


@cache
def _reader(*, day_first: bool) -> Callable[[str, datetime], datetime]:
    """The library's parser with the months of seven languages."""
    from dateutil import parser  # loaded when a date is looked for

    class Info(parser.parserinfo):
        MONTHS = [tuple(names.split()) for names in MONTHS]  # type: ignore[misc]  # noqa: RUF012 - its own way
        JUMP = [*parser.parserinfo.JUMP, "de", "del", "di", "van", "do", "er", "º", "°"]  # noqa: RUF012

    reader = parser.parser(Info(dayfirst=day_first))
    return lambda text, default: reader.parse(text, default=default)


def readings(written: str, locale: str | None) -> list[tuple[date, bool]]:
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
    found_by_library = {_read(plain, first) for first in _day_first(locale)}
    return sorted(reading for reading in found_by_library if reading is not None)


_CHARACTERS = re.compile(r"\s*[\u5e74\u6708]\s*")


def _read(plain: str, day_first: bool) -> tuple[date, bool] | None:
    """One date by the library, read over two years to see whether it names one."""
    known = _numbered(plain, day_first=day_first)
    if known is not None:
        return known, True
    plain = re.sub(rf"(?<!\w)(\d{{1,2}})(?:{NTH[3:-2]})(?!\d)", r"\1 ", plain)
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


_MONTH_NUMBERS = {name: number for number, names in enumerate(MONTHS, 1) for name in names.split()}
PARTS = frozenset(_MONTH_NUMBERS) | frozenset(
    "ste st nd rd th er re ro ra do da to ta mo vo no eme \u00e8me e o a of de di van del dell".split()
)
"""The words of which a date is made."""


def date_of(year: int, month: int, day: int) -> date | None:
    """A day of the calendar; None where there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
