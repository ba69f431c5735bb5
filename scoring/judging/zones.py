"""Time zones: which spellings name one zone, and where one stands in a text.

An abbreviation (EST) is not the city's zone (America/New_York): it names one offset, the city has two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TypeAlias

from corpora.values import Json
from scoring.judging.folding import Folded, both
from scoring.judging.quantities import matches_over, places_of
from scoring.judging.zone_names import GMT, LINKS, UTC

Zone: TypeAlias = str
"""A zone in its one spelling: a name in lower case, or an offset as +HH:MM."""

_PLAIN_OFFSET = re.compile(r"[+-]\d\d:\d\d")
_OFFSET = re.compile(r"(?:utc|gmt)?\s*([+\-\u2212])\s*(\d{1,2})(?::?(\d{2}))?", re.IGNORECASE)
# A zone in a text: an IANA name, UTC or GMT with or without an offset, a signed offset with a colon, an abbreviation.
_TOKEN = re.compile(
    r"(?<![\w/])(?:[A-Za-z]{2,}(?:/[A-Za-z0-9_+\-]+){1,2}|(?:UTC|GMT)[ \t]?[+\-\u2212][ \t]?\d{1,2}(?::?\d{2})?"
    r"|[A-Za-z]{2,10})(?![\w/])|(?<=\d)Z(?!\w)|(?<!\w)[+\-\u2212]\d{2}:?\d{2}(?![\d:])|(?<=:\d\d)[+\-\u2212]\d{2}:?\d{2}(?![\d:])",
    re.IGNORECASE,
)


def zone(value: Json) -> Zone | None:
    """The one spelling of a zone; None where the value is no text. An unknown name stands for itself."""
    return spelt(value) if isinstance(value, str) else None


def spelt(value: str) -> Zone:
    """The one spelling of a zone."""
    return _known(value) if len(value) < _LONGEST_NAME else _spelt(value)


_LONGEST_NAME = 50
"""Longer texts are no names to remember."""
_PLACE = re.compile(
    r"(?:africa|america|antarctica|arctic|asia|atlantic|australia|brazil|canada|chile|etc|europe|indian|mexico|pacific|us)"
    r"(?:/[a-z0-9_+\-]+){1,2}"
)


def is_name(value: str) -> bool:
    """A text is laid out as a zone's name or its offset from UTC, whether or not there is such a zone."""
    if len(value) >= _LONGEST_NAME:
        return False
    named = spelt(value)
    return named in _NO_OFFSET or bool(_PLACE.fullmatch(named) or _PLAIN_OFFSET.fullmatch(named))


def _spelt(value: str) -> Zone:
    name = both(value.strip()).replace(" ", "_")
    offset = _OFFSET.fullmatch(name.replace("_", ""))
    if offset:
        sign, hours, minutes = offset.groups()
        return _offset("-" if sign != "+" else "+", int(hours), int(minutes or 0))
    if name in UTC:
        return "+00:00"
    return "gmt" if name in GMT else LINKS.get(name, name)


_known = lru_cache(4_000)(_spelt)


def _offset(sign: str, hours: int, minutes: int) -> Zone:
    if hours == 0 and minutes == 0:
        return "+00:00"
    return f"{sign}{hours:02}:{minutes:02}"


def zones_in(text: str) -> Iterator[tuple[int, int, Zone]]:
    """Everything in a text that could name a zone, in its one spelling."""
    yield from _read(text, _TOKEN.finditer(text))


def _read(text: str, matches: Iterable[re.Match[str]]) -> Iterator[tuple[int, int, Zone]]:
    for match in matches:
        found = spelt(match.group())
        if not (found in _NO_OFFSET and is_part(found, text, *match.span())):
            yield match.start(), match.end(), found


_NO_OFFSET = ("+00:00", "gmt")
# UTC or GMT with what makes another zone of it. A hyphen between two blanks may be
# a dash: "17:00 UTC - 4 March", "9:00 UTC - 10:00".
_FAR = re.compile(
    r"(?<!\w)(?:(?:utc|gmt)/)?(?P<zone>(?:etc/)?(?:utc|gmt)"
    r"(?:[ \t]?[+\u2212][ \t]?|[ \t]?-(?=\d)|[ \t]?-[ \t](?=\d+(?![\d:]|\s*\w))|\u2013(?=\d+(?![\d:]))"
    r"|(?<![\dm.][ \t][ug][tm][ct])[ \t]?-[ \t](?=\d+:\d))"
    r"(?!0{1,2}(?::?00)?(?!:?\d))(?:1[0-4]|0?\d)(?::?[0-5]\d)?)(?!\d)",
    re.IGNORECASE,
)


_OF_FAR = frozenset("utcgme/+-:0123456789 \t")
"""Of these ASCII characters such a zone is made."""


def is_part(named: Zone, text: str, start: int, end: int) -> bool:
    """What stands at a place is a part of another zone: UTC of "UTC+2", GMT+5 of "Etc/GMT+5"."""
    found = text[start:end].lower()
    if found.isascii() and not _OF_FAR.issuperset(found):
        return False
    first = max(0, start - 12)
    return any(
        first + far.start() <= start and end <= first + far.end() and spelt(far["zone"]) != named
        for far in _FAR.finditer(text[first : end + 12])
    )


def without_others(named: Zone, text: str) -> str:
    """A text with nothing where UTC or GMT has an offset that makes another zone of it; each place stays."""
    return _FAR.sub(lambda far: far[0] if spelt(far["zone"]) == named else "\n" * len(far[0]), text)


@lru_cache(1_000)  # an emitted zone may be any text
def _names(wanted: Zone) -> tuple[str, ...]:
    """The shortest parts of which one stands in every name, in lower case, of a zone."""
    known = UTC - {"z", "+00:00", "-00:00"} if wanted == "+00:00" else GMT if wanted == "gmt" else (wanted,)
    names = {*known, *(old for old, new in LINKS.items() if new == wanted)}
    return tuple(name for name in names if not any(other in name for other in names - {name}))


def may_name(wanted: Zone, text: str, folded: str) -> bool:
    """False where a quick look says that a text names a zone nowhere. `folded`: as in `zones_like`."""
    return bool(_places(wanted, text, folded))


@lru_cache(1_000)
def holds_name(wanted: Zone, value: str) -> bool:
    """A value in ASCII holds a name of its zone: it stands in no text in which none of these does."""
    folded = value.lower()
    return value.isascii() and any(name in folded for name in _names(wanted))


def zones_like(
    wanted: Zone, readable: Folded, folded: str, by_name: list[int] | None = None
) -> Iterator[tuple[int, int, Zone]]:
    """Those of the zones in a text that could be the wanted one, and more: to read each word costs far more.

    `folded`: the text, its case folded, or as much of that as names of the zone are made of, at the same places;
    `by_name`: what `places_by_name` finds in it, where that is known.
    """
    text = readable.text
    places = _places(wanted, text, folded, by_name)
    if len(folded) != len(text):
        if places:
            yield from zones_in(text)
        return
    if places:
        yield from _read(text, matches_over(_TOKEN, text, sorted(places), _begin))


def _begin(text: str, at: int) -> int | None:
    """No token goes across a blank, but for one behind UTC and GMT."""
    near = text[max(0, at - 80) : at]
    words = near.rsplit(None, 2)
    return at - len(near) + len(words[0]) if len(words) == 3 else None


_SIGNS = frozenset(map(chr, range(0x21, 0x7F)))
_REFUSED = {digit: _SIGNS - {"0", digit} for digit in "0123456789"}
"""What cannot stand behind the sign of an offset whose hours begin with a digit."""


def places_by_name(wanted: Zone, text: str) -> list[int]:
    """Where a name of a zone could stand in a text, its case folded; a regular expression would take longer."""
    return [at for name in _names(wanted) if name in text for at in places_of(name, text)]


def _places(wanted: Zone, text: str, folded: str, by_name: list[int] | None = None) -> list[int]:
    """Where a zone could stand in a text, its case folded: by its names, by its offset from UTC."""
    found = places_by_name(wanted, folded) if by_name is None else [*by_name]
    hours = _hours_of(wanted)
    if hours is None:
        return found
    if len(folded) != len(text):
        text = folded
    refused = _REFUSED[str(hours)[0]]
    for sign in "+-" if text.isascii() else "+-\u2212":
        found += [
            at
            for at in (places_of(sign, text) if sign in text else ())
            if text[at + 1 : at + 2] not in refused and _hours(text, at + 1) == hours
        ]
    if not hours and "z" in folded:
        found += [at for at in places_of("z", folded) if text[max(0, at - 1) : at].isdigit()]
    return found


@lru_cache(1_000)
def _hours_of(wanted: Zone) -> int | None:
    """The hours of a zone that is an offset."""
    return int(wanted[1:3]) if _PLAIN_OFFSET.fullmatch(wanted) else None


_WRITTEN_HOURS = re.compile(r"\d{1,4}(?!\d)")


def _hours(text: str, at: int) -> int | None:
    """The hours that begin at a place, or behind blanks: 9, 09, 930, 0930."""
    two = text[at : at + 2]
    if two.isdecimal() and not text[at + 2 : at + 3].isdecimal():  # as in nearly every date
        return int(two)
    near = text[at : at + 6].lstrip()
    digits = _WRITTEN_HOURS.match(near)
    return int(near[: 2 - digits.end() % 2]) if digits else None


def offset_of(name: Json, at: datetime) -> timedelta | None:
    """How far a zone is from UTC at a local time; None where the name is no zone that is known here."""
    spelt = zone(name)
    if spelt is None:
        return None
    if _PLAIN_OFFSET.fullmatch(spelt):
        hours, minutes = int(spelt[1:3]), int(spelt[4:])
        return timedelta(hours=hours, minutes=minutes) * (-1 if spelt[0] == "-" else 1)
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # loaded when a date with a zone is judged

    try:
        return at.replace(tzinfo=ZoneInfo(str(name).strip())).utcoffset()
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
