"""Days that a text fixes once today is known: tomorrow, next Friday, in two weeks, the end of the month, on the 15th.

In eight languages. Each gives every day that the words can mean and no other: "next week" names no day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import chain

from scoring.judging.counted_days import Maybe, counted_days, days_on, month_on
from scoring.judging.dates import WEEKDAYS, date_of
from scoring.judging.days import DayFound, days_in

Derived = tuple[int, int, date]
"""Start, end, and the day."""


def derived(text: str, today: date, locale: str | None) -> Iterator[Derived]:
    """The days that a text in compatibility form fixes."""
    found = chain(
        _by_words(text, today),
        counted_days(text, today),
        ((match.start(), match.end(), month_on(today, 0, 31)) for match in _MONTHS_END.finditer(text)),
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


def _by_words(text: str, today: date) -> Iterator[Maybe]:
    for match in _RELATIVE.finditer(text):
        word = match["word"].casefold()
        if word not in _WORDS and word not in _DAYS:  # a letter that is an i in upper case only
            continue
        if word == "hier" and not _FRENCH.search(text):
            continue
        for step in _steps(word, today, past=bool(match["last"] or match["past"])):
            yield match.start(), match.end(), days_on(today, step)


def _steps(word: str, today: date, *, past: bool) -> tuple[int, ...]:
    """How many days from today; a day of the week is that of this week or of the next, or the last one."""
    if word in _WORDS:
        return (_WORDS[word],)
    ahead = (_DAYS[word] - today.weekday()) % 7 or 7
    if not past:
        return (ahead, ahead + 7)
    return (ahead - 7 if ahead < 7 else -7,)


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


def _next_of(match: re.Match[str], today: date) -> Iterator[Maybe]:
    """The next day of that number, today's own included."""
    number = int(next(filter(None, match.groups())))
    for months in range(3):
        day = month_on(today, months, number)
        if day is not None and day.day == number and day >= today:
            yield match.start(), match.end(), day
            return


def _yearless(found: Iterable[DayFound], today: date) -> Iterator[Maybe]:
    """A date without a year is the next one from today."""
    for hit in found:
        if hit.year:
            continue
        for year in (today.year, today.year + 1):
            day = date_of(year, hit.day.month, hit.day.day)
            if day is not None and day >= today:
                yield hit.start, hit.end, day
                break
