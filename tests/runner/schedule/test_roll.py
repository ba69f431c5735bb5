"""The manifest names every site, what became of it, and how many calls may have been paid twice."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from runner.schedule.drive import drive
from runner.schedule.messages import Share
from runner.schedule.roll import Roll
from tests.runner.schedule.sites import ShakySite, Step, World
from tests.runner.schedule.test_drive import Memory, keys


class Notes:
    def __init__(self) -> None:
        self.last: dict[str, Any] = {}

    def __call__(self, **facts: Any) -> None:
        self.last = facts


def fates(facts: dict[str, Any]) -> list[tuple[str, int]]:
    return [(entry["fate"], entry["unknown"]) for entry in facts["sites"]]


def test_a_run_enters_its_sites_and_what_a_dead_one_may_cost_is_saved_at_once() -> None:
    world = World(4)
    ShakySite(world, "a", iter([Step.WELL, Step.SLOW, Step.DIES]), iter([1]))
    ShakySite(world, "b", iter([Step.REPLY_LOST]), iter([]))
    notes = Notes()
    roll = Roll((), {}, notes)
    roll.introduce({"a": {"host": "one"}})
    share = Share(concurrency=4, requests_per_s=8.0)
    outcome = anyio.run(lambda: drive(list(world.sites), iter(keys(20)), Memory(), share, witness=roll))
    assert notes.last["paid_twice_at_most"] == outcome.given_back == 2
    last = roll.end(released=True)
    assert fates(last) == [("lost", 2), ("released", 0)]
    assert last["sites"][0]["host"] == "one"
    assert last["sites"][0]["why"] == "a"
    assert last["sites"][1]["requests_per_s"] == 8.0
    assert sum(entry["recorded"] for entry in last["sites"]) == 20


@pytest.mark.parametrize(
    ("fate", "living", "then"),
    [
        ("works", True, ("works", 0)),
        ("works", False, ("gone", 6)),
        ("silent", False, ("gone", 6)),
        ("kept", False, ("gone", 6)),
        ("kept", True, ("works", 0)),
        ("lost", False, ("lost", 3)),
        ("released", False, ("released", 0)),
    ],
)
def test_a_site_of_an_earlier_start_goes_on_or_is_gone_with_its_share(
    fate: str, living: bool, then: tuple[str, int]
) -> None:
    entry = {"id": "a", "fate": fate, "adopted": 0, "recorded": 9, "unknown": 3 if fate == "lost" else 0}
    entry |= {"concurrency": 4, "hand": 6}
    roll = Roll([entry], {"a": {}} if living else {}, Notes())
    if living:
        roll.joined("a", 5)
    facts = roll.facts()
    assert fates(facts) == [then]
    assert facts["paid_twice_at_most"] == then[1]
    assert facts["sites"][0]["adopted"] == (5 if living else 0)


def test_more_than_was_saved_is_in_no_hand() -> None:
    """A coordinator may be killed at any moment: the next one knows of sites what the manifest says."""
    notes = Notes()
    roll = Roll((), {}, notes)
    for slots, most in ((4, 6), (2, 3), (8, 12)):
        roll.shared("a", Share(concurrency=slots), most)
        assert notes.last["sites"][0]["hand"] >= most
    later = Roll(notes.last["sites"], {}, Notes())
    assert fates(later.facts()) == [("gone", 12)]


def test_a_site_that_is_lost_before_it_was_heard_of_again_may_have_had_all_that_it_could_hold() -> None:
    entry = {"id": "a", "fate": "kept", "adopted": 0, "recorded": 9, "unknown": 0, "concurrency": 4, "hand": 6}
    roll = Roll([entry], {"a": {}}, Notes())
    roll.shared("a", Share(concurrency=2), 3)
    roll.silent("a", 0)
    roll.lost("a", 0, "it died")
    assert fates(roll.facts()) == [("lost", 6)]


def test_a_manifest_of_an_older_version_has_entries_without_a_fate() -> None:
    assert Roll([{"id": "local"}], {}, Notes()).facts() == {"sites": ({"id": "local"},), "paid_twice_at_most": 0}


def test_a_site_is_silent_until_it_is_heard_of_and_kept_where_it_still_works() -> None:
    roll = Roll((), {}, Notes())
    roll.silent("a", 7)
    assert fates(roll.facts()) == [("silent", 0)]
    roll.heard("a")
    assert fates(roll.facts()) == [("works", 0)]
    assert fates(roll.end(released=False)) == [("kept", 0)]
