"""An emitted date, time of day or both: what it says of a point in time, and what it leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, time, timedelta
from functools import lru_cache
from typing import NamedTuple

from corpora.values import Json
from scoring.judging.clocks import TimeFound, time_of, times_in
from scoring.judging.dates import WEEKDAYS, date_of
from scoring.judging.days import DayFound, days_in
from scoring.judging.zones import Zone, is_name, zone


class Moment(NamedTuple):
    """What a value says of a point in time; None for what it does not say."""

    day: date | None
    time: time | None
    zone: Zone | None


_ISO = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?"
    r"\s*(Z|[+-]\d{2}:?\d{2}|(?!(?:[ap]m|uhr|h|hrs?|uur)$)[A-Za-z_/]+)?",
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
        day = date_of(*(int(part) for part in iso.groups()[:3]))
        clock = None if iso[4] is None else time_of(int(iso[4]), int(iso[5]), int(iso[6] or 0))
        if day is None or (iso[4] is not None and clock is None):  # no such day, or no such time
            return None
        return _moved(day, clock, zone(iso[7]) if iso[7] else None)
    days = list(days_in(value))
    times = list(times_in(value))
    if not (days or times):
        return None
    rest = _rest(_blanked(value, [*days, *times]), days)
    if len(rest) > 12 and not is_name(rest):
        return None
    return _moved(days[0].day if days and days[0].year else None, times[0].time if times else None, zone(rest or None))


def _moved(day: date | None, clock: time | None, zone: Zone | None) -> Moment | None:
    """24:00 is 0:00 of the day after (ISO 8601)."""
    if clock is not None and clock.microsecond:
        if day == date.max:
            return None
        day, clock = day and day + timedelta(days=1), clock.replace(microsecond=0)
    return Moment(day, clock, zone)


_JOINING = frozenset(
    "at on the of t um am den der à a le en om op el a las la los alle il ore dalle às as em dia día de del"
    " uhr h hr hrs hour hours o'clock o\u2019clock heure heures hora horas uur".split()
)
"""What joins a date and a time, or stands with one of them, and names no zone."""


def _rest(text: str, days: list[DayFound]) -> str:
    """What a value says besides its days and times: its zone, where it has one."""
    weekdays = {name for found in days if found.year for name in _names(found.day)}
    words = [word.strip(".,;()[]") for word in re.split(r"[\s,;@]+", text)]
    kept = [word for word in words if word and word.casefold() not in _JOINING and word.casefold() not in weekdays]
    while kept and kept[0] in _DASHES:  # further on it may be the sign of an offset
        del kept[0]
    return " ".join(kept)


_DASHES = "-\u2013\u2014|/:\u00b7"


def _names(day: date) -> Iterator[str]:
    """The names of its day of the week; one that is another day's is no part of a date."""
    names = WEEKDAYS[day.weekday()].split()
    yield from (names[0][:3], *names, f"{names[-1]}日")


def _blanked(text: str, found: list[DayFound | TimeFound]) -> str:
    for hit in found:
        text = text[: hit.start] + " " * (hit.end - hit.start) + text[hit.end :]
    return text
