"""Days that a text fixes once today is known: which, by whose word, and where they stand."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

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
]


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
