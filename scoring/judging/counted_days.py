"""Days at which a text arrives by counting from today: in three days, two weeks ago, 3日後. In eight languages."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from scoring.judging.dates import date_of

Maybe = tuple[int, int, date | None]
"""Start, end, and the day; past the last year of the calendar there is none."""


def counted_days(text: str, today: date) -> Iterator[Maybe]:
    """The days that are counted from today in a text in compatibility form, language by language."""
    for language in _LANGUAGES:
        yield from language.days(text, today)


def days_on(today: date, many: int) -> date | None:
    """The day so many days from one; None past the end of the calendar."""
    try:
        return today + timedelta(days=many)
    except OverflowError:
        return None


def month_on(today: date, many: int, day: int) -> date | None:
    """A day of the month that is so many months away; its last where it has no such day."""
    years, month = divmod(today.month - 1 + many, 12)
    year, month = today.year + years, month + 1
    return date_of(year, month, min(day, monthrange(year, month)[1]))


# Each language: its numbers from one on; its names of each of _UNITS; what stands round N units ahead, and ago.
_SPOKEN: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    (
        "a/an/one two three four five six seven eight nine ten eleven twelve",
        ("day days", "week weeks", "month months", "fortnight fortnights"),
        "in \u2026|\u2026 from now|\u2026 from today|\u2026 hence",
        "\u2026 ago",
    ),
    (
        "ein/eine/einem/einer zwei drei vier f\u00fcnf sechs sieben acht neun zehn elf zw\u00f6lf",
        ("tag tage tagen", "woche wochen", "monat monate monaten"),
        "in \u2026",
        "vor \u2026",
    ),
    (
        "un/une deux trois quatre cinq six sept huit neuf dix onze douze",
        ("jour jours", "semaine semaines", "mois"),
        "dans \u2026",
        "il y a \u2026",
    ),
    (
        "un/una dos tres cuatro cinco seis siete ocho nueve diez once doce",
        ("d\u00eda d\u00edas dia dias", "semana semanas", "mes meses"),
        "en \u2026|dentro de \u2026",
        "hace \u2026",
    ),
    (
        "un/una/uno due tre quattro cinque sei sette otto nove dieci undici dodici",
        ("giorno giorni", "settimana settimane", "mese mesi"),
        "fra \u2026|tra \u2026",
        "\u2026 fa",
    ),
    (
        "um/uma dois/duas tr\u00eas quatro cinco seis sete oito nove dez onze doze",
        ("dia dias", "semana semanas", "m\u00eas meses"),
        "em \u2026|daqui a \u2026|dentro de \u2026",
        "h\u00e1 \u2026|\u2026 atr\u00e1s",
    ),
    (
        "een/\u00e9\u00e9n twee drie vier vijf zes zeven acht negen tien elf twaalf",
        ("dag dagen", "week weken", "maand maanden"),
        "over \u2026",
        "\u2026 geleden",
    ),
    (
        "",
        ("\u65e5", "\u9031\u9593", "\u304b\u6708 \u30f6\u6708 \u30ab\u6708"),
        "\u2026\u5f8c",
        "\u2026\u524d",
    ),
)
_UNITS = {"day": 1, "week": 7, "month": 0, "fortnight": 14}
"""How many days each has; 0 where that hangs on the month."""
_JAPANESE = "[\u3040-\u9fff]"
_BEFORE = 20
"""So many characters, at most, stand before what is counted."""


class _Counting(NamedTuple):
    """How a language counts from today."""

    counted: re.Pattern[str]
    """N and a unit."""
    numbers: dict[str, int]
    units: dict[str, int]
    """Name of a unit -> its days, as in `_UNITS`."""
    beside: tuple[tuple[int, re.Pattern[str], re.Pattern[str]], ...]
    """1 for ahead and -1 for ago, and what stands right before or right behind then."""

    def days(self, text: str, today: date) -> Iterator[Maybe]:
        """The days at which a text arrives by counting."""
        for match in self.counted.finditer(text):
            for sign, before, behind in self.beside:
                led = before.search(text, max(0, match.start() - _BEFORE), match.start())
                ended = behind.match(text, match.end())
                if led or ended:
                    start, end = led.start() if led else match.start(), ended.end() if ended else match.end()
                    yield start, end, self._day(match, sign, today)

    def _day(self, match: re.Match[str], sign: int, today: date) -> date | None:
        word, days = match[1].lower(), self.units.get(match[2].lower())
        many = int(word) if word.isdecimal() else self.numbers.get(word)
        if many is None or days is None:  # a letter that is an i in upper case only
            return None
        return days_on(today, sign * many * days) if days else month_on(today, sign * many, today.day)


_LANGUAGES = tuple(
    _Counting(
        counted=re.compile(
            rf"(?<!\w)(\d{{1,3}}|{'|'.join(sorted(numbers, key=len, reverse=True)) or '0'})[ -]?"
            rf"({'|'.join(sorted(units, key=len, reverse=True))})(?:(?<={_JAPANESE})|(?!\w))",
            re.IGNORECASE,
        ),
        numbers=numbers,
        units=units,
        beside=tuple(
            (
                sign,
                re.compile(
                    "(?:" + ("|".join(rf"(?<!\w){one}" for one, _ in sides if one) or "(?!)") + ")$", re.IGNORECASE
                ),
                re.compile(
                    "|".join(rf"{two}(?:(?<={_JAPANESE})|(?!\w))" for _, two in sides if two) or "(?!)", re.IGNORECASE
                ),
            )
            for sign, sides in (
                (1, [form.split("\u2026") for form in ahead.split("|")]),
                (-1, [form.split("\u2026") for form in ago.split("|")]),
            )
        ),
    )
    for numbers, units, ahead, ago in (
        (
            {word: n for n, words in enumerate(counts.split(), 1) for word in words.split("/")},
            {name: days for days, named in zip(_UNITS.values(), names, strict=False) for name in named.split()},
            ahead,
            ago,
        )
        for counts, names, ahead, ago in _SPOKEN
    )
)
