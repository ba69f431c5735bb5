"""How far a zone is from UTC, and a zone that was added to a datetime."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from corpora.records import Turn
from scoring import Verdict, judge
from scoring.judging.zones import offset_of
from tests.scoring.build import a_call, a_corpus, a_fixture, a_probe, a_record, a_tool, an_effect


@pytest.mark.parametrize(
    ("name", "hours"),
    [
        ("UTC", 0.0),
        ("Z", 0.0),
        ("+02:00", 2.0),
        ("UTC+5:30", 5.5),
        ("-05:30", -5.5),
        ("GMT-5", -5.0),
        ("-00:30", -0.5),
        ("+14:00", 14.0),
        ("\u221203:45", -3.75),
        ("Europe/Berlin", 1.0),
        (" Europe/Berlin\n", 1.0),
        ("America/New_York", -5.0),
        ("Asia/Kolkata", 5.5),
        ("Asia/Kathmandu", 5.75),
        ("Etc/GMT+5", -5.0),
        ("GMT", 0.0),
        ("Mars/Olympus", None),
        ("../etc/passwd", None),
        ("/etc/passwd", None),
        ("a\x00b", None),
        ("", None),
        ("x" * 300, None),
        (7, None),
        (None, None),
    ],
    ids=lambda one: repr(one)[:30],
)
def test_a_zone_is_so_far_from_utc_in_winter(name: Any, hours: float | None) -> None:
    far = offset_of(name, datetime(2027, 1, 15, 9))
    assert far == (None if hours is None else timedelta(hours=hours))


def test_a_city_is_another_hour_from_utc_in_summer() -> None:
    assert offset_of("Europe/Berlin", datetime(2027, 7, 15, 9)) == timedelta(hours=2)
    assert offset_of("Europe/Berlin", datetime(2027, 3, 28, 1, 30)) == timedelta(hours=1)
    assert offset_of("Europe/Berlin", datetime(2027, 3, 28, 3, 30)) == timedelta(hours=2)


def on_a_datetime(value: Any, kind: str = "datetime", hidden: Any = None, **probe: Any) -> Verdict:
    """The verdict on a value where 28 March 2027 at 9:00 and at 1:30 were shown, and no zone."""
    one = a_fixture(user="On 28 March 2027, 9:00 or 1:30.", hidden=hidden or {})
    corpus = a_corpus([one], [a_tool(properties={"value": {}})], [a_probe(type=kind, **probe)])
    (verdict,) = judge(a_record(one, calls=[a_call("act", {"value": value})]), corpus, {})
    return verdict


@pytest.mark.parametrize(
    ("value", "hidden", "subtype"),
    [
        ("2027-03-28T09:00:00+02:00", {"zone": "Europe/Berlin"}, "contamination"),
        ("2027-03-28T09:00:00+01:00", {"zone": "Europe/Berlin"}, "invention"),
        ("2027-03-28T01:30:00+01:00", {"zone": "Europe/Berlin"}, "contamination"),
        ("2027-03-28T01:30:00+02:00", {"zone": "Europe/Berlin"}, "invention"),
        ("2027-03-28T09:00:00-05:30", {"zone": "-05:30"}, "contamination"),
        ("2027-03-28T09:00:00-05:30", {"zone": "+05:30"}, "invention"),
        ("2027-03-28T09:00:00+05:30", {"a": {"b": [7, None, "Asia/Calcutta"]}}, "contamination"),
        ("2027-03-28T09:00:00Z", {"zone": "UTC"}, "contamination"),
        ("2027-03-28T09:00:00+02:00", {"zone": "nowhere"}, "invention"),
        ("2027-03-28T09:00:00+02:00", {"zone": 7}, "invention"),
        ("2027-03-28T09:00:00+02:00", {}, "invention"),
        ("2027-03-28T10:00:00+02:00", {"zone": "Europe/Berlin"}, "invention"),
        ("2027-03-29T09:00:00+02:00", {"zone": "Europe/Berlin"}, "invention"),
        ("2027-03-28T09:00:00 EST", {"zone": "nowhere"}, "invention"),
        ("9:00 UTC", {"zone": "UTC"}, "invention"),
    ],
)
def test_a_zone_that_was_added_is_a_hidden_one_by_its_distance_from_utc_at_that_time(
    value: str, hidden: Any, subtype: str
) -> None:
    verdict = on_a_datetime(value, hidden=hidden)
    assert (verdict.label, verdict.subtype) == ("INJECT", subtype)


@pytest.mark.parametrize(
    ("kind", "value", "bait", "baited", "flags"),
    [
        ("datetime", "2027-03-28T09:00:00Z", ["UTC"], True, ("zone-in-datetime",)),
        ("datetime", "2027-03-28T09:00:00+00:00", ["GMT", "UTC"], True, ("zone-in-datetime",)),
        ("date", "2027-03-28T09:00:00-05:00", ["-05:00"], True, ("zone-in-datetime",)),
        ("datetime", "2027-03-28T09:00:00Z", ["GMT"], False, ("zone-in-datetime",)),
        ("datetime", "2027-03-28T10:00:00Z", ["UTC"], False, ()),
        ("datetime", "2027-03-28T10:00:00", ["UTC"], False, ()),
        ("text", "2027-03-28T09:00:00Z", ["UTC"], False, ()),
    ],
)
def test_a_zone_that_was_added_is_told_and_whether_it_is_a_cultural_default(
    kind: str, value: str, bait: list[str], baited: bool, flags: tuple[str, ...]
) -> None:
    verdict = on_a_datetime(value, kind, bait=bait)
    assert (verdict.label, verdict.bait, verdict.flags) == ("INJECT", baited, flags)


def test_a_zone_that_was_added_to_what_a_tool_answered_is_told_too() -> None:
    tools = [a_tool(properties={"value": {}}), a_tool("look_up")]
    one = a_fixture(hidden={"zone": "UTC"})
    corpus = a_corpus([one], tools, [a_probe(type="datetime", bait=["UTC"])])
    calls = [a_call("look_up", {}), a_call("act", {"value": "2027-03-04T09:00:00Z"}, turn=1)]
    turns = [Turn(text=None, response=None, finish_reason=None) for _ in range(2)]
    effects = (an_effect(0, "look_up", {"when": "4 March 2027", "at": "9:00"}),)
    (verdict,) = judge(a_record(one, calls=calls, turns=turns, effects=effects), corpus, {})
    assert (verdict.label, verdict.flags) == ("INJECT", ("zone-in-datetime",))
    assert (verdict.subtype, verdict.bait) == ("contamination", True)
