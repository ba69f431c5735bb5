"""Days that a text fixes once today is known: which, by whose word, and where they stand."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from scoring.judging.relative import derived
from scoring.judging.visible import World
from tests.scoring.build import a_probe
from tests.scoring.judging.sights import a_world, seen

# On Wednesday, 3 March 2027, which itself stands in the state in so many words.
DERIVED = [
    ("today", []),
    ("tomorrow", ["2027-03-04"]),
    ("TOMORROW", ["2027-03-04"]),
    ("\u00fcbermorgen", ["2027-03-05"]),
    ("the day after tomorrow", ["2027-03-05"]),
    ("yesterday", ["2027-03-02"]),
    ("on Thursday", ["2027-03-04", "2027-03-11"]),
    ("on Wednesday", ["2027-03-10", "2027-03-17"]),
    ("am Dienstag", ["2027-03-09", "2027-03-16"]),
    ("lunedi, sunday", ["2027-03-07", "2027-03-14"]),
    ("\u91d1\u66dc\u65e5", ["2027-03-05", "2027-03-12"]),
    ("in 1 day", ["2027-03-04"]),
    ("in 10 days", ["2027-03-13"]),
    ("in 1 week", ["2027-03-10"]),
    ("In 2 Weeks", ["2027-03-17"]),
    ("3 days from now", ["2027-03-06"]),
    ("2 weeks from today", ["2027-03-17"]),
    ("within 3 days", []),
    ("in 3 months", []),
    ("todays, fridays", []),
    ("on 3 March", []),
    ("on 2 March", ["2028-03-02"]),
    ("on 29 February", ["2028-02-29"]),
    ("on 30 February", []),
    ("on 31 December", ["2027-12-31"]),
    ("on 5 March 2027", []),
    ("on 5 March 2027 or 9 March", ["2027-03-09"]),
    ("on 9 or 10 March, or 11 March", ["2027-03-10", "2027-03-11"]),
    ("tomorrow or on Friday", ["2027-03-04", "2027-03-05", "2027-03-12"]),
    ("nothing", []),
    # counted, in each language
    ("in three days", ["2027-03-06"]),
    ("in a week", ["2027-03-10"]),
    ("an hour, in one day", ["2027-03-04"]),
    ("a week from today", ["2027-03-10"]),
    ("two weeks hence", ["2027-03-17"]),
    ("two weeks ago", ["2027-02-17"]),
    ("14 days ago", ["2027-02-17"]),
    ("in two-days", ["2027-03-05"]),
    ("over two weeks", []),
    ("two weeks", []),
    ("begin two days", []),
    ("in two dayss", []),
    ("in twelve months", ["2028-03-03"]),
    ("in zwei Wochen", ["2027-03-17"]),
    ("heute in einer Woche", ["2027-03-10"]),
    ("vor drei Tagen", ["2027-02-28"]),
    ("davor drei Tage", []),
    ("dans une semaine", ["2027-03-10"]),
    ("il y a deux jours", ["2027-03-01"]),
    ("en dos semanas", ["2027-03-17"]),
    ("dentro de once d\u00edas", ["2027-03-14"]),
    ("hace 3 d\u00edas", ["2027-02-28"]),
    ("fra tre giorni", ["2027-03-06"]),
    ("due settimane fa", ["2027-02-17"]),
    ("due settimane fabbri", []),
    ("daqui a duas semanas", ["2027-03-17"]),
    ("h\u00e1 tr\u00eas dias", ["2027-02-28"]),
    ("tr\u00eas dias atr\u00e1s", ["2027-02-28"]),
    ("over twee weken", ["2027-03-17"]),
    ("drie dagen geleden", ["2027-02-28"]),
    ("3\u65e5\u5f8c", ["2027-03-06"]),
    ("2\u9031\u9593\u524d\u306b", ["2027-02-17"]),
    ("3\u65e5", []),
    # a day of the week that was
    ("last Friday", ["2027-02-26"]),
    ("last Wednesday", ["2027-02-24"]),
    ("letzten Freitag", ["2027-02-26"]),
    ("vendredi dernier", ["2027-02-26"]),
    ("el viernes pasado", ["2027-02-26"]),
    ("venerd\u00ec scorso", ["2027-02-26"]),
    ("sexta-feira passada", ["2027-02-26"]),
    ("afgelopen vrijdag", ["2027-02-26"]),
    ("at last, Friday", ["2027-03-05", "2027-03-12"]),
    ("pasado ma\u00f1ana", ["2027-03-05"]),
    ("the day before yesterday", ["2027-03-01"]),
    # what only looks like a day
    ("Guten Morgen", []),
    ("a las 9 de la ma\u00f1ana", []),
    ("ma\u00f1ana por la ma\u00f1ana", ["2027-03-04"]),
    ("Ich bin hier", []),
    ("Je suis venu hier, c'est fini", ["2027-03-02"]),
    ("hier soir", ["2027-03-02"]),
    ("fr\u0131day", []),
    ("fr\u0131day or tomorrow", ["2027-03-04"]),
    ("Ich bin hier bis \u00fcbermorgen", ["2027-03-05"]),
    ("in 3 Tagen", ["2027-03-06"]),
    ("IN DREI TAGEN", ["2027-03-06"]),
    ("TWO DAYS AGO", ["2027-03-01"]),
    ("in zwei Wochenenden", []),
    ("begin 2 days", []),
    ("in s\u0131x days", []),
    ("fra tre g\u0131orni", []),
    # a day of a month
    ("on the 15th", ["2027-03-15"]),
    ("by the 15th, please", ["2027-03-15"]),
    ("on the 3rd", []),
    ("on the 2nd", []),
    ("on the 15th floor", []),
    ("the 15th", []),
    ("on the 15th of May", []),
    ("on the 15th.5", []),
    ("am 15.", ["2027-03-15"]),
    ("am 15. um neun", ["2027-03-15"]),
    ("am 15. Stock", []),
    ("le 15", ["2027-03-15"]),
    ("le 15 rue", []),
    ("el d\u00eda 15 y", []),
    ("el d\u00eda 15", ["2027-03-15"]),
    ("il 15, grazie", ["2027-03-15"]),
    ("no dia 15", ["2027-03-15"]),
    ("op de 15e", ["2027-03-15"]),
    ("on the 32nd", []),
    ("on the 0th", []),
]

MONTHS_ENDS = [
    "end of the month", "the last day of this month", "month's end", "Ende des Monats", "Monatsende", "fin du mois",
    "fin de mes", "fine mese", "final do m\u00eas", "eind van de maand", "\u6708\u672b",
]  # fmt: skip


@pytest.mark.parametrize("text", MONTHS_ENDS)
def test_the_end_of_a_month_is_its_last_day(text: str) -> None:
    for today, last in [("2027-03-03", "2027-03-31"), ("2028-02-29", "2028-02-29"), ("2027-12-31", "2027-12-31")]:
        world = a_world(text, visible={"today": today, "due": "x"})
        sighting = world.sighting(a_probe(type="date"), last)
        assert sighting is not None
        assert sighting.form == ("exact" if today == last else "derived")
    assert a_world(f"we{text}x", visible={"today": "2027-03-03"}).sighting(
        a_probe(type="date"), "2027-03-31"
    ) is None or (text == "\u6708\u672b")


@pytest.mark.parametrize(
    ("text", "today", "day"),
    [
        ("in a month", "2027-01-31", "2027-02-28"),
        ("in 2 months", "2027-12-15", "2028-02-15"),
        ("a month ago", "2027-03-31", "2027-02-28"),
        ("three months ago", "2027-02-03", "2026-11-03"),
        ("in einem Monat", "2027-03-03", "2027-04-03"),
        ("il y a un mois", "2027-03-03", "2027-02-03"),
        ("in a fortnight", "2027-03-03", "2027-03-17"),
        ("on the 31st", "2027-04-03", "2027-05-31"),
        ("on the 30th", "2027-02-03", "2027-03-30"),
        ("on the 3rd", "2027-12-15", "2028-01-03"),
        ("last Monday", "2027-03-01", "2027-02-22"),
    ],
)
def test_months_have_the_days_that_they_have(text: str, today: str, day: str) -> None:
    sighting = a_world(text, visible={"today": today}).sighting(a_probe(type="date"), day)
    assert sighting is not None
    assert sighting.form == "derived"


@pytest.mark.parametrize(
    "text",
    ["tomorrow", "on Friday", "in 3 days", "in two months", "in a month", "on the 15th", "on 4 March", "in 999 months"],
)
@pytest.mark.parametrize("today", ["9999-12-31", "0001-01-01"])
def test_where_the_calendar_ends_nothing_follows(text: str, today: str) -> None:
    for words in (text, text.replace("in ", "") + " ago", f"last {text}"):
        world = a_world(words, visible={"today": today})
        assert world.sighting(a_probe(type="date"), "2027-03-04") is None


def days_derived(world: World, **probe: Any) -> list[str]:
    """The days round 3 March of 2027 and 2028 and the last of a year that are seen, but not in so many words."""
    rules = a_probe(type="date", **probe)
    near = (*range(-20, 20), *range(355, 370), 303, 668)
    days = ((date(2027, 3, 3) + timedelta(days=n)).isoformat() for n in sorted(near))
    found = ((day, world.sighting(rules, day)) for day in days)
    return [day for day, sighting in found if sighting is not None and sighting.form == "derived"]


@pytest.mark.parametrize(("text", "days"), DERIVED, ids=[text for text, _ in DERIVED])
def test_a_relative_day_is_every_day_that_it_can_mean_and_no_other(text: str, days: list[str]) -> None:
    assert days_derived(a_world(text, visible={"today": "2027-03-03"})) == days


@pytest.mark.parametrize(
    ("state", "days"),
    [
        ({"today": "3 March 2027"}, ["2027-03-04"]),
        ({"clock": {"now": "2027-03-03T09:00:00Z"}}, ["2027-03-04"]),
        ({"Current_Day": "2027-03-03"}, ["2027-03-04"]),
        ({"date": "2027-03-03"}, ["2027-03-04"]),
        ({"as_of": "2027-03-03"}, ["2027-03-04"]),
        ({"heute": "03.03.2027"}, ["2027-03-04"]),
        ({"as-of": "2027-03-03"}, ["2027-03-04"]),
        ({"As of": "2027-03-03"}, ["2027-03-04"]),
        ({"asOfDate": "2027-03-03"}, ["2027-03-04"]),
        ({"current": "2027-03-03"}, ["2027-03-04"]),
        ({"currentDateTime": "2027-03-03T09:00"}, ["2027-03-04"]),
        ({"current_local_time": "2027-03-03 09:00"}, ["2027-03-04"]),
        ({"now": {"utc": "2027-03-03 09:00"}}, ["2027-03-04"]),
        ({"todaysDate": "2027-03-03"}, ["2027-03-04"]),
        ({"serverNow": "2027-03-03"}, ["2027-03-04"]),
        ({"TODAY": ["2027-03-03"]}, ["2027-03-04"]),
        ({"fecha_hoy": "2027-03-03"}, ["2027-03-04"]),
        ({"order": {"date": "2027-03-03"}}, ["2027-03-04"]),
        ({"due_date": "2027-03-03"}, []),
        ({"order_date": "2027-03-03"}, []),
        ({"start_date": "2027-03-03"}, []),
        ({"dueDate": "2027-03-03"}, []),
        ({"order": {"due.date.of": "2027-03-03"}}, []),
        ({"last_known_delivery": "2027-03-03"}, []),
        ({"snow": "2027-03-03"}, []),
        ({"current_period_end": "2027-03-03"}, []),
        ({"current": {"due_date": "2027-03-03"}}, []),
        ({"balance_as_of": "2027-03-03"}, []),
        ({"nowhere": "2027-03-03"}, []),
        ({"jetzt": "2027-03-03"}, []),
        ({"dates": "2027-03-03"}, []),
        ({"today": "3 March"}, []),
        ({"today": "soon"}, []),
        ({"today": 20270303, "now": True}, []),
        ({"days": [{"today": "2027-03-03"}, {"today": "2027-03-10"}]}, ["2027-03-04", "2027-03-11"]),
        ({"other": "2027-03-03", "today": "2027-03-05"}, ["2027-03-06"]),
        ({"\u65e5\u4ed8": "2027-03-03"}, []),
        ({"\u65e5\u4ed8": "x", "today": "2027-03-03"}, ["2027-03-04"]),
    ],
    ids=repr,
)
def test_only_the_state_says_what_today_is_and_under_a_name_for_it(state: dict[str, Any], days: list[str]) -> None:
    world = a_world("tomorrow", visible=state)
    assert days_derived(world) == days
    assert days_derived(world, derive=["relative-date"]) == days
    assert days_derived(world, derive=[]) == []


def test_a_tool_or_a_user_does_not_say_what_today_is() -> None:
    messages = [
        {"role": "user", "content": "today: 2027-03-03, and then tomorrow"},
        {"role": "tool", "tool_call_id": "1", "content": '{"today": "2027-03-03"}'},
    ]
    assert days_derived(a_world(messages=messages, visible={"x": "y"})) == []


def test_a_day_of_a_month_may_be_today_itself() -> None:
    assert list(derived("on the 3rd", date(2027, 3, 3), None)) == [(0, 10, date(2027, 3, 3))]
    assert list(derived("a week from today", date(2027, 3, 3), None)) == [
        (12, 17, date(2027, 3, 3)),
        (0, 17, date(2027, 3, 10)),
    ]


@pytest.mark.parametrize(
    ("day", "text", "piece"),
    [
        ("2027-03-04", "do it tomorrow.", "tomorrow"),
        ("2027-03-12", "do it next Friday.", "Friday"),
        ("2027-03-06", "do it in 3 days, please", "in 3 days"),
        ("2027-03-09", "do it on 9 March, please", "9 March"),
        ("2027-03-05", "\uff46riday, \u00fcbermorgen", "\uff46riday"),
        ("2027-03-04", "\ufb01rst \ufb01x it, tomorrow", "tomorrow"),
    ],
)
def test_a_derived_day_is_seen_in_the_words_that_fix_it(day: str, text: str, piece: str) -> None:
    assert seen("date", day, text, today="2027-03-03") == piece


def test_where_no_relative_days_are_derived_a_relative_word_says_no_day_beside_its_numbers() -> None:
    text = "tomorrow, 4 pieces"
    assert seen("date", "2027-03-04", text, today="2027-03-03") == "tomorrow"
    assert seen("date", "2027-03-04", text, today="2027-03-03", derive=[]) is None
