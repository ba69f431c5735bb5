"""Times of day in a text: by digits, by words, and by the names of noon and midnight."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import time
from typing import NamedTuple

from scoring.judging.folding import Folded, lower_ascii
from scoring.judging.quantities import places_of, runs_of


class TimeFound(NamedTuple):
    """A time of day in a text; 24:00 is that of the day after, one microsecond past it to tell the two apart."""

    start: int
    end: int
    time: time


_HOURS = {
    name: number
    for number, names in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
    for name in (names,)
}
_MORNING = (
    r"am (?:morgen|vormittag)|a\.?m\.?|a\.\sm\.?|in the morning|morgens|vormittags|du matin"
    r"|de la (?:ma\u00f1ana|madrugada)|da (?:manh\u00e3|madrugada)|(?:di|del) mattin[oa]"
    r"|['\u2019]s (?:ochtends|morgens)"
)
_EVENING = (
    r"p\.?m\.?|p\.\sm\.?|in the afternoon|in the evening|tonight|nachmittags|mittags|abends|am (?:nachmittag|abend)"
    r"|de l['\u2019]apr\u00e8s-midi|du soir|de la tarde|da tarde|(?:di|del) pomeriggio|(?:di|della) sera"
    r"|['\u2019]s (?:middags|avonds)"
)
_NIGHT = r"at night|nachts|de la (?:noche|nuit)|da noite|di notte|['\u2019]s nachts"
_HALF = rf"(?P<half>(?=['\u2019adimnpt])(?:{_EVENING}|{_NIGHT}|{_MORNING}))"  # "am Abend" before "am"
_CLOCK = re.compile(
    rf"(?<![\w.,:/+-])(?P<hour>[01]?\d|2[0-4])(?:[:h](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:\.\d+)?)?)(?!\d)(?:\s*{_HALF}\b)?"
    rf"|(?<=T)(?P<hour2>[01]\d|2[0-4]):(?P<minute2>[0-5]\d)(?::(?P<second2>[0-5]\d)(?:\.\d+)?)?"
    rf"|(?<![\w.,:/+-])(?P<hour3>[01]?\d|2[0-4])(?:\.(?P<minute3>[0-5]\d))?\s*(?:{_HALF.replace('half', 'half3')}\b"
    rf"|(?:Uhr|uur|o['\u2019]clock|heures?|horas?|h)\b(?:\s*{_HALF.replace('half', 'half5')}\b)?)"
    rf"|\b(?P<word>{'|'.join(_HOURS)})(?:\s+o['\u2019]clock)?\s+{_HALF.replace('half', 'half4')}"
    rf"|\b(?P<word2>{'|'.join(_HOURS)})\s+o['\u2019]clock|\b(?P<noon>noon|midday|midnight)\b",
    re.IGNORECASE,
)


def times_in(text: str) -> Iterator[TimeFound]:
    """Every time of day in a text."""
    for match in _CLOCK.finditer(text):
        found = _clock_of(match)
        if found is not None:
            yield TimeFound(match.start(), match.end(), found)
            if match["noon"] and found.hour == 0:  # a day begins and ends with a midnight
                yield TimeFound(match.start(), match.end(), day_after(found))
    yield from _japanese(text)


# In Japanese nothing stands apart: 4日14時30分, 午後2:30.
_JAPANESE = re.compile(
    r"(?<![\dA-Za-z_.,:/+-])(?:午(?P<half>[前後])\s*)?(?P<hour>[01]?\d|2[0-4])"
    r"(?:時(?:\s*(?P<minute>[0-5]?\d)分|(?P<thirty>半))?|(?(half):(?P<minute2>[0-5]\d)(?!\d)|(?!)))"
)


def _is_japanese(text: str) -> bool:
    return "時" in text or "午" in text


def _japanese(text: str) -> Iterator[TimeFound]:
    for match in _JAPANESE.finditer(text) if _is_japanese(text) else ():
        found = _japanese_of(match)
        if found is not None:
            yield TimeFound(match.start(), match.end(), found)


def _japanese_at(text: str, at: int) -> time | None:
    """The time of day whose hour begins at a place."""
    if text[at + 2 : at + 3] not in _BEHIND_HOUR and text[at + 1 : at + 2] not in _BEHIND_HOUR:
        return None
    before = text[max(0, at - 4) : at].rstrip()
    half = before[-2:-1] == "午"
    match = _JAPANESE.match(text, max(0, at - 4) + len(before) - 2 if half else at)
    return None if match is None else _japanese_of(match)


_BEHIND_HOUR = ("時", ":")


def _japanese_of(match: re.Match[str]) -> time | None:
    minute = 30 if match["thirty"] else int(match["minute"] or match["minute2"] or 0)
    half = {"前": "am", "後": "pm", None: ""}[match["half"]]
    return time_of(_twenty_four(int(match["hour"]), half), minute, 0)


def says_time(wanted: time, readable: Folded) -> bool:
    """A time of day is one of those in a text; to read each would cost far more."""
    text = readable.text
    if readable.other_digits or wanted.hour % 12 == 0:  # noon and midnight have words of their own
        return any(found.time == wanted for found in times_in(text))
    japanese = _is_japanese(text)
    for hour in {wanted.hour, wanted.hour % 12}:
        for at in runs_of(hour, text):
            if _clock_at(text, at) == wanted or (japanese and _japanese_at(text, at) == wanted):
                return True
    return any(_clock_at(text, at) == wanted for at in places_of(_WORDS[wanted.hour % 12], lower_ascii(text)))


def _clock_at(text: str, at: int) -> time | None:
    """The time of day that begins at a place."""
    match = _CLOCK.match(text, at)
    return None if match is None else _clock_of(match)


_IN_THE_MORNING = re.compile(_MORNING, re.IGNORECASE)
_AT_NIGHT = re.compile(_NIGHT, re.IGNORECASE)
_WORDS = {number: name for name, number in _HOURS.items()}


def _clock_of(match: re.Match[str]) -> time | None:
    hour = match["hour"]
    if hour is not None:  # most times are told by digits
        half = match["half"]
        return time_of(
            _twenty_four(int(hour), half.lower()) if half else int(hour),
            int(match["minute"]),
            int(match["second"] or 0),
        )
    return _clock({name: part for name, part in match.groupdict().items() if part is not None})


def _clock(parts: dict[str, str]) -> time | None:
    if "noon" in parts:
        return time(0 if parts["noon"].lower() == "midnight" else 12)
    word = parts.get("word") or parts.get("word2")
    written = parts.get("hour2") or parts.get("hour3")
    hour = _HOURS.get(word.lower()) if word else int(written or 0)
    if hour is None:  # a letter that is an i in upper case only
        return None
    minute = int(parts.get("minute2") or parts.get("minute3") or 0)
    second = int(parts.get("second2") or 0)
    half = (parts.get("half3") or parts.get("half4") or parts.get("half5") or "").lower()
    return time_of(_twenty_four(hour, half), minute, second)


def _twenty_four(hour: int, half: str) -> int:
    """An hour of twelve with its half of the day, as one of twenty-four; a night has some of either."""
    if not half or hour > 12:
        return hour
    if _AT_NIGHT.fullmatch(half):
        return hour % 12 + (12 if 6 <= hour < 12 else 0)
    return hour % 12 if _IN_THE_MORNING.fullmatch(half) else hour % 12 + 12


def time_of(hour: int, minute: int, second: int) -> time | None:
    """A time of day; an hour of 24 is the first of the day after. None where there is no such time."""
    if hour > 24 or minute > 59 or second > 59:
        return None
    return time(hour, minute, second) if hour < 24 else day_after(time(0, minute, second))


def day_after(clock: time) -> time:
    """A time in the first hour of a day, as it is written for the day before: 0:00 as 24:00."""
    return clock.replace(microsecond=1)
