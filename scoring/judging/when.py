"""Is a date or datetime visible: its day, its time of day and its zone each have to stand somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, time, timedelta
from typing import NamedTuple

from corpora.corpus import Probe
from corpora.values import Json
from scoring.judging.clocks import day_after, says_time
from scoring.judging.days import days_in, days_like, may_name_day
from scoring.judging.leaves import Leaf
from scoring.judging.moments import Moment, moment
from scoring.judging.relative import derived
from scoring.judging.texts import Form
from scoring.judging.view import View
from scoring.judging.zones import may_name, zones_like


class DayHit(NamedTuple):
    """A visible date that is the emitted one: the leaf, where in it, and in what form."""

    leaf: Leaf
    start: int
    end: int
    form: Form


def visible_day(probe: Probe, value: Json, view: View, *, zone_too: bool = True) -> DayHit | None:
    """Where an emitted date or datetime stands; None where a part of it stands nowhere.

    `zone_too=False` leaves its zone out: so it is seen whether the zone is all that was added.
    """
    wanted = moment(value)
    if wanted is None or wanted.day is None:
        return None
    hit = _day_and_time(probe, wanted.day, wanted.time, view)
    if hit is None:
        eve = _eve(wanted)
        hit = eve and _day_and_time(probe, *eve, view)
    if hit is None:
        return None
    if zone_too and wanted.zone is not None and not _zone_stands(wanted.zone, view):
        return None
    return hit


def _eve(wanted: Moment) -> tuple[date, time] | None:
    """The first hour of a day as it is written for the day before: 24:00."""
    if wanted.time is None or wanted.time.hour or wanted.day in (None, date.min):
        return None
    return wanted.day - timedelta(days=1), day_after(wanted.time)


def may_show(probe: Probe, value: Json, view: View, *, zone_too: bool = True) -> bool:
    """False where a quick look says that an emitted date or datetime stands nowhere."""
    wanted = moment(value)
    if wanted is None or wanted.day is None:
        return False
    source = view.source
    follows = "relative-date" in _derive(probe) and _may_say_today(view)
    if not follows and not may_name_day(wanted.day, source):
        eve = _eve(wanted)
        if eve is None or not may_name_day(eve[0], source):
            return False
    return not zone_too or wanted.zone is None or may_name(wanted.zone, source.plain().text, source.names(wanted.zone))


_TODAYS = (*"today now current date as_of as-of asof heute hoy oggi hoje vandaag".split(), "as of")


_SILENT: set[str] = set()
"""Names that were seen and give no day as today: a service shows states of the same names at each call."""
_MOST_SILENT = 10_000


def _may_say_today(view: View) -> bool:
    for found in view.names():
        if _SILENT.issuperset(found):
            continue
        names = [*map(str, found)]
        if any(map(_says_today, names)):
            return True
        if len(_SILENT) + len(names) > _MOST_SILENT:
            _SILENT.clear()
        if len(names) <= _MOST_SILENT:
            _SILENT.update(names)
    return False


def _says_today(name: str) -> bool:
    plain = name.lower()
    return not name.isascii() or any(today in plain for today in _TODAYS)


def _derive(probe: Probe) -> tuple[str, ...]:
    return probe.derive if probe.derive is not None else ("relative-date",)


def _day(probe: Probe, day: date, view: View) -> DayHit | None:
    """The day itself, or where relative dates are derived, what fixes it."""
    for source, begin in view.sources():
        readable = source.plain()
        for found in days_like(day, readable, probe.locale):
            if found.year and found.day == day:
                start, end = readable.span(found.start, found.end)
                number, first = view.leaf_at(start) if begin is None else (begin, 0)
                return DayHit(view.leaf(number), start - first, end - first, "equivalent-format")
    return _derived_day(probe, day, view.leaves) if "relative-date" in _derive(probe) and _may_say_today(view) else None


def _derived_day(probe: Probe, day: date, shown: Sequence[Leaf]) -> DayHit | None:
    todays = list(_todays(shown))
    for leaf in shown if todays else ():
        for today in todays:
            for start, end, found in derived(_text(leaf), today, probe.locale):
                if found == day:
                    return DayHit(leaf, *_span(leaf, start, end), "derived")
    return None


def _text(leaf: Leaf) -> str:
    return leaf.source.plain().text


def _span(leaf: Leaf, start: int, end: int) -> tuple[int, int]:
    return leaf.source.plain().span(start, end)


def _day_and_time(probe: Probe, day: date, moment_of_day: time | None, view: View) -> DayHit | None:
    """Where a day stands, its time of day somewhere too; midnight on a field that takes a date says nothing."""
    hit = _day(probe, day, view)
    if hit is None or moment_of_day is None or (probe.type == "date" and moment_of_day.isoformat() == "00:00:00"):
        return hit
    return hit if any(says_time(moment_of_day, source.plain()) for source, _ in view.sources()) else None


def _zone_stands(zone: str, view: View) -> bool:
    return any(
        found == zone
        for source, _ in view.sources()
        for _, _, found in zones_like(zone, source.plain(), source.names(zone))
    )


# A name for today: due_date is none, current_period_end neither; todaysDate, date_now and current.utc are.
_TODAY = re.compile(
    r"(?:(?:^|[._\s-]|(?-i:(?<=[a-z])(?=[A-Z])))(?:todays?|now|heute|hoy|oggi|hoje|vandaag)|(?:^|\.)(?:current|as[_\s-]?of))"
    r"(?:[._\s-]?(?:date|day|time|timestamp|moment|local|system|server|utc|gmt|iso|value|text))*(?:\[\d+\])*$"
    r"|(?:^|\.)date$",
    re.IGNORECASE,
)


def _todays(shown: Sequence[Leaf]) -> Iterator[date]:
    """The days that the state gives as today."""
    for leaf in shown:
        if leaf.where == "state" and leaf.path and _TODAY.search(leaf.path) and isinstance(leaf.value, str):
            yield from (found.day for found in days_in(leaf.value) if found.year)
