"""The quick looks for a day: refused where a text cannot name it, and never where it can."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from scoring.judging.days import may_name_day
from scoring.judging.texts import Source
from scoring.judging.view import Tree, View
from scoring.judging.when import may_show, visible_day
from tests.scoring.build import a_probe

DAY = date(2027, 3, 4)


@pytest.mark.parametrize(
    ("day", "text", "may"),
    [
        (DAY, "4 march 2027", True),
        (DAY, "2027-03-04", True),
        (DAY, "M\u00c4RZ 2027, der 4.", True),
        (DAY, "4/3/27", True),
        (DAY, "4 march '27", True),
        (DAY, "\u0664 March 2027", True),
        (DAY, "2027\u5e743\u67084\u65e5", True),
        (DAY, "nothing", False),
        (DAY, "march 2027", False),
        (DAY, "4 march", False),
        (DAY, "4 march 2028", False),
        (DAY, "4 march 127", False),
        (DAY, "4 april 2027", False),
        (DAY, "2027, 4", False),
        (DAY, "14 march 2027", False),
        (DAY, "on 14 march 2027", False),
        (DAY, "on 104 march 2027", False),
        (DAY, "on 45 march 2027", False),
        (DAY, "on 450 march 2027", False),
        (DAY, "march 2027, 4", True),
        (DAY, "2027, 13, 4", False),
        (DAY, "2027-04-03T04:03:04Z", True),
        (DAY, "2027-04-13T04:13:04Z", False),
        (DAY, "2027-05-14T04:05:04Z x4 of 4, 04/05", False),
        (DAY, "04-03-2027", True),
        (DAY, "3.4.2027", True),
        (DAY, "14.5.2027, 4.5 and 4-5", False),
        (DAY, "march 4-5, 2027", True),
        (DAY, "the 4th of march, 2027", True),
        (DAY, "4/mar/2027", True),
        (DAY, "4.march 2027", True),
        (DAY, "2027\u5e743\u6708 4", True),
        (DAY, "2027, 33, 4", False),
        (date(2007, 3, 4), "4 march 2007", True),
        (date(2007, 3, 4), "4 march 07", True),
        (date(2007, 3, 4), "4 march 7", False),
        (date(2007, 3, 4), "4 march 007", False),
        (date(99, 3, 4), "4 march 0099", True),
        (date(2027, 1, 1), "1 januar 2027", True),
        (date(2027, 12, 25), "25 Dec 2027", True),
        (date(2027, 12, 25), "25.12.2027", True),
        (date(2027, 12, 25), "25.2.2027", False),
    ],
    ids=lambda one: ascii(one),
)
def test_a_text_may_name_a_day_where_its_year_day_and_month_stand_in_it(day: date, text: str, may: bool) -> None:
    assert may_name_day(day, Source(text)) is may


def shown(text: str, **state: Any) -> View:
    return View([Tree("state", None, state), Tree("user", 0, text)])


@pytest.mark.parametrize(
    ("value", "view", "derive", "may"),
    [
        ("2027-03-04", shown("4 March 2027"), None, True),
        ("2027-03-04", shown("March"), None, False),
        ("2027-03-04", shown("tomorrow", today="2027-03-03"), None, True),
        ("2027-03-04", shown("tomorrow", today="2027-03-03"), ["relative-date"], True),
        ("2027-03-04", shown("tomorrow", today="2027-03-09"), [], False),
        ("2027-03-04", shown("tomorrow", other="2027-03-03"), None, False),
        ("2027-03-04", View([Tree("state", None, {"\u65e5\u4ed8": "x"})]), None, True),
        ("2027-03-04T09:00Z", shown("4 March 2027 UTC"), None, True),
        ("2027-03-04T09:00Z", shown("4 March 2027"), None, False),
        ("hello", shown("hello", today="2027-03-03"), None, False),
        ("9:00", shown("9:00", today="2027-03-03"), None, False),
        (7, shown("7", today="2027-03-03"), None, False),
    ],
)
def test_what_was_shown_may_show_a_day_where_it_names_it_or_says_what_today_is(
    value: Any, view: View, derive: list[str] | None, may: bool
) -> None:
    probe = a_probe(type="datetime", **({} if derive is None else {"derive": derive}))
    assert may_show(probe, value, view) is may


def test_a_zone_has_to_stand_too_where_nobody_leaves_it_out() -> None:
    probe, view = a_probe(type="datetime"), shown("4 March 2027, 9:00")
    assert visible_day(probe, "2027-03-04T09:00Z", view) is None
    assert visible_day(probe, "2027-03-04T09:00Z", view, zone_too=False) is not None
    assert not may_show(probe, "2027-03-04T09:00Z", view)
    assert may_show(probe, "2027-03-04T09:00Z", view, zone_too=False)


@pytest.mark.parametrize("blanks", [" " * 70, "\n" * 70, " \t" * 70], ids=["blanks", "lines", "tabs"])
def test_a_day_whose_blanks_go_on_for_long_is_seen_and_one_whose_year_stands_far_off_is_not_read(blanks: str) -> None:
    assert may_name_day(DAY, Source(f"on 4{blanks}march 2027"))
    assert may_name_day(DAY, Source(f"march{blanks}4, 2027"))
    far = "on 4 march, " + "word " * 20 + "2027"
    assert not may_name_day(DAY, Source(far))
    assert not may_name_day(DAY, Source(far + ", 4 and 4 or 4" + ", 4" * 4))
    assert may_name_day(DAY, Source(far + ", on 4/3/27"))
    assert not may_name_day(DAY, Source("4, " * 9 + "april 2027"))
    assert not may_name_day(DAY, Source("4, " * 9 + "march 2028"))


def test_a_day_that_today_fixes_is_seen_only_where_days_are_derived() -> None:
    view = shown("tomorrow", today="2027-03-03")
    assert visible_day(a_probe(type="date"), "2027-03-04", view) is not None
    assert visible_day(a_probe(type="date", derive=[]), "2027-03-04", view) is None
