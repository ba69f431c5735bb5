"""A datetime is seen where its day, its time of day and its zone stand, each in any text."""

from __future__ import annotations

import pytest

from tests.scoring.build import a_probe
from tests.scoring.judging.sights import a_world, characters, seen

PARTS = [
    # value, texts, seen without its zone, seen with it
    ("2027-03-04T09:00:00+01:00", ["4 March 2027", "at 9 am", "UTC+1"], True, True),
    ("2027-03-04T09:00:00+01:00", ["4 March 2027", "at 9 am", "UTC+2"], True, False),
    ("2027-03-04T09:00:00+01:00", ["4 March 2027", "at 9 am", "UTC+1:30"], True, False),
    ("2027-03-04T09:00:00+01:00", ["4 March 2027", "at 8 am", "UTC+1"], False, False),
    ("2027-03-04T09:00:00+01:00", ["5 March 2027", "at 9 am", "UTC+1"], False, False),
    ("2027-03-04T09:00:00Z", ["UTC", "at 9:00", "on 2027-03-04"], True, True),
    ("2027-03-04T09:00:00Z", ["\uff35\uff34\uff23", "at 9:00", "on 2027-03-04"], True, True),
    ("2027-03-04T09:00:00Z", ["UTC+2", "at 9:00", "on 2027-03-04"], True, False),
    ("2027-03-04T09:00:00Z", ["UTC+2h", "at 9:00", "on 2027-03-04"], True, False),
    ("2027-03-04T09:00:00 GMT", ["GMT+1/+2", "at 9:00", "on 2027-03-04"], True, False),
    ("2027-03-04T09:00:00 GMT", ["Etc/GMT-1", "at 9:00", "on 2027-03-04"], True, False),
    ("2027-03-04T09:00:00Z", ["UTC+00:00", "at 9:00", "on 2027-03-04"], True, True),
    ("2027-03-04T09:00:00 Europe/Berlin", ["Europe/Berlin", "9 Uhr", "4.3.2027"], True, True),
    ("2027-03-04T09:00:00 Europe/Berlin", ["Europe/Paris", "9 Uhr", "4.3.2027"], True, False),
    ("March 4, 2027 at 9:00 AM", ["4 March 2027, 9am"], True, True),
    ("4 March 2027 9:00 Europe/Berlin", ["4.3.2027, 9 Uhr, Europe/Berlin"], True, True),
    ("4 March 2027 9:00 Europe/Berlin", ["4.3.2027, 9 Uhr, Europe/Paris"], True, False),
    ("4 de marzo de 2027, 9:00 p. m.", ["4 March 2027, 9pm"], True, True),
    ("March 4, 2027 at 9:00 AM EST", ["4 March 2027, 9am"], True, False),
    ("March 4, 2027 at 9:00 AM EST", ["4 March 2027, 9am EST"], True, True),
    ("Thursday, March 4, 2027, 9:00", ["4 March 2027, 9am"], True, True),
    ("2027-03-04 09:00 PM", ["4 March 2027, 9am"], False, False),
    ("2027-03-04T00:00:00", ["4 March 2027"], False, False),
    ("2027-03-04T00:00:00", ["4 March 2027 at midnight"], True, True),
    # 24:00 is 0:00 of the day after; midnight may be either
    ("2027-03-04T24:00", ["4 March 2027, 24:00"], True, True),
    ("2027-03-04T24:00", ["5 March 2027, 0:00"], True, True),
    ("2027-03-04T24:00", ["4 March 2027, 0:00"], False, False),
    ("2027-03-04T24:00", ["4 March 2027, midnight"], True, True),
    ("2027-03-04T24:00Z", ["4 March 2027, 24:00"], True, False),
    ("2027-03-05T00:00", ["4 March 2027, 24:00"], True, True),
    ("2027-03-05T00:00", ["2027-03-04T24:00:00Z"], True, True),
    ("2027-03-05T00:00", ["4 March 2027, midnight"], True, True),
    ("2027-03-05T00:00", ["4 March 2027, 0:00"], False, False),
    ("2027-03-05T01:00", ["4 March 2027, 1:00"], False, False),
    ("2027-03-04T00:00", ["4 March 2027, 24:00"], False, False),
    ("2027-03-04T00:00", ["5 March 2027, midnight"], False, False),
    ("0001-01-01T00:00", ["24:00"], False, False),
    ("2027-03-04T12:00:00", ["4 March 2027 at \uff4eoon"], True, True),
    ("2027-03-04", ["4 March 2027"], True, True),
    ("9:00", ["9:00 am"], False, False),
    ("hello", ["4 March 2027"], False, False),
]


@pytest.mark.parametrize("between", ["", "\n\x00\n"], ids=["plain", "beside what stands between two texts"])
@pytest.mark.parametrize(("value", "texts", "day_and_time", "all_three"), PARTS, ids=[f"{v}-{t}" for v, t, *_ in PARTS])
def test_day_time_and_zone_have_to_stand_each_in_any_text(
    value: str, texts: list[str], day_and_time: bool, all_three: bool, between: str
) -> None:
    messages = [{"role": "user", "content": text + between} for text in texts]
    probe = a_probe(type="datetime")
    for world in (a_world(messages=messages), a_world(messages=messages[:1])):
        later = tuple(a_world(messages=messages).shown[len(world.shown) :])
        assert (world.day(probe, value, later, zone_too=False) is not None) is day_and_time
        assert (world.day(probe, value, later) is not None) is all_three
        assert (world.day(probe, value, later, zone_too=False) is not None) is day_and_time


def test_midnight_on_a_field_that_takes_a_date_says_no_time_and_any_other_time_does() -> None:
    assert seen("date", "2027-03-04T00:00:00", "4 March 2027") == "4 March 2027"
    assert seen("date", "2027-03-04T00:00:01", "4 March 2027") is None
    assert seen("date", "2027-03-04T09:00:00", "4 March 2027") is None
    assert seen("date", "2027-03-04T09:00:00", "4 March 2027, 9:00") == "4 March 2027"


@pytest.mark.parametrize("noise", ["", "\x00", "x\n\x00\ny", "\ufb01"], ids=repr)
def test_a_day_is_seen_in_its_own_message_whatever_the_others_hold(noise: str) -> None:
    messages = [
        {"role": "user", "content": text} for text in (f"{noise}first", f"{noise} on 4 March 2027.", "4 April 2027")
    ]
    world = a_world(messages=messages)
    found = world.sighting(a_probe(type="date"), "2027-03-04")
    assert found is not None
    assert (found.where, found.span.message, characters(world, found)) == ("user", 1, "4 March 2027")


def test_one_world_answers_each_question_by_itself() -> None:
    world = a_world("3/4/2027, 9:00, tomorrow", visible={"today": "2027-03-04"})
    date_, datetime_ = a_probe(type="date"), a_probe(type="datetime")
    american = a_probe(type="date", locale="en-US")
    strict = a_probe(type="date", derive=[])
    for _ in range(2):
        assert world.day(date_, "2027-04-03") is not None
        assert world.day(american, "2027-04-03") is None
        assert world.day(american, "2027-03-04") is not None
        assert world.day(date_, "2027-03-05") is not None
        assert world.day(strict, "2027-03-05") is None
        assert world.day(date_, "2027-04-03T00:00:00") is not None
        assert world.day(datetime_, "2027-04-03T00:00:00") is None
        assert world.day(datetime_, "2027-04-03T09:00:00Z") is None
        assert world.day(datetime_, "2027-04-03T09:00:00Z", zone_too=False) is not None
        assert world.day(date_, 20270403) is None
