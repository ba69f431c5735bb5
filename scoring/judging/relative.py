"""Days that a text fixes once today is known: tomorrow, next Friday, in two weeks, the end of the month, on the 15th.

In eight languages. Each gives every day that the words can mean and no other: "next week" names no day.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import chain
from typing import NamedTuple

from scoring.judging.days import WEEKDAYS, DayFound, date_of, days_in

Derived = tuple[int, int, date]
"""Start, end, and the day."""
_Maybe = tuple[int, int, date | None]
"""Past the last year of the calendar there is no day."""


def derived(text: str, today: date, locale: str | None) -> Iterator[Derived]:
    """The days that a text in compatibility form fixes."""
    found = chain(
        _by_words(text, today),
        *(language.days(text, today) for language in _LANGUAGES),
        ((match.start(), match.end(), _month_on(today, 0, 31)) for match in _MONTHS_END.finditer(text)),
        *(_next_of(match, today) for match in _NTH.finditer(text)),
        _yearless(days_in(text, locale), today),
    )
    yield from ((start, end, day) for start, end, day in found if day is not None)


_STEPS: dict[int, str] = {
    0: "today tonight heute aujourd'hui hoy oggi hoje vandaag 今日 本日",
    1: "tomorrow morgen demain mañana domani amanhã 明日",
    2: "day_after_tomorrow übermorgen après-demain pasado_mañana dopodomani depois_de_amanhã overmorgen 明後日",
    -1: "yesterday gestern hier ayer ieri ontem gisteren 昨日",
    -2: "day_before_yesterday vorgestern avant-hier anteayer l'altroieri anteontem eergisteren 一昨日",
}
_WORDS = {word.replace("_", " "): step for step, words in _STEPS.items() for word in words.split()}
_DAYS = {word: number for number, words in enumerate(WEEKDAYS) for word in words.split()}
_APART = {
    "morgen": r"(?<!guten )(?<!am )(?<!heute )(?<!gestern )(?<!jeden )",
    "mañana": r"(?<!la )(?<!esta )",
}
"""Guten Morgen, de la mañana: the morning."""
_EITHER = "|".join(
    re.escape(word) if ord(word[0]) >= 0x2E80 else rf"(?<!\w){_APART.get(word, '')}{re.escape(word)}(?!\w)"
    for word in sorted((*_WORDS, *_DAYS), key=len, reverse=True)
)
"""Each word by itself; Japanese writes none apart."""
_RELATIVE = re.compile(
    r"(?P<last>last |letzte[nrsm]? |vergangene[nrsm]? |pasado (?!mañana)|scors[oa] |afgelopen |vorige |先週の)?"
    rf"(?P<word>{_EITHER})"
    r"(?P<past> derni(?:er|ère)| pasado| scors[oa]| passad[oa])?(?!\w*-feira)",
    re.IGNORECASE,
)
# In German and in Dutch "hier" is here.
_FRENCH = re.compile(r"\b(?:les?|une|est|et|pour|depuis|[nv]ous|hier (?:soir|matin)|[dj]['\u2019]\w+)\b", re.IGNORECASE)


def _by_words(text: str, today: date) -> Iterator[_Maybe]:
    for match in _RELATIVE.finditer(text):
        word = match["word"].casefold()
        if word not in _WORDS and word not in _DAYS:  # a letter that is an i in upper case only
            continue
        if word == "hier" and not _FRENCH.search(text):
            continue
        for step in _steps(word, today, past=bool(match["last"] or match["past"])):
            yield match.start(), match.end(), _days_on(today, step)


def _steps(word: str, today: date, *, past: bool) -> tuple[int, ...]:
    """How many days from today; a day of the week is that of this week or of the next, or the last one."""
    if word in _WORDS:
        return (_WORDS[word],)
    ahead = (_DAYS[word] - today.weekday()) % 7 or 7
    if not past:
        return (ahead, ahead + 7)
    return (ahead - 7 if ahead < 7 else -7,)


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

    def days(self, text: str, today: date) -> Iterator[_Maybe]:
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
        return _days_on(today, sign * many * days) if days else _month_on(today, sign * many, today.day)


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


def _days_on(today: date, many: int) -> date | None:
    try:
        return today + timedelta(days=many)
    except OverflowError:
        return None


def _month_on(today: date, many: int, day: int) -> date | None:
    """A day of the month that is so many months away; its last where it has no such day."""
    years, month = divmod(today.month - 1 + many, 12)
    year, month = today.year + years, month + 1
    return date_of(year, month, min(day, monthrange(year, month)[1]))


_MONTHS_END = re.compile(
    r"(?<!\w)(?:(?:end|last day) of (?:the|this) month|month'?s? end|(?:ende|letzten? tag) des monats|monatsende"
    r"|(?:fin|dernier jour) du mois|(?:fin|final|\u00faltimo d\u00eda) (?:de|del) mes|(?:fine|ultimo giorno del) mese"
    r"|(?:fim|final|\u00faltimo dia) do m\u00eas|(?:eind|einde|laatste dag) van de maand)(?!\w)|\u6708\u672b",
    re.IGNORECASE,
)
# A day of a month by its number alone, where nothing goes on behind it: "on the 15th", not "on the 2nd floor".
_NTH = re.compile(
    r"(?<!\w)(?:(?:on|by|until|from|before|after|since) the (?P<en>\d{1,2})(?:st|nd|rd|th)"
    r"|(?:am|zum|vom|ab dem) (?P<de>\d{1,2})\.|le (?P<fr>\d{1,2})|el (?:d\u00eda )?(?P<es>\d{1,2})|il (?P<it>\d{1,2})"
    r"|(?:no )?dia (?P<pt>\d{1,2})|op de (?P<nl>\d{1,2})e)"
    r"(?=\s*(?:[,;!?)]|\.(?!\d)|$|\s(?:at|to|and|or|please|bitte|um|und|\u00e0|et|a las|y|alle|e|\u00e0s|om|en)\s))",
    re.IGNORECASE | re.MULTILINE,
)


def _next_of(match: re.Match[str], today: date) -> Iterator[_Maybe]:
    """The next day of that number, today's own included."""
    number = int(next(filter(None, match.groups())))
    for months in range(3):
        day = _month_on(today, months, number)
        if day is not None and day.day == number and day >= today:
            yield match.start(), match.end(), day
            return


def _yearless(found: Iterable[DayFound], today: date) -> Iterator[_Maybe]:
    """A date without a year is the next one from today."""
    for hit in found:
        if hit.year:
            continue
        for year in (today.year, today.year + 1):
            day = date_of(year, hit.day.month, hit.day.day)
            if day is not None and day >= today:
                yield hit.start, hit.end, day
                break
